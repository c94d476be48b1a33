"""What of a ranking is worth a reader's time: the smallest context that is enough."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from winnow.types.shortlist import Candidate, Dropped

AGAIN = "part of this talk"
BEHIND = "far behind the best"


def parted(
    source: str, candidates: Sequence[Candidate], seen: Collection[str], least_share: float
) -> tuple[tuple[Candidate, ...], tuple[Dropped, ...]]:
    """Those to show, best first, and those left out with the reason.

    ``seen``: texts that whoever asks has before them anyway. ``least_share``: of the best score, what a
    candidate must have at least.
    """
    before = {text.strip() for text in seen}
    least = least_share * max((c.score for c in candidates), default=0.0)
    dropped = dict(_left_out(candidates, before, least))
    kept = tuple(c for c in candidates if c.ref.id not in dropped)
    return kept, tuple(Dropped(id_, source, reason) for id_, reason in dropped.items())


def _left_out(
    candidates: Sequence[Candidate], seen: Collection[str], least: float
) -> Iterator[tuple[str, str]]:
    for candidate in candidates:
        if said(candidate) in seen:
            yield candidate.ref.id, AGAIN
        elif candidate.score < least:
            yield candidate.ref.id, BEHIND


def said(candidate: Candidate) -> str:
    """The text of a message."""
    data = candidate.data
    return str(data["text"]).strip() if isinstance(data, dict) else ""
