"""SmartThings command specifications: profile id -> what such a device can do and tell.

No API gives them; where one lies with an export it goes before the table of capabilities.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from winnow.homes.bundle import Options
from winnow.homes.decode import Unreadable, decoded, parsed
from winnow.homes.fields import Problems, Row, built, each, unreadable
from winnow.homes.smartthings import capabilities as table
from winnow.homes.smartthings.abilities import KINDS, Abilities, choices_of, parameter, with_deeds
from winnow.homes.smartthings.component import MAIN, Component
from winnow.homes.traits import limited, smartthings_quantity, smartthings_trait
from winnow.types.catalog import Attribute, Choice, Command, Parameter

Spec = Mapping[str, tuple[Row, ...]]
"""Profile id -> its row in each language, the preferred language first."""

Said = Mapping[str, str]
"""Entry id, or entry id and value (``ID=value``) -> its descriptions in all languages."""


def read_specs(found: Mapping[str, list[Row]], options: Options, problems: Problems) -> Spec:
    """The specification that was named, else that of the export, else one in the folder above it."""
    if options.spec is not None:
        return _by_profile([_file(options.spec, problems)])
    languages = (options.language, *(x for x in ("zh", "en") if x != options.language))
    if found:
        return _by_profile(found[name] for name in sorted(found, key=lambda name: _place(name, languages)))
    return _by_profile(_file(path, problems) for path in _above(options.folder, languages))


def _above(folder: Path | None, languages: Sequence[str]) -> list[Path]:
    """The files of a specification in the folder above the home's."""
    if folder is None:
        return []
    names = (*(f"spec.{language}.jsonl" for language in languages), "spec.jsonl")
    return [path for name in names if (path := folder.parent / name).is_file()]


def _place(name: str, languages: Sequence[str]) -> int:
    """The place of a file's language among the languages, ``spec.zh.jsonl``."""
    parts = name.split(".")
    return next((i for i, language in enumerate(languages) if language in parts[1:-1]), len(languages))


def _by_profile(files: Iterable[Iterable[Row]]) -> Spec:
    profiles: dict[str, tuple[Row, ...]] = {}
    for rows in files:
        for profile_id, row in built(rows, lambda row: (row.id("profileId"), row)):
            profiles[profile_id] = (*profiles.get(profile_id, ()), row)
    return profiles


def _file(path: Path, problems: Problems) -> list[Row]:
    """The profiles of one file."""
    try:
        data = parsed(decoded(path.read_bytes())[0], lines=path.suffix == ".jsonl")
    except OSError as error:
        problems.note(path.name, "", unreadable(error))
        return []
    except Unreadable as error:
        problems.note(path.name, error.path, str(error))
        return []
    return list(each(data if isinstance(data, list) else [data], path.name, "", problems))


def specified(
    rows: tuple[Row, ...], component: Component, others: Collection[str], kinds: Collection[str]
) -> Abilities:
    """What the specification says of the component, described in every language given.

    ``others`` are the ids of the device's components; ``kinds`` limit what the specification leaves open.
    """
    entries = _offered(rows[0].rows("capabilities"), component.id, others)
    readable = rows[0].rows("attributes") or rows[0].rows("conditions")
    attributes = _offered(readable, component.id, others)
    texts = _texts(rows)
    siblings = {_split(row, component)[0] for row in (*entries, *attributes)}
    about = _Entries(component, texts, siblings, tuple(kinds))
    commands = tuple(command for row in entries for command in about.commands(row))
    return Abilities(with_deeds(commands, siblings), tuple(about.attribute(row) for row in attributes))


def _offered(rows: Iterable[Row], component: str, others: Collection[str]) -> list[Row]:
    """The entries of the component that are there to be used, each id once."""
    longer = tuple(f"{other}-" for other in others if other.startswith(f"{component}-"))
    kept: dict[str, Row] = {}
    for entry, row in built(rows, lambda row: (row.id("id"), row)):
        if not entry.startswith(f"{component}-") or entry.endswith("NotAvailable"):
            continue
        if not (longer and entry.startswith(longer)):
            kept.setdefault(entry, row)
    return list(kept.values())


def declared(rows: tuple[Row, ...]) -> set[str]:
    """The capabilities of which the specification says something for the main component."""
    entries = (*rows[0].rows("capabilities"), *rows[0].rows("attributes"))
    ids = (entry.text("id") for entry in entries)
    return {entry.split("-")[1] for entry in ids if entry.startswith(f"{MAIN}-")}


def _split(row: Row, component: Component) -> tuple[str, str]:
    """``main-switch-on`` -> ``("switch", "on")``, ``main-switch`` -> ``("switch", "")``."""
    capability, _, member = row.text("id").removeprefix(f"{component.id}-").partition("-")
    return capability, member


def _texts(rows: tuple[Row, ...]) -> Said:
    """Descriptions in all languages, ``zh / en``."""
    said: dict[str, list[str]] = {}
    for row in rows:
        for entry in (*row.rows("capabilities"), *row.rows("attributes"), *row.rows("conditions")):
            said.setdefault(entry.text("id"), []).append(entry.text("description"))
            for value in _values(entry):
                said.setdefault(f"{entry.text('id')}={value.value}", []).append(value.text)
    return {key: " / ".join(dict.fromkeys(text for text in texts if text)) for key, texts in said.items()}


_WORDS = ("", "string", "enum")
"""Types whose value is a word."""


class _Entries:
    """The entries of one component as commands and attributes."""

    def __init__(
        self, component: Component, texts: Said, siblings: Collection[str], kinds: tuple[str, ...]
    ) -> None:
        self._component, self._texts = component, texts
        self._siblings, self._kinds = siblings, kinds

    def commands(self, row: Row) -> Iterator[Command]:
        """One command; of an entry that is a whole capability, all that the table says it does."""
        capability, member = _split(row, self._component)
        known = table.commands(capability)
        if member not in known and (not member or member in table.attributes(capability)):
            yield from self._all(row, known, capability)
        else:
            yield self._command(row, member, known.get(member, {}))

    def _all(self, row: Row, known: table.Definition, capability: str) -> Iterator[Command]:
        """``main-switch`` of type string: switched on by the value ``on``, off by ``off``."""
        deeds = [name for name, definition in known.items() if "type" not in definition]
        if deeds and row.text("type") in _WORDS:
            for name in deeds:
                trait = smartthings_trait(capability, name, self._siblings)
                yield Command(row.text("id"), trait, table.said(known[name], "zh"), fixed={"value": name})
        else:
            taking = next((name for name in known if name not in deeds), "")
            yield self._command(row, taking, known.get(taking, {}))

    def _command(self, row: Row, member: str, known: table.Definition) -> Command:
        entry = row.text("id")
        trait = smartthings_trait(_split(row, self._component)[0], member, self._siblings)
        found = self._argument(row, known, trait)
        return Command(
            id=entry,
            trait=trait,
            text=self._texts.get(entry, "") or table.said(known, "zh"),
            parameters=(limited(found, trait, self._kinds),) if found else (),
        )

    def _argument(self, row: Row, known: table.Definition, trait: str) -> Parameter | None:
        """The command's only argument, called ``value``; None when it takes none."""
        values = self._choices(row, known)
        if values or row.data.get("value_range") is not None:
            return self._parameter(row, known, trait, values)
        given = row.text("type")
        if known and not given:
            return parameter(_split(row, self._component)[0], known, self._component, "zh")
        # A bare string may stand for a command that the platform gives no argument.
        takes_none = given in ("", "none") or (given == "string" and known and "type" not in known)
        return None if takes_none else self._parameter(row, known, trait, values)

    def _parameter(
        self, row: Row, known: table.Definition, trait: str, values: tuple[Choice, ...]
    ) -> Parameter:
        """The argument by its declared type, its values and its limits."""
        low, high = _range(row)
        if (low, high) == (None, None):
            low, high = known.get("range", (None, None))
        kind = "choice" if values else KINDS.get(row.text("type"), "object")
        if kind == "object" and row.data.get("value_range") is not None:
            kind = "number"
        if kind == "object" and trait == "Color.Set":
            kind = "color"
        return Parameter("value", kind, low, high, row.text("unit"), values)

    def _choices(self, row: Row, known: table.Definition) -> tuple[Choice, ...]:
        """The values of the list; of a bare string those that the device or the table knows."""
        entry = row.text("id")
        listed = _values(row)
        if not listed and row.text("type") in ("string", "enum"):
            return choices_of(_split(row, self._component)[0], known, self._component, "zh")
        return tuple(Choice(v.value, self._texts.get(f"{entry}={v.value}", v.text)) for v in listed)

    def attribute(self, row: Row) -> Attribute:
        """What an entry of the readable ones tells."""
        values = row.strings("values") or tuple(str(v.value) for v in _values(row))
        entry = row.text("id")
        quantity = smartthings_quantity(*_split(row, self._component))
        return Attribute(entry, quantity, self._texts.get(entry, ""), row.text("unit"), values)


def _values(row: Row) -> list[Choice]:
    """``value_list``: objects with value and description, or bare values."""
    listed = row.data.get("value_list")
    if listed is None:
        return []
    if not isinstance(listed, list):
        row.note("value_list", "expected a list")
        return []
    choices = []
    for i, item in enumerate(listed):
        value = item.get("value") if isinstance(item, dict) else item
        if isinstance(value, (str, int, float)):
            text = item.get("description") if isinstance(item, dict) else ""
            choices.append(Choice(value, text if isinstance(text, str) else ""))
        else:
            row.note(f"value_list[{i}]", "has no value")
    return choices


def _range(row: Row) -> tuple[float | None, float | None]:
    """``value_range``: ``[low, high]`` or an object with ``min``/``minimum`` and ``max``/``maximum``."""
    given = row.data.get("value_range")
    if given is None:
        return None, None
    if isinstance(given, dict):
        pair = [given.get("min", given.get("minimum")), given.get("max", given.get("maximum"))]
    else:
        pair = list(given[:2]) if isinstance(given, list) and len(given) >= 2 else ["", ""]
    if any(isinstance(x, bool) or not isinstance(x, (int, float, type(None))) for x in pair):
        row.note("value_range", "expected two numbers")
        return None, None
    low, high = pair
    return low, high
