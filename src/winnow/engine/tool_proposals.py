"""What an agent may do of what it was told, and nothing else.

An agent is not trusted: it may carry out a plan that is open, propose calls that its last briefing named, and
choose for a person among the options of a question. It never says yes.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from winnow.act.checks import CheckResult, Offer, check_calls
from winnow.act.receipt import Progress
from winnow.decide.confirm import review_calls
from winnow.engine.acting import ActService
from winnow.engine.answers import closed_question
from winnow.engine.turn_input import FinishedTurn
from winnow.language.answers import ClosedQuestion, meaning
from winnow.ports.stores import seconds_since
from winnow.types.home import HomeView
from winnow.types.lru import LruCache
from winnow.types.receipt import Receipt
from winnow.types.retrieval import Retrieval
from winnow.types.scope import IsGone, Scope
from winnow.types.verdict import Act, Call, Clarify, Confirm, Nothing, Refusal, named_calls

MAX_BRIEFINGS = 1024
"""Talks whose last briefing is remembered; the one not spoken in for longest is forgotten first."""
NO_OPTION = -1
"""No option."""
MAX_PLANS = 8
"""Plans of one talk that a person may take back."""
WITHDRAWAL_REASONS = frozenset({"negated", "declined", "withdrawn"})
"""Why nothing is done where a person does not want it any more."""


@dataclass(slots=True)
class BriefedAgent:
    """The last briefing of one talk, and what an agent took of it."""

    retrieval: Retrieval
    at: float
    taken: set[tuple[str, str]] = field(default_factory=set)
    is_plan_spent: bool = False
    """Whether its plan was spent by calls, so that more of them may follow."""
    plans: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Handle -> device ids of the talk's plans, the latest first."""


class ToolProposals:
    """What agents ask for, checked against what they were given in the talk of the person they serve.

    Briefings are remembered by the process that made them; a plan can be carried out from any other too.
    """

    def __init__(self, acting: ActService) -> None:
        self.acting = acting
        self._talks: LruCache[Scope, BriefedAgent] = LruCache(MAX_BRIEFINGS)
        self._lock = threading.Lock()

    async def turn_finished(self, turn: FinishedTurn) -> None:
        """Remember what a person's agent was told; close what the person takes back. Raises StoreError."""
        found = turn.retrieval
        before = self._talks.pop(found.scope)
        closed, known = _closed_plans(found, before.plans if before else {})
        for plan, state in product(closed, ("open", "asked") if _is_taken_back(found) else ("open",)):
            await self.acting.storage.plans.spend(found.scope, plan, state)
        own = {found.plan: found.device_ids} if found.plan else {}
        plans = list({**own, **known}.items())[:MAX_PLANS]
        self._talks.put(found.scope, BriefedAgent(found, self.acting.now, plans=dict(plans)))

    async def execute_plan(self, scope: Scope, plan_id: str, progress: Progress | None = None) -> Receipt:
        """The plan of that handle carried out, or its question asked. Raises HomeNotFound, StoreError."""
        briefed = self._talks.get(scope)
        if briefed is None or briefed.retrieval.plan != plan_id:
            receipt = await self.acting.execute_plan(scope, plan_id, progress)
        elif self._is_old(briefed):
            return await self.acting.record_refusal(scope, (Refusal("expired"),))
        elif isinstance(briefed.retrieval.verdict, Clarify):
            return await self.acting.record_refusal(scope, (Refusal("answer_first"),))
        else:
            receipt = await self.acting.act(briefed.retrieval, progress)
        if receipt.refused and not receipt.id:
            return await self.acting.record_refusal(scope, receipt.refused)
        return receipt

    async def execute_calls(
        self, scope: Scope, proposed: Sequence[Call], of: str = "", progress: Progress | None = None
    ) -> Receipt:
        """Calls that an agent put together, carried out if all of them were offered by its last briefing.

        What is dangerous waits for a yes of the person. ``of``: the handle it goes back to, where the agent
        says so. Nothing is done where anything is refused. Raises HomeNotFound, StoreError.
        """
        briefed = self._talks.get(scope)
        if why := self._refusal(briefed, of):
            return await self.acting.record_refusal(scope, (why,), proposed)
        assert briefed is not None
        home = await self.acting.homes.load_named(scope)
        found = check_calls(proposed, self._offer_of(briefed), home.view)
        if found.refused:
            return await self.acting.record_refusal(scope, found.refused, proposed)
        return await self._execute_checked(scope, found, briefed, home.view, progress)

    def chosen_option(self, scope: Scope, question: str, chosen: int | str, view: HomeView) -> int | Refusal:
        """The index of the option that an agent chose, from its label, its place or words.

        Only of the last question, and only among options: what a yes is wanted for is the person's to say.
        """
        briefed = self._talks.get(scope)
        asked = briefed.retrieval.verdict if briefed else None
        if isinstance(asked, Confirm):
            return Refusal("yes_is_theirs")
        if briefed is None or not isinstance(asked, Clarify) or briefed.retrieval.plan != question:
            return Refusal("no_question")
        labels = [option.label for option in asked.options]
        number = _option_index(briefed.retrieval, chosen, view)
        return (
            number if number in range(len(labels)) else Refusal("no_option", {"options": " / ".join(labels)})
        )

    def last_question_id(self, scope: Scope) -> str:
        """Id of the retrieval that the talk's last briefing came of."""
        briefed = self._talks.get(scope)
        return briefed.retrieval.id if briefed else ""

    def drop(self, is_gone: IsGone) -> None:
        """Forget the last briefings of these persons' agents."""
        self._talks.drop(lambda scope, _: is_gone(scope))

    def _refusal(self, briefed: BriefedAgent | None, of: str) -> Refusal | None:
        """Why nothing can be proposed."""
        if briefed is None or (of and of not in (briefed.retrieval.plan, briefed.retrieval.id)):
            return Refusal("no_briefing")
        if self._is_old(briefed):
            return Refusal("expired")
        match briefed.retrieval.verdict:
            case Act():
                return None
            # What was not understood is for the agent to judge; what is dangerous still waits for a yes.
            case _ if briefed.retrieval.attempt.is_handover:
                return None
            case Confirm():
                return Refusal("yes_is_theirs")
            case Clarify():
                return Refusal("answer_first")
        return Refusal("nothing_offered")

    def _is_old(self, briefed: BriefedAgent) -> bool:
        return seconds_since(briefed.at, self.acting.now) > self.acting.rules.plan_seconds

    def _offer_of(self, briefed: BriefedAgent) -> Offer:
        found = briefed.retrieval
        decided = found.verdict.calls if isinstance(found.verdict, Act) else ()
        return Offer(decided, found.briefing.offered, briefed.taken)

    async def _execute_checked(
        self,
        scope: Scope,
        found: CheckResult,
        briefed: BriefedAgent,
        view: HomeView,
        progress: Progress | None,
    ) -> Receipt:
        """Done, asked about or refused, by the rules that count for what a person says."""
        told, calls, acting = briefed.retrieval, found.calls, self.acting
        proposal = replace(told, proposed_calls=calls)
        rules = acting.rules.of(scope.home, scope.user)
        before = review_calls(calls, rules, view, told.reading.language)
        if before.forbidden:
            return await acting.record_refusal(scope, before.forbidden, calls)
        decided = self._offer_of(briefed).decided  # what is as dangerous was agreed to, or it would be no act
        if before.question and any(call not in decided for call in calls):
            return await acting.ask_to_confirm(proposal, before.question)
        if not await self._claim_calls(scope, briefed, calls):
            return await acting.record_refusal(scope, (Refusal("done_already"),), calls)
        return await acting.execute_proposal(proposal, progress)

    async def _claim_calls(self, scope: Scope, briefed: BriefedAgent, calls: Sequence[Call]) -> bool:
        """Whether these may be done now: the plan goes with the first of them, and none is done twice."""
        pairs = {(call.device_id, call.command_id) for call in calls}
        with self._lock:
            if briefed.taken & pairs:
                return False
            briefed.taken |= pairs
        if await self.acting.storage.plans.spend(scope, briefed.retrieval.plan, "open") is not None:
            briefed.is_plan_spent = True
        return briefed.is_plan_spent


def _closed_plans(
    found: Retrieval, plans: Mapping[str, tuple[str, ...]]
) -> tuple[list[str], dict[str, tuple[str, ...]]]:
    """Plans that count no longer after this turn, and those that still do.

    All are closed by a person who wants nothing more; one is by a later word about a device of it.
    """
    every, about = _is_taken_back(found), {call.device_id for call in named_calls(found.verdict)}
    closed = [p for p, ids in plans.items() if p != found.plan and (every or about.intersection(ids))]
    return closed, {plan: ids for plan, ids in plans.items() if plan not in closed}


def _is_taken_back(found: Retrieval) -> bool:
    """Whether the person wants nothing of what was said before: ``never mind``, ``算了``, ``don't``."""
    if not isinstance(found.verdict, Nothing):
        return False
    stops = found.intent is not None and found.intent.act == "stop"
    said = meaning(found.utterance.text, ClosedQuestion("confirm", ""))
    return found.verdict.reason in WITHDRAWAL_REASONS or stops or said.kind == "no"


def _option_index(found: Retrieval, chosen: int | str, view: HomeView) -> int:
    """The one option that the words mean; -1: none."""
    if not isinstance(chosen, str):
        return NO_OPTION if isinstance(chosen, bool) else chosen
    question = closed_question(found, view)
    meant = meaning(chosen, question) if question else None
    options = meant.options if meant is not None and meant.kind == "some" else ()
    return options[0] if len(options) == 1 else NO_OPTION
