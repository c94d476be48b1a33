"""The messages of each turn, assembled from what was found; a session goes on from its last ones."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from winnow.assemble import assemble
from winnow.assemble.compress.meaning import Meaning
from winnow.assemble.context import Parts, assembled
from winnow.assemble.loading.deeper import Reply, deepened
from winnow.assemble.loading.more import Lack, wants_detail
from winnow.assemble.shares import SHARES, ContextBudget
from winnow.assemble.summarised import summarised
from winnow.consult import Watch
from winnow.joined import Joined
from winnow.policy import Policy
from winnow.ports import Embedder
from winnow.types.attempt import Attempt
from winnow.types.briefing import Briefing, Retrieval
from winnow.types.context import Context
from winnow.types.dialogue import Utterance
from winnow.types.fact import Fact
from winnow.types.person import IsGone, drop_from
from winnow.types.rewrite import Rewrite
from winnow.types.scope import Scope
from winnow.types.shortlist import Shortlist

SESSIONS = 256
"""Sessions whose last context is remembered; the one not spoken in for longest is forgotten first. A session
that is forgotten goes on all the same, from its history."""


TALKS = ("user", "assistant")
DEEPER = 3
"""How many times as much is asked of a source where a model lacks something."""
NEAR = 12
"""Messages of a dialogue that are taken for seen, counted from the last one."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a turn brought to light."""

    found: Sequence[Shortlist] = ()
    facts: Sequence[Fact] = ()
    """What is held to be true of who speaks; for when the dialogue is built anew."""
    rewrite: Rewrite | None = None
    """The standalone query, where one was made."""
    now: float = 0.0
    """Seconds since the epoch."""
    plan: str = ""
    """The handle of what was decided, where it has one."""


class Contexts:
    """Assembles contexts, and remembers the last one of each session."""

    def __init__(self, policy: Policy, embedder: Embedder) -> None:
        self.policy, self.embedder = policy, embedder
        self.budget = ContextBudget(policy.context, policy.tuning.shares or SHARES, policy.tokenizer)
        self._last: OrderedDict[Scope, Context] = OrderedDict()

    def of(self, turn: Joined, attempt: Attempt, known: Known, home: Briefing) -> tuple[Context, Parts]:
        """The messages of this turn, within the budget, and what they are made of.

        ``home``: the briefing of the turn. Raises OverBudget for instructions beyond theirs.
        """
        key, parts = _talk(turn.said), self._parts(turn, attempt, known, home)
        made = assembled(parts, self.budget, self._last.get(key))
        if key.session:
            self._keep(key, made)
        return made, parts

    async def told(
        self, turn: Joined, attempt: Attempt, known: Known, home: Briefing, watch: Watch
    ) -> Context:
        """The same; where the dialogue was built anew, a model may put its summary into better words."""
        made, parts = watch.time("context", self.of, turn, attempt, known, home)
        worded = await summarised(made, parts, watch, self.budget.counter)
        if worded is not made and turn.said.session:
            self._keep(_talk(turn.said), worded)
        return worded

    def seen(self, said: Utterance) -> tuple[str, ...]:
        """What the dialogue of these words has before it word for word: the window of the turn before.

        Of a dialogue that is seen for the first time, its last turns. What is older may be told in short
        only, so whoever looks it up is to find it.
        """
        last = self._last.get(_talk(said))
        held = last.messages if last else ()
        window = {str(message.get("content")) for message in held if message.get("role") in TALKS}
        near = {turn.content for turn in said.history[-NEAR:]}
        return tuple(turn.content for turn in said.history if turn.content in near | window)

    def deeper(self, retrieval: Retrieval, lack: Lack, reply: Reply, known: Known) -> Retrieval:
        """The retrieval with what was found for what a model lacked; its session goes on from there."""
        said = retrieval.utterance
        parts = Parts(
            said.text,
            found=known.found,
            query=lack.query or retrieval.query,
            language=retrieval.reading.language,
            now=known.now,
            tuning=self.policy.tuning,
            meaning=_meaning(self.embedder),
        )
        made = deepened(retrieval.context, parts, lack, reply, self.budget.counter)
        if said.session:
            self._keep(_talk(said), made)
        return replace(retrieval, context=made, found=(*retrieval.found, *known.found))

    def drop(self, is_gone: IsGone) -> None:
        """Forget the last contexts of these persons."""
        drop_from(self._last, lambda scope, _: is_gone(scope))

    def _parts(self, turn: Joined, attempt: Attempt, known: Known, home: Briefing) -> Parts:
        """What messages are made of; what was found stands in them by itself, and not in the briefing."""
        again = known.rewrite
        if known.found:
            home = assemble(attempt, turn.view, self.policy.budget, plan=known.plan)
        return Parts(
            question=turn.said.text,
            system=turn.call.system,
            history=turn.messages,
            home=home,
            found=known.found,
            facts=known.facts,
            query=again.query if again and again.changed else "",
            language=attempt.reading.language,
            summary=turn.said.summary,
            detail=turn.call.detail or wants_detail(turn.said.text),
            now=known.now,
            tuning=self.policy.tuning,
            embedder=self.embedder,
            meaning=_meaning(self.embedder),
        )

    def _keep(self, key: Scope, made: Context) -> None:
        self._last.pop(key, None)
        self._last[key] = made
        if len(self._last) > SESSIONS:
            self._last.popitem(last=False)


def _talk(said: Utterance) -> Scope:
    """Whose dialogue it is, and which."""
    return Scope(said.tenant, said.user, session=said.session)


def _meaning(embedder: Embedder) -> Meaning | None:
    """The embedder, where it knows single words."""
    return cast("Meaning", embedder) if hasattr(embedder, "words") else None  # only the built-in table does
