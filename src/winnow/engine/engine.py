"""The one conductor: from what a person said to what an agent needs.

An utterance is understood, what it may mean is recalled, what may be done is decided, and the smallest
sufficient text is assembled.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any
from uuid import uuid4

from winnow.act.receipt import Progress
from winnow.context.metrics import of_turn
from winnow.context.more import Reply, missing_data
from winnow.decide.bulk import arbitration
from winnow.decide.clarify import asked_anyway
from winnow.engine.acting import Acting
from winnow.engine.answers import anew, answer_to, refusal, resumed, whole
from winnow.engine.feedback import FactListener, Monitor
from winnow.engine.home_cache import Opened, OpenHomes
from winnow.engine.llm.client import Watch
from winnow.engine.naming import Teaching
from winnow.engine.persons import HostTexts, Persons, untold
from winnow.engine.persons import Told as Followed
from winnow.engine.policy import Policy
from winnow.engine.session_context import DEEPER, Contexts, Known
from winnow.engine.sessions import Asked, Talk
from winnow.engine.state_overlay import Told
from winnow.engine.sync import Sync
from winnow.engine.tool_proposals import Proposals
from winnow.engine.turn import Deriving, first_attempt, heard_in
from winnow.engine.turn_input import NO_OPTIONS, CallOptions, FinishedTurn, Joined, TurnListener
from winnow.errors import NoOpenQuestion, WinnowError
from winnow.ports.services import Chat, Embedder, Source
from winnow.ports.stores import Storage
from winnow.retrieve.facts.source import Keeper
from winnow.retrieve.tiers import ASKED, SPARED
from winnow.types.candidate import Ref, Search, wall_clock
from winnow.types.context import AS_CONFIGURED, ChatMessage, Completion, ContextOptions, Tool
from winnow.types.feedback import Feedback, Judged, Metrics
from winnow.types.receipt import Receipt
from winnow.types.retrieval import Retrieval, Understanding
from winnow.types.scope import ForgetReport, Memory, Scope
from winnow.types.state import Values
from winnow.types.utterance import Turn, Utterance
from winnow.types.verdict import Clarify
from winnow.understand.reading import understand
from winnow.understand.turn import Turns


class Engine:
    """Answers utterances about the homes of one storage, and of whatever else its ``sources`` hold."""

    def __init__(
        self,
        storage: Storage,
        embedder: Embedder,
        *,
        policy: Policy | None = None,
        chat: Chat | None = None,
        talk: Talk | None = None,
        sources: Mapping[str, Source] | None = None,
    ) -> None:
        self.storage, self.embedder, self.chat = storage, embedder, chat
        self.policy = policy or Policy()
        self.talk = talk or Talk(storage)
        self.sources = dict(sources or {})
        self.keeper: Keeper | None = None
        """What keeps the facts a person tells; None: nothing is kept."""
        self.host: HostTexts | None = None
        """Where a host keeps messages of its own."""
        self.also: list[Memory] = []
        """What remembers anything of persons beside the parts of the engine."""
        self.homes = OpenHomes(storage, embedder)
        self.states = Told(storage.states, storage.clock)
        """Where states are read: what was told, over what lies below (the import, as a rule)."""
        self.deriving = Deriving.of(storage, embedder, self.policy, self.states, self.sources)
        self.monitor = Monitor(storage, counting=self.policy.metrics)

    @staticmethod
    def open(source: Any = None, **wanted: Any) -> Engine:
        """The same as ``winnow.open``. Raises what it raises."""
        import winnow  # not at load: what opens an engine is made of this class

        return winnow.open(source, **wanted)

    @property
    def turns(self) -> Turns:
        """What turns are understood with."""
        return self.deriving.turns

    @property
    def contexts(self) -> Contexts:
        """What messages are put together with."""
        return self.deriving.contexts

    @cached_property
    def sync(self) -> Sync:
        """The same for callers that block."""
        return Sync(self)

    @cached_property
    def acting(self) -> Acting:
        """What things are done with; its ``actuator`` is what moves the devices."""
        return Acting(self.deriving, self.homes, self.talk)

    @cached_property
    def persons(self) -> Persons:
        """What is known of persons: exported, forgotten."""
        return Persons(self.storage, self._memories, self.host)

    def _memories(self) -> Iterator[Memory]:
        """What remembers anything of persons between two turns."""
        ours: list[Memory] = [self.talk, self.contexts, self.monitor, self.acting, self.proposals]
        yield from (*ours, *self.also)
        for source in self.sources.values():
            if isinstance(source, Memory):
                yield source

    @cached_property
    def teaching(self) -> Teaching:
        """Names that people give their things."""
        return Teaching(self.deriving, self.homes)

    async def retrieve(  # noqa: PLR0913 - what goes into the messages is handed in beside the words
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
        """What this turn needs, what may be done, and the messages to be sent to a language model.

        ``history``: the talk so far, oldest first, as turns or messages; ``user``: whose messages, facts and
        documents are searched; both and ``session`` in the place of those of the utterance. ``system``: what
        the messages begin with; ``detail``: that all that was found is wanted, as after ``lacking(reply)``;
        ``tools``: schemas that are sent beside the messages, counted with them. ``options``: tokens, shares,
        preference and window, in the place of the engine's.

        Works without a home, when there is none or it is not said which of several: then nothing of a home is
        recalled. Raises HomeNotFound when the utterance names a home that is not there, MessageError where a
        message makes no sense, OverBudget where instructions, tools and question are more than the context
        holds, StoreError. Uncertainty is a verdict.
        """
        given = options or AS_CONFIGURED
        call = CallOptions(tuple(history), user, session, system, detail, tuple(tools), given)
        turn = await self._joined(said, call)
        if turn.question is not None:
            return await self._answered(turn.said.scope, turn.question.id, turn.said.text, turn.said, call)
        found = await self._record(await self.deriving.derived(turn, self._watch()), turn, turn.said.text)
        return await self._arbitrated(found, call)

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
        seen = self.contexts.seen(retrieval.scope, said.history)
        search = Search(
            lack.query or retrieval.query, wall_clock(self.deriving.now(said)), said.language, seen
        )
        asked = [s.what for s in retrieval.gate if s.chosen in (ASKED, SPARED) and s.what in self.sources]
        found = [await self.sources[n](search, said.scope, DEEPER * self.policy.limit(n)) for n in asked]
        known = Known(found, now=self.deriving.now(said))
        return self.contexts.deeper(retrieval, lack, reply, known, options or AS_CONFIGURED)

    async def understand(self, said: Utterance | str) -> Understanding:
        """What this turn asks for, of whatever source: intent, standalone query, reading.

        Nothing is kept or done. Without a home there is no reading. Raises as ``retrieve``.
        """
        turn, watch = await self.deriving.with_states(await self._joined(said)), self._watch()
        heard = heard_in(turn, first_attempt(turn, Watch()))
        known = await self.turns.understood(turn.said, watch, heard)
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
        return await self._answered(scope, retrieval_id, choice, None, call)

    @cached_property
    def proposals(self) -> Proposals:
        """What agents propose, checked against what they were given."""
        return Proposals(self.acting)

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
        return await self.acting.plan(asked, what, progress)

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

        Done a second time it takes back the taking back. Raises HomeNotFound, StoreError.
        """
        scope = Scope(tenant or self.policy.tenant, user, home or self.policy.home, session)
        return await self.acting.undo(scope)

    async def used(self, retrieval: Retrieval, user: str = "") -> None:
        """Tell that the calls of the retrieval were carried out.

        Counts one use of each device for ``user`` or whoever spoke.
        """
        await self.talk.used(retrieval, user)

    async def feedback(
        self,
        of: Retrieval | str,
        judged: Judged,
        ref: Ref | str | None = None,
        note: str = "",
        user: str = "",
    ) -> Feedback:
        """Keep what a person says of a turn, or of one thing (``ref``) that it was given or should have been.

        ``of``: the retrieval, or the id of one of the last. ``user``: who says so; empty: whoever spoke.
        Nothing learns from it by itself. Raises FeedbackError, StoreError.
        """
        spoke = of.scope if isinstance(of, Retrieval) else Scope(self.policy.tenant)
        await self.persons.catch_up(spoke)
        return await self.monitor.feedback(replace(spoke, user=user or spoke.user), of, judged, ref, note)

    async def forget(self, user: str, *, tenant: str = "", dry_run: bool = False) -> ForgetReport:
        """Delete all that is stored and remembered of a person, and tell what was and what lies elsewhere.

        Other processes drop what they remember before their next turn. ``dry_run``: only tell. Raises
        StoreError.
        """
        return await self.persons.forget(Scope(tenant or self.policy.tenant, user), dry_run=dry_run)

    def export(self, user: str, *, tenant: str = "", progress: Followed = untold) -> AsyncIterator[str]:
        """All that is stored of a person as the text of one JSON object, piece by piece.

        ``progress`` is told how many rows are written, and of how many. Raises StoreError.
        """
        return self.persons.export(Scope(tenant or self.policy.tenant, user), progress)

    def metrics(self, retrieval: Retrieval, answer: str = "") -> Metrics:
        """How much of a turn's context bears on the question, covers it, and supports an answer."""
        return of_turn(retrieval, answer)

    async def observe(self, states: Values, home_id: str = "", tenant: str = "") -> None:
        """Take new states of devices (device id -> attribute id -> value) into account.

        Each counts until something newer is read or imported. Raises HomeNotFound, and NoSuchState for a
        device or attribute that the home does not have; then nothing changed.
        """
        opened = await self.opened(home_id, tenant)
        scope = Scope(tenant or self.policy.tenant, home=opened.home.id)
        await self.states.tell(scope, states, opened.view)

    async def opened(self, home_id: str = "", tenant: str = "") -> Opened:
        """The home of that id (empty: the configured one, else the only one), ready to be searched.

        Raises HomeNotFound, StoreError.
        """
        scope = Scope(tenant or self.policy.tenant, home=home_id or self.policy.home)
        return await self.homes.opened(scope)

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

    async def _joined(self, said: Utterance | str, call: CallOptions = NO_OPTIONS) -> Joined:
        """The utterance with what is configured and what its session holds, and the home it is said in."""
        tenant, language = self.policy.tenant, self.policy.language
        spoken = said if isinstance(said, Utterance) else Utterance(said)
        spoken = replace(spoken, tenant=spoken.tenant or tenant, language=spoken.language or language)
        utterance = call.on(spoken)
        await self.persons.catch_up(utterance.scope)
        scope = utterance.scope.at(utterance.home or self.policy.home)
        info = await self.homes.meant(scope)
        home = await self.homes.ready(scope, info) if info else None
        joined, question = await self.talk.joined(utterance, info.id if info else "")
        return self.deriving.joined(joined, home, question, call, stored=not utterance.history)

    async def _arbitrated(self, found: Retrieval, call: CallOptions) -> Retrieval:
        """A model's choice between acts, where one may choose.

        Without one, or when the session went on meanwhile, the person is asked.
        """
        asked, may = found.verdict, self.chat is not None and self.policy.bulk_arbitration
        if not may or not isinstance(asked, Clarify) or asked.by != "action":
            return found
        watch = self._watch()
        chosen = await watch.ask(arbitration(asked.options, found.utterance.text))
        found = replace(found, model_calls=(*found.model_calls, *watch.calls))
        if not isinstance(chosen, int):
            return found.decided(asked_anyway(asked, chosen or ""))
        try:
            after = await self._answered(found.scope, found.id, chosen, None, call)
        except NoOpenQuestion:
            return found
        return replace(after, model_calls=found.model_calls)

    async def _answered(
        self, scope: Scope, question_id: str, choice: int | str, said: Utterance | None, call: CallOptions
    ) -> Retrieval:
        """The question's request carried on; ``said`` is the answer as an utterance, where it came as one."""
        await self.persons.catch_up(scope)
        taken = await self._taken(scope, question_id)
        question = taken.question
        turn, home, asked = await self._asked(taken, scope, call)
        watch = Watch()
        answer = answer_to(asked, choice, home.view)
        watch.mark("answer")
        if answer.kind == "unclear" and _is_request(choice, home):
            own = said or anew(question, str(choice))
            return await self.retrieve(own, system=call.system, tools=call.tools, options=call.options)
        if answer.kind != "no" and not self.talk.in_time(question, asked.verdict):
            after = asked.decided(refusal(asked, "expired"))
        else:
            after = resumed(asked, answer, home.view, turn.limits)
        watch.mark("decide")
        after = await self.deriving.with_context(replace(after, after=question_id), turn, watch)
        return await self._record(after, turn, answer.label or str(choice))

    async def _asked(self, taken: Asked, scope: Scope, call: CallOptions) -> tuple[Joined, Opened, Retrieval]:
        """The turn that asked, its home, and what it asked in the home as it is now.

        It is derived anew where another process or version of the home asked.
        """
        question = taken.question
        home = await self.homes.opened(scope.at(question.home_id))
        turn = self.deriving.joined(question.utterance, home, question, replace(call, history=()))
        known = taken.retrieval if question.version == home.home.version else None
        asked = known or await self.deriving.derived(turn, Watch())
        return turn, home, asked.at((await self.deriving.with_states(turn)).snapshot)

    async def _taken(self, scope: Scope, question_id: str) -> Asked:
        """The question of that id, where the scope's user was asked; another's try is put on record.

        Raises NoOpenQuestion, StoreError.
        """
        try:
            return await self.talk.take(scope, question_id)
        except NoOpenQuestion:
            if (question := await self.talk.question(scope, question_id)) is not None:
                await self.acting.not_asked(scope.at(question.home_id), question_id)
            raise

    async def _record(self, found: Retrieval, turn: Joined, said: str) -> Retrieval:
        """The retrieval with its id; everybody who remembers something of turns is told of it."""
        finished = FinishedTurn(replace(found, id=uuid4().hex), turn.view, said, turn.now)
        for listener in self.listeners:
            await listener.turn_finished(finished)
        return finished.retrieval

    @property
    def listeners(self) -> list[TurnListener]:
        """Who is told of every turn: first the session, so that a plan finds the question it belongs to."""
        told: list[TurnListener] = [self.talk, self.acting, self.proposals, self.monitor]
        return [*told, FactListener(self.keeper)] if self.keeper else told

    def _watch(self) -> Watch:
        return Watch(self.chat, self.policy.model_seconds)


def _is_request(choice: int | str, home: Opened) -> bool:
    """Whether words make a request by themselves: a question, or an act with a thing it is for."""
    return isinstance(choice, str) and whole(understand(Utterance(choice), home.vocabulary))
