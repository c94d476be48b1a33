"""An act from a terminal: said, carried out or asked about, and told as a receipt."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from winnow.bridge import blocking
from winnow.errors import Phrase, WinnowError
from winnow.types.dialogue import Language, Utterance
from winnow.types.receipt import Receipt
from winnow.types.scope import Scope
from winnow.types.view import NO_HOME, HomeView

if TYPE_CHECKING:
    from winnow.act import Progress
    from winnow.engine import Engine

PLAN = re.compile(r"[a-z2-7]{6}")
"""What a handle looks like."""

Asked = Callable[[str], bool | None]
"""Asks a person; None where there is nobody to ask."""


@dataclass(frozen=True, slots=True)
class Said:
    """What came of it, the home it was said in, and the language it is told in."""

    receipt: Receipt
    view: HomeView
    language: Language


@dataclass(frozen=True, slots=True)
class Doer:
    """One person who has something done."""

    engine: Engine
    said: Utterance
    language: Language
    ask: Asked
    progress: Progress | None = None

    def done(self) -> Said:
        """What came of the words, or of the plan they name. Raises WinnowError."""
        opened = self.engine.sync.opened(self.said.home)
        # What came of the words before any question was answered
        text = self.said.text.strip()
        scope = Scope(self.engine.policy.tenant, self.said.user, opened.home.id, self.said.session)
        if PLAN.fullmatch(text) and blocking(self.engine.storage.plans.plan(scope, text)) is not None:
            receipt, language = self.engine.sync.act(text, scope=scope, progress=self.progress), self.language
        else:
            found = self.engine.sync.retrieve(self.said)
            receipt, language = self.engine.sync.act(found, progress=self.progress), found.reading.language
        if receipt.waiting is not None and self.ask(receipt.waiting.question):
            receipt = self._confirmed(receipt.waiting.token)
        return Said(receipt, opened.view, language)

    def agreed(self, token: str) -> Said:
        """What came of this person's yes to the question of that token. Raises WinnowError."""
        view = self.engine.sync.opened(self.said.home).view if self.said.home else NO_HOME
        return Said(self._confirmed(token), view, self.language)

    def _confirmed(self, token: str) -> Receipt:
        return self.engine.sync.confirm(token, user=self.said.user, progress=self.progress)


def asked_in(engine: Engine, user: str, token: str) -> str:
    """Id of the home that the question of that token is about; empty: nothing waits for it.

    Raises StoreError.
    """
    return blocking(engine.acting.home_of(Scope(engine.policy.tenant, user), token))


def copied(engine: Engine, home_id: str) -> None:
    """Let the engine act on a copy of the home, in memory only. Raises HomeNotFound, StoreError."""
    from winnow.wiring import rehearsing

    home = engine.sync.opened(home_id).home
    rehearsing(engine, home, blocking(engine.states.read(Scope(engine.policy.tenant, home=home.id))))


def expect_one(live: bool, simulate: bool) -> None:
    """Whether it is said where things are done. Raises WinnowError."""
    if live == simulate:
        raise WinnowError(
            "Say where it is to be done: in the home, or in a simulated copy of it.",
            hint=Phrase(
                "{live} acts on the linked home, {simulate} on a copy in memory.",
                live="--live",
                simulate="--simulate",
            ),
        )


def expect_link(engine: Engine, home_id: str, linked: bool) -> None:
    """Whether the home is linked to a server. Raises WinnowError."""
    if not linked:
        raise WinnowError(
            Phrase("The home {home} is not linked to a server, so nothing can be done in it.", home=home_id),
            hint="Import it where it runs: winnow home import --url URL --token-env NAME. Or --simulate.",
        )
