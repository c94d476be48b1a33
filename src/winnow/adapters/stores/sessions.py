"""Sessions in the store, with their last turns and open question, and plans: what may be done, once."""

from __future__ import annotations

from bisect import insort
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from itertools import takewhile
from threading import Lock
from typing import Any

import sqlalchemy as sa

from winnow.adapters.stores.database import Database, StoreTable, asks, check_length, reads, writes
from winnow.adapters.stores.schema import (
    in_scope,
    of_person,
    of_tenant,
    plans,
    questions,
    scope_columns,
    scope_parameters,
    upsert_into,
)
from winnow.adapters.stores.schema import turns as turn_rows
from winnow.ports.stores import Clock
from winnow.types.lru import LruCache
from winnow.types.plan import Plan
from winnow.types.scope import Scope
from winnow.types.utterance import Question, Session, Turn, Usage, Utterance
from winnow.types.verdict import Call

# Plans in the store: what may be done, once.

SECONDS_PER_DAY = 86_400.0
KEPT_PLANS = 1000
"""Plans of one tenant that are kept; those that end first go first."""
WRONG, WITHIN = 20, 60.0
"""Wrong tokens of one person within so many seconds from which on none is looked at."""
_THIS = in_scope(plans) & (plans.c.id == sa.bindparam("of_id"))
_IN_STATE = _THIS & (plans.c.state == sa.bindparam("of_state"))
_OF_TOKEN = of_tenant(plans) & (plans.c.token_hash == sa.bindparam("token"))
_WAITS = _OF_TOKEN & (plans.c.state == "asked")
_PLAN = sa.select(plans).where(_THIS)
_WAITING, _MY_PLAN = sa.select(plans).where(_WAITS), sa.select(plans).where(_OF_TOKEN, of_person(plans))
_SPEND = sa.update(plans).where(_IN_STATE).values(state="spent")
_AGREED = sa.update(plans).where(_WAITS, of_person(plans)).values(state="spent")
_PAST = sa.delete(plans).where(of_tenant(plans), plans.c.ends < sa.bindparam("before"))
_TOO_MANY = (
    sa.select(plans.c.ends, plans.c.id)
    .where(of_tenant(plans))
    .order_by(plans.c.ends.desc(), plans.c.id.desc())
    .offset(sa.bindparam("most"))
    .limit(1)
)
_SAME_MOMENT = (plans.c.ends == sa.bindparam("before")) & (plans.c.id <= sa.bindparam("upto"))
_OLDEST = sa.delete(plans).where(of_tenant(plans), (plans.c.ends < sa.bindparam("before")) | _SAME_MOMENT)


class PlanTable(StoreTable):
    """The ``Plans`` of a store.

    What nobody in no talk may do unasked is kept ``beside`` it, in this process alone: no other could ask for
    it by name.
    """

    def __init__(self, db: Database, clock: Clock, beside: LocalPlans | None = None) -> None:
        super().__init__(db, clock)
        self._beside, self._tries = beside, Tries(clock)

    async def keep(self, scope: Scope, plan: Plan) -> None:
        """Keep the plan, in the place of an older one of that id. Raises StoreError."""
        whose_is = Scope(scope.tenant, plan.utterance.user, plan.home_id, plan.utterance.session)
        if self._beside and _is_process_local(whose_is, plan.state):
            self._beside.keep(whose_is, plan)
            return
        if not self._db.place.in_memory:
            check_length((whose_is.tenant, whose_is.home, whose_is.user, whose_is.session, plan.id))
        await self._keep(whose_is, plan)

    @writes(alone="home")
    def _keep(self, db: sa.Connection, scope: Scope, plan: Plan) -> None:
        row = {"id": plan.id, "state": plan.state, "token_hash": plan.token_hash, "ends": _end(plan)}
        db.execute(upsert_into(db, plans), {**scope_columns(plans, scope), **row, "plan": plan_data(plan)})
        db.execute(_PAST, scope_parameters(scope, before=plan.made_at - SECONDS_PER_DAY))
        if oldest := db.execute(_TOO_MANY, scope_parameters(scope, most=KEPT_PLANS)).first():
            db.execute(_OLDEST, scope_parameters(scope, before=oldest.ends, upto=oldest.id))

    async def plan(self, scope: Scope, plan_id: str) -> Plan | None:
        """The scope's plan of that id."""
        here = self._beside.plan(scope, plan_id) if self._beside else None
        return here or await self._plan(scope, plan_id)

    @asks
    def _plan(self, db: sa.Connection, scope: Scope, plan_id: str) -> Plan | None:
        row = db.execute(_PLAN, scope_parameters(scope, of_id=plan_id)).mappings().first()
        return _plan_of_row(row) if row else None

    async def spend(self, scope: Scope, plan_id: str, state: str) -> Plan | None:
        """The scope's plan of that id if it is in that state; it is spent then."""
        if self._beside and _is_process_local(scope, state):
            return self._beside.spend(scope, plan_id, state)
        return await self._spend(scope, plan_id, state)

    @writes(alone="nobody")
    def _spend(self, db: sa.Connection, scope: Scope, plan_id: str, state: str) -> Plan | None:
        if db.execute(_SPEND, scope_parameters(scope, of_id=plan_id, of_state=state)).rowcount != 1:
            return None
        row = db.execute(_PLAN, scope_parameters(scope, of_id=plan_id)).mappings().one()
        return replace(_plan_of_row(row), state=state)  # type: ignore[arg-type]

    async def accept_token(self, scope: Scope, token_hash: str) -> Plan | None:
        """The user's plan that waits for that token; it is spent then."""
        if not token_hash or self._tries.too_many(scope):
            return None
        found = await self._agreed(scope, token_hash)
        if found is None:
            self._tries.wrong(scope)
        return found

    @writes(alone="nobody")
    def _agreed(self, db: sa.Connection, scope: Scope, token_hash: str) -> Plan | None:
        if db.execute(_AGREED, scope_parameters(scope, token=token_hash)).rowcount < 1:
            return None
        row = db.execute(_MY_PLAN, scope_parameters(scope, token=token_hash)).mappings().first()
        return replace(_plan_of_row(row), state="asked") if row else None

    async def waiting_plan(self, scope: Scope, token_hash: str) -> Plan | None:
        """The tenant's plan that waits for that token, whoever was asked."""
        if not token_hash or self._tries.too_many(scope):
            return None
        return await self._waiting(scope, token_hash)

    @asks
    def _waiting(self, db: sa.Connection, scope: Scope, token_hash: str) -> Plan | None:
        row = db.execute(_WAITING, scope_parameters(scope, token=token_hash)).mappings().first()
        return _plan_of_row(row) if row else None


class LocalPlans:
    """Plans of this process alone, by the same rules; those of each tenant by when they end."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._plans: dict[tuple[Scope, str], Plan] = {}
        self._ends: dict[str, list[tuple[float, str, Scope]]] = {}

    def keep(self, scope: Scope, plan: Plan) -> None:
        """Keep the plan, in the place of an older one of that id."""
        with self._lock:
            ends = self._ends.setdefault(scope.tenant, [])
            if old := self._plans.pop((scope, plan.id), None):
                ends.remove((_end(old), plan.id, scope))
            self._plans[scope, plan.id] = plan
            insort(ends, (_end(plan), plan.id, scope), key=lambda row: row[:2])
            while ends[0][0] < plan.made_at - SECONDS_PER_DAY or len(ends) > KEPT_PLANS:
                _, plan_id, whose_is = ends.pop(0)
                del self._plans[whose_is, plan_id]

    def plan(self, scope: Scope, plan_id: str) -> Plan | None:
        """The scope's plan of that id."""
        return self._plans.get((scope, plan_id))

    def spend(self, scope: Scope, plan_id: str, state: str) -> Plan | None:
        """The scope's plan of that id if it is in that state; it is spent then."""
        with self._lock:
            plan = self._plans.get((scope, plan_id))
            if plan is None or plan.state != state:
                return None
            self._plans[scope, plan_id] = replace(plan, state="spent")
            return plan


def _end(plan: Plan) -> float:
    return plan.expires_at or plan.made_at


def _is_process_local(scope: Scope, state: str) -> bool:
    """Whether only this process has to know: nobody could ask another for it by name."""
    return state != "asked" and not (scope.user or scope.session)


class Tries:
    """Wrong tokens of late: whoever tries many learns nothing, not even by a right one.

    They count for the person who tries, so that nobody can keep another from saying yes.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._wrong: LruCache[tuple[str, str], deque[float]] = LruCache(KEPT_PLANS)
        """By tenant and user."""

    def wrong(self, scope: Scope) -> None:
        """One more."""
        whose_is = scope.tenant, scope.user
        tries = self._wrong.get(whose_is) or deque(maxlen=WRONG)
        tries.append(self._clock.now())
        self._wrong.put(whose_is, tries)

    def too_many(self, scope: Scope) -> bool:
        """Whether there were so many within the last minute."""
        of_late = self._wrong.get((scope.tenant, scope.user))
        return of_late is not None and len(of_late) == WRONG and self._clock.now() - of_late[0] < WITHIN


def plan_data(plan: Plan) -> dict[str, Any]:
    """The plan as JSON."""
    said = plan.utterance
    utterance = {field.name: getattr(said, field.name) for field in fields(said)}
    utterance["history"] = [[turn.role, turn.content, list(turn.device_ids)] for turn in said.history]
    utterance["usage"] = {name: dict(value) for name, value in asdict(said.usage).items()}
    return {
        **{field.name: getattr(plan, field.name) for field in fields(plan)},
        "utterance": utterance,
        "calls": [[call.device_id, call.command_id, dict(call.arguments)] for call in plan.calls],
        "offered": {device: list(commands) for device, commands in plan.offered.items()},
    }


def _plan_of_row(row: Mapping[Any, Any]) -> Plan:
    """The plan of a row. What a newer Winnow wrote beside it is left out."""
    stored = {**row["plan"], "state": row["state"], "token_hash": row["token_hash"]}
    said = {**stored["utterance"], "usage": Usage(**stored["utterance"]["usage"])}
    said["history"] = tuple(Turn(role, content, tuple(ids)) for role, content, ids in said["history"])
    stored["utterance"] = Utterance(**_known_fields(Utterance, said))
    stored["calls"] = tuple(Call(*call) for call in stored["calls"])
    stored["offered"] = {device: tuple(commands) for device, commands in stored["offered"].items()}
    return Plan(**_known_fields(Plan, stored))


def _known_fields(kind: type[Plan | Utterance], stored: Mapping[str, Any]) -> dict[str, Any]:
    return {field.name: stored[field.name] for field in fields(kind) if field.name in stored}


KEPT_TURNS = 20
"""Turns kept of one session."""
_UTTERANCE_FIELDS = ("text", "language", "home", "room", "user", "session", "time", "by_agent")
"""What is kept of the utterance; its tenant is that of the row."""
_TURNS = sa.select(turn_rows).where(in_scope(turn_rows)).order_by(turn_rows.c.position)
_LAST = sa.select(sa.func.max(turn_rows.c.position)).where(in_scope(turn_rows))
_FORGET_UP_TO = sa.delete(turn_rows).where(
    in_scope(turn_rows), turn_rows.c.position <= sa.bindparam("position")
)
_FORGET_BETWEEN = sa.delete(turn_rows).where(
    in_scope(turn_rows), turn_rows.c.position.between(sa.bindparam("first"), sa.bindparam("last"))
)
_OPEN_QUESTION, _CLOSE = (
    sa.select(questions).where(in_scope(questions)),
    sa.delete(questions).where(in_scope(questions)),
)
_ID = of_tenant(questions) & (questions.c.id == sa.bindparam("question"))
_OF_ID = sa.select(questions).where(_ID)
_CLOSE_ID = sa.delete(questions).where(_ID & of_person(questions))


class SessionTable(StoreTable):
    """The ``Sessions`` of a store."""

    @reads
    def session(self, db: sa.Connection, scope: Scope) -> Session:
        """Its turns, oldest first, and its open question."""
        rows = db.execute(_TURNS, scope_parameters(scope)).mappings()
        last_turns = tuple(Turn(r["role"], r["content"], tuple(r["device_ids"])) for r in rows)
        asked = db.execute(_OPEN_QUESTION, scope_parameters(scope)).mappings().first()
        return Session(last_turns, _question(asked) if asked else None)

    @writes()
    def note(
        self,
        db: sa.Connection,
        scope: Scope,
        turns: Sequence[Turn],
        question: Question | None = None,
        *,
        answered: str = "",
    ) -> bool:
        """Add turns, keep the last 20, and put ``question`` in the place of the one that was open.

        False, and nothing is kept, where the question ``answered`` was closed by another answer before.
        """
        # Whoever deletes the row answers; until then nobody reads the words of the question without it.
        if answered and db.execute(_CLOSE_ID, scope_parameters(scope, question=answered)).rowcount != 1:
            return False
        last, belongs = db.scalar(_LAST, scope_parameters(scope)) or 0, scope_columns(turn_rows, scope)
        rows = [
            {
                **belongs,
                "position": position,
                "role": turn.role,
                "content": turn.content,
                "device_ids": list(turn.device_ids),
            }
            for position, turn in enumerate(turns, last + 1)
        ]
        if rows:
            db.execute(sa.insert(turn_rows), rows)
        db.execute(_FORGET_UP_TO, scope_parameters(scope, position=last + len(rows) - KEPT_TURNS))
        db.execute(_CLOSE, scope_parameters(scope))
        if question is not None:
            db.execute(
                sa.insert(questions), {**scope_columns(questions, scope), **question_columns(question)}
            )
        return True

    @writes()
    def set_reply(self, db: sa.Connection, scope: Scope, said: str, reply: str) -> bool:
        """Let ``reply`` be what was answered to the last turn in which the person said ``said``."""
        rows = list(db.execute(_TURNS, scope_parameters(scope)).mappings())
        spoke = (n for n, row in enumerate(rows) if (row["role"], row["content"]) == ("user", said))
        asked = max(spoke, default=None)
        if asked is None:
            return False
        own = list(takewhile(lambda row: row["role"] == "assistant", rows[asked + 1 :]))
        if not own and asked + 1 < len(rows):
            return False
        first = rows[asked]["position"] + 1
        if own:
            db.execute(_FORGET_BETWEEN, scope_parameters(scope, first=first, last=own[-1]["position"]))
        about = own[-1]["device_ids"] if own else rows[asked]["device_ids"]
        told = {"position": first, "role": "assistant", "content": reply, "device_ids": about}
        db.execute(sa.insert(turn_rows), {**scope_columns(turn_rows, scope), **told})
        return True

    @asks
    def question(self, db: sa.Connection, scope: Scope, question_id: str) -> Question | None:
        """The tenant's open question of that id, whoever was asked."""
        row = db.execute(_OF_ID, scope_parameters(scope, question=question_id)).mappings().first()
        return _question(row) if row else None


def question_columns(question: Question) -> dict[str, object]:
    """The row of a question, without whose it is."""
    said = question.utterance
    history = [[t.role, t.content, list(t.device_ids)] for t in said.history]
    return {
        "id": question.id,
        "version": question.version,
        "utterance": {**{name: getattr(said, name) for name in _UTTERANCE_FIELDS}, "history": history},
        "asked_at": question.asked_at,
        "mark": question.mark,
    }


def _question(row: Mapping[Any, Any]) -> Question:
    said = dict(row["utterance"])
    history = tuple(Turn(role, content, tuple(ids)) for role, content, ids in said.pop("history"))
    utterance = Utterance(**said, history=history, tenant=row["tenant"])
    return Question(row["id"], row["home_id"], row["version"], utterance, row["asked_at"], row["mark"])
