"""The one conductor: from what a person said to what an agent needs.

An utterance is understood, what it may mean is recalled, what may be done is decided, and the smallest
sufficient text is assembled.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from winnow.assemble import assemble
from winnow.bridge import blocking
from winnow.consult import Watch, consult
from winnow.converse.answers import answer_to
from winnow.converse.resume import Decide, anew, refusal, resumed, whole
from winnow.converse.sessions import Talk
from winnow.decide import Limits, arbitration, asked_anyway, decide
from winnow.errors import HomeNotFound, NoOpenQuestion
from winnow.ports import Chat, Embedder, Storage
from winnow.recall import HomeIndex, build_index, recall
from winnow.remember.lexicon import taught, words_of
from winnow.text.tokens import count_tokens
from winnow.types.briefing import Retrieval
from winnow.types.catalog import Home, Scalar
from winnow.types.dialogue import Language, Utterance
from winnow.types.home_shortlist import HomeShortlist
from winnow.types.imports import HomeInfo
from winnow.types.intent import Taxonomy
from winnow.types.scope import DEFAULT, Scope
from winnow.types.understanding import Understanding
from winnow.types.verdict import Clarify
from winnow.types.view import HomeView
from winnow.understand import Vocabulary, build_vocabulary, understand
from winnow.understand.intent import taxonomy
from winnow.understand.turn import Heard, Turns, outside

R = TypeVar("R")
OPEN_HOMES = 32
"""Homes kept ready to be searched; the one not spoken to for longest goes first."""


class Engine:
    """Answers utterances about the homes of one storage."""

    tenant: str = DEFAULT
    """Whose homes are meant where an utterance names no tenant."""
    max_targets: int = 100
    """Devices of one set that are acted on without asking."""
    max_groups: int = 10
    """Groups of alike commands of one set that are acted on without asking."""
    chat: Chat | None = None
    """A language model that may help; nothing needs one."""
    bulk_arbitration: bool = False
    """Whether ``chat`` may choose between the acts a set may be meant for."""
    model_seconds: float = 8.0
    """How long each call of ``chat`` is waited for."""
    combined: bool = False
    """Whether ``chat`` is asked for intent and standalone query in one call."""
    taxonomy: Taxonomy | None = None
    """The classes turns fall into; None: the general ones."""
    fallback: str = ""
    """Why ``embedder`` is not the one that was wanted; the trace says so."""

    def __init__(
        self,
        storage: Storage,
        embedder: Embedder,
        *,
        home: str = "",
        budget: int = 250,
        language: Language | None = None,
        talk: Talk | None = None,
    ) -> None:
        self.storage, self.embedder = storage, embedder
        self.home, self.budget, self.language = home, budget, language
        self.talk = talk or Talk(storage)
        self.sync = Sync(self)
        self._opened: OrderedDict[tuple[str, str], Opened] = OrderedDict()

    @classmethod
    def open(cls, source: Home | Path | str | None = None, *, budget: int | None = None) -> Engine:
        """An engine over a ``Home``, a store's file, a folder of payloads or ``example:NAME``.

        None: over the configured store.
        """
        from winnow import wiring

        return wiring.open_engine(source, budget=budget)

    async def retrieve(self, said: Utterance | str) -> Retrieval:
        """What this turn needs and what may be done.

        Raises HomeNotFound, StoreError; uncertainty is a verdict.
        """
        heard = self.heard(said)
        opened = await self.opened(heard.home, heard.tenant)
        utterance, question = await self.talk.joined(heard, opened.home.id)
        if question is not None:
            return await self._answered(utterance.scope, question.id, utterance.text, utterance)
        found = await self._derived(utterance, opened, self._watch())
        kept = await self.talk.kept(found, opened.home.version, opened.view, utterance.text)
        return await self._arbitrated(kept)

    async def understand(self, said: Utterance | str) -> Understanding:
        """What this turn asks for, of whatever source: intent, standalone query, reading.

        Nothing is kept or done.

        Works without a home, when there is none or it is not said which of several; then there is no reading.
        Raises HomeNotFound when the
        utterance names a home that is not there.
        """
        heard = self.heard(said)
        unsaid = not heard.home and not self.home
        if unsaid and len(await self.storage.homes.list_homes(heard.scope)) != 1:
            return await self._understood(heard)
        opened = await self.opened(heard.home, heard.tenant)
        utterance, _ = await self.talk.joined(heard, opened.home.id)
        return await self._understood(utterance, self._by_rules(utterance, opened, Watch())[0])

    async def _understood(self, said: Utterance, heard: Heard | None = None) -> Understanding:
        watch = self._watch()
        known = await self.turns.understood(said, watch, heard)
        return replace(known, stages=tuple(watch.stages), calls=tuple(watch.calls))

    async def answer(self, retrieval_id: str, choice: int | str, *, tenant: str = "") -> Retrieval:
        """What follows from an answer to the question of that retrieval.

        ``choice``: the index of an option (from 0), a bool for a confirmation, or words: a label, a room,
        ``the second one``, ``both``, ``好``, ``算了``. One round: an answer that is neither clear nor a request
        of its own is refused, and the question is closed. ``tenant``: whose question it is; empty means the
        engine's own. Raises NoOpenQuestion, HomeNotFound, StoreError.
        """
        return await self._answered(Scope(tenant or self.tenant), retrieval_id, choice, None)

    async def used(self, retrieval: Retrieval, user: str = "") -> None:
        """Tell that the calls of the retrieval were carried out.

        Counts one use of each device for ``user`` or whoever spoke.
        """
        await self.talk.used(retrieval, user)

    async def aclose(self) -> None:
        """Close the connections to a language model that this event loop opened."""
        if close := getattr(self.chat, "aclose", None):  # most models have nothing to close
            await close()

    async def observe(
        self, states: Mapping[str, Mapping[str, Scalar]], home_id: str = "", tenant: str = ""
    ) -> None:
        """Take new states of devices (attribute id -> value) into account, until the home is opened anew.

        That is when it was imported again, or 32 other homes were spoken to since. Raises HomeNotFound.
        """
        opened = await self.opened(home_id, tenant)
        self._keep(tenant or self.tenant, opened.observed(states))

    async def opened(self, home_id: str = "", tenant: str = "") -> Opened:
        """The home of that id (empty: the configured one, else the only one), ready to be searched.

        Rebuilt when its version changed.
        """
        scope = Scope(tenant or self.tenant)
        info = await self._info(scope, home_id)
        scope = scope.at(info.id)
        if known := self._ready(scope, info.version):
            return known
        learned = await self.storage.lexicon.entries(scope)
        home = taught(await self.storage.homes.load_home(scope), learned)
        if known := self._ready(scope, home.version):  # by whoever waited for the same home meanwhile
            return known
        count_tokens("")  # loads the tokenizer's tables now and not with the first answer
        opened = Opened(home, build_vocabulary(home, words_of(learned)), build_index(home, self.embedder))
        return self._keep(scope.tenant, opened)

    def _ready(self, scope: Scope, version: int) -> Opened | None:
        """The home as it was opened before, where it still is that version."""
        known = self._opened.get((scope.tenant, scope.home))
        if known is None or known.home.version != version:
            return None
        return self._keep(scope.tenant, known)

    def _keep(self, tenant: str, opened: Opened) -> Opened:
        """The same home, now the last one spoken to."""
        self._opened.pop((tenant, opened.home.id), None)
        self._opened[tenant, opened.home.id] = opened
        if len(self._opened) > OPEN_HOMES:
            self._opened.popitem(last=False)
        return opened

    def heard(self, said: Utterance | str) -> Utterance:
        """What was said, with its tenant and the language of replies, as configured where it names none."""
        utterance = Utterance(said) if isinstance(said, str) else said
        tenant, language = utterance.tenant or self.tenant, utterance.language or self.language
        return replace(utterance, tenant=tenant, language=language)

    @property
    def turns(self) -> Turns:
        """How turns are understood under this engine's settings."""
        return Turns(self.taxonomy or taxonomy(), self.combined)

    @property
    def decide(self) -> Decide:
        """The decision under this engine's limits."""
        return partial(decide, limits=Limits(max_targets=self.max_targets, max_groups=self.max_groups))

    def _watch(self) -> Watch:
        return Watch(self.chat, self.model_seconds)

    @property
    def _embedded_by(self) -> str:
        named = f"{self.embedder.name} {self.embedder.version}"
        return f"{named} - {self.fallback}" if self.fallback else named

    def is_request(self, text: str, opened: Opened) -> bool:
        """Whether the words make a request by themselves: a question, or an act with a thing it is for."""
        return whole(understand(Utterance(text), opened.vocabulary))

    async def _derived(self, utterance: Utterance, opened: Opened, watch: Watch) -> Retrieval:
        """Understand, recall, decide, assemble: nothing is kept.

        The rules go through with the raw words first, in about a millisecond: what follows in this home tells
        best whether the turn is for
        it, and whether a model need be asked at all (seed 000 starts the coarse recall beside the compiler
        for the same reason).
        """
        heard, shortlists = self._by_rules(utterance, opened, watch)
        known = await self.turns.understood(utterance, watch, heard)
        reading, verdict = known.reading or heard.reading, heard.verdict
        if reading is not heard.reading:
            shortlists = watch.time("recall again", recall, reading, opened.index, utterance)
            verdict = watch.time(
                "decide again", self.decide, reading, shortlists, opened.index.view, utterance
            )
        if known.intent.source != "devices":
            verdict = outside(heard, known.intent)
        briefing = watch.time("assemble", assemble, verdict, shortlists, opened.view, reading, self.budget)
        made = Retrieval(
            utterance, opened.home.id, reading, shortlists, verdict, briefing, tuple(watch.stages)
        )
        return replace(
            made,
            intent=known.intent,
            rewrite=known.rewrite,
            embedder=self._embedded_by,
            model_calls=tuple(watch.calls),
        )

    def _by_rules(
        self, utterance: Utterance, opened: Opened, watch: Watch
    ) -> tuple[Heard, tuple[HomeShortlist, ...]]:
        reading = watch.time("understand", understand, utterance, opened.vocabulary)
        shortlists = watch.time("recall", recall, reading, opened.index, utterance)
        verdict = watch.time("decide", self.decide, reading, shortlists, opened.index.view, utterance)
        return Heard(reading, verdict, opened.vocabulary), shortlists

    async def _arbitrated(self, found: Retrieval) -> Retrieval:
        """A model's choice between acts, where one may choose.

        Without one, or when the session went on meanwhile, the person is asked.
        """
        asked = found.verdict
        if (
            self.chat is None
            or not self.bulk_arbitration
            or not isinstance(asked, Clarify)
            or asked.by != "action"
        ):
            return found
        chosen, call = await consult(
            self.chat, arbitration(asked.options, found.utterance.text), self.model_seconds
        )
        found = replace(found, model_calls=(*found.model_calls, call))
        if not isinstance(chosen, int):
            return replace(found, verdict=asked_anyway(asked, chosen or ""))
        try:
            after = await self.answer(found.id, chosen, tenant=found.utterance.tenant)
        except NoOpenQuestion:
            return found
        return replace(after, model_calls=found.model_calls)

    async def _answered(
        self, scope: Scope, question_id: str, choice: int | str, said: Utterance | None
    ) -> Retrieval:
        """The question's request carried on; ``said`` is the answer as an utterance, where it came as one."""
        watch = Watch()
        taken = await self.talk.take(scope, question_id)
        question = taken.question
        opened = await self.opened(question.home_id, scope.tenant)
        known = taken.retrieval if question.version == opened.home.version else None
        asked = known or await self._derived(question.utterance, opened, Watch())
        answer = watch.time("answer", answer_to, asked, choice, opened.view)
        if answer.kind == "unclear" and isinstance(choice, str) and self.is_request(choice, opened):
            return await self.retrieve(said or anew(question, choice))
        if answer.kind == "no" or self.talk.in_time(question, asked.verdict):
            after = watch.time("decide", resumed, asked, answer, opened.view, self.decide)
        else:
            after = replace(asked, verdict=refusal(asked, "expired"))
        briefing = watch.time(
            "assemble", assemble, after.verdict, after.shortlists, opened.view, after.reading, self.budget
        )
        after = replace(after, briefing=briefing, stages=tuple(watch.stages), after=question.id)
        return await self.talk.kept(after, opened.home.version, opened.view, answer.label or str(choice))

    async def _info(self, scope: Scope, home_id: str) -> HomeInfo:
        wanted, homes = home_id or self.home, await self.storage.homes.list_homes(scope)
        for info in homes:
            if info.id == wanted or (not wanted and len(homes) == 1):
                return info
        raise HomeNotFound(wanted, [info.id for info in homes])


class Sync:
    """The same engine for callers that block."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def retrieve(self, said: Utterance | str) -> Retrieval:
        """As ``Engine.retrieve``."""
        return self._run(self._engine.retrieve(said))

    def understand(self, said: Utterance | str) -> Understanding:
        """As ``Engine.understand``."""
        return self._run(self._engine.understand(said))

    def answer(self, retrieval_id: str, choice: int | str, *, tenant: str = "") -> Retrieval:
        """As ``Engine.answer``."""
        return self._run(self._engine.answer(retrieval_id, choice, tenant=tenant))

    def used(self, retrieval: Retrieval, user: str = "") -> None:
        """As ``Engine.used``."""
        blocking(self._engine.used(retrieval, user))

    def observe(
        self, states: Mapping[str, Mapping[str, Scalar]], home_id: str = "", tenant: str = ""
    ) -> None:
        """As ``Engine.observe``."""
        blocking(self._engine.observe(states, home_id, tenant))

    def opened(self, home_id: str = "", tenant: str = "") -> Opened:
        """As ``Engine.opened``."""
        return blocking(self._engine.opened(home_id, tenant))

    def _run(self, work: Coroutine[object, object, R]) -> R:
        """Only a model makes the work wait."""
        if self._engine.chat is None:
            return blocking(work)
        return blocking(self._closing(work), waits=True)

    async def _closing(self, work: Coroutine[object, object, R]) -> R:
        """The work's result; the connections of its loop end with it."""
        try:
            return await work
        finally:
            await self._engine.aclose()


@dataclass(frozen=True, slots=True)
class Opened:
    """One version of a home with what is built from it once."""

    home: Home
    vocabulary: Vocabulary
    index: HomeIndex

    @property
    def view(self) -> HomeView:
        """The home's lookups."""
        return self.index.view

    def observed(self, states: Mapping[str, Mapping[str, Scalar]]) -> Opened:
        """The same home with these states changed; nothing that was built from its names is built again."""
        home, known = _restated(self.home, states), _restated(self.view.home, states)
        return replace(self, home=home, index=replace(self.index, view=HomeView.of(known)))


def _restated(home: Home, states: Mapping[str, Mapping[str, Scalar]]) -> Home:
    return replace(
        home,
        devices=tuple(
            replace(d, states={**d.states, **states[d.id]}) if d.id in states else d for d in home.devices
        ),
    )
