"""Features of a turn that no rule settles, and the chance that it needs retrieval.

The form of its sentences and the state of the talk, never what it is about.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from winnow.language.content_words import whole_words
from winnow.language.gazetteer import runs
from winnow.language.linear import probability
from winnow.language.tables import table
from winnow.ports.services import Embedder
from winnow.types.query import Bilingual, Taxonomy
from winnow.understand.intent.alone import Clause, PrecedingTalk, is_question, kind, shows

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

# Domain check: whether a question is near to the words a taxonomy lists as ``about``.

MAX_QUESTION_CHARS = 400
"""Characters of a question that are read."""
NEAREST = 2
"""Words of the domain that a word is held against: those nearest to it."""
SHARE = 0.5
"""Of the cosine from which two names mean the like, what a word of the domain reaches at least.

Set by ``training/fit_domain.py``: each half of 219 questions about dishes asks for 0.55, which keeps 98.2 of
the other half's 100; 0.5 keeps all, and turns away 73 (zh) and 84 (en) of 100 about anything else."""


def strange(text: str, taxonomy: Taxonomy, table: Embedder | None) -> bool:
    """Whether no content word of a question is near to what the taxonomy is about.

    False where the taxonomy says nothing of that, where ``table`` cannot tell, and without content words.
    """
    if table is None or table.alike is None or not taxonomy.about:
        return False
    words = whole_words(text, MAX_QUESTION_CHARS)
    return bool(words) and nearness(words, taxonomy, table) < SHARE * table.alike


def nearness(words: Sequence[str], taxonomy: Taxonomy, table: Embedder) -> float:
    """Of the word that is nearest to the domain, its mean cosine to the nearest words of it."""
    domain: Floats = _domain(cast("Hashable", table), taxonomy.about)
    cosines: Floats = table.embed(list(words)) @ domain.T
    cosines.sort(axis=1)
    return float(cosines[:, -NEAREST:].mean(axis=1).max())


@lru_cache(maxsize=8)
def _domain(table: Any, about: Bilingual) -> Floats:
    """The vectors of what a taxonomy is about, a row each."""
    found: Floats = table.embed([*about.zh, *about.en])
    return found


QUESTIONS = ("wh", "particle", "soft_particle", "asks_yes_no", "indefinite")
"""Cues of questions."""
FORMS = (*QUESTIONS, "request", "wish", "feeling", "pronoun_i", "pronoun_you", "own")
"""Cues that count by whether any clause has one."""
SHORT, LONG = 4, 15
"""Chinese characters (or Latin words) below and above which a turn is short or long."""
Flags = Mapping[str, bool]


def features(turn: Sequence[Clause], state: PrecedingTalk) -> Mapping[str, float]:
    """Name -> 1, or 0..1 for ``overlap``, for a turn of which something is left when the talk is taken off.

    What does not hold is left out.
    """
    said = [c for c in turn if c.rest]
    form, size, text = _form(said), length(said), " ".join(c.rest for c in said)
    acts = {act for c in turn for act in c.acts}
    flags = {
        **form,
        "backchannel": all(kind(c) == "backchannel" for c in said),
        "thanked": not acts.isdisjoint({"thanks", "farewell"}),
        "acknowledged": not acts.isdisjoint({"ack", "praise", "yes"}),
        "short": size <= SHORT,
        "long": size >= LONG,
        "digits": any(map(str.isdigit, text)),
        "opening": state.turns == 0,
        "asked_before": state.asks,
        "offered_before": state.offers,
        "waiting": state.waiting,
        "failed": state.failed,
        "personal": state.personal,
        **_together(form, state),
    }
    words, han = runs(text)
    share = overlap(han, words, state.said)
    found = dict.fromkeys((name for name, holds in flags.items() if holds), 1.0)
    return {**found, "overlap": share} if share else found


def _form(said: Sequence[Clause]) -> Flags:
    """The form of what is said."""
    shown = {name: any(shows(name, c.rest) for c in said) for name in FORMS}
    asking = any(is_question(c) for c in said)
    bare = not any(shows("predicate", c.rest) for c in said)
    marked = any(c.asked for c in said)
    return {**shown, "question": asking, "fragment": bare and not asking, "mark": marked}


def _together(form: Flags, state: PrecedingTalk) -> Flags:
    """What the form of a turn says in this state of the talk, or beside another form."""
    asks = form["question"] or form["request"]
    return {
        "answer": state.asks and not asks,
        "fresh_fragment": form["fragment"] and not state.asks,
        "personal_question": state.personal and form["question"] and form["pronoun_you"],
        "wh_indefinite": form["wh"] and form["indefinite"],
        "plain": not asks and not form["wish"],
    }


def length(said: Sequence[Clause]) -> int:
    """Chinese characters and Latin words of what is said."""
    words, han = runs(" ".join(c.rest for c in said))
    return len(words) + sum(map(len, han))


def overlap(han: Sequence[str], words: Sequence[str], said: str) -> float:
    """The share of the turn's character pairs and longer words that ``said`` holds."""
    pieces = [run[i : i + 2] for run in han for i in range(len(run) - 1)] + [w for w in words if len(w) > 3]
    return sum(p in said for p in pieces) / len(pieces) if pieces and said else 0.0


# A turn is also held against examples: where its form tells little, its meaning does.

CLOSEST = 3
"""Examples of a class that a turn is held against: those nearest to it."""
LIKE = 0.5
"""Cosine from which an example is like a turn at all."""


def chance_by_example(
    text: str, turn: Sequence[Clause], state: PrecedingTalk, by: Embedder | None
) -> float | None:
    """0..1: how likely a turn needs something looked up, by its form, its meaning and examples.

    The weights hold for the vectors of one embedder: None where ``by`` is another one.
    """
    known = openings()
    if by is None or by.name != known["embedder"]:
        return None
    vector = by.embed([text])
    likeness = nearest(vector, *_examples(cast("Hashable", by)))[0]
    along = float(vector[0] @ _direction())
    return probability({**opening_features(turn, state, likeness), "vector": along}, known["features"])


def nearest(turns: Floats, alone: Floats, sought: Floats) -> Floats:
    """The mean cosine of each turn to the nearest examples of either class: shape ``(len(turns), 2)``."""
    import numpy as np

    found = [np.sort(turns @ rows.T, axis=1)[:, -CLOSEST:].mean(axis=1) for rows in (alone, sought)]
    return np.stack(found, axis=1)


def opening_features(turn: Sequence[Clause], state: PrecedingTalk, likeness: Floats) -> Mapping[str, float]:
    """The form of a turn, and how near it is to turns of either class."""
    alone, sought = map(float, likeness)
    near = {
        "alone": alone,
        "sought": sought,
        "like_alone": max(alone - LIKE, 0.0),
        "like_sought": max(sought - LIKE, 0.0),
    }
    return {**features(turn, state), **near}


def openings() -> Mapping[str, Any]:
    """``features``: feature -> weight, ``vector``: weights of its parts, the ``embedder``."""
    return cast("Mapping[str, Any]", table(__package__, "opening.yaml"))


@lru_cache(maxsize=1)
def _direction() -> Floats:
    import numpy as np

    return np.array(openings()["vector"], np.float32)


def examples(name: str) -> list[str]:
    """The turns of one class, without the talk before those that have one."""
    lists = table(__package__, "openings.yaml")
    talk = [row.rpartition(" | ")[2] for rows in lists[f"talk_{name}"].values() for row in rows]
    return [*lists[name]["zh"], *lists[name]["en"], *talk]


@lru_cache(maxsize=8)
def _examples(by: Any) -> tuple[Floats, Floats]:
    """The vectors of the examples: what needs nothing, and what does."""
    return by.embed(examples("alone")), by.embed(examples("sought"))


# A logistic score over the features; weights are fitted, not chosen by hand.


def weights() -> Mapping[str, Mapping[str, float]]:
    """``features``: feature -> weight, with ``bias``. ``rules``: rule -> how often it was right."""
    return cast("Mapping[str, Mapping[str, float]]", table(__package__, "weights.yaml"))


def chance(found: Mapping[str, float]) -> float:
    """0..1: how many turns with these features needed retrieval, of those the weights were fitted on."""
    return probability(found, weights()["features"])


def trust(rule: str) -> float:
    """0..1: how often a rule was right."""
    return weights()["rules"].get(rule, 0.9)
