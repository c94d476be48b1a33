"""Lines of a briefing: one terse line a device or a set, fitted into a token budget.

A thing is called by its handle (``d417``) and a command by its trait (``Brightness.Set``); names stand in
quotation marks: ``d417 "Lamp" in "Study", light; do Brightness.Set level=30; now brightness 40``.
An id of a home costs up to two dozen tokens, a handle two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from winnow.act.effects.thing import command_of
from winnow.language.encode import compact_json, encode_text
from winnow.language.tokens import count_tokens
from winnow.types.candidate import HomeShortlist
from winnow.types.home import HOUSEKEEPING, Command, HomeView, Parameter
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

    @property
    def shortened(self) -> BriefingLine:
        """The same without its fullest version, where there is another that names as much."""
        if self.naming is None or self.naming < 2:
            return self
        return replace(self, versions=self.versions[1:], naming=self.naming - 1)


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


def command_shape(word: str, command: Command) -> str:
    """What a command is called and takes, in one short line: ``Level.Set level:0..100%``."""
    takes = (f"{p.name}{'' if p.required else '?'}:{_parameter_limits(p)}" for p in command.parameters)
    return " ".join((word, *takes))


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


MAX_NAME_SHOWN = 48
"""Characters of a name."""
MAX_NAMES_SHOWN = 3
"""Names a set is shown with."""
MAX_STATES_SHOWN = 3
"""States shown of a device."""
MAX_NAMES_LISTED = (11, 6, 3)
"""Things named that can do the same as one before them, and how many where there is less room."""
UNLISTED = (HOUSEKEEPING, ".Toggle")
"""Ends of the traits that are left out there: nobody asks for them, or they depend on what is now."""
MAX_COMMANDS_SHOWN = 6
"""Commands shown of a device when it is not known which is wanted."""


def called_line(calls: tuple[Call, ...], view: HomeView, snapshot: Snapshot) -> BriefingLine:
    """One device with the calls that were decided for it, and the state they change."""
    device_id = calls[0].device_id
    acts = "; ".join(_call_text(call, view) for call in calls)
    now = changed_states(device_id, tuple(c.command_id for c in calls), view, snapshot)
    who = thing_text(device_id, view)
    texts = _distinct(
        _joined(who, acts, _state_text(device_id, now, view)),
        _joined(who, acts),
        _joined(_handle(device_id, view), acts),
    )
    return BriefingLine(device_id, texts, offers=tuple((device_id, call.command_id) for call in calls))


def possible_line(device_id: str, view: HomeView, above: Command | None = None) -> BriefingLine:
    """A device that may be meant; ``above``: the command that a line above says of it."""
    who, short = thing_text(device_id, view), thing_text(device_id, view, kind=False)
    if above is None:
        return BriefingLine(device_id, _distinct(who, short))
    return BriefingLine(device_id, (short,), offers=((device_id, above.id),))


def able_line(
    device_id: str, commands: Sequence[Command], view: HomeView, snapshot: Snapshot | None = None
) -> BriefingLine:
    """A device that may be meant with what it can be told to do, and with its state in ``snapshot``."""
    if not commands:
        return possible_line(device_id, view)
    who = thing_text(device_id, view)
    words = [view.command_word(device_id, c) for c in commands]
    shapes = ", ".join(command_shape(word, c) for word, c in zip(words, commands, strict=True))
    states = snapshot.of(device_id) if snapshot else {}
    now = _state_text(device_id, {a: states[a] for a in [main_state(states)] if a}, view)
    naming = _distinct(_joined(who, now, f"can {shapes}"), _joined(who, f"can {', '.join(words)}"))
    offers = tuple((device_id, command.id) for command in commands)
    texts = _distinct(*naming, who, thing_text(device_id, view, kind=False))
    return BriefingLine(device_id, texts, offers=offers, naming=len(naming))


def names_line(what: str, things: Sequence[tuple[str, tuple[Command, ...]]], view: HomeView) -> BriefingLine:
    """Things by name, and how many more; ``alike``: they can do the same as the one in the line above."""
    names = [thing_text(i, view, kind=False) for i, _ in things]
    texts = []
    for most in MAX_NAMES_LISTED:
        more = f" and {len(names) - most} more" if len(names) > most else ""
        texts.append(f"{what}: {', '.join(names[:most])}{more}")
    offers = tuple((i, command.id) for i, commands in things[: MAX_NAMES_LISTED[0]] for command in commands)
    return BriefingLine(f"{what} x{len(things)}", _distinct(*texts), members=1, offers=offers, naming=1)


def reading_line(device_id: str, reads: Iterable[Read], view: HomeView, snapshot: Snapshot) -> BriefingLine:
    """A device with the readings that answer the question."""
    states = snapshot.of(device_id)
    wanted = [r.attribute_id or main_state(states) for r in reads]
    now = _state_text(device_id, {a: states.get(a) for a in wanted if a}, view)
    return BriefingLine(
        device_id,
        _distinct(
            _joined(thing_text(device_id, view), now), _joined(thing_text(device_id, view, kind=False), now)
        ),
    )


def set_line(calls: tuple[Call, ...], view: HomeView, *, planned: bool = False) -> BriefingLine:
    """Calls that share one command and its arguments, as one line: how many, the first names, the handles.

    ``planned``: a plan names them all, so that nobody needs the handles.
    """
    first, ids = calls[0], [c.device_id for c in calls]
    act = f"{_call_text(first, view)} for {len(ids)}"
    named = f"{act}: {_first_names([quoted(entity_name(view, i)) for i in ids])}"
    name = f"{first.command_id} x{len(ids)}"
    if planned:
        return BriefingLine(name, (named, act), 0 if len(ids) > MAX_NAMES_SHOWN else 1)
    # All handles, fewer and fewer of them, and none
    handles = [_handle(i, view) for i in ids]
    fewer = (f"{' '.join(handles[:n])} and {len(ids) - n} more" for n in (20, 10, 5, 2) if n < len(ids))
    texts = (f"{named}; {some}" for some in (" ".join(handles), *fewer))
    return BriefingLine(name, _distinct(*texts, named, act), 1)


def tally_line(attribute: str, reads: tuple[Read, ...], view: HomeView, snapshot: Snapshot) -> BriefingLine:
    """Many readings of one attribute as one line: each value with the names that have it."""
    by_value: dict[str, list[str]] = {}
    for r in reads:
        states = snapshot.of(r.device_id)
        value = value_text(states.get(attribute or main_state(states)))
        by_value.setdefault(value, []).append(quoted(entity_name(view, r.device_id)))
    what = _attribute_word(reads[0].device_id, attribute, view) if attribute else "state"

    def told(most: int) -> str:
        """With at most so many names of each value."""
        rows = []
        for value, names in by_value.items():
            rows.append(f"{value} {len(names)}" + (f" ({_first_names(names, most)})" if most else ""))
        return f"{what} of {len(reads)}: {', '.join(rows)}"

    texts = _distinct(told(len(reads)), told(MAX_NAMES_SHOWN), told(0))
    return BriefingLine(f"{attribute} x{len(reads)}", texts, members=1)


def _first_names(names: Sequence[str], most: int = MAX_NAMES_SHOWN) -> str:
    return ", ".join([*names[:most], "…"] if len(names) > most else names)


def wanted_command(
    device_id: str, shortlists: tuple[HomeShortlist, ...], cluster: tuple[str, ...], view: HomeView
) -> Command | None:
    """The command of a device that the shortlists speak for.

    The best of the wanted traits, else the first.
    """
    keys = dict.fromkeys(
        c.command_key for s in shortlists for c in s.candidates if c.ref.id == device_id and c.command_key
    )
    commands = [c for key in keys if (c := entity_command(view, device_id, key))]
    rank = {trait: n for n, trait in enumerate(cluster)}
    return min(commands, key=lambda c: rank.get(c.trait, len(rank)), default=None)


def callable_commands(device_id: str, cluster: Sequence[str], view: HomeView) -> tuple[Command, ...]:
    """What a device can be told to do: what is wanted of it, else one of each ability, then the rest."""
    if device_id not in view.devices:
        return ()
    commands = [c for c in view.profile(device_id).commands if c.trait and not c.trait.endswith(UNLISTED)]
    wanted = [c for c in commands if c.trait in cluster]
    firsts = {c.trait.partition(".")[0]: c.key for c in reversed(commands)}
    abilities = sorted(commands, key=lambda c: c.key not in firsts.values())
    return tuple((wanted or abilities)[:MAX_COMMANDS_SHOWN])


def changed_states(
    device_id: str, command_ids: tuple[str, ...], view: HomeView, snapshot: Snapshot
) -> Mapping[str, object]:
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


def thing_text(thing_id: str, view: HomeView, *, kind: bool = True) -> str:
    """A device or scene by handle, name, room and kind: ``d417 "Reading Lamp" in "Sitting Room", light``."""
    device, room = view.devices.get(thing_id), entity_room(view, thing_id)
    text = f"{_handle(thing_id, view)} {quoted(entity_name(view, thing_id))}"
    if room:
        text += f" in {quoted(room)}"
    return f"{text}, {device.kinds[0]}" if kind and device and device.kinds else text


def _handle(thing_id: str, view: HomeView) -> str:
    return view.handles.get(thing_id) or encode_text(thing_id)


def quoted(text: str, limit: int = MAX_NAME_SHOWN) -> str:
    """A name or a text as data: what is encoded holds no quotation mark."""
    return f'"{encode_text(text, limit)}"'


def _call_text(call: Call, view: HomeView) -> str:
    """``do Brightness.Set level=30``."""
    command = command_of(call, view.profile(call.device_id)) if call.device_id in view.devices else None
    fixed = command.fixed if command else {}
    arguments = (
        f"{encode_text(name)}={value_text(value)}"
        for name, value in call.arguments.items()
        if name not in fixed
    )
    word = view.command_word(call.device_id, command) if command else encode_text(call.command_id)
    return " ".join(("do", word, *arguments))


def _state_text(device_id: str, states: Mapping[str, object], view: HomeView) -> str:
    """``now on, brightness 40``; empty where nothing is known."""
    told = ", ".join(
        value_text(value) if a == "state" else f"{_attribute_word(device_id, a, view)} {value_text(value)}"
        for a, value in states.items()
    )
    return f"now {told}" if told else ""


def _attribute_word(device_id: str, attribute_id: str, view: HomeView) -> str:
    """The quantity of an attribute; its id where that is unknown or told by several of the device."""
    told = view.profile(device_id).attributes if device_id in view.devices else ()
    quantity = next((a.quantity for a in told if a.id == attribute_id), "")
    alone = sum(a.quantity == quantity for a in told) == 1
    return quantity if quantity and alone else encode_text(attribute_id)


def value_text(value: object) -> str:
    """A value in one word where it is one, else quoted or as JSON."""
    if isinstance(value, str):
        return value if value.isascii() and value.isidentifier() else quoted(value)
    return compact_json(value)


def _joined(*parts: str) -> str:
    return "; ".join(part for part in parts if part)


def _distinct(*texts: str) -> tuple[str, ...]:
    """The fullest first, each once."""
    return tuple(dict.fromkeys(texts))
