"""What a name tells of a thing: its kind (``language.heads``)."""

from __future__ import annotations

from collections.abc import Iterable

from winnow.homes.traits import table, with_parents
from winnow.language.heads import head


def kinds_by_name(names: Iterable[str]) -> tuple[tuple[str, ...], str]:
    """The kinds that the first telling name tells, most specific first, and the reason: ``name kettle``.

    ``((), "")`` when no name tells. Of a carrier what hangs on it: ``("kettle",)`` for ``Kettle Plug``.
    """
    known = table()["kinds"]
    for told in filter(None, map(head, names)):
        if told.what in known:
            return with_parents([told.what]), f"name {told.word}"
    return (), ""
