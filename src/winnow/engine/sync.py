"""An engine for callers that block: each method waits for the one of ``Engine`` by the same name."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from winnow.ports.services import blocking_iterator, needs_event_loop, run_blocking

if TYPE_CHECKING:
    from winnow.act.receipt import Progress
    from winnow.engine.engine import Engine
    from winnow.engine.home_cache import LoadedHome
    from winnow.types.candidate import Ref
    from winnow.types.context import ChatMessage, Completion, ContextOptions, Tool
    from winnow.types.feedback import Feedback, FeedbackKind
    from winnow.types.receipt import Receipt
    from winnow.types.retrieval import Retrieval, Understanding
    from winnow.types.scope import ForgetReport, Scope
    from winnow.types.state import Values
    from winnow.types.utterance import Turn, Utterance

R = TypeVar("R")


class Sync:
    """An engine for callers that block."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def retrieve(  # noqa: PLR0913 - as the engine's
        self,
        said: Utterance | str,
        *,
        history: Sequence[Turn | ChatMessage] = (),
        user: str = "",
        session: str = "",
        system: str = "",
        detail: bool = False,
        tools: Sequence[Tool] = (),
        options: ContextOptions | None = None,
    ) -> Retrieval:
        """As ``Engine.retrieve``."""
        whose = {"user": user, "session": session, "system": system}
        asked = self._engine.retrieve(
            said, history=history, detail=detail, tools=tools, options=options, **whose
        )
        return self._run(asked)

    def reply(self, retrieval: Retrieval) -> Completion:
        """As ``Engine.reply``."""
        return self._run(self._engine.reply(retrieval))

    def more(
        self, retrieval: Retrieval, reply: ChatMessage | str, *, options: ContextOptions | None = None
    ) -> Retrieval:
        """As ``Engine.more``."""
        return self._run(self._engine.more(retrieval, reply, options=options))

    def understand(self, said: Utterance | str) -> Understanding:
        """As ``Engine.understand``."""
        return self._run(self._engine.understand(said))

    def answer(  # noqa: PLR0913 - as the engine's
        self,
        retrieval_id: str,
        choice: int | str,
        *,
        user: str = "",
        tenant: str = "",
        system: str = "",
        tools: Sequence[Tool] = (),
        options: ContextOptions | None = None,
    ) -> Retrieval:
        """As ``Engine.answer``."""
        answered = self._engine.answer(
            retrieval_id, choice, user=user, tenant=tenant, system=system, tools=tools, options=options
        )
        return self._run(answered)

    def act(
        self, what: Retrieval | str, *, scope: Scope | None = None, progress: Progress | None = None
    ) -> Receipt:
        """As ``Engine.act``."""
        acted = self._engine.act(what, scope=scope, progress=progress)
        return run_blocking(self._closing(acted), waits=True)

    def confirm(
        self, token: str, *, user: str = "", tenant: str = "", progress: Progress | None = None
    ) -> Receipt:
        """As ``Engine.confirm``."""
        confirmed = self._engine.confirm(token, user=user, tenant=tenant, progress=progress)
        return run_blocking(self._closing(confirmed), waits=True)

    def undo(self, *, user: str = "", home: str = "", session: str = "", tenant: str = "") -> Receipt:
        """As ``Engine.undo``."""
        undone = self._engine.undo(user=user, home=home, session=session, tenant=tenant)
        return run_blocking(self._closing(undone), waits=True)

    def used(self, retrieval: Retrieval, user: str = "") -> None:
        """As ``Engine.used``."""
        run_blocking(self._engine.used(retrieval, user))

    def feedback(
        self,
        of: Retrieval | str,
        judged: FeedbackKind,
        ref: Ref | str | None = None,
        note: str = "",
        user: str = "",
    ) -> Feedback:
        """As ``Engine.feedback``."""
        return run_blocking(self._engine.feedback(of, judged, ref, note, user))

    def forget(self, user: str, *, tenant: str = "", dry_run: bool = False) -> ForgetReport:
        """As ``Engine.forget``."""
        return run_blocking(self._engine.forget(user, tenant=tenant, dry_run=dry_run))

    def export(
        self, user: str, *, tenant: str = "", progress: Callable[[int, int], None] | None = None
    ) -> Iterator[str]:
        """As ``Engine.export``."""
        told = {"progress": progress} if progress else {}
        return blocking_iterator(self._engine.export(user, tenant=tenant, **told))

    def observe(self, states: Values, home_id: str = "", tenant: str = "") -> None:
        """As ``Engine.observe``."""
        self._run(self._engine.observe(states, home_id, tenant))

    def load_home(self, home_id: str = "", tenant: str = "") -> LoadedHome:
        """As ``Engine.load_home``."""
        return run_blocking(self._engine.load_home(home_id, tenant))

    def _run(self, work: Coroutine[object, object, R]) -> R:
        """Only a model, sources that say so and states from elsewhere than the store make the work wait."""
        stored = self._engine.states.below is self._engine.storage.states
        at_once = not any(needs_event_loop(source) for source in self._engine.sources.values())
        if self._engine.chat is None and at_once and stored:
            return run_blocking(work)
        return run_blocking(self._closing(work), waits=True)

    async def _closing(self, work: Coroutine[object, object, R]) -> R:
        """The work's result; the connections of its loop end with it."""
        try:
            return await work
        finally:
            await self._engine.aclose()
