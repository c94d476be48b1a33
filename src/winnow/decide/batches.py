"""What can be sent together: deeds of alike commands, in pieces of a handy size (seed 001 §8.4)."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.decide.limits import LIMITS, Limits
from winnow.decide.outcome import Deed
from winnow.types.catalog import Command, Parameter
from winnow.types.verdict import Batch, Call, Group

TOO_MANY = "too_many_targets"


def signature(command: Command | None) -> str:
    """Name, kind, limits and choices of every parameter; equal where the same thing may be sent."""
    return ";".join(_shape(p) for p in command.parameters) if command else ""


def _shape(p: Parameter) -> str:
    limits = "" if p.minimum is None and p.maximum is None else f"[{_limit(p.minimum)}..{_limit(p.maximum)}]"
    choices = "{" + ",".join(str(c.value) for c in p.choices) + "}" if p.choices else ""
    scale = f"*{p.scale:g}" if p.scale != 1.0 else ""
    return f"{p.name}:{p.kind}{limits}{p.unit}{scale}{choices}{'' if p.required else '?'}"


def _limit(number: float | None) -> str:
    return "" if number is None else f"{number:g}"


def groups(deeds: Sequence[Deed]) -> tuple[Group, ...]:
    """The devices of ``deeds`` by command and signature, in order."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for deed in deeds:
        shape = signature(deed.command)
        found.setdefault((deed.call.command_id, shape), {})[deed.call.device_id] = None
    return tuple(Group(command_id, shape, tuple(ids)) for (command_id, shape), ids in found.items())


def batches(deeds: Sequence[Deed], limits: Limits = LIMITS) -> tuple[Batch, ...]:
    """Calls of one group and the same argument names, at most ``limits.batch`` in one, in any rooms."""
    alike: dict[tuple[str, str, str], list[Call]] = {}
    for deed in deeds:
        call = deed.call
        kind = (call.command_id, signature(deed.command), repr(sorted(call.arguments)))
        alike.setdefault(kind, []).append(call)
    return tuple(piece for (name, _, _), calls in alike.items() for piece in _pieces(name, calls, limits))


def _pieces(name: str, calls: Sequence[Call], limits: Limits) -> list[Batch]:
    size = max(1, limits.batch)
    return [Batch(name, tuple(calls[i : i + size])) for i in range(0, len(calls), size)]


def too_many(found: Sequence[Group], limits: Limits = LIMITS, *, everywhere: bool = False) -> int:
    """How many devices a set has when that, or the number of its groups, is more than is acted on unasked.

    Else 0.
    """
    count = len({i for g in found for i in g.device_ids})
    most = limits.everywhere if everywhere else limits.max_targets
    return count if count > most or len(found) > limits.max_groups else 0
