"""The messages of each turn, built from what was found; a session continues from its last ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from winnow.context.briefing import build_briefing
from winnow.context.build import build_context
from winnow.context.more import MissingData, Reply, extend_context, relevant_recent
from winnow.context.parts import ContextParts
from winnow.context.quotes import quotes_in_model_words
from winnow.context.rebuild import summarize_dialogue
from winnow.context.window import split_exchanges
from winnow.engine.llm.client import TurnTrace
from winnow.engine.policy import Policy
from winnow.engine.turn_input import TurnInput
from winnow.language.encode import sendable
from winnow.language.tokens import counter
from winnow.ports.services import Embedder, Source
from winnow.ports.stores import Facts
from winnow.retrieve.tiers import missing_refs
from winnow.types.candidate import Shortlist
from winnow.types.context import ChatMessage, Context, ContextOptions, DialogueState, WindowSettings
from winnow.types.fact import Fact
from winnow.types.lru import LruCache
from winnow.types.query import Rewrite
from winnow.types.retrieval import Attempt, Briefing, Retrieval
from winnow.types.scope import IsGone, Scope
from winnow.types.utterance import Turn

if TYPE_CHECKING:
    from winnow.context.compress.features import WordEmbedder

MAX_CONTEXTS = 256
"""Sessions whose last context is remembered; the one not spoken in for longest is forgotten first. A session
that is forgotten goes on all the same, from its history."""


TALK_ROLES = ("user", "assistant")
MORE_FACTOR = 3
"""How many times as much is asked of a source where a model lacks something."""
MAX_SEEN_MESSAGES = 12
"""Messages of a dialogue that are taken for seen, counted from the last one."""


@dataclass(frozen=True, slots=True)
class ContextInputs:
    """What a turn brought to light."""

    results: Sequence[Shortlist] = ()
    rewrite: Rewrite | None = None
    """The standalone query, where one was made."""
    now: float = 0.0
    """Seconds since the epoch."""
    plan: str = ""
    """The handle of what was decided, where it has one."""


class SessionContexts:
    """Assembles contexts, and remembers the last one of each person in each session.

    What it remembers is held against ``sources`` and ``facts`` before it is given again: what was deleted or
    changed since is not.
    """

    def __init__(
        self, policy: Policy, embedder: Embedder, facts: Facts, sources: Mapping[str, Source]
    ) -> None:
        self.policy, self.embedder = policy, embedder
        self.facts, self.sources = facts, sources
        self.counter = counter(policy.tokenizer)
        self._contexts: LruCache[Scope, Context] = LruCache(MAX_CONTEXTS)

    async def build(
        self, turn: TurnInput, attempt: Attempt, known: ContextInputs, home: Briefing
    ) -> tuple[Context, ContextParts]:
        """The messages of this turn, within the budget, and what they are made of.

        ``home``: the briefing of the turn. Raises OverBudget where instructions, tools and
        question are more than all of it, StoreError.
        """
        last = self._contexts.get(turn.scope)
        # What is held to be true of who speaks, where anything was looked up or facts stand before it
        pinned = last is not None and last.dialogue is not None and last.dialogue.pinned_facts
        facts = await self.facts.facts(turn.scope) if turn.scope.user and (known.results or pinned) else ()
        parts = self._parts(turn, attempt, known, home, facts)
        made = build_context(parts, before=await self._current_context(turn, parts, last))
        self._keep(turn.scope, made)
        return made, parts

    async def build_with_model(
        self, turn: TurnInput, attempt: Attempt, known: ContextInputs, home: Briefing, watch: TurnTrace
    ) -> Context:
        """The same; a model may put what the rules cut hard into its words: a summary, this turn's data."""
        watch.start()
        made, parts = await self.build(turn, attempt, known, home)
        watch.mark("context")
        if not watch.asks:
            return made
        worded = await summarize_dialogue(made, parts, watch, self.counter)
        worded = await quotes_in_model_words(worded, parts.query or parts.question, watch, self.counter)
        self._keep(turn.scope, worded)
        return worded

    def seen_texts(self, scope: Scope, history: Sequence[Turn]) -> tuple[str, ...]:
        """What a dialogue has before it word for word: the window of the turn before.

        Of a dialogue that is seen for the first time, its last turns. What is older may be told in short
        only, so whoever looks it up is to find it.
        """
        last = self._contexts.get(scope)
        window = _spoken_texts(last.messages) if last else frozenset()
        near = {turn.content for turn in history[-MAX_SEEN_MESSAGES:]}
        return tuple(turn.content for turn in history if turn.content in near | window)

    def extend(
        self,
        retrieval: Retrieval,
        lack: MissingData,
        reply: Reply,
        known: ContextInputs,
        options: ContextOptions,
    ) -> Retrieval:
        """The retrieval with what was found for what a model lacked; its session goes on from there."""
        said = retrieval.utterance
        parts = ContextParts(
            said.text,
            found=known.results,
            query=lack.query or retrieval.query,
            language=retrieval.reading.language,
            now=known.now,
            tuning=self.policy.tuning,
            meaning=_meaning(self.embedder),
        )
        context = replace(retrieval.context, total=options.tokens or retrieval.context.total)
        made = extend_context(context, parts, lack, reply, self.counter)
        self._keep(retrieval.scope, made)
        return replace(retrieval, context=made, results=(*retrieval.results, *known.results))

    def drop(self, is_gone: IsGone) -> None:
        """Forget the last contexts of these persons."""
        self._contexts.drop(lambda scope, _: is_gone(scope))

    def _parts(
        self, turn: TurnInput, attempt: Attempt, known: ContextInputs, home: Briefing, facts: Sequence[Fact]
    ) -> ContextParts:
        """What messages are made of; what was found stands in them by itself, and not in the briefing."""
        rewrite, options = known.rewrite, turn.call.options.over(self.policy.options)
        if known.results:
            home = build_briefing(attempt, turn.view, self.policy.budget, plan=known.plan)
        return ContextParts(
            question=sendable(turn.utterance.text),
            system=turn.call.system,
            history=turn.messages,
            home=home,
            found=known.results,
            facts=facts,
            query=sendable(rewrite.query) if rewrite and rewrite.changed else "",
            context=rewrite.context if rewrite else {},
            language=attempt.reading.language,
            summary=turn.utterance.summary,
            detail=turn.call.detail,
            now=known.now,
            tools=turn.call.tools,
            trim=bool(options.trim),
            prefer=options.prefer,
            window=options.window or WindowSettings(),
            tuning=self.policy.tuning,
            embedder=self.embedder,
            meaning=_meaning(self.embedder),
            tokens=options.tokens or self.policy.context,
            shares=options.shares or self.policy.tuning.shares or None,
            counted_by=self.counter,
        )

    async def _current_context(
        self, turn: TurnInput, parts: ContextParts, last: Context | None
    ) -> Context | None:
        """The last context without what would be given again and does not hold any more.

        None where nothing is left of its talk.
        """
        if last is None or last.dialogue is None:
            return None
        # Whether anything of a talk is still there of what was said in it
        if _spoken_texts(last.messages).isdisjoint(_spoken_texts(parts.history)):
            return None
        held, there = last.dialogue, {turn.key for turn in split_exchanges(parts.history)}
        # Nothing is told in short of turns that the session holds no more.
        if turn.stored and not there.issuperset(held.summarized):
            held = DialogueState(recent=held.recent)
        while away := await missing_refs(self.sources, turn.scope, relevant_recent(held.recent, parts)):
            held = replace(held, recent=tuple(one for one in held.recent if one.candidate.ref not in away))
        return replace(last, dialogue=held)

    def _keep(self, scope: Scope, made: Context) -> None:
        """Remember it as the last one of a session; without one there is nothing to go on from."""
        if scope.session:
            self._contexts.put(scope, made)


def _spoken_texts(messages: Sequence[ChatMessage]) -> frozenset[str]:
    """What the person and the assistant say in them."""
    return frozenset(str(message.get("content")) for message in messages if message.get("role") in TALK_ROLES)


def _meaning(embedder: Embedder) -> WordEmbedder | None:
    """The embedder, where it knows single words."""
    return (
        cast("WordEmbedder", embedder) if hasattr(embedder, "words") else None
    )  # only the built-in table does
