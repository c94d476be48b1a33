"""What an instruction comes to, and a sentence: its instructions one after the other."""

from __future__ import annotations

from dataclasses import dataclass

from winnow.decide.risk import risk
from winnow.decide.score import Scored
from winnow.language.lexicon import type_words
from winnow.types.catalog import Command
from winnow.types.query import QueryIR, Token
from winnow.types.verdict import Call, Clarify, Judged, Refusal

CallKey = tuple[str, str, str]
"""Device, command, arguments."""


@dataclass(frozen=True, slots=True)
class Deed:
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

    def is_again(self, other: Deed) -> bool:
        """Whether another command already does the same: ``拉警报，警号响起来`` is one alarm."""
        if self.call.device_id != other.call.device_id or self.call.command_id == other.call.command_id:
            return False
        if self.call.arguments or other.call.arguments or not (self.command and other.command):
            return False
        return self.command.trait == other.command.trait


@dataclass(frozen=True, slots=True)
class Doubt:
    """A question that an instruction needs answered."""

    ask: Clarify
    refusal: Refusal
    """How it is told when other instructions are carried out instead of asking."""
    grave: bool = False
    """Whether what must be asked is dangerous: then nothing is done before the answer."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one instruction comes to: deeds, refusals, or a doubt."""

    deeds: tuple[Deed, ...] = ()
    refused: tuple[Refusal, ...] = ()
    doubt: Doubt | None = None
    judged: tuple[Judged, ...] = ()
    """Its conditions up to the first that does not hold."""
    idle: bool = False
    """Whether nothing is to be done, though its conditions hold: those that it is the alternative to do."""
    spoilt: bool = False
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
    meant: bool = False
    """Whether it is not sure that this thing is meant: it is asked about, by its name."""

    @property
    def silent(self) -> bool:
        """Whether nothing is done, and nothing tells why."""
        return not (self.deeds or self.refused or self.doubt or self.judged or self.idle)

    @property
    def holds(self) -> bool:
        """Whether its conditions hold."""
        return not self.idle and all(j.holds for j in self.judged)


@dataclass(frozen=True, slots=True)
class Sentence:
    """The outcomes of the instructions of one sentence, in order."""

    parts: tuple[Outcome, ...] = ()

    def then(self, part: Outcome) -> Sentence:
        """The same with one more instruction."""
        return Sentence((*self.parts, part))

    def did(self, words: tuple[Token, ...]) -> bool:
        """Whether an instruction of exactly these words has its calls."""
        return any(p.done == words for p in self.parts)

    @property
    def deeds(self) -> tuple[Deed, ...]:
        """What is to be done, each call once however often it was said."""
        return tuple({d.key: d for p in self.parts for d in p.deeds}.values())

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """What would have to be asked."""
        return tuple(p.doubt for p in self.parts if p.doubt)

    @property
    def refused(self) -> tuple[Refusal, ...]:
        """What cannot be done."""
        return tuple(r for p in self.parts for r in p.refused)

    @property
    def judged(self) -> tuple[Judged, ...]:
        """The conditions that were read, each once."""
        return tuple({j.text: j for p in self.parts for j in p.judged}.values())

    @property
    def hints(self) -> tuple[str, ...]:
        """What is to be hinted at, in order."""
        return tuple(h for p in self.parts for h in p.hints)

    @property
    def spoilt(self) -> tuple[Refusal, ...]:
        """Why nothing of it is done at all: a part was not understood, or orders clash."""
        return tuple(p.refused[-1] for p in self.parts if p.spoilt and p.refused)

    @property
    def bulk(self) -> bool:
        """Whether a set is acted on."""
        return any(p.bulk for p in self.parts)

    @property
    def meant(self) -> tuple[Deed, ...]:
        """The deeds of which it is not sure that their thing is meant."""
        return tuple(d for p in self.parts if p.meant for d in p.deeds)

    @property
    def everywhere(self) -> bool:
        """Whether the whole home is meant, in a way that is asked about sooner."""
        return any(p.everywhere for p in self.parts)

    @property
    def excluded(self) -> tuple[str, ...]:
        """What was taken away, as said."""
        return tuple(text for p in self.parts for text in p.excluded)

    @property
    def uncovered(self) -> tuple[str, ...]:
        """Ids of the members of sets that get no call, each once."""
        return tuple(dict.fromkeys(i for p in self.parts for i in p.uncovered))


def danger_of(row: Scored, query: QueryIR) -> str:
    """The risk of what a device would do; empty when there is none, or nothing it can do."""
    if row.fit.call is None or row.fit.command is None:
        return ""
    said = {kind for name in query.type_hint for kind in type_words()[name].kinds}
    return risk(row.fit.command, row.device, row.fit.call, said)
