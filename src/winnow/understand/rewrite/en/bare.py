"""``How long?`` after an explanation: the question with what the talk is about."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.types.dialogue import Turn
from winnow.types.rewrite import Rewrite, Span
from winnow.understand.rewrite.en.mentions import READ, Mention, mentions
from winnow.understand.rewrite.en.words import Token, lists, tokens

LONGEST = 5
"""Words of a question that is nothing but its first part."""
EXPLAINS = 80
"""Characters from which an answer explains something, which is then what the talk is about."""


def asked_barely(query: str, history: Sequence[Turn], skipped: int = 0) -> Rewrite | None:
    """``How much salt?`` and ``for the bread`` behind it; None where it says more, or nothing was told."""
    about = _topic(history) if _is_bare(tokens(query)) else None
    if about is None:
        return None
    body = query.rstrip(" ?!.")
    text = f"{body} for {about.text}{query[len(body) :]}"
    span = Span(about.text, about.turn + skipped, len(body))
    return Rewrite(text, True, (span,), "bare", confidence=0.7)


def _is_bare(read: Sequence[Token]) -> bool:
    """Whether a question is only a question word and what it measures or chooses: ``at what temperature``."""
    words = [token.low for token in read if token.kind != "mark"]
    leads = next((n for n, word in enumerate(words) if word not in lists()["bare_leads"]), len(words))
    placed = not lists()["bare_places"].isdisjoint(words[:leads])
    asked = words[leads:]
    if not 2 <= len(asked) <= LONGEST or asked[0] not in lists()["bare_at" if placed else "bare_asks"]:
        return False
    more = {token.low for token in read if token.kind == "verb"}.union(lists()["bare_stops"])
    return more.isdisjoint(asked[1:])


def _topic(history: Sequence[Turn]) -> Mention | None:
    """The last phrase of the last full question of the user, where an explanation followed."""
    for turn in reversed(range(len(history) - 1)):
        said, reply = history[turn], history[turn + 1]
        if said.role == "user" and reply.role == "assistant" and len(reply.content) >= EXPLAINS:
            found = [m for m in mentions([Turn("user", said.content[:READ])]) if _names_a_thing(m)]
            if found:
                return found[-1]._replace(turn=turn)
    return None


def _names_a_thing(mention: Mention) -> bool:
    return mention.kind in {"noun", "name", "title"} and mention.words[-1] not in lists()["vague"]
