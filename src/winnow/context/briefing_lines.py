"""Lines of a briefing: devices and sets as compact JSON, fitted into a token budget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import overload

from winnow.language.encode import compact_json, encode_text
from winnow.language.tokens import count_tokens
from winnow.types.candidate import HomeShortlist
from winnow.types.home import Command, HomeView, Parameter
from winnow.types.state import Snapshot
from winnow.types.verdict import Call, Read

# Fit lines into a budget of tokens: shorten, then drop, the least important first.


@dataclass(frozen=True, slots=True)
class BriefingLine:
    """One line of a briefing.

    ``versions`` run from the fullest to the shortest; ``name`` says what is lost when it is dropped.
    """

    name: str
    versions: Sequence[str]
    members: int | None = None
    """From which version on members of a set are left out, and not only words about them; None: from none."""
    offers: tuple[tuple[str, str], ...] = ()
    """Device and command ids that it names to act with."""
    naming: int | None = None
    """How many of the versions name them; None: all."""


def fit_lines(
    lines: tuple[BriefingLine, ...], budget: int
) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """(name, text) of the lines that fit together, and the names left out. Lines come most important first.

    First every line keeps as much as it can, the last one being shortened first; then lines are dropped from
    the end. A set that lost members to its shortening is named among what was left out as well.
    """
    chosen = [0] * len(lines)
    while (size := _line_tokens(_chosen_texts(lines, chosen))) > budget and _shorten_one(lines, chosen):
        pass
    kept = len(lines)
    while kept and size > budget:
        kept -= 1
        size = _line_tokens(_chosen_texts(lines[:kept], chosen))
    names = tuple(line.name for line in lines)
    told = zip(lines[:kept], chosen, strict=False)
    cut = tuple(line.name for line, n in told if line.members is not None and n >= line.members)
    return tuple(zip(names[:kept], _chosen_texts(lines[:kept], chosen), strict=True)), (*cut, *names[kept:])


def _shorten_one(lines: tuple[BriefingLine, ...], chosen: list[int]) -> bool:
    """Shorten the fullest line, the last one of several; False when every line is at its shortest."""
    able = [n for n, line in enumerate(lines) if chosen[n] + 1 < len(line.versions)]
    if able:
        chosen[min(able, key=lambda n: (chosen[n], -n))] += 1
    return bool(able)


def offered_commands(
    lines: Sequence[BriefingLine], kept: Sequence[tuple[str, str]]
) -> Mapping[str, tuple[str, ...]]:
    """Device id -> ids of the commands that the texts name with it; they are those of the first lines."""
    found: dict[str, tuple[str, ...]] = {}
    for line, (_, text) in zip(lines, kept, strict=False):
        # Most lines stand in full; the shorter versions are only made where that is not so.
        named = line.naming is None or (
            line.naming > 0 and (text == line.versions[0] or text in line.versions[: line.naming])
        )
        for device_id, command_id in line.offers if named else ():
            known = found.get(device_id, ())
            found[device_id] = known if command_id in known else (*known, command_id)
    return found


def _chosen_texts(lines: tuple[BriefingLine, ...], chosen: list[int]) -> list[str]:
    return [line.versions[n] for line, n in zip(lines, chosen, strict=False)]


def _line_tokens(texts: list[str]) -> int:
    return count_tokens("\n".join(texts))


# What the briefing asks of a home beyond its lookups.


def entity_name(view: HomeView, entity_id: str) -> str:
    """Name of a device or scene; the id itself when nothing has it."""
    found = view.devices.get(entity_id) or view.scenes.get(entity_id)
    return found.name if found else entity_id


def entity_room(view: HomeView, entity_id: str) -> str:
    """Name of the room a device or scene is in; empty when it is in none."""
    room = view.room(entity_id)
    return room.name if room else ""


def entity_command(view: HomeView, entity_id: str, key: str) -> Command | None:
    """A command of a device by its key; None for what is no device."""
    return view.command(entity_id, key) if entity_id in view.devices else None


def command_shape(command: Command) -> str:
    """What a command is and takes, in one short line: ``Level.Set level:0..100%``."""
    takes = (f"{p.name}{'' if p.required else '?'}:{_parameter_limits(p)}" for p in command.parameters)
    return " ".join(part for part in (command.trait, *takes) if part)


def _parameter_limits(parameter: Parameter) -> str:
    if parameter.choices:
        shown = "/".join(str(c.value) for c in parameter.choices[:6])
        return shown + "/…" * (len(parameter.choices) > 6)
    if parameter.minimum is None and parameter.maximum is None:
        return parameter.unit or parameter.kind
    low, high = (
        "" if limit is None else f"{limit * parameter.scale:g}"
        for limit in (parameter.minimum, parameter.maximum)
    )
    return f"{low}..{high}{parameter.unit if parameter.scale == 1 else ''}"


EntityData = dict[str, object]

MAX_NAMES_SHOWN = 3
"""Names a set is shown with."""
MAX_STATES_SHOWN = 3
"""States shown of a device."""


def called_line(calls: tuple[Call, ...], view: HomeView, snapshot: Snapshot) -> BriefingLine:
    """One device with the calls that were decided for it, and the state they change."""
    device_id = calls[0].device_id
    acts = [_call_data(c) for c in calls]
    act: EntityData = acts[0] if len(acts) == 1 else {"calls": acts}
    base = {**_entity_data(device_id, view), **act}
    beside = changed_states(device_id, tuple(c.command_id for c in calls), view, snapshot)
    full = {**base, **_state_data(beside)}
    offers = tuple((device_id, call.command_id) for call in calls)
    return BriefingLine(device_id, _line_versions(full, base, {"id": device_id, **act}), offers=offers)


def possible_line(
    device_id: str, command: Command | None, view: HomeView, above: Command | None = None
) -> BriefingLine:
    """A device that may be meant, with the one command that matters; ``above``: the one told above it."""
    base = _entity_data(device_id, view)
    short = {key: value for key, value in base.items() if key != "kind"}
    if command is None:
        offers = ((device_id, above.id),) if above else ()
        return BriefingLine(device_id, _line_versions(base, short), offers=offers)
    able: EntityData = {"do": {command.id: command_shape(command)}}
    told = _line_versions({**base, **able}, {**base, "do": command.id}, base, short)
    return BriefingLine(device_id, told, offers=((device_id, command.id),), naming=2)


def shared_command_line(command: Command) -> BriefingLine:
    """The command that every device below has."""
    return BriefingLine(
        command.id,
        _line_versions({"all_below": {command.id: command_shape(command)}}, {"all_below": command.id}),
    )


def reading_line(device_id: str, reads: Iterable[Read], view: HomeView, snapshot: Snapshot) -> BriefingLine:
    """A device with the readings that answer the question."""
    states = snapshot.of(device_id)
    wanted = [r.attribute_id or main_state(states) for r in reads]
    now: EntityData = {a: states.get(a) for a in wanted if a}
    return BriefingLine(
        device_id,
        _line_versions(
            {**_entity_data(device_id, view), **_state_data(now)}, {"id": device_id, **_state_data(now)}
        ),
    )


def set_line(calls: tuple[Call, ...], view: HomeView, *, planned: bool = False) -> BriefingLine:
    """Calls that share one command and its arguments, as one line: how many, the first names, the ids.

    ``planned``: a plan names them all, so that nobody needs the ids.
    """
    first, ids = calls[0], [c.device_id for c in calls]
    act: EntityData = {**_call_data(first), "count": len(calls)}
    named: EntityData = {**act, "names": [encode_text(entity_name(view, i)) for i in ids[:MAX_NAMES_SHOWN]]}
    told = [named]
    if not planned:  # all ids, fewer and fewer of them, and none
        fewer = ({**named, "ids": ids[:n], "more": len(ids) - n} for n in (20, 10, 5, 2) if n < len(ids))
        told = [{**named, "ids": ids}, *fewer, named]
    members = 0 if planned and len(ids) > MAX_NAMES_SHOWN else 1
    return BriefingLine(f"{first.command_id} x{len(ids)}", _line_versions(*told, act), members)


def tally_line(attribute: str, reads: tuple[Read, ...], view: HomeView, snapshot: Snapshot) -> BriefingLine:
    """Many readings of one attribute as one line: each value with the names that have it."""
    by_value: dict[str, list[str]] = {}
    for r in reads:
        states = snapshot.of(r.device_id)
        value = str(states.get(attribute or main_state(states)))
        by_value.setdefault(value, []).append(encode_text(entity_name(view, r.device_id)))
    some: EntityData = {value: [*names[:MAX_NAMES_SHOWN], len(names)] for value, names in by_value.items()}
    counts: EntityData = {value: len(names) for value, names in by_value.items()}
    base: EntityData = {"read": attribute or "state", "count": len(reads)}
    told = ({**base, "values": values} for values in (by_value, some, counts))
    return BriefingLine(f"{attribute} x{len(reads)}", _line_versions(*told), members=1)


def wanted_command(
    device_id: str, shortlists: tuple[HomeShortlist, ...], cluster: tuple[str, ...], view: HomeView
) -> Command | None:
    """The command of a device that the shortlists speak for.

    The best of the wanted traits, else the first.
    """
    keys = dict.fromkeys(
        c.command_key for s in shortlists for c in s.candidates if c.device_id == device_id and c.command_key
    )
    commands = [c for key in keys if (c := entity_command(view, device_id, key))]
    rank = {trait: n for n, trait in enumerate(cluster)}
    return min(commands, key=lambda c: rank.get(c.trait, len(rank)), default=None)


def changed_states(
    device_id: str, command_ids: tuple[str, ...], view: HomeView, snapshot: Snapshot
) -> EntityData:
    """The states that the commands change.

    Of the same capability, or of the quantity the trait is named after; else the main state.
    """
    states = snapshot.of(device_id)
    if not states:
        return {}
    changed = _changed_attributes(device_id, command_ids, view)
    # ``main-switchLevel-setLevel`` -> ``main-switchLevel``, where ids are made so
    capabilities = {c.rpartition("-")[0] for c in command_ids} - {""}
    near = [a for a in states if a in changed or a.rpartition("-")[0] in capabilities]
    return {a: states[a] for a in near[:MAX_STATES_SHOWN] or [main_state(states)]}


def _changed_attributes(device_id: str, command_ids: tuple[str, ...], view: HomeView) -> set[str]:
    """Attributes that tell a quantity which the trait of a command is named after."""
    profile = view.profile(device_id)
    traits = {c.trait.partition(".")[0].lower() for c in profile.commands if c.id in command_ids} - {""}
    return {a.id for a in profile.attributes if a.quantity in traits}


def main_state(states: Mapping[str, object]) -> str:
    """The attribute that says most: ``state`` where there is one, a switch, else the first.

    Empty when there is none.
    """
    if "state" in states:
        return "state"
    return next((a for a in states if a.endswith("-switch")), next(iter(states), ""))


def _call_data(call: Call) -> EntityData:
    return {"call": call.command_id, **({"args": dict(call.arguments)} if call.arguments else {})}


def _entity_data(entity_id: str, view: HomeView) -> EntityData:
    device, room = view.devices.get(entity_id), entity_room(view, entity_id)
    kind: EntityData = {"kind": device.kinds[0]} if device and device.kinds else {}
    return {
        "id": entity_id,
        "name": encode_text(entity_name(view, entity_id)),
        **({"room": encode_text(room)} if room else {}),
        **kind,
    }


def _state_data(states: Mapping[str, object]) -> EntityData:
    return (
        {"now": {a: encode_text(v) if isinstance(v, str) else v for a, v in states.items()}} if states else {}
    )


class _LineVersions(Sequence[str]):
    """Each as compact JSON, without repeats; the shorter ones only where the fullest does not fit."""

    __slots__ = ("_all", "_data", "_full")

    def __init__(self, data: tuple[EntityData, ...]) -> None:
        self._data = data
        self._full = compact_json(data[0])
        self._all: tuple[str, ...] = ()

    def _distinct_texts(self) -> tuple[str, ...]:
        if not self._all:
            self._all = tuple(dict.fromkeys((self._full, *map(compact_json, self._data[1:]))))
        return self._all

    def __len__(self) -> int:
        return len(self._distinct_texts())

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[str]: ...
    def __getitem__(self, at: int | slice) -> str | Sequence[str]:
        return self._full if at == 0 else self._distinct_texts()[at]


def _line_versions(*data: EntityData) -> Sequence[str]:
    return _LineVersions(data)
