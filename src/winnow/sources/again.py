"""What was found in an earlier turn, held against its source before it is given again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from winnow.ports import Keeping, Source
from winnow.types.context import Given
from winnow.types.ref import Ref
from winnow.types.scope import Scope


async def gone(sources: Mapping[str, Source], scope: Scope, given: Sequence[Given]) -> frozenset[Ref]:
    """What is not there any more as it was found, or cannot be asked about. Raises StoreError."""
    by_source: dict[str, list[Given]] = {}
    for one in given:
        by_source.setdefault(one.source, []).append(one)
    away: set[Ref] = set()
    for name, some in by_source.items():
        away.update(await _gone(sources.get(name), scope, some))
    return frozenset(away)


async def _gone(source: Source | None, scope: Scope, given: Sequence[Given]) -> Iterable[Ref]:
    refs = [one.candidate.ref for one in given]
    if not hasattr(source, "current"):
        return refs
    now = await cast("Keeping", source).current(scope, [ref.id for ref in refs])
    return [one.candidate.ref for one in given if not _is_as_found(one, now.get(one.candidate.ref.id))]


def _is_as_found(given: Given, now: Mapping[str, object] | None) -> bool:
    """Whether all that is known of it now was known then; what was told beside it may be more."""
    then = given.candidate.data
    return now is not None and isinstance(then, Mapping) and now.items() <= then.items()
