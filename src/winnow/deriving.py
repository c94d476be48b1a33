"""One turn derived: understood, recalled, decided and assembled. Nothing is kept and nothing is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from winnow.act import handle_of
from winnow.assemble import assemble
from winnow.consult import Watch
from winnow.contexts import Contexts, Known
from winnow.decide import Limits, decide
from winnow.joined import Joined
from winnow.metrics import tuned
from winnow.opened import Opened
from winnow.policy import Policy
from winnow.ports import Embedder, Source, Storage
from winnow.remember.states import Told
from winnow.sources.gate import gate
from winnow.sources.knowledge import reach
from winnow.sources.tiers import Gathered, gathered
from winnow.types.attempt import Attempt
from winnow.types.briefing import Briefing, Retrieval
from winnow.types.dialogue import Utterance
from winnow.types.home_shortlist import HomeShortlist
from winnow.types.query import Reading
from winnow.types.scope import Scope
from winnow.types.search import Search, wall_clock
from winnow.types.shortlist import Shortlist
from winnow.types.state import Snapshot
from winnow.types.understanding import Understanding
from winnow.types.verdict import Verdict
from winnow.types.view import HomeView
from winnow.understand.intent import taxonomy
from winnow.understand.turn import Heard, Turns, nowhere, outside
from winnow.understand.unread import is_idle


@dataclass(frozen=True, slots=True)
class Deriving:
    """What turns are derived with."""

    storage: Storage
    embedder: Embedder
    policy: Policy
    turns: Turns
    states: Told
    contexts: Contexts
    sources: Mapping[str, Source]

    @classmethod
    def of(
        cls,
        storage: Storage,
        embedder: Embedder,
        policy: Policy,
        states: Told,
        sources: Mapping[str, Source],
    ) -> Deriving:
        """With turns and contexts gone about as the policy says."""
        turns = Turns(policy.taxonomy or taxonomy(), policy.combined, policy.style, embedder)
        contexts = Contexts(policy, embedder, storage.facts, sources)
        return cls(storage, embedder, policy, turns, states, contexts, sources)

    async def derived(self, turn: Joined, watch: Watch) -> Retrieval:
        """Understand, recall, decide, assemble: nothing is kept.

        The rules go through with the raw words first, in about a millisecond: what follows in this home tells
        best whether the turn is for it, and whether a model need be asked at all (seed 000 starts the coarse
        recall beside the compiler for the same reason).
        """
        first = await self.heard(turn, watch)
        known = await self.turns.understood(turn.said, watch, first)
        attempt = self._settled(turn, first, known, watch)
        if turn.home is not None and is_idle(attempt.verdict):
            attempt = watch.time("mentions", turn.home.never_silent, attempt, turn.said)
        looked = await self._looked_up(known, turn, watch)
        plan = handle_of(turn.said, turn.view.home.id, attempt.verdict)
        told = Known(looked.found, known.rewrite, self.now(turn.said), plan)
        briefing = watch.time("assemble", self._briefing, turn, attempt, told)
        context = await self.contexts.told(turn, attempt, told, briefing, watch)
        return Retrieval(
            turn.said,
            turn.view.home.id,
            attempt.concise,
            briefing,
            looked.gate,
            looked.found,
            tuple(watch.stages),
            context=context,
            sufficiency=looked.sufficiency,
            intent=known.intent,
            rewrite=known.rewrite,
            embedder=self._embedded_by,
            model_calls=tuple(watch.calls),
            plan=told.plan,
        )

    def _briefing(self, turn: Joined, attempt: Attempt, told: Known) -> Briefing:
        return assemble(attempt, turn.view, self.policy.budget, told.found, told.plan)

    async def heard(self, turn: Joined, watch: Watch) -> Heard | None:
        """What the rules alone make of the turn, in its home as it is now; None without a home."""
        if turn.home is None:
            return None
        now = await self.read(turn.said.scope, turn.home)
        attempt = turn.home.attempt(turn.said, now, self.decide, watch)
        return Heard(attempt, turn.home.vocabulary)

    def _settled(self, turn: Joined, first: Heard | None, known: Understanding, watch: Watch) -> Attempt:
        """The first attempt, or another one where the turn was read anew; without a home, one of nothing."""
        if turn.home is None or first is None:
            return nowhere(turn.said, known.intent)
        if known.intent.source != "devices":
            return replace(first.attempt, verdict=outside(first.attempt, known.intent))
        if known.reading is None or known.reading is first.reading:
            return first.attempt
        now = first.attempt.snapshot
        return turn.home.followed(known.reading, turn.said, now, self.decide, watch, " again")

    async def read(self, scope: Scope, home: Opened) -> Snapshot:
        """What the devices of the home report now, as far as it is known. Raises StoreError."""
        return await self.states.read(scope.at(home.home.id))

    async def _looked_up(self, known: Understanding, turn: Joined, watch: Watch) -> Gathered:
        """What the sources offer that are worth asking; nothing is asked where nothing is to be looked up."""
        said, search = turn.said, self._search(known, turn)

        async def ask(name: str, search: Search) -> Shortlist:
            return await watch.wait(name, self.sources[name](search, said.scope, self.policy.limit(name)))

        asked = gate(known.intent, self.sources, said.user)
        beside = reach(self.sources, said.scope)
        looked = await gathered(search, asked, ask, self.policy.knowledge, beside)
        return replace(looked, found=tuned(looked.found, self.policy.tuning.ranking, search.at))

    def _search(self, known: Understanding, turn: Joined) -> Search:
        """The standalone query with what the talk turns on and what whoever asks has seen."""
        said, before = turn.said, self.contexts.seen(turn.scope, turn.said.history)
        seen = dict.fromkeys((said.text, known.query, *before))
        return Search(
            known.query, wall_clock(self.now(said)), said.language, tuple(seen), known.rewrite.context
        )

    def now(self, said: Utterance) -> float:
        """When it was said, in seconds since the epoch."""
        return said.time if said.time is not None else self.storage.clock.now()

    def decide(
        self,
        reading: Reading,
        shortlists: Sequence[HomeShortlist],
        view: HomeView,
        snapshot: Snapshot,
        said: Utterance,
    ) -> Verdict:
        """What may be done, with the limits of the policy and the rules for whoever speaks in that home."""
        limits = self.limits(view.home.id, said.user)
        return decide(reading, shortlists, view, snapshot, said, limits=limits)

    def limits(self, home_id: str, user: str) -> Limits:
        """What that person may have done in that home without asking, and what is never done."""
        return self.policy.limits.under(self.policy.acting.of(home_id, user))

    @property
    def _embedded_by(self) -> str:
        named = f"{self.embedder.name} {self.embedder.version}"
        return f"{named} - {self.policy.fallback}" if self.policy.fallback else named
