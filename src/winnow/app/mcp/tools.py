"""The tools: each is a method whose docstring, parameters and result are what a client is told of it.

No tool takes a tenant or a user: whose rows are touched is the caller's, who cannot leave them.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import InputRequiredResult
from pydantic import Field

from winnow.app.explanation import explanation_text
from winnow.app.mcp.asking import (
    CallContext,
    ask_person,
    can_ask,
    choice_form,
    reported_outcomes,
    reported_progress,
    yes_form,
)
from winnow.app.mcp.results import (
    CarriedOut,
    DatedMessage,
    ExplainResult,
    FoundText,
    FoundTexts,
    KeptResult,
    KnownFact,
    KnownFacts,
    NewDocument,
    ProposedCall,
    RetrieveResult,
    TalkMessage,
)
from winnow.app.trace import compact_trace
from winnow.app.verdict_text import verdict_sentence
from winnow.app.wiring.documents import open_fact_extractor
from winnow.app.wiring.engine import open_builtin_embedder
from winnow.engine.engine import Engine
from winnow.engine.tool_calls import Tools, receipt_for_model
from winnow.errors import HomeNotFound, Phrase, WinnowError
from winnow.language.clocks import Clocks
from winnow.language.encode import encode_text
from winnow.language.messages import message
from winnow.language.tokens import counter
from winnow.retrieve.documents import DOCUMENT_ROWS
from winnow.retrieve.documents.document_reader import DocumentDefaults
from winnow.retrieve.documents.index import segment_of
from winnow.retrieve.documents.ingest import DocumentLibrary, IngestRequest, add_documents
from winnow.retrieve.facts import FACTS
from winnow.retrieve.history import HISTORY
from winnow.retrieve.history.ingest import import_messages
from winnow.types.candidate import Search, Shortlist, wall_clock
from winnow.types.fact import Fact
from winnow.types.home import NO_HOME
from winnow.types.lru import LruCache
from winnow.types.receipt import Confirmation, Receipt
from winnow.types.retrieval import Retrieval
from winnow.types.scope import Scope
from winnow.types.utterance import LanguageCode, Turn, Utterance
from winnow.types.verdict import Clarify
from winnow.understand.reading import drawing

Right = Literal["read", "act", "write", "context"]
"""``read``: look up. ``act``: carry out in the home. ``write``: keep what a person says. ``context``: make
contexts of what is given, for which nothing of anybody is read."""
TokensTo = Literal["nobody", "log", "host"]
"""Who gets what says yes, where the client cannot ask the person: nobody, standard error, or ``_meta``."""
TOKEN_KEY = "winnow/confirmation"  # noqa: S105 - the name of a field
MAX_TALKS = 1024

Home = Annotated[str, Field(description="Id of the home; needed only where there are several.")]
Session = Annotated[
    str,
    Field(
        description="Any id of this talk, the same in each of its calls: what was said in it counts.",
        max_length=100,
    ),
]
Words = Annotated[
    str, Field(description="What the person said, in their own words.", min_length=1, max_length=8000)
]
RoomName = Annotated[str, Field(description="Name or id of the room they are in.")]
History = Annotated[
    list[TalkMessage],
    Field(description="The talk before, oldest first, where no session keeps it.", max_length=200),
]
Query = Annotated[str, Field(description="What is looked for.", min_length=1, max_length=2000)]
Limit = Annotated[int, Field(description="At most so many.", ge=1, le=50)]


@dataclass(frozen=True, slots=True)
class McpCaller:
    """Who calls, and what they may do."""

    tenant: str
    user: str = ""
    home: str = ""
    """The only home they have; empty: all of the tenant."""
    rights: frozenset[Right] = frozenset({"read"})


class CallerToken(AccessToken):
    """What let a request in, with whose it is."""

    caller: McpCaller


@dataclass(frozen=True, slots=True)
class WinnowTools:
    """The tools over one engine. ``owner`` is whoever calls without a token of their own."""

    engine: Engine
    owner: McpCaller
    tokens_to: TokensTo = "nobody"
    _languages: LruCache[tuple[McpCaller, str], LanguageCode] = field(
        default_factory=lambda: LruCache(MAX_TALKS)
    )
    """Who, and in which talk -> the language it was held in last."""

    @property
    def caller(self) -> McpCaller:
        """Who sent the request that is under way."""
        token = get_access_token()
        return token.caller if isinstance(token, CallerToken) else self.owner

    # A turn.

    async def retrieve(
        self,
        ctx: CallContext,
        text: Words,
        room: RoomName = "",
        history: History = [],  # noqa: B006 - read, never changed
        session: Session = "",
        home: Home = "",
    ) -> RetrieveResult | InputRequiredResult:
        """Find out what a turn needs and what may be done: devices, readings, messages, facts, documents.

        Call it first, with each thing the person says. Where it is unclear what is meant, they are asked.
        """
        found = self.recent_turn(ctx.request_state) if ctx.request_state else None
        if found is None:
            turns = tuple(Turn(one.role, one.content) for one in history)
            said = replace(self._who(session, home), text=text, room=room or None, history=turns)
            found = await self.engine.retrieve(said)
        self._languages.put((self.caller, session), found.reading.language)
        if isinstance(found.verdict, Clarify) and found.verdict.options and can_ask(ctx):
            chosen = await self._person_choice(ctx, found, found.verdict)
            if isinstance(chosen, InputRequiredResult):
                return chosen
            if chosen is not None:
                user, tenant = self.caller.user, self.caller.tenant
                found = await self.engine.answer(found.id, chosen, user=user, tenant=tenant)
        return await self._turn_result(found)

    async def answer(
        self,
        question: Annotated[
            str, Field(description="The plan of the turn that asked (verdict clarify).", max_length=32)
        ],
        choice: Annotated[
            int | str, Field(description="The option that the person chose: its place, from 0, or words.")
        ],
        session: Session = "",
        home: Home = "",
    ) -> RetrieveResult:
        """Go on with the option that the person chose. It is never a yes to what is dangerous."""
        came = await self._tools(session, home).call("answer", {"id": question, "choice": choice})
        if came.retrieval is None:
            raise ToolError(came.text)
        return await self._turn_result(came.retrieval)

    async def explain(
        self,
        id: Annotated[str, Field(description="The id of a turn.", max_length=64)],  # noqa: A002 - as results call it
    ) -> ExplainResult:
        """Tell every stage of a turn: what went in and came out, what was left out and why."""
        found = self.recent_turn(id)
        opened = await self.engine.load_home(found.home_id, self.caller.tenant) if found.home_id else None
        drawn = drawing(found.reading, opened.vocabulary) if opened else None
        return ExplainResult(id=id, text=explanation_text(found, opened.view if opened else NO_HOME, drawn))

    # What is done in the home.

    async def act(
        self,
        ctx: CallContext,
        plan: Annotated[
            str, Field(description="The plan of the turn: all of it is done.", max_length=32)
        ] = "",
        calls: Annotated[
            list[ProposedCall],
            Field(description="Else single calls that the data of the turn names.", max_length=40),
        ] = [],  # noqa: B006 - read, never changed
        session: Session = "",
        home: Home = "",
    ) -> CarriedOut | InputRequiredResult:
        """Carry out the plan of the last turn. Where it is dangerous, the person is asked for a yes."""
        if ctx.request_state:  # the second round: it holds the token, which no client can read
            return await self._after_question(ctx, ctx.request_state, session)
        given = {"plan": plan or None, "calls": [call.model_dump() for call in calls] or None}
        async with reported_outcomes(ctx) as told:
            came = await Tools(self.engine, self._who(session, home), told).call("act", given)
        if came.receipt is None:
            raise ToolError(came.text)
        return await self._receipt_result(ctx, came.receipt, session, home)

    async def confirm(
        self,
        ctx: CallContext,
        token: Annotated[
            str, Field(description="The token that the person was given and told you.", max_length=64)
        ],
    ) -> CarriedOut | InputRequiredResult:
        """Carry out what the person was asked about, with the token that they alone were given."""
        return await self._confirm(ctx, token, "")

    async def undo(
        self, ctx: CallContext, session: Session = "", home: Home = ""
    ) -> CarriedOut | InputRequiredResult:
        """Take back what was done last for this person: in that session, else in the last ten minutes."""
        if ctx.request_state:
            return await self._after_question(ctx, ctx.request_state, session)
        who = self._who(session, home)
        receipt = await self.engine.undo(user=who.user, home=who.home, session=who.session, tenant=who.tenant)
        return await self._receipt_result(ctx, receipt, session, home)

    # What is known.

    async def search_messages(self, query: Query, limit: Limit = 10) -> FoundTexts:
        """Find the person's messages of earlier talks that answer a question."""
        return _found_texts(await self._search(HISTORY.name, query, limit), "speaker")

    async def search_documents(
        self,
        query: Query,
        limit: Limit = 5,
        public: Annotated[
            bool, Field(description="Search everybody's documents instead of the person's own.")
        ] = False,
    ) -> FoundTexts:
        """Find the passages of documents that answer a question."""
        row = DOCUMENT_ROWS["public" if public else "private"]
        return _found_texts(await self._search(row.name, query, limit, needs_user=not public), "document")

    async def facts(
        self,
        query: Annotated[
            str, Field(description="Only facts that bear on it; empty: all.", max_length=2000)
        ] = "",
    ) -> KnownFacts:
        """Tell what is held to be true of the person, with what it took the place of."""
        known = await self.engine.storage.facts.facts(self._person())
        if query:
            wanted = [one.ref.id for one in (await self._search(FACTS.name, query, 50)).candidates]
            known = tuple(sorted((f for f in known if f.id in wanted), key=lambda f: wanted.index(f.id)))
        return KnownFacts(facts=[_known_fact(fact) for fact in known])

    async def remember(
        self,
        text: Annotated[
            str,
            Field(
                description="One statement of the person, as they would say it.",
                min_length=1,
                max_length=2000,
            ),
        ],
        replaces: Annotated[str, Field(description="Id of a fact that it corrects.", max_length=64)] = "",
    ) -> KnownFacts:
        """Keep a statement as a fact of the person. What it takes the place of stays, marked."""
        scope = self._person()
        keeper = open_fact_extractor(self.engine.storage, open_builtin_embedder(self.engine.embedder))
        now = keeper.now()
        changed = await (
            keeper.correct(scope, replaces, text, now) if replaces else keeper.add(scope, text, now)
        )
        return KnownFacts(facts=[_known_fact(fact) for fact in changed])

    async def add_messages(
        self,
        ctx: CallContext,
        messages: Annotated[
            list[DatedMessage], Field(description="Oldest first.", min_length=1, max_length=20_000)
        ],
    ) -> KeptResult:
        """Keep messages of earlier talks, so that they can be searched. What is there stays as it is."""
        scope, store = self._person(), self.engine.storage.messages
        async with reported_progress(ctx) as progress:
            with _record_file([one.model_dump() for one in messages]) as path:
                kept = await import_messages(scope, str(path), store, Clocks("local"), progress)
        problems = [f"{note.id.rpartition(':')[2]}: {note.code}" for note in kept.notes]
        return KeptResult(added=kept.added, total=kept.total, problems=problems)

    async def add_documents(
        self,
        ctx: CallContext,
        documents: Annotated[list[NewDocument], Field(min_length=1, max_length=2000)],
        collection: Annotated[
            str, Field(description="What they belong to.", min_length=1, max_length=100)
        ] = "notes",
    ) -> KeptResult:
        """Keep documents of the person, so that they can be searched."""
        shelf = DocumentLibrary(self._person(), "private", self.engine.storage.documents, segment_of)
        records = [{**one.model_dump(), "collection": collection} for one in documents]
        async with reported_progress(ctx) as progress:
            with _record_file(records) as path:
                adding = IngestRequest(str(path), DocumentDefaults(collection))
                kept = await add_documents(shelf, adding, progress)
        problems = [str(problem.message) for problem in kept.problems]
        return KeptResult(added=kept.added + kept.changed, total=kept.total, problems=problems)

    # What they share.

    def _who(self, session: str = "", home: str = "") -> Utterance:
        """The caller's person in that talk. Sessions of agents are none of a person's own at another door."""
        if self.caller.home and home not in ("", self.caller.home):
            raise HomeNotFound(home, [self.caller.home])
        talk = f"agent {session}" if session else ""
        return Utterance(
            "",
            self.engine.policy.language or self._languages.get((self.caller, session)),
            self.caller.home or home,
            user=self.caller.user,
            session=talk,
            tenant=self.caller.tenant,
            by_agent=True,
        )

    def _tools(self, session: str, home: str) -> Tools:
        return Tools(self.engine, self._who(session, home))

    def _person(self) -> Scope:
        """The person whose rows are meant. Raises WinnowError where nobody is named."""
        if not self.caller.user:
            raise WinnowError(
                "Nobody is named, so there are no messages, facts and documents of anybody.",
                hint="Start the server with the person it serves: winnow mcp --user NAME",
            )
        return Scope(self.caller.tenant, self.caller.user)

    async def _person_choice(
        self, ctx: CallContext, found: Retrieval, asked: Clarify
    ) -> int | InputRequiredResult | None:
        """The place of the option that the person chose; None: none."""
        labels = [option.label for option in asked.options]
        if len({*labels}) < len(labels):
            labels = [f"{number}. {label}" for number, label in enumerate(labels, 1)]
        form = choice_form(labels, asked.question)
        chosen = await ask_person(ctx, asked.question, form, found.id)
        if isinstance(chosen, InputRequiredResult):
            return chosen
        label = getattr(chosen, "choice", None)
        return labels.index(label) if label in labels else None

    def recent_turn(self, id_: str) -> Retrieval:
        """A turn of this caller. Raises WinnowError where it is not, or no longer, known."""
        scope = Scope(self.caller.tenant, self.caller.user)
        if (found := self.engine.feedback_log.recent_turn(scope, id_)) is None:
            raise WinnowError(
                Phrase("No turn of this person has the id {id!r}, or it is too long ago.", id=id_),
                hint="Call retrieve again: its result has an id.",
            )
        return found

    async def _turn_result(self, found: Retrieval) -> RetrieveResult:
        verdict, language = found.verdict, found.reading.language
        opened = await self.engine.load_home(found.home_id, self.caller.tenant) if found.home_id else None
        view = opened.view if opened else NO_HOME
        messages = found.context.messages
        # What changes from turn to turn stands last, right before the question.
        data = [str(one["content"]) for one in messages[-2:-1] if one.get("role") == "system"]
        return RetrieveResult(
            id=found.id,
            verdict=compact_trace(found, view)["verdict"]["kind"],
            plan=found.plan,
            text="".join(data),
            message=verdict_sentence(verdict, view, language),
            options=[encode_text(one.label) for one in verdict.options]
            if isinstance(verdict, Clarify)
            else [],
            query=found.query,
            home=found.home_id,
            tokens=counter(self.engine.policy.tokenizer).count("".join(data)),
        )

    async def _receipt_result(
        self, ctx: CallContext, receipt: Receipt, session: str, home: str
    ) -> CarriedOut | InputRequiredResult:
        """What came of an act; where a yes is wanted, the person is asked, or given what says it."""
        waiting, who = receipt.waiting, self._who(session, home)
        told = await self._carried_out(receipt, who)
        if waiting is None:
            return told
        if not can_ask(ctx):
            return self._hand_over(told, waiting, who.language)
        form = yes_form(waiting.question)
        agreed = await ask_person(ctx, waiting.question, form, waiting.token)
        if isinstance(agreed, InputRequiredResult):
            return agreed
        return (
            await self._confirm(ctx, waiting.token, session)
            if getattr(agreed, "yes", False)
            else _declined(who)
        )

    async def _after_question(
        self, ctx: CallContext, token: str, session: str
    ) -> CarriedOut | InputRequiredResult:
        """What follows from what the person said in the second round."""
        agreed = await ask_person(ctx, "", yes_form(""), token)
        if getattr(agreed, "yes", False):
            return await self._confirm(ctx, token, session)
        return _declined(self._who(session))

    async def _confirm(self, ctx: CallContext, token: str, session: str) -> CarriedOut:
        scope = Scope(self.caller.tenant, self.caller.user)
        who = replace(self._who(session), home=await self.engine.acting.home_of(scope, token))

        async with reported_outcomes(ctx) as told:
            receipt = await self.engine.confirm(
                token, user=self.caller.user, tenant=self.caller.tenant, progress=told
            )
        return await self._carried_out(receipt, who)

    async def _carried_out(self, receipt: Receipt, who: Utterance) -> CarriedOut:
        view = NO_HOME
        with suppress(HomeNotFound):  # of several homes none was named: then nothing was done in any
            view = (await self.engine.load_home(who.home, who.tenant)).view
        return CarriedOut(
            status=receipt.status,
            text=receipt_for_model(receipt, view, who.language or "en"),
            done=[*receipt.device_ids],
            refused=[refusal.code for refusal in receipt.refused],
            question=receipt.waiting.question if receipt.waiting else "",
        )

    def _hand_over(
        self, told: CarriedOut, waiting: Confirmation, language: LanguageCode | None
    ) -> CarriedOut:
        """The result where the client cannot ask; the token goes where whoever started the server said."""
        if self.tokens_to == "log":
            facts = {"question": waiting.question, "token": waiting.token}
            print(message("mcp_token", language or "en", **facts), file=sys.stderr, flush=True)
        elif self.tokens_to == "host":
            given = {"token": waiting.token, "question": waiting.question, "expires_at": waiting.expires_at}
            told.host_only = {TOKEN_KEY: given}
        return told

    async def _search(self, name: str, query: str, limit: int, *, needs_user: bool = True) -> Shortlist:
        scope = self._person() if needs_user else Scope(self.caller.tenant, self.caller.user)
        if (source := self.engine.sources.get(name)) is None:
            raise WinnowError(
                Phrase("Nothing is searched under the name {name!r}.", name=name),
                hint="history.yaml and knowledge.yaml say what is searched; one of them switches it off.",
            )
        return await source(Search(query, wall_clock(self.engine.storage.clock.now())), scope, limit)


def _declined(who: Utterance) -> CarriedOut:
    """What is told where the person was asked and did not say yes."""
    return CarriedOut(status="declined", text=message("mcp_declined", who.language or "en"))


def _found_texts(found: Shortlist, source: str) -> FoundTexts:
    """Candidates as they are told; ``source``: the field that says where each comes from."""
    rows = [
        (one, one.data if isinstance(one.data, Mapping) else {"text": one.data}) for one in found.candidates
    ]
    texts = [
        FoundText(
            id=one.ref.id,
            text=str(row.get("text", "")),
            score=round(one.score, 4),
            source=str(row.get(source, "")),
            at=str(row.get("at", "") or ""),
        )
        for one, row in rows
    ]
    return FoundTexts(found=texts)


def _known_fact(fact: Fact) -> KnownFact:
    return KnownFact(
        id=fact.id,
        text=fact.text,
        status=fact.status,
        at=fact.at.isoformat() if fact.at else "",
        source=fact.source,
        replaced_by=fact.replaced_by,
        reason=str(fact.reason),
    )


@contextmanager
def _record_file(records: Sequence[Mapping[str, Any]]) -> Iterator[Path]:
    """A file of these records, one a line, as those who add files read it; it is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "records.jsonl")
        path.write_text("".join(json.dumps(one) + "\n" for one in records), "utf-8")
        yield path
