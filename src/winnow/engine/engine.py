"""The one conductor: from what a person said to what an agent needs.

An utterance is understood, what it may mean is recalled, what may be done is decided, and the smallest
sufficient text is assembled.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, ParamSpec, TypeVar, cast
from uuid import uuid4

from winnow.act.receipt import Progress
from winnow.context.metrics import turn_metrics
from winnow.context.more import Reply, missing_data
from winnow.decide.bulk import arbitration
from winnow.decide.clarify import question_after_model
from winnow.engine.acting import ActService
from winnow.engine.answers import is_complete, new_request, parse_answer, refusal_verdict, resume_turn
from winnow.engine.feedback import FactListener, FeedbackLog
from winnow.engine.home_cache import HomeCache, LoadedHome, StateOverlay
from winnow.engine.ingestion import Ingestion
from winnow.engine.llm.client import TurnTrace
from winnow.engine.naming import CustomNames
from winnow.engine.persons import ExportProgress
from winnow.engine.policy import Policy
from winnow.engine.session_context import MORE_FACTOR, ContextInputs, SessionContexts
from winnow.engine.sessions import OpenQuestion, SessionStore
from winnow.engine.tool_proposals import ToolProposals
from winnow.engine.tool_replies import (
    Functions,
    ModelReply,
    ToolReplies,
    agent_tools,
    answer_calls,
    reply_text,
)
from winnow.engine.turn import TurnPipeline, first_attempt, rule_result
from winnow.engine.turn_input import NO_OPTIONS, CallOptions, FinishedTurn, TurnInput, TurnListener
from winnow.errors import NoOpenQuestion, WinnowError
from winnow.ports.services import Chat, Embedder, Source, blocking_iterator, needs_event_loop, run_blocking
from winnow.ports.stores import Storage
from winnow.retrieve.tiers import ASKED, SPARED, search_tiers, source_row
from winnow.types.candidate import Ref, Search, Shortlist, wall_clock
from winnow.types.context import AS_CONFIGURED, ChatMessage, Completion, ContextOptions, Tool
from winnow.types.feedback import Feedback, FeedbackKind, Metrics
from winnow.types.query import Intent
from winnow.types.receipt import Receipt
from winnow.types.retrieval import Retrieval, Stage, Understanding
from winnow.types.scope import ForgetReport, Memory, Scope
from winnow.types.state import Values
from winnow.types.utterance import LanguageCode, Turn, Utterance, split_question
from winnow.types.verdict import Clarify
from winnow.understand.reading import understand
from winnow.understand.turn import TurnReader

if TYPE_CHECKING:
    from winnow.retrieve.facts.source import FactExtractor

P = ParamSpec("P")
R = TypeVar("R")
SEARCH = Intent(need_retrieval=True, source="knowledge", label="search")
"""What a search asks for, whatever its words are."""


class Engine(Ingestion):
    """Answers utterances about the homes of one storage, and of whatever else its ``sources`` hold."""

    open: ClassVar[Callable[..., Engine]]
    """The same as ``winnow.open``: the package gives it to the class, which knows no adapter."""

    def __init__(
        self,
        storage: Storage,
        embedder: Embedder,
        *,
        policy: Policy | None = None,
        chat: Chat | None = None,
        talk: SessionStore | None = None,
        sources: Mapping[str, Source] | None = None,
    ) -> None:
        self.storage, self.embedder, self.chat = storage, embedder, chat
        self.policy = policy or Policy()
        self.talk = talk or SessionStore(storage)
        self.sources = dict(sources or {})
        self.keeper: FactExtractor | None = None
        """What keeps the facts a person tells; None: nothing is kept."""
        self.also: list[Memory] = []
        """What remembers anything of persons beside the parts of the engine."""
        self.homes = HomeCache(storage, embedder)
        self.states = StateOverlay(storage.states, storage.clock)
        """Where states are read: what was told, over what lies below (the import, as a rule)."""
        self.pipeline = TurnPipeline.create(storage, embedder, self.policy, self.states, self.sources)
        self.feedback_log = FeedbackLog(storage, counting=self.policy.metrics)

    @property
    def turns(self) -> TurnReader:
        """What turns are understood with."""
        return self.pipeline.turns

    @property
    def contexts(self) -> SessionContexts:
        """What messages are put together with."""
        return self.pipeline.contexts

    @cached_property
    def sync(self) -> Sync:
        """The same for callers that block."""
        return Sync(self)

    @cached_property
    def acting(self) -> ActService:
        """What things are done with; its ``actuator`` is what moves the devices."""
        return ActService(self.pipeline, self.homes, self.talk)

    def _memories(self) -> Iterator[Memory]:
        ours: list[Memory] = [self.talk, self.contexts, self.feedback_log, self.acting, self.proposals]
        yield from (*ours, *self.also)
        for source in self.sources.values():
            if isinstance(source, Memory):
                yield source

    @cached_property
    def teaching(self) -> CustomNames:
        """Names that people give their things."""
        return CustomNames(self.pipeline, self.homes)

    async def retrieve(  # noqa: PLR0913 - what goes into the messages is handed in beside the words
        self,
        said: Utterance | str | Sequence[ChatMessage],
        *,
        history: Sequence[Turn | ChatMessage] = (),
        user: str = "",
        session: str = "",
        tenant: str = "",
        home: str = "",
        room: str | None = None,
        system: str = "",
        detail: bool = False,
        tools: Sequence[Tool] = (),
        options: ContextOptions | None = None,
        on_stage: Callable[[Stage], None] | None = None,
    ) -> Retrieval:
        """What this turn needs, what may be done, and the messages to be sent to a language model.

        ``said``: words, an utterance, or the messages of a talk, of which the last is the person's: those of
        a system are instructions, the others history. ``history``: the talk so far, oldest first, as turns or
        messages; ``user``: whose messages, facts and documents are searched; both, ``session``, ``tenant``,
        ``home`` and ``room`` in the place of those of the utterance. ``system``: what the messages begin
        with; ``detail``: that all that was found is wanted, as after ``lacking(reply)``; ``tools``: schemas
        that are sent beside the messages, counted with them. ``options``: tokens, shares, preference and
        window, in the place of the engine's. ``on_stage`` is told of each stage as it ends.

        Works without a home, when there is none or it is not said which of several: then nothing of a home is
        recalled. Raises HomeNotFound when the utterance names a home that is not there, NoSuchRoom where that
        home has no such room, MessageError where a message makes no sense, OverBudget where instructions,
        tools and question are more than the context holds, NoOpenQuestion where another process answered the
        session's question meanwhile, StoreError. Uncertainty is a verdict.
        """
        if isinstance(said, list | tuple):
            told, said, before = split_question(said)
            system, history = system or told, history or before
        where = {"user": user, "session": session, "tenant": tenant, "home": home, "room": room}
        sent = {"system": system, "detail": detail, "tools": tuple(tools), "on_stage": on_stage}
        call = CallOptions(tuple(history), options=options or AS_CONFIGURED, **where, **sent)  # type: ignore[arg-type]
        words = said if isinstance(said, Utterance) else Utterance(cast("str", said))
        talk = (tenant or words.tenant or self.policy.tenant, user or words.user, session or words.session)
        async with self.talk.turn_lock(talk):
            return await self._retrieve(words, call)

    async def _retrieve(self, said: Utterance | str, call: CallOptions) -> Retrieval:
        """The same, where no other turn of the talk is under way."""
        turn = await self._turn_input(said, call)
        words = turn.utterance
        if turn.question is not None:
            return await self._answer(words.scope, turn.question.id, words.text, words, call)
        found = await self._record(await self.pipeline.run_turn(turn, self._watch(call)), turn)
        asked, may = found.verdict, self.chat is not None and self.policy.bulk_arbitration
        if not may or not isinstance(asked, Clarify) or asked.by != "action":
            return found
        watch = self._watch()
        chosen = await watch.ask(arbitration(asked.options, found.utterance.text))
        found = replace(found, model_calls=(*found.model_calls, *watch.calls))
        if not isinstance(chosen, int):
            return found.with_verdict(question_after_model(asked, chosen or ""))
        try:
            after = await self._answer(found.scope, found.id, chosen, None, call)
        except NoOpenQuestion:
            return found
        return replace(after, model_calls=found.model_calls)

    async def reply(self, retrieval: Retrieval) -> Completion:
        """What the language model that writes answers makes of the messages of the retrieval.

        It is the model of the tier ``normal``; those that prepare turns are of the tier ``fast``. Nothing of
        what it says is done. Raises WinnowError where there is no model, ModelError.
        """
        if self.chat is None:
            raise WinnowError(
                "There is no language model that could answer.",
                hint="Name one: WINNOW_MODEL_SERVER and WINNOW_MODEL_NORMAL.",
            )
        said = [{k: str(v or "") for k, v in message.items()} for message in retrieval.context.messages]
        return await self.chat.complete(said, tier="normal")

    async def more(
        self, retrieval: Retrieval, reply: Reply, *, options: ContextOptions | None = None
    ) -> Retrieval:
        """The retrieval with what a model's reply says it lacks, looked up deeper. Raises StoreError.

        ``options``: its tokens in the place of those of the retrieval.
        """
        if (lack := missing_data(reply)) is None:
            return retrieval
        said = retrieval.utterance
        seen = self.contexts.seen_texts(retrieval.scope, said.history)
        search = Search(
            lack.query or retrieval.query, wall_clock(self.pipeline.now(said)), said.language, seen
        )
        asked = [s.what for s in retrieval.gate if s.chosen in (ASKED, SPARED) and s.what in self.sources]
        limits = {name: self.policy.limit_of(source_row(name, self.sources[name])) for name in asked}
        found = [await self.sources[n](search, said.scope, MORE_FACTOR * limits[n]) for n in asked]
        known = ContextInputs(found, now=self.pipeline.now(said))
        return self.contexts.extend(retrieval, lack, reply, known, options or AS_CONFIGURED)

    async def search(
        self, query: str, *, user: str = "", tenant: str = "", limit: int | None = None
    ) -> tuple[Shortlist, ...]:
        """What the sources beside the home hold about a question that stands alone, each source's best first.

        Private ones are searched first, public ones where those do not suffice; nothing is kept. ``limit``:
        candidates of each source. Raises StoreError.
        """
        scope = Scope(tenant or self.policy.tenant, user)
        await self.persons.catch_up(scope)
        rows = {name: source_row(name, source) for name, source in self.sources.items()}
        limits = {name: limit or self.policy.limit_of(row) for name, row in rows.items()}
        asked = Search(query, wall_clock(self.storage.clock.now()))
        found = await search_tiers(asked, SEARCH, self.sources, scope, limits, self.policy.knowledge)
        return found.found

    async def understand(self, said: Utterance | str) -> Understanding:
        """What this turn asks for, of whatever source: intent, standalone query, reading.

        Nothing is kept or done. Without a home there is no reading. Raises as ``retrieve``.
        """
        turn, watch = await self.pipeline.with_states(await self._turn_input(said)), self._watch()
        heard = rule_result(turn, first_attempt(turn, TurnTrace()))
        known = await self.turns.understand(turn.utterance, watch, heard)
        return replace(known, calls=tuple(watch.calls))

    async def answer(  # noqa: PLR0913 - as of ``retrieve``
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
        """What follows from an answer to the question of that retrieval.

        ``choice``: the index of an option (from 0), a bool for a confirmation, or words: a label, a room,
        ``the second one``, ``both``, ``好``, ``算了``. One round: an answer that is neither clear nor a
        request of its own is refused, and the question is closed. ``user``: who answers; a question that was
        put to another stays open. ``tenant``: whose question it is; empty means the engine's own; ``system``,
        ``tools`` and ``options`` as of ``retrieve``. Raises NoOpenQuestion, HomeNotFound, OverBudget,
        StoreError.
        """
        call = CallOptions(system=system, tools=tuple(tools), options=options or AS_CONFIGURED)
        scope = Scope(tenant or self.policy.tenant, user)
        return await self._answer(scope, retrieval_id, choice, None, call)

    def tools(self, language: LanguageCode | None = None) -> list[Tool]:
        """The tools of a model that acts for a person, to be sent beside the messages: the same every turn.

        ``retrieve(..., tools=engine.tools())`` counts them; ``call_tools`` answers their calls. A yes to a
        question is the person's alone: ``confirm`` is none of them.
        """
        return agent_tools(language or self.policy.language or "en")

    async def call_tools(
        self, retrieval: Retrieval, reply: ModelReply, functions: Functions | None = None
    ) -> ToolReplies:
        """What came of the tool calls of a model's reply to the messages of the retrieval.

        ``reply``: the assistant's message, a mapping or an object with ``model_dump``; without calls nothing
        happens. ``functions``: tools of your own by name, called with the arguments by name. Whatever else a
        model calls or writes is answered with what to do instead; what needs a yes waits for the person.
        Raises ArgumentError, StoreError, and what a function raises.
        """
        return await answer_calls(self, retrieval, reply, functions or {})

    async def replied(self, retrieval: Retrieval, reply: ModelReply | str) -> bool:
        """Tell what the assistant answered to a turn, so that the next turns of its session know it.

        It takes the place of the words that Winnow has for it. False, and nothing is kept: the turn has no
        session, the reply no text, or the person spoke again in between. Raises StoreError.
        """
        text = reply_text(reply)
        if not retrieval.utterance.session or not text:
            return False
        return await self.storage.sessions.set_reply(retrieval.scope, retrieval.said, text)

    @cached_property
    def proposals(self) -> ToolProposals:
        """What agents propose, checked against what they were given."""
        return ToolProposals(self.acting)

    async def act(
        self, what: Retrieval | str, *, scope: Scope | None = None, progress: Progress | None = None
    ) -> Receipt:
        """Carry out what a retrieval decided, or the plan of that handle within ``scope``.

        Conditions and relative values are decided anew on the home as it is now. What needs a yes is not
        done: its receipt holds the question and, for the person, the token. ``progress`` is told of outcomes
        as they come. Raises HomeNotFound, StoreError.
        """
        if isinstance(what, Retrieval):
            return await self.acting.act(what, progress)
        asked = scope or Scope(self.policy.tenant, home=self.policy.home)
        await self.persons.catch_up(asked)
        return await self.acting.execute_plan(asked, what, progress)

    async def confirm(
        self, token: str, *, user: str = "", tenant: str = "", progress: Progress | None = None
    ) -> Receipt:
        """What follows from a person's yes to the question of that token.

        ``user``: who says it; a question that was put to another is not answered by it and stays open. Raises
        HomeNotFound, StoreError.
        """
        scope = Scope(tenant or self.policy.tenant, user)
        await self.persons.catch_up(scope)
        return await self.acting.confirm(scope, token, progress)

    async def undo(self, *, user: str = "", home: str = "", session: str = "", tenant: str = "") -> Receipt:
        """Take back what this person did last: in that session, else in the last ten minutes.

        A taking back is not taken back: whoever asks twice is told so. Raises HomeNotFound, StoreError.
        """
        scope = Scope(tenant or self.policy.tenant, user, home or self.policy.home, session)
        return await self.acting.undo(scope)

    async def used(self, retrieval: Retrieval, user: str = "") -> None:
        """Tell that the calls of the retrieval were carried out.

        Counts one use of each device for ``user`` or whoever spoke.
        """
        await self.talk.count_use(retrieval, user)

    async def feedback(
        self,
        of: Retrieval | str,
        judged: FeedbackKind,
        ref: Ref | str | None = None,
        note: str = "",
        user: str = "",
        tenant: str = "",
    ) -> Feedback:
        """Keep what a person says of a turn, or of one thing (``ref``) that it was given or should have been.

        ``of``: the retrieval, or the id of one of the last of ``tenant`` (empty: the engine's own). ``user``:
        who says so; empty: whoever spoke.
        Nothing learns from it by itself. Raises FeedbackError, StoreError.
        """
        spoke = of.scope if isinstance(of, Retrieval) else Scope(tenant or self.policy.tenant)
        await self.persons.catch_up(spoke)
        return await self.feedback_log.add_feedback(
            replace(spoke, user=user or spoke.user), of, judged, ref, note
        )

    async def forget(self, user: str, *, tenant: str = "", dry_run: bool = False) -> ForgetReport:
        """Delete all that is stored and remembered of a person, and tell what was and what lies elsewhere.

        Other processes drop what they remember before their next turn. ``dry_run``: only tell. Raises
        StoreError.
        """
        return await self.persons.forget(Scope(tenant or self.policy.tenant, user), dry_run=dry_run)

    def export(
        self, user: str, *, tenant: str = "", progress: ExportProgress | None = None
    ) -> AsyncIterator[str]:
        """All that is stored of a person as the text of one JSON object, piece by piece.

        ``progress`` is told how many rows are written, and of how many. Raises StoreError.
        """
        return self.persons.export(Scope(tenant or self.policy.tenant, user), progress)

    def metrics(self, retrieval: Retrieval, answer: str = "") -> Metrics:
        """How much of a turn's context bears on the question, covers it, and supports an answer."""
        return turn_metrics(retrieval, answer)

    async def observe(self, states: Values, home_id: str = "", tenant: str = "") -> None:
        """Take new states of devices (device id -> attribute id -> value) into account.

        Each counts until something newer is read or imported. Raises HomeNotFound, and NoSuchState for a
        device or attribute that the home does not have; then nothing changed.
        """
        opened = await self.load_home(home_id, tenant)
        scope = Scope(tenant or self.policy.tenant, home=opened.home.id)
        await self.states.add_states(scope, states, opened.view)

    async def load_home(self, home_id: str = "", tenant: str = "") -> LoadedHome:
        """The home of that id (empty: the configured one, else the only one), ready to be searched.

        Raises HomeNotFound, StoreError.
        """
        scope = Scope(tenant or self.policy.tenant, home=home_id or self.policy.home)
        return await self.homes.load_named(scope)

    async def aclose(self) -> None:
        """Close the connections to a language model and to homes that this event loop opened."""
        for other in (self.chat, self.acting.actuator):
            if close := getattr(other, "aclose", None):  # most have nothing to close
                await close()

    async def __aenter__(self) -> Engine:
        """The engine itself."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close what was opened."""
        await self.aclose()

    async def _turn_input(self, said: Utterance | str, call: CallOptions = NO_OPTIONS) -> TurnInput:
        """The utterance with what is configured and what its session holds, and the home it is said in."""
        tenant, language = self.policy.tenant, self.policy.language
        spoken = said if isinstance(said, Utterance) else Utterance(said)
        spoken = replace(spoken, tenant=spoken.tenant or tenant, language=spoken.language or language)
        utterance = call.apply_to(spoken)
        await self.persons.catch_up(utterance.scope)
        scope = utterance.scope.at(utterance.home or self.policy.home)
        info = await self.homes.home_info(scope)
        home = await self.homes.load_home(scope, info) if info else None
        if home and utterance.room:
            home.view.expect_room(utterance.room)
        joined, question = await self.talk.join_session(utterance, info.id if info else "")
        return self.pipeline.turn_input(joined, home, question, call, stored=not utterance.history)

    async def _answer(
        self, scope: Scope, question_id: str, choice: int | str, said: Utterance | None, call: CallOptions
    ) -> Retrieval:
        """The question's request carried on; ``said`` is the answer as an utterance, where it came as one."""
        await self.persons.catch_up(scope)
        taken = await self._question_of(scope, question_id)
        question = taken.question
        turn, home, asked = await self._asked_retrieval(taken, scope, call, said)
        watch = self._watch(call)
        answer = parse_answer(asked, choice, home.view)
        watch.mark("answer")
        if answer.kind == "unclear" and _is_request(choice, home):
            return await self._retrieve(said or new_request(question, str(choice)), call.for_new_request)
        if answer.kind != "no" and not self.talk.is_in_time(question, asked.verdict):
            after = asked.with_verdict(refusal_verdict(asked, "expired"))
        else:
            after = resume_turn(asked, answer, home.view, turn.limits)
        watch.mark("decide")
        after = replace(after, after=question_id, answer=answer.label or str(choice))
        return await self._record(await self.pipeline.with_context(after, turn, asked, watch), turn)

    async def _asked_retrieval(
        self, taken: OpenQuestion, scope: Scope, call: CallOptions, said: Utterance | None
    ) -> tuple[TurnInput, LoadedHome, Retrieval]:
        """The turn that asked, its home, and what it asked in the home as it is now.

        It is derived anew where another process or version of the home asked.
        """
        question = taken.question
        home = await self.homes.load_named(scope.at(question.home_id))
        turn = self.pipeline.turn_input(question.utterance, home, question, replace(call, history=()))
        known = taken.retrieval if question.version == home.home.version else None
        asked = known or await self.pipeline.run_turn(turn, TurnTrace())
        if said is not None and said.by_agent:  # whoever was asked, an agent says no yes to it
            asked = replace(asked, utterance=replace(asked.utterance, by_agent=True))
        return turn, home, asked.with_snapshot((await self.pipeline.with_states(turn)).snapshot)

    async def _question_of(self, scope: Scope, question_id: str) -> OpenQuestion:
        """The question of that id, where the scope's user was asked; another's try is put on record.

        Raises NoOpenQuestion, StoreError.
        """
        try:
            return await self.talk.question_of(scope, question_id)
        except NoOpenQuestion:
            if (question := await self.talk.open_question(scope, question_id)) is not None:
                await self.acting.refuse_answer(scope.at(question.home_id), question_id)
            raise

    async def _record(self, found: Retrieval, turn: TurnInput) -> Retrieval:
        """The retrieval with its id; everybody who remembers something of turns is told of it.

        Raises NoOpenQuestion where another answer to the same question came first.
        """
        said = found.answer or turn.utterance.text
        finished = FinishedTurn(replace(found, id=uuid4().hex), turn.view, said, turn.now, found.after)
        for listener in self.listeners:
            await listener.turn_finished(finished)
        return finished.retrieval

    @property
    def listeners(self) -> list[TurnListener]:
        """Who is told of every turn: first the session, so that a plan finds the question it belongs to."""
        told: list[TurnListener] = [self.talk, self.acting, self.proposals, self.feedback_log]
        return [*told, FactListener(self.keeper)] if self.keeper else told

    def _watch(self, call: CallOptions = NO_OPTIONS) -> TurnTrace:
        return TurnTrace(self.chat, self.policy.model_seconds, on_stage=call.on_stage)


def _blocking(
    method: Callable[Concatenate[Engine, P], Coroutine[Any, Any, R]], *, waits: bool | None = None
) -> Callable[Concatenate[Sync, P], R]:
    """That method of an engine for callers that block. ``waits``: see ``run_blocking``; None: it depends."""

    @wraps(method)
    def call(sync: Sync, /, *args: P.args, **kwargs: P.kwargs) -> R:
        engine = sync.engine
        work: Coroutine[Any, Any, R] = getattr(engine, method.__name__)(*args, **kwargs)
        wanted = waits
        if wanted is None:
            # Only a model, sources that say so and states from elsewhere than the store make the work wait.
            aside = any(needs_event_loop(source) for source in engine.sources.values())
            wanted = engine.chat is not None or aside or engine.states.below is not engine.storage.states
        return run_blocking(_closing(engine, work) if wanted else work, waits=wanted)

    return call


async def _closing(engine: Engine, work: Coroutine[Any, Any, R]) -> R:
    """The work's result; the connections of its loop end with it."""
    try:
        return await work
    finally:
        await engine.aclose()


class Sync:
    """An engine for callers that block: each method waits for the one of ``Engine`` by the same name."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    retrieve = _blocking(Engine.retrieve)
    reply = _blocking(Engine.reply)
    more = _blocking(Engine.more)
    search = _blocking(Engine.search)
    understand = _blocking(Engine.understand)
    answer = _blocking(Engine.answer)
    observe = _blocking(Engine.observe)
    act = _blocking(Engine.act, waits=True)
    call_tools = _blocking(Engine.call_tools, waits=True)
    confirm = _blocking(Engine.confirm, waits=True)
    undo = _blocking(Engine.undo, waits=True)
    # These ask nothing but the store.
    replied = _blocking(Engine.replied, waits=False)
    used = _blocking(Engine.used, waits=False)
    feedback = _blocking(Engine.feedback, waits=False)
    forget = _blocking(Engine.forget, waits=False)
    load_home = _blocking(Engine.load_home, waits=False)
    add_documents = _blocking(Engine.add_documents, waits=False)
    documents = _blocking(Engine.documents, waits=False)
    forget_documents = _blocking(Engine.forget_documents, waits=False)
    add_messages = _blocking(Engine.add_messages, waits=False)
    messages = _blocking(Engine.messages, waits=False)
    forget_messages = _blocking(Engine.forget_messages, waits=False)
    add_facts = _blocking(Engine.add_facts, waits=False)
    facts = _blocking(Engine.facts, waits=False)
    forget_facts = _blocking(Engine.forget_facts, waits=False)

    def export(self, user: str, *, tenant: str = "", progress: ExportProgress | None = None) -> Iterator[str]:
        """As ``Engine.export``."""
        return blocking_iterator(self.engine.export(user, tenant=tenant, progress=progress))


def _is_request(choice: int | str, home: LoadedHome) -> bool:
    """Whether words make a request by themselves: a question, or an act with a thing it is for."""
    return isinstance(choice, str) and is_complete(understand(Utterance(choice), home.vocabulary))
