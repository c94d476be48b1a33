"""Readings of states in words, those that Home Assistant itself has for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from homeassistant.core import HomeAssistant
from homeassistant.helpers.translation import async_get_translations

from winnow.language.naming import placed_name
from winnow.types.home import HomeView, Scalar
from winnow.types.state import Snapshot
from winnow.types.utterance import LanguageCode
from winnow.types.verdict import Read

SHOWN = 10
"""Things named one by one."""
TOGETHER = 4
"""Readings from which on those of one value are told together."""
ENTITY = "entity_component"
TRANSLATED: Mapping[LanguageCode, str] = {"zh": "zh-Hans", "en": "en"}
BRIGHTNESS = 255
"""What a brightness of 100 % is to Home Assistant."""


@dataclass(frozen=True, slots=True)
class Words:
    """What readings are told with, in one language."""

    language: LanguageCode
    sentences: Mapping[str, str]
    translations: Mapping[str, str]
    view: HomeView
    snapshot: Snapshot

    def told(self, reads: tuple[Read, ...]) -> str:
        """What was read, in a sentence each, or in one for each value where there are many."""
        if len(reads) < TOGETHER:
            return self._joined([self._sentence(read) for read in reads])
        groups: dict[str, list[str]] = {}
        for read in reads:
            groups.setdefault(self._value(read), []).append(self._name(read))
        lines = []
        for value, names in groups.items():
            left = len(names) - SHOWN
            more = [self.sentences["more"].format(count=left)] if left > 0 else []
            named = self.sentences["comma"].join([*names[:SHOWN], *more])
            lines.append(self.sentences["readings"].format(value=value, names=named))
        return self._joined(lines)

    def _joined(self, sentences: list[str]) -> str:
        return ("" if self.language == "zh" else " ").join(dict.fromkeys(sentences))

    def _sentence(self, read: Read) -> str:
        """``Desk lamp: on``, and what of it where that is not its own state."""
        what = ""
        if _told_by(read, self.snapshot) != "state":
            key = self._key(read, f"state_attributes.{read.attribute_id}.name")
            what = self.translations.get(key, read.attribute_id.replace("_", " "))
        code = "reading_of" if what else "reading"
        return self.sentences[code].format(name=self._name(read), value=self._value(read), what=what)

    def _name(self, read: Read) -> str:
        return placed_name(read.device_id, self.view, self.language)

    def _key(self, read: Read, end: str, device_class: str = "_") -> str:
        domain = read.device_id.partition(".")[0]
        return f"component.{domain}.{ENTITY}.{device_class}.{end}"

    def _value(self, read: Read) -> str:
        name = _told_by(read, self.snapshot)
        value = self.snapshot.value(read.device_id, name)
        if value in (None, "unknown", "unavailable"):
            return self.sentences["unread"]
        if name == "brightness" and isinstance(value, int | float):
            return f"{100 * value / BRIGHTNESS:.0f} %"
        known = self.view.profile(read.device_id).attributes if read.device_id in self.view.devices else ()
        unit = next((UNITS.get(a.unit, a.unit) for a in known if a.id == name), "")
        return f"{self._word(read, name, value)} {unit}".rstrip()

    def _word(self, read: Read, name: str, value: Scalar) -> str:
        """What Home Assistant calls the value, in this language."""
        end = f"state.{value}" if name == "state" else f"state_attributes.{name}.state.{value}"
        device = self.view.devices.get(read.device_id)
        classes = device.categories[1:] if device else ()
        keys = [self._key(read, end, kind) for kind in (*classes, "_")]
        known = next((self.translations[key] for key in keys if key in self.translations), None)
        if known is None:
            return str(value)
        return known.lower() if self.language == "en" else known


UNITS = {"C": "°C", "F": "°F"}


def _told_by(read: Read, snapshot: Snapshot) -> str:
    """The attribute whose value answers: the one that is read, else the thing's own state."""
    return read.attribute_id if read.attribute_id in snapshot.of(read.device_id) else "state"


async def translations(
    hass: HomeAssistant, reads: tuple[Read, ...], language: LanguageCode
) -> Mapping[str, str]:
    """What Home Assistant calls the states of these things."""
    domains = {read.device_id.partition(".")[0] for read in reads}
    return await async_get_translations(hass, TRANSLATED[language], ENTITY, domains)
