"""What feedback taught about what is given at first and what is made smaller."""

from __future__ import annotations

from winnow.context.parts import ContextParts
from winnow.context.quotes import quote_data
from winnow.language.tokens import counter
from winnow.types.candidate import Candidate, Ref, Shortlist
from winnow.types.context import NO_TUNING, Tuning

QUESTION = "Which paint did the joiner use for the shutters?"
PAINT = (
    "The joiner painted the shutters with linseed paint. He oiled the stairs in spring, and the banister a "
    "week later. The gutter was mended by a roofer from the next village. Nobody has touched the cellar door."
)
MOVE = (
    "We moved in on a rainy Tuesday with two vans. The joiner came for coffee. The piano went up last, by "
    "the window, and the neighbours watched. In the evening we ate soup from paper cups."
)


def told(tuning: Tuning = NO_TUNING, room: int = 2000, detail: bool = False) -> tuple[str, tuple[str, ...]]:
    """The message, and what of it is given."""
    best = Candidate(Ref("passage", "best"), (), 0.9, {"text": PAINT})
    weak = Candidate(Ref("passage", "weak"), (), 0.3, {"text": MOVE, "importance": 0.7})
    made = quote_data(
        ContextParts(QUESTION, found=[Shortlist("knowledge", (best, weak))], tuning=tuning, detail=detail),
        room,
        counter(""),
    )
    return made.text, tuple(quote.id for quote in made.quotes)


def test_how_much_worse_than_the_best_is_given_at_first_can_be_tuned() -> None:
    assert told()[1] == ("best",)
    assert told(Tuning(relevant=0.2))[1] == ("best", "weak")


def test_from_which_importance_on_a_text_is_made_smaller_last_can_be_tuned() -> None:
    usual = told(room=140, detail=True)[0]
    protected = told(Tuning(protect=0.6), 140, detail=True)[0]
    assert "paper cups" in protected
    assert "paper cups" not in usual
