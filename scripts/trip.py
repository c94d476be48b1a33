"""What one turn runs through: functions, files, rooms, and how often it moves from one room to another.

    python scripts/trip.py "turn on the kitchen light" [HOME, default example:cottage] [--act]

The turn is taken once before, so that what is loaded or built only once is not counted. Rooms that everything
stands on (types, language, ports) are no stations of the trip.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import winnow

SOURCE = f"{Path(winnow.__file__).parent}/"
GROUND = frozenset({"types", "language", "ports", "ports.py", "errors.py", "__init__.py"})


@dataclass(slots=True)
class Trip:
    """What a profiler saw of one turn."""

    functions: set[tuple[str, str]] = field(default_factory=set)
    rooms: list[str] = field(default_factory=list)
    """The rooms in the order in which the turn entered them."""
    _stack: list[str] = field(default_factory=list)

    def notice(self, frame: FrameType, event: str, _: Any) -> None:
        """One call or return, as ``sys.setprofile`` reports it."""
        name = frame.f_code.co_filename
        if not name.startswith(SOURCE):
            return
        if event == "call":
            room = name.removeprefix(SOURCE).split("/")[0]
            if "<" not in frame.f_code.co_qualname.rpartition(".")[2]:
                self.functions.add((name, frame.f_code.co_qualname))
            self._stack.append(room)
            self._enter(room)
        elif event == "return" and self._stack:
            self._stack.pop()
            self._enter(next((room for room in reversed(self._stack) if room not in GROUND), None))

    def _enter(self, room: str | None) -> None:
        if room and room not in GROUND and self.rooms[-1:] != [room]:
            self.rooms.append(room)

    @property
    def summary(self) -> str:
        """The counts in one line."""
        files, rooms = {file for file, _ in self.functions}, set(self.rooms)
        return (
            f"functions {len(self.functions)} files {len(files)} rooms {len(rooms)} "
            f"moves {max(0, len(self.rooms) - 1)} revisits {len(self.rooms) - len(rooms)}"
        )


async def take(engine: winnow.Engine, sentence: str, act: bool = False) -> Trip:
    """The trip of one sentence, carried out on a simulated home where ``act`` says so."""
    trip = Trip()
    sys.setprofile(trip.notice)
    try:
        retrieval = await engine.retrieve(sentence)
        if act:
            await engine.act(retrieval)
    finally:
        sys.setprofile(None)
    return trip


def main() -> None:
    """Print the trip of a sentence."""
    words = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    sentence, act = words[0], "--act" in sys.argv
    engine = winnow.open(words[1] if len(words) > 1 else "example:cottage")
    engine.sync.retrieve(sentence)
    print(asyncio.run(take(engine, sentence, act)).summary)


if __name__ == "__main__":
    main()
