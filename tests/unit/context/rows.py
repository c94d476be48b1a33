"""The lines of a briefing as a reader takes them, for tests."""

from __future__ import annotations

import re

from winnow.types.home import HomeView

_THING = re.compile(r'(?P<handle>\S+) "(?P<name>[^"]*)"(?: in "(?P<room>[^"]*)")?(?:, (?P<kind>\w+))?$')
_SET = re.compile(r"(?P<do>do .+) for (?P<count>\d+)(?:: (?P<names>.*))?$")
_TALLY = re.compile(r"(?P<read>[\w-]+) of (?P<count>\d+): (?P<values>.*)$")


def row(line: str, view: HomeView) -> dict:
    """One line as a mapping: a thing by ``id``, ``name``, ``room``, ``kind``, ``do``, ``can`` and ``now``."""
    if line.startswith("verdict "):
        return {"verdict": line.removeprefix("verdict ")}
    if line.startswith("all below "):
        return {"all": line.removeprefix("all below can ")}
    if found := _TALLY.match(line):
        return {"read": found["read"], "count": int(found["count"]), "values": found["values"]}
    first, *parts = line.split("; ")
    if found := _SET.match(first):
        names = re.findall(r'"([^"]*)"', found["names"] or "")
        return {"do": found["do"][3:], "count": int(found["count"]), "names": names, "handles": parts}
    found = _THING.match(first)
    told = {k: v for k, v in found.groupdict().items() if v and k != "handle"} if found else {}
    told["id"] = view.thing_id(found["handle"] if found else first)
    for part in parts:
        word, _, rest = part.partition(" ")
        told[word] = f"{told[word]}; {rest}" if word in told else rest
    return told


def rows(text: str, view: HomeView) -> list[dict]:
    """The lines below the header."""
    return [row(line, view) for line in text.splitlines()[1:]]
