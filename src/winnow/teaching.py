"""Names that people give their things: taught in a sentence or by command, kept in the store of the home."""

from __future__ import annotations

from dataclasses import dataclass, replace

from winnow.consult import Watch
from winnow.deriving import Deriving, first_attempt
from winnow.errors import NoSuchThing, NotAName
from winnow.opened import Opened, OpenHomes
from winnow.remember.overrides import named_thing
from winnow.remember.teaching import LANGUAGE, UNCLEAR, is_taught, named, unnamed
from winnow.types.catalog import Device
from winnow.types.dialogue import Utterance
from winnow.types.lesson import LexiconEntry
from winnow.types.scope import Scope
from winnow.types.verdict import Act, Confirm
from winnow.understand import understand
from winnow.understand.talk.teaching import Taught, carriers, taught_in


@dataclass(frozen=True, slots=True)
class Lesson:
    """What was learned of one sentence."""

    word: str
    device_id: str
    forgotten: bool = False


@dataclass(frozen=True, slots=True)
class Teaching:
    """Gives things names and takes names back. Nothing is done to a thing."""

    deriving: Deriving
    homes: OpenHomes

    async def said(self, said: Utterance, scope: Scope) -> Lesson | None:
        """What a person's sentence teaches; None where it teaches nothing.

        Raises NotAName where a name was plainly given that cannot be one; StoreError, HomeNotFound.
        """
        home = await self.homes.opened(scope)
        for taught in taught_in(said.text):
            if lesson := await self._learned(taught, said, scope, home):
                return lesson
        return None

    async def _learned(self, taught: Taught, said: Utterance, scope: Scope, home: Opened) -> Lesson | None:
        if not taught.thing:
            # A name taken back; None where nobody gave it
            known = await self.deriving.storage.lexicon.entries(scope.at(home.home.id))
            entry = next((e for e in known if e.kind == "alias" and is_taught(e, taught.word)), None)
            if entry is None:
                return None
            await self.remove(scope, taught.word)
            return Lesson(taught.word, entry.target, forgotten=True)
        device = await self._meant(taught.thing, said, scope, home)
        if device is None:
            return None
        try:
            await self.add(scope, taught.word, device.id)
        except NotAName:
            if taught.firm:
                raise
            return None
        return Lesson(taught.word, device.id)

    async def add(self, scope: Scope, word: str, thing: str) -> LexiconEntry:
        """Let ``word`` be a name of a thing: its id, its name, or words that mean just one.

        Raises NotAName, StoreError, HomeNotFound.
        """
        home = await self.homes.opened(scope)
        device = await self._meant(thing, Utterance(thing), scope, home)
        if device is None:
            raise NotAName(word, UNCLEAR, thing)
        here, words = scope.at(home.home.id), self.deriving.storage.lexicon
        entries = named(await words.entries(here), word, device.id, home.home, scope.user)
        # Whether the word alone is a name, a kind or an order in this home
        reading = understand(Utterance(word), home.vocabulary)
        tokens = [token for query in reading.queries for token in query.tokens if token.text == reading.text]
        if any(token.kind in _MEANING and "way" not in token.data for token in tokens):
            raise NotAName(word, LANGUAGE, word)
        await words.save_entries(here, entries)
        return entries[-1]

    async def remove(self, scope: Scope, word: str) -> None:
        """Forget a taught word. Raises NoSuchWord, StoreError, HomeNotFound."""
        home = await self.homes.opened(scope)
        here, words = scope.at(home.home.id), self.deriving.storage.lexicon
        await words.save_entries(here, unnamed(await words.entries(here), word, home.home.id))

    async def _meant(self, thing: str, said: Utterance, scope: Scope, home: Opened) -> Device | None:
        """The one device that a name, or the words of a sentence, mean; by orders that nobody carries out."""
        try:
            found = named_thing(home.home, thing)
        except NoSuchThing:
            found = None
        if found is not None:
            return found if isinstance(found, Device) else None
        states = await self.deriving.states.read(scope.at(home.home.id))
        for order in carriers(thing):
            turn = self.deriving.joined(Utterance(order, said.language, home.home.id, said.room), home)
            attempt = first_attempt(replace(turn, snapshot=states), Watch())
            ids = _ids(attempt.verdict) if attempt else set()
            if len(ids) == 1:
                return home.view.devices.get(ids.pop())
        return None


def _ids(verdict: object) -> set[str]:
    match verdict:
        case Act(calls=calls) | Confirm(proposed=calls):
            return {call.device_id for call in calls}
    return set()


_MEANING = frozenset({"name", "type", "room", "scene", "group", "floor", "verb", "step"})
"""Kinds of words that stand alone for a thing, a place or an act."""
