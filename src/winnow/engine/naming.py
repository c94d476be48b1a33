"""Names that people give their things: taught in a sentence or by command, kept in the store of the home."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from winnow.engine.home_cache import HomeCache, LoadedHome
from winnow.engine.home_import import find_thing
from winnow.engine.llm.client import TurnTrace
from winnow.engine.turn import TurnPipeline, first_attempt
from winnow.errors import NoSuchThing, NoSuchWord, NotAName
from winnow.language import lexicon
from winnow.language.normalize import fold, is_han, normalise
from winnow.types.home import Device, Home, LexiconEntry
from winnow.types.scope import Scope
from winnow.types.utterance import Utterance
from winnow.types.verdict import Act, Confirm
from winnow.understand.dialogue.references import Taught, carriers, taught_in
from winnow.understand.reading import understand

# A name that a person gives a thing -> the words of the home. Pure.


MAX_NAME_CHARS = 24
"""Characters of a name that can be taught."""
WHY_LENGTH = "{word!r} is too short or too long for a name."
WHY_TAKEN = "{word!r} is already the name of {by!r}."
WHY_LANGUAGE = "{word!r} means something already: {by!r} is a word of the language."
WHY_GONE = "What {word!r} meant is not in this home."
WHY_UNCLEAR = "It is not clear which one thing {word!r} is: {by!r} means none or several."
LEXICON_FORMAT = "winnow-lexicon"
"""What an exported file calls itself."""


def add_name(
    entries: Sequence[LexiconEntry], word: str, device_id: str, home: Home, user: str = ""
) -> tuple[LexiconEntry, ...]:
    """The words of the home with one more name of a device, which ``user`` gave it. Raises NotAName."""
    surface = normalise(word)
    if reason := _why_no_name(surface, home, entries):
        raise NotAName(word, *reason)
    number = max((entry.number for entry in entries), default=0) + 1
    others = [e for e in entries if _entry_key(e) != (surface, "alias", device_id)]
    return (*others, LexiconEntry(number, surface, "alias", device_id, "accepted", count=1, user=user))


def remove_name(entries: Sequence[LexiconEntry], word: str, home_id: str) -> tuple[LexiconEntry, ...]:
    """The words of the home without that taught name. Raises NoSuchWord."""
    kept = tuple(e for e in entries if not is_custom_word(e, word))
    if len(kept) == len(entries):
        raise NoSuchWord(home_id, word)
    return kept


def is_custom_word(entry: LexiconEntry, word: str) -> bool:
    """Whether it is an accepted word of that surface."""
    return entry.status == "accepted" and fold(entry.surface) == fold(normalise(word))


def export_words(entries: Iterable[LexiconEntry], home: Home) -> dict[str, Any]:
    """The accepted words as data; a device goes by its id and its name, so that another home can take it."""
    called = {device.id: device.name for device in home.devices}
    words = [
        {"word": e.surface, "kind": e.kind, "means": e.target, "name": called.get(e.target, "")}
        for e in entries
        if e.status == "accepted"
    ]
    return {"format": LEXICON_FORMAT, "version": 1, "words": words}


def import_words(
    entries: Sequence[LexiconEntry], data: Mapping[str, Any], home: Home
) -> tuple[tuple[LexiconEntry, ...], tuple[str, ...]]:
    """The words of the home with those of a file, and the words that could not be taken."""
    ids = {device.id for device in home.devices}
    by_name = {device.name: device.id for device in home.devices}
    left: list[str] = []
    known = tuple(entries)
    for row in data["words"]:
        target = row["means"] if row["means"] in ids else by_name.get(row.get("name", ""), "")
        try:
            known = _with_row(known, row, target, home)
        except NotAName:
            left.append(str(row["word"]))
    return known, tuple(left)


def _with_row(
    entries: tuple[LexiconEntry, ...], row: Mapping[str, Any], target: str, home: Home
) -> tuple[LexiconEntry, ...]:
    """With one row of a file. Raises NotAName."""
    if row["kind"] != "alias":
        new = LexiconEntry(0, normalise(row["word"]), row["kind"], str(row["means"]))
        others = tuple(e for e in entries if _entry_key(e) != _entry_key(new))
        number = max((entry.number for entry in entries), default=0) + 1
        return (*others, replace(new, number=number, status="accepted"))
    if not target:
        raise NotAName(str(row["word"]), WHY_GONE)
    if any(is_custom_word(entry, row["word"]) and entry.target == target for entry in entries):
        return entries
    return add_name(entries, row["word"], target, home)


def _entry_key(entry: LexiconEntry) -> tuple[str, str, str]:
    return entry.surface, entry.kind, entry.target


def _why_no_name(surface: str, home: Home, entries: Iterable[LexiconEntry]) -> tuple[str, str] | None:
    """Why a word can be no name: (a sentence, what has it already)."""
    least = 2 if is_han(surface[:1] or " ") else 3
    if not least <= len(surface) <= MAX_NAME_CHARS or surface.isdigit():
        return WHY_LENGTH, ""
    key = fold(surface)
    if owner := _names_in_home(home).get(key):
        return WHY_TAKEN, owner
    if any(is_custom_word(entry, surface) for entry in entries):
        return WHY_TAKEN, surface
    return (WHY_LANGUAGE, surface) if any(fold(e.surface) == key for e in lexicon.entries()) else None


def _names_in_home(home: Home) -> dict[str, str]:
    """Folded name or alias of anything of the home -> the name of that."""
    parts = (home.devices, home.rooms, home.floors, home.scenes, home.groups)
    named = ((thing.name, thing.aliases) for part in parts for thing in part)
    return {fold(normalise(text)): name for name, others in named for text in (name, *others)}


@dataclass(frozen=True, slots=True)
class NamingResult:
    """What was learned of one sentence."""

    word: str
    device_id: str
    forgotten: bool = False


@dataclass(frozen=True, slots=True)
class CustomNames:
    """Gives things names and takes names back. Nothing is done to a thing."""

    deriving: TurnPipeline
    homes: HomeCache

    async def learn_from(self, said: Utterance, scope: Scope) -> NamingResult | None:
        """What a person's sentence teaches; None where it teaches nothing.

        Raises NotAName where a name was plainly given that cannot be one; StoreError, HomeNotFound.
        """
        home = await self.homes.load_named(scope)
        for taught in taught_in(said.text):
            if lesson := await self._learn(taught, said, scope, home):
                return lesson
        return None

    async def _learn(
        self, taught: Taught, said: Utterance, scope: Scope, home: LoadedHome
    ) -> NamingResult | None:
        if not taught.thing:
            # A name taken back; None where nobody gave it
            known = await self.deriving.storage.lexicon.entries(scope.at(home.home.id))
            entry = next((e for e in known if e.kind == "alias" and is_custom_word(e, taught.word)), None)
            if entry is None:
                return None
            await self.remove(scope, taught.word)
            return NamingResult(taught.word, entry.target, forgotten=True)
        device = await self._device_meant(taught.thing, said, scope, home)
        if device is None:
            return None
        try:
            await self.add(scope, taught.word, device.id)
        except NotAName:
            if taught.firm:
                raise
            return None
        return NamingResult(taught.word, device.id)

    async def add(self, scope: Scope, word: str, thing: str) -> LexiconEntry:
        """Let ``word`` be a name of a thing: its id, its name, or words that mean just one.

        Raises NotAName, StoreError, HomeNotFound.
        """
        home = await self.homes.load_named(scope)
        device = await self._device_meant(thing, Utterance(thing), scope, home)
        if device is None:
            raise NotAName(word, WHY_UNCLEAR, thing)
        here, words = scope.at(home.home.id), self.deriving.storage.lexicon
        entries = add_name(await words.entries(here), word, device.id, home.home, scope.user)
        # Whether the word alone is a name, a kind or an order in this home
        reading = understand(Utterance(word), home.vocabulary)
        tokens = [token for query in reading.queries for token in query.tokens if token.text == reading.text]
        if any(token.kind in _MEANINGFUL_KINDS and "way" not in token.data for token in tokens):
            raise NotAName(word, WHY_LANGUAGE, word)
        await words.save_entries(here, entries)
        return entries[-1]

    async def remove(self, scope: Scope, word: str) -> None:
        """Forget a taught word. Raises NoSuchWord, StoreError, HomeNotFound."""
        home = await self.homes.load_named(scope)
        here, words = scope.at(home.home.id), self.deriving.storage.lexicon
        await words.save_entries(here, remove_name(await words.entries(here), word, home.home.id))

    async def _device_meant(
        self, thing: str, said: Utterance, scope: Scope, home: LoadedHome
    ) -> Device | None:
        """The one device that a name, or the words of a sentence, mean; by orders that nobody carries out."""
        try:
            found = find_thing(home.home, thing)
        except NoSuchThing:
            found = None
        if found is not None:
            return found if isinstance(found, Device) else None
        states = await self.deriving.states.read(scope.at(home.home.id))
        for order in carriers(thing):
            turn = self.deriving.turn_input(Utterance(order, said.language, home.home.id, said.room), home)
            attempt = first_attempt(replace(turn, snapshot=states), TurnTrace())
            ids = _device_ids(attempt.verdict) if attempt else set()
            if len(ids) == 1:
                return home.view.devices.get(ids.pop())
        return None


def _device_ids(verdict: object) -> set[str]:
    match verdict:
        case Act(calls=calls) | Confirm(proposed=calls):
            return {call.device_id for call in calls}
    return set()


_MEANINGFUL_KINDS = frozenset({"name", "type", "room", "scene", "group", "floor", "verb", "step"})
"""Kinds of words that stand alone for a thing, a place or an act."""
