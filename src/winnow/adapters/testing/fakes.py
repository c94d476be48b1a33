"""Stand-ins for the outside.

A clock that stands still, a model that reads from a script; in ``houses`` made-up homes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from winnow.errors import WinnowError
from winnow.types.context import Completion, Tier


class FrozenClock:
    """A clock that shows ``seconds`` until somebody sets it."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds

    def now(self) -> float:
        """What it was set to."""
        return self.seconds


class ScriptedChat:
    """A ``Chat`` that gives its answers one after the other, the last one for ever.

    An answer that is an error is raised.
    """

    def __init__(self, *answers: str | WinnowError) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[Sequence[Mapping[str, str]], Mapping[str, object] | None]] = []
        """What it was asked: messages and schema of each call."""

    async def complete(
        self,
        messages: Sequence[Mapping[str, str]],
        schema: Mapping[str, object] | None = None,
        tier: Tier = "fast",
    ) -> Completion:
        """The next answer, from a model named after the tier."""
        self.asked.append((messages, schema))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, WinnowError):
            raise answer
        return Completion(answer, f"scripted-{tier}")
