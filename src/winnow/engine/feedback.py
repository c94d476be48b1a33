"""What is kept of turns after they were answered: the last ones, counts where that is switched on, feedback.

Feedback is kept and never used by itself: ``training/knowledge/tune.py`` reads it, and what it proposes
counts only where somebody switches it on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args
from uuid import uuid4

from winnow.context.metrics import turn_account, turn_figures, turn_metrics
from winnow.engine.turn_input import FinishedTurn
from winnow.errors import FeedbackError, Phrase
from winnow.ports.stores import Storage
from winnow.types.candidate import Ref, RefKind, wall_clock
from winnow.types.feedback import Account, Feedback, FeedbackKind, Total
from winnow.types.lru import LruCache
from winnow.types.retrieval import Retrieval
from winnow.types.scope import IsGone, Scope

if TYPE_CHECKING:
    from winnow.retrieve.facts.source import FactExtractor

IDLE = frozenset({"", "ack", "thanks", "greeting", "farewell", "stop", "choice", "confirm"})
"""What words may do in a talk without telling anything."""

MAX_RECENT_TURNS = 64
"""Turns that one process remembers, to be judged by their ids."""
_HINT_NO_ACCOUNT = (
    "Give the retrieval itself, or set `metrics = true`: accounts of a person's last turns are then kept."
)


class FeedbackLog:
    """What is kept of the turns over one storage; ``counting``: whether the store counts them."""

    def __init__(self, storage: Storage, *, counting: bool = False) -> None:
        self.storage, self.counting = storage, counting
        self._recent: LruCache[tuple[str, str], Retrieval] = LruCache(MAX_RECENT_TURNS)

    async def turn_finished(self, turn: FinishedTurn) -> None:
        """Remember a turn, and count it where that is switched on. Raises StoreError."""
        retrieval = turn.retrieval
        self._recent.put((retrieval.scope.tenant, retrieval.id), retrieval)
        if self.counting:
            counted = turn_account(retrieval, self.storage.clock.now()) if retrieval.utterance.user else None
            await self.storage.counts.count(retrieval.scope, turn_figures(turn_metrics(retrieval)), counted)

    async def add_feedback(
        self,
        scope: Scope,
        of: Retrieval | str,
        judged: FeedbackKind,
        ref: Ref | str | None = None,
        note: str = "",
    ) -> Feedback:
        """Keep what the scope's user says of a turn. Raises FeedbackError, StoreError.

        ``of``: the retrieval or its id; empty: the user's last one that was counted. ``ref``: what is meant,
        such as ``passage:ID``, or the id alone; only what is missing may be something the turn was not given.
        """
        if judged not in get_args(FeedbackKind):
            said: str = Phrase("Nothing is judged {judged!r}.", judged=judged)
            raise FeedbackError(said, hint=Phrase("It is one of {kinds}.", kinds=get_args(FeedbackKind)))
        turn = await self._account_of(scope, of)
        meant = _judged_ref(turn, judged, ref)
        now = self.storage.clock.now()
        given = Feedback(uuid4().hex[:12], scope.user, judged, turn.id, now, meant, note, turn)
        await self.storage.feedback.keep(scope, given)
        return given

    def recent_turn(self, scope: Scope, id_: str) -> Retrieval | None:
        """The turn of that id among the last of this process; None of anybody but the scope's user."""
        found = self._recent.get((scope.tenant, id_))
        return found if found is not None and found.utterance.user == scope.user else None

    def drop(self, is_gone: IsGone) -> None:
        """Forget the last turns of these persons."""
        self._recent.drop(lambda _, retrieval: is_gone(retrieval.scope))

    async def totals(self, scope: Scope) -> Mapping[str, Total]:
        """What was counted of the tenant's turns. Raises StoreError."""
        return await self.storage.counts.totals(scope)

    async def _account_of(self, scope: Scope, of: Retrieval | str) -> Account:
        if isinstance(of, str):
            # The turn of that id; none of another person's where somebody is named
            found = self._recent.get((scope.tenant, of))
            retrieval = found if found and scope.user in ("", found.utterance.user) else None
        else:
            retrieval = of
        if retrieval is not None:
            return turn_account(retrieval, self.storage.clock.now())
        known = await self.storage.counts.account(scope, str(of))
        if known is not None:
            return known
        if of:
            raise FeedbackError(
                Phrase("Nothing is known of a retrieval {id!r}.", id=of), hint=_HINT_NO_ACCOUNT
            )
        raise FeedbackError(
            Phrase("No turn of {user} was counted.", user=scope.user or "?"), hint=_HINT_NO_ACCOUNT
        )


def _judged_ref(turn: Account, judged: FeedbackKind, ref: Ref | str | None) -> Ref | None:
    """What is judged. Raises FeedbackError for what the turn was not given, unless it is to be missing."""
    if not ref:
        return None
    offered = {f"{one.ref.kind}:{one.ref.id}": one.ref for one in turn.offered}
    name = ref if isinstance(ref, str) else f"{ref.kind}:{ref.id}"
    by_id = {one.id: one for one in offered.values()}
    if found := offered.get(name) or by_id.get(name):
        return found
    if judged == "missing":
        return ref if isinstance(ref, Ref) else _parse_ref(ref)
    raise FeedbackError(
        Phrase("That turn was not given {ref!r}.", ref=name),
        hint=Phrase("It was given {refs}.", refs=tuple(offered)) if offered else "It was given nothing.",
    )


def _parse_ref(ref: str) -> Ref:
    """``fact:f1``; without a kind, a passage."""
    kind, _, id_ = ref.partition(":")
    kinds: dict[str, RefKind] = {known: known for known in get_args(RefKind)}
    return Ref(kinds[kind], id_) if kind in kinds and id_ else Ref("passage", ref)


@dataclass(frozen=True, slots=True)
class FactListener:
    """Hands what a person tells to what keeps facts; talk, orders to the home and answers tell none.

    Nor does what an agent wrote: it is kept where the agent says so, not by the way.
    """

    keeper: FactExtractor

    async def turn_finished(self, turn: FinishedTurn) -> None:
        """Keep the facts of a turn. Raises StoreError."""
        said, intent = turn.retrieval.utterance, turn.retrieval.intent
        tells = intent is not None and intent.source != "devices" and intent.act not in IDLE
        if said.user and tells and not turn.retrieval.after and not said.by_agent:
            await self.keeper.extract(said.scope, said.text, wall_clock(turn.now))
