"""The outcome of an instruction and of a sentence: calls, refusals, questions; and batches of calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from winnow.decide.bulk import BulkChoice
from winnow.decide.gate import GateResult
from winnow.decide.score import ScoredDevice, call_risk
from winnow.language.lexicon import type_words
from winnow.types.home import Command, HomeView, Parameter
from winnow.types.plan import DEFAULT_LIMITS, ActionLimits
from winnow.types.query import Quantifier, QueryIR, Token
from winnow.types.state import EMPTY_SNAPSHOT, Snapshot
from winnow.types.utterance import LanguageCode, Usage
from winnow.types.verdict import Batch, Call, CallGroup, Clarify, ConditionCheck, Refusal

CallKey = tuple[str, str, str]
"""Device, command, arguments."""


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A call with what is known of it."""

    call: Call
    command: Command | None = None
    """None where a scene is run."""
    words: str = ""
    """The instruction it was read from."""
    danger: str = ""
    """Why it wants a yes first, if it does."""

    @property
    def key(self) -> CallKey:
        """What makes a call itself."""
        return self.call.device_id, self.call.command_id, repr(self.call.arguments)

    def repeats(self, other: PlannedCall) -> bool:
        """Whether another command already does the same: ``拉警报，警号响起来`` is one alarm."""
        if self.call.device_id != other.call.device_id or self.call.command_id == other.call.command_id:
            return False
        if self.call.arguments or other.call.arguments or not (self.command and other.command):
            return False
        return self.command.trait == other.command.trait


@dataclass(frozen=True, slots=True)
class OutcomeQuestion:
    """A question that an instruction needs answered."""

    clarify: Clarify
    refusal: Refusal
    """How it is told when other instructions are carried out instead of asking."""
    grave: bool = False
    """Whether what must be asked is dangerous: then nothing is done before the answer."""


@dataclass(frozen=True, slots=True)
class InstructionOutcome:
    """What one instruction comes to: deeds, refusals, or a doubt."""

    calls: tuple[PlannedCall, ...] = ()
    refused: tuple[Refusal, ...] = ()
    doubt: OutcomeQuestion | None = None
    judged: tuple[ConditionCheck, ...] = ()
    """Its conditions up to the first that does not hold."""
    idle: bool = False
    """Whether nothing is to be done, though its conditions hold: those that it is the alternative to do."""
    blocks_sentence: bool = False
    """Whether a part that names something of the home was not understood: then nothing is done at all."""
    done: tuple[Token, ...] | None = None
    """The words of an instruction that has its calls."""
    bulk: bool = False
    everywhere: bool = False
    """Whether the whole home is meant, in a way that is asked about sooner."""
    excluded: tuple[str, ...] = ()
    """What was taken away, as said."""
    uncovered: tuple[str, ...] = ()
    """Ids of the members of a set that get no call."""
    hints: tuple[str, ...] = ()
    uncertain_target: bool = False
    """Whether it is not sure that this thing is meant: it is asked about, by its name."""

    @property
    def is_silent(self) -> bool:
        """Whether nothing is done, and nothing tells why."""
        return not (self.calls or self.refused or self.doubt or self.judged or self.idle)

    @property
    def holds(self) -> bool:
        """Whether its conditions hold."""
        return not self.idle and all(j.holds for j in self.judged)


@dataclass(frozen=True, slots=True)
class SentenceOutcome:
    """The outcomes of the instructions of one sentence, in order."""

    parts: tuple[InstructionOutcome, ...] = ()

    def has_done(self, words: tuple[Token, ...]) -> bool:
        """Whether an instruction of exactly these words has its calls."""
        return any(p.done == words for p in self.parts)

    @property
    def calls(self) -> tuple[PlannedCall, ...]:
        """What is to be done, each call once however often it was said."""
        return tuple({d.key: d for p in self.parts for d in p.calls}.values())

    @property
    def questions(self) -> tuple[OutcomeQuestion, ...]:
        """What would have to be asked."""
        return tuple(p.doubt for p in self.parts if p.doubt)

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """What cannot be done."""
        return tuple(r for p in self.parts for r in p.refused)

    @property
    def judgements(self) -> tuple[ConditionCheck, ...]:
        """The conditions that were read, each once."""
        return tuple({j.text: j for p in self.parts for j in p.judged}.values())

    @property
    def hints(self) -> tuple[str, ...]:
        """What is to be hinted at, in order."""
        return tuple(h for p in self.parts for h in p.hints)

    @property
    def blocking_refusals(self) -> tuple[Refusal, ...]:
        """Why nothing of it is done at all: a part was not understood, or orders clash."""
        return tuple(p.refused[-1] for p in self.parts if p.blocks_sentence and p.refused)

    @property
    def is_bulk(self) -> bool:
        """Whether a set is acted on."""
        return any(p.bulk for p in self.parts)

    @property
    def uncertain_calls(self) -> tuple[PlannedCall, ...]:
        """The deeds of which it is not sure that their thing is meant."""
        return tuple(d for p in self.parts if p.uncertain_target for d in p.calls)

    @property
    def is_everywhere(self) -> bool:
        """Whether the whole home is meant, in a way that is asked about sooner."""
        return any(p.everywhere for p in self.parts)

    @property
    def excluded_texts(self) -> tuple[str, ...]:
        """What was taken away, as said."""
        return tuple(text for p in self.parts for text in p.excluded)

    @property
    def uncovered_ids(self) -> tuple[str, ...]:
        """Ids of the members of sets that get no call, each once."""
        return tuple(dict.fromkeys(i for p in self.parts for i in p.uncovered))


def danger_of(row: ScoredDevice, query: QueryIR) -> str:
    """The risk of what a device would do; empty when there is none, or nothing it can do."""
    if row.fit.call is None or row.fit.command is None:
        return ""
    said = {kind for name in query.type_hint for kind in type_words()[name].kinds}
    return call_risk(row.fit.command, row.device, row.fit.call, said)


# What can be sent together: deeds of alike commands, in pieces of a handy size (seed 001 §8.4).


TOO_MANY = "too_many_targets"


def command_signature(command: Command | None) -> str:
    """Name, kind, limits and choices of every parameter; equal where the same thing may be sent."""
    return ";".join(_parameter_signature(p) for p in command.parameters) if command else ""


def _parameter_signature(p: Parameter) -> str:
    limits = (
        ""
        if p.minimum is None and p.maximum is None
        else f"[{_limit_text(p.minimum)}..{_limit_text(p.maximum)}]"
    )
    choices = "{" + ",".join(str(c.value) for c in p.choices) + "}" if p.choices else ""
    scale = f"*{p.scale:g}" if p.scale != 1.0 else ""
    return f"{p.name}:{p.kind}{limits}{p.unit}{scale}{choices}{'' if p.required else '?'}"


def _limit_text(number: float | None) -> str:
    return "" if number is None else f"{number:g}"


def device_groups(deeds: Sequence[PlannedCall]) -> tuple[CallGroup, ...]:
    """The devices of ``deeds`` by command and signature, in order."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for deed in deeds:
        shape = command_signature(deed.command)
        found.setdefault((deed.call.command_id, shape), {})[deed.call.device_id] = None
    return tuple(CallGroup(command_id, shape, tuple(ids)) for (command_id, shape), ids in found.items())


def call_batches(deeds: Sequence[PlannedCall], limits: ActionLimits = DEFAULT_LIMITS) -> tuple[Batch, ...]:
    """Calls of one group and the same argument names, at most ``limits.batch`` in one, in any rooms."""
    alike: dict[tuple[str, str, str], list[Call]] = {}
    for deed in deeds:
        call = deed.call
        kind = (call.command_id, command_signature(deed.command), repr(sorted(call.arguments)))
        alike.setdefault(kind, []).append(call)
    size = max(1, limits.batch)
    return tuple(
        Batch(name, tuple(calls[at : at + size]))
        for (name, _, _), calls in alike.items()
        for at in range(0, len(calls), size)
    )


def excess_targets(
    found: Sequence[CallGroup], limits: ActionLimits = DEFAULT_LIMITS, *, everywhere: bool = False
) -> int:
    """How many devices a set has when that, or the number of its groups, is more than is acted on unasked.

    Else 0.
    """
    count = len({i for g in found for i in g.device_ids})
    most = limits.everywhere if everywhere else limits.max_targets
    return count if count > most or len(found) > limits.max_groups else 0


# What an instruction comes to when it is carried out: its calls, and who gets none.


def scene_outcome(scene_id: str, view: HomeView) -> InstructionOutcome:
    """A scene is one call, whatever it moves."""
    return InstructionOutcome((PlannedCall(Call(scene_id, view.scenes[scene_id].command_id, {})),))


def calls_outcome(
    query: QueryIR, gated: GateResult, what: BulkChoice, before: SentenceOutcome
) -> InstructionOutcome:
    """The calls, and what is to be told of the members that get none."""
    # a set goes on without those that cannot be reached; a single thing was chosen because it can
    away = [s for s in what.chosen if not s.online] if gated.bulk else []
    present = [s for s in what.chosen if s.online] if gated.bulk else what.chosen
    left_out = (*gated.uncovered, *gated.exempt, *what.uncovered, *away)
    return InstructionOutcome(
        _without_repeats([_planned_call_of_row(query, s) for s in present], before.calls),
        _set_refusals(query, gated, [] if present else away),
        done=query.tokens,
        bulk=gated.bulk,
        excluded=_exception_texts(query),
        uncovered=tuple(s.device.id for s in left_out),
    )


def _exception_texts(query: QueryIR) -> tuple[str, ...]:
    """The exceptions in the words they were said in."""
    if query.quantifier is not Quantifier.EXCEPT:
        return ()
    return tuple(m.text for m in query.exclusions)


def _without_repeats(deeds: Sequence[PlannedCall], done: Sequence[PlannedCall]) -> tuple[PlannedCall, ...]:
    """Those that an earlier instruction does not do already."""
    return tuple(d for d in deeds if not any(d.repeats(other) for other in done))


def _planned_call_of_row(query: QueryIR, row: ScoredDevice) -> PlannedCall:
    assert row.fit.call is not None
    return PlannedCall(
        row.fit.call, row.fit.command, " ".join(t.text for t in query.tokens), danger_of(row, query)
    )


def _set_refusals(query: QueryIR, gated: GateResult, away: Sequence[ScoredDevice]) -> tuple[Refusal, ...]:
    """A set of which nobody is there, and a value that some members do not take: one for each reason."""
    refused = [Refusal("unavailable", {"name": s.device.name}, (s.device.id,)) for s in away[:1]]
    if query.value is not None:
        whys = [row.fit.refusal or Refusal("no_ability") for row in gated.uncovered]
        refused += {why.code: why for why in reversed(whys)}.values()
    return tuple(refused)


# Where, when and for whom something is decided.


@dataclass(frozen=True, slots=True)
class DecisionContext:
    """What all instructions of a sentence are decided in."""

    view: HomeView
    language: LanguageCode
    snapshot: Snapshot = EMPTY_SNAPSHOT
    area: str | None = None
    """Id of the room the person stands in."""
    habits: Usage | None = None
    limits: ActionLimits = DEFAULT_LIMITS
    guess: str = ""
    island: bool = False
    """What a model took the words for, where only the person can say whether it is right."""
    clarified: bool = False
    """Our question what to do was answered: it is not asked a second time."""
    confirmed: bool = False
    """Our question whether to do it was answered with a yes."""
    text: str = ""
    """What was said, normalised."""
