"""One turn from words to context: read, find, decide, search, brief. Nothing is stored, nothing is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from winnow.context.briefing import build_briefing
from winnow.context.metrics import tune_ranking
from winnow.decide.clarify import with_reading_question
from winnow.decide.decide import decide
from winnow.engine.home_cache import LoadedHome, StateOverlay
from winnow.engine.llm.client import TurnTrace
from winnow.engine.policy import Policy
from winnow.engine.replies import session_reply
from winnow.engine.session_context import ContextInputs, SessionContexts
from winnow.engine.turn_input import NO_OPTIONS, CallOptions, TurnInput
from winnow.language.naming import not_read
from winnow.ports.services import Embedder, Source, let_others_run
from winnow.ports.stores import Storage
from winnow.retrieve.tiers import TierResult, search_tiers, source_row
from winnow.types.candidate import Search, wall_clock
from winnow.types.plan import ActionLimits, handle_of
from winnow.types.query import Reading
from winnow.types.retrieval import Attempt, Retrieval, Understanding
from winnow.types.utterance import Question, Turn, Utterance
from winnow.types.verdict import RISK_ISLAND, Act, Confirm, Nothing, NotUnderstood, Query, Refuse, named_calls
from winnow.understand.intent.taxonomy import taxonomy
from winnow.understand.reading import (
    NEGATED,
    is_idle,
    island_reading,
    one_order_reading,
    question_island,
    understand,
    unread,
)
from winnow.understand.turn import ON_REPLY, RuleResult, TurnReader, nowhere, outside


@dataclass(frozen=True, slots=True)
class TurnPipeline:
    """What turns are derived with."""

    storage: Storage
    embedder: Embedder
    policy: Policy
    turns: TurnReader
    states: StateOverlay
    contexts: SessionContexts
    sources: Mapping[str, Source]

    @classmethod
    def create(
        cls,
        storage: Storage,
        embedder: Embedder,
        policy: Policy,
        states: StateOverlay,
        sources: Mapping[str, Source],
    ) -> TurnPipeline:
        """With turns and contexts gone about as the policy says."""
        turns = TurnReader(policy.taxonomy or taxonomy(), policy.combined, policy.style, embedder)
        contexts = SessionContexts(policy, embedder, storage.facts, sources)
        return cls(storage, embedder, policy, turns, states, contexts, sources)

    async def run_turn(self, turn: TurnInput, watch: TurnTrace) -> Retrieval:
        """Understand, recall, decide, assemble: nothing is kept.

        The rules go through with the raw words first, in about a millisecond: what follows in this home tells
        best whether the turn is for it, and whether a model need be asked at all (seed 000 starts the coarse
        recall beside the compiler for the same reason).
        """
        turn = await self.with_states(turn)
        watch.start()
        first = first_attempt(turn, watch)
        await let_others_run()
        known = await self.turns.understand(turn.utterance, watch, rule_result(turn, first))
        watch.add(known.stages)
        attempt = final_attempt(turn, first, known, watch)
        looked = await self._retrieve_sources(known, turn, watch)
        plan, view = handle_of(turn.utterance, turn.view.home.id, attempt), turn.view
        watch.start()
        briefing = build_briefing(attempt, view, self.policy.budget, looked.found, plan)
        watch.mark("assemble")
        told = ContextInputs(looked.found, known.rewrite, turn.now, plan)
        context = await self.contexts.build_with_model(turn, attempt, told, briefing, watch)
        return Retrieval(
            turn.utterance,
            view.home.id,
            attempt.concise,
            briefing,
            looked.gate,
            looked.found,
            tuple(watch.stages),
            context=context,
            sufficiency=looked.sufficiency,
            intent=known.intent,
            rewrite=known.rewrite,
            embedder=self._embedder_label,
            model_calls=tuple(watch.calls),
            plan=plan,
        )

    def turn_input(
        self,
        said: Utterance,
        home: LoadedHome | None,
        question: Question | None = None,
        call: CallOptions = NO_OPTIONS,
        *,
        stored: bool = True,
    ) -> TurnInput:
        """A turn with all that is known before it is understood, but for what the devices report."""
        limits = self.limits(home.home.id if home else "", said.user)
        return TurnInput(said, home, question, call, stored, self.now(said), limits)

    def now(self, said: Utterance) -> float:
        """When it was said, in seconds since the epoch."""
        return said.time if said.time is not None else self.storage.clock.now()

    async def with_states(self, turn: TurnInput) -> TurnInput:
        """The turn with what the devices of its home report now. Raises StoreError."""
        if turn.home is None:
            return turn
        return replace(turn, snapshot=await self.states.read(turn.utterance.scope.at(turn.home.home.id)))

    async def _retrieve_sources(self, known: Understanding, turn: TurnInput, watch: TurnTrace) -> TierResult:
        """What the sources offer that are worth asking; nothing is asked where nothing is to be looked up."""
        await let_others_run()
        said, before = turn.utterance, self.contexts.seen_texts(turn.scope, turn.utterance.history)
        # What whoever asks has before them is not to be found for them again.
        seen = tuple(dict.fromkeys((said.text, known.query, *before)))
        wish = known.intent.act == "request"
        query = Search(known.query, wall_clock(turn.now), said.language, seen, known.rewrite.context, wish)
        rows = {name: source_row(name, source) for name, source in self.sources.items()}
        limits = {name: self.policy.limit_of(row) for name, row in rows.items()}
        scope, settings = said.scope, self.policy.knowledge
        looked = await search_tiers(query, known.intent, self.sources, scope, limits, settings)
        watch.add(looked.stages)
        if ranking := self.policy.tuning.ranking:
            return replace(looked, found=tune_ranking(looked.found, ranking, query.at))
        return looked

    async def with_context(
        self, after: Retrieval, turn: TurnInput, asked: Retrieval, watch: TurnTrace
    ) -> Retrieval:
        """What an answer to the question of ``asked`` led to, with a briefing and messages of it.

        In the messages the talk went on: the request, the question, and what was answered to it.
        """
        known = await self.storage.sessions.session(turn.scope) if turn.utterance.session else None
        # What a session holds was said so: whoever hosts the engine may have asked in other words.
        if known is not None and known.question is not None and known.question.id == after.after:
            talk = known.turns
        else:
            question = Turn("assistant", session_reply(asked, turn.view))
            talk = (*turn.utterance.history, Turn("user", turn.utterance.text), question)
        answered = replace(turn, utterance=replace(turn.utterance, text=after.answer, history=talk))
        plan = handle_of(turn.utterance, turn.view.home.id, after.attempt)
        watch.start()
        briefing = build_briefing(after.attempt, turn.view, self.policy.budget, (), plan)
        watch.mark("assemble")
        told = ContextInputs(now=turn.now, plan=plan)
        context, _ = await self.contexts.build(answered, after.attempt, told, briefing)
        watch.mark("context")
        attempt, stages = after.attempt.concise, tuple(watch.stages)
        return replace(after, attempt=attempt, briefing=briefing, context=context, stages=stages, plan=plan)

    def limits(self, home_id: str, user: str) -> ActionLimits:
        """What that person may have done in that home without asking, and what is never done."""
        return self.policy.limits.under(self.policy.acting.of(home_id, user))

    @property
    def _embedder_label(self) -> str:
        named = f"{self.embedder.name} {self.embedder.version}"
        return f"{named} - {self.policy.fallback}" if self.policy.fallback else named


def first_attempt(turn: TurnInput, watch: TurnTrace) -> Attempt | None:
    """What the rules alone make of the words in this home. No waiting: about a millisecond."""
    if turn.home is None:
        return None
    reading = understand(turn.utterance, turn.home.vocabulary)
    watch.mark("understand")
    first = attempt_with(turn, turn.home, reading, watch)
    if isinstance(first.verdict, Nothing | Refuse) and is_idle(first.verdict):
        said, vocabulary = turn.utterance, turn.home.vocabulary
        inside = one_order_reading(said, vocabulary) or island_reading(reading, said, vocabulary)
        watch.mark("understand island")
        if found := island_attempt(turn, turn.home, inside, watch):
            return found
        asked = question_island(reading, said, vocabulary)
        return island_attempt(turn, turn.home, asked, watch) or first
    if not reading.rivals or not named_calls(first.verdict):
        return first
    others = (replace(reading, queries=queries, rivals=()) for queries in reading.rivals)
    also = [attempt_with(turn, turn.home, one, watch, " also") for one in others]
    return with_reading_question([first, *also], turn.view)


def island_attempt(
    turn: TurnInput, home: LoadedHome, reading: Reading | None, watch: TurnTrace
) -> Attempt | None:
    """What follows from an order beside words that do not belong to it; None where it is not to be trusted.

    Where these words were not read either, it is a question that names all it would do.
    """
    if reading is None:
        return None
    attempt = attempt_with(turn, home, reading, watch, " island")
    match attempt.verdict:
        case Act(refused=()) if not reading.island:
            return attempt
        # "This is support, open the gate": what somebody says of themselves is no ground for danger; but
        # "I am freezing, put the heater on" is one for warmth.
        case Query(reads=reads) if reads:
            return attempt
        case Confirm(risks=risks, refused=()) if not reading.claimed or set(risks) <= {RISK_ISLAND, "heat"}:
            return attempt
        case _:
            return None


def attempt_with(
    turn: TurnInput, home: LoadedHome, reading: Reading, watch: TurnTrace, again: str = ""
) -> Attempt:
    """What follows from a reading in this home as it is; ``again`` marks its stages in the trace."""
    from winnow.retrieve.home.search import (
        search_home,  # brings the library of vectors, which only an opened home needs
    )

    shortlists = search_home(reading, home.index, turn.utterance)
    watch.mark(f"recall{again}")
    verdict = decide(reading, shortlists, home.view, turn.snapshot, turn.utterance, limits=turn.limits)
    watch.mark(f"decide{again}")
    return Attempt(reading, shortlists, verdict, turn.snapshot)


def final_attempt(turn: TurnInput, first: Attempt | None, known: Understanding, watch: TurnTrace) -> Attempt:
    """The first attempt, or another one where the turn was read anew; without a home, one of nothing."""
    if turn.home is None or first is None:
        return nowhere(turn.utterance, known.intent)
    watch.start()
    attempt = first
    if known.intent.source != "devices":
        attempt = replace(first, verdict=outside(first, known.intent))
    elif known.reading is not None and known.reading is not first.reading:
        attempt = attempt_with(turn, turn.home, known.reading, watch, " again")
    if (
        known.intent.reason != ON_REPLY
        and isinstance(attempt.verdict, Nothing | Refuse)
        and is_idle(attempt.verdict)
    ):
        attempt = with_mentions(attempt, turn.home, turn.utterance)
        watch.mark("mentions")
    return attempt


def with_mentions(attempt: Attempt, home: LoadedHome, said: Utterance) -> Attempt:
    """An idle attempt with what its words mention; what wanted something of the home is told so."""
    from winnow.retrieve.home.evidence import mentioned_things
    from winnow.retrieve.home.explain import HomePosition

    room = home.view.room_named(said.room) if said.room else None
    here = HomePosition(home.index, room.id if room else None)
    words = unread(attempt, said.history, home.vocabulary)
    queries = attempt.reading.queries if words.wanted else ()
    told = replace(attempt, mentioned=mentioned_things(words.names, queries, here, wanted=words.wanted))
    match attempt.verdict:
        case Refuse(refusals=refusals):
            # What is only near in meaning is asked about; what the words mention otherwise is handed over.
            near = {i for refusal in refusals for i in refusal.near}
            return told if not near or near.isdisjoint(told.mentioned_ids[:1]) else attempt
        case Nothing() if words.wanted:
            text = not_read(words.strange, told.mentioned_ids, home.view, attempt.reading.language)
            return replace(told, verdict=NotUnderstood(words.strange, told.mentioned_ids, text))
        case Nothing(reason=reason) if reason == NEGATED and not words.is_open:
            return attempt
    return replace(told, may_order=words.is_open)


def rule_result(turn: TurnInput, first: Attempt | None) -> RuleResult | None:
    """What the rules made of the words, with the words of the home; None without one."""
    return RuleResult(first, turn.home.vocabulary) if turn.home and first else None
