"""SmartThings homes: answers of the API as they come, in any number of files of any name.

Devices come from ``GET /devices`` (paged or not, a list, one device), what they report from
``/devices/ID/status`` and ``/health``; rooms, locations and scenes from their own calls. A command
specification may lie with them and need not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from winnow.errors import Phrase
from winnow.homes.bundle import Bundle, Options
from winnow.homes.fields import Problems
from winnow.homes.smartthings.answers import Answers, sorted_out
from winnow.homes.smartthings.household import Household
from winnow.homes.smartthings.places import location, rooms, scenes
from winnow.homes.smartthings.spec import read_specs
from winnow.types.catalog import Note
from winnow.types.imports import Imported


def load_smartthings(bundle: Bundle, problems: Problems, options: Options) -> Imported:
    """The home in the documents.

    Of several locations the one with most devices is the home.
    """
    answers = sorted_out(bundle.documents, problems)
    _note_missing_page(answers)
    rows = answers.devices()
    here, elsewhere = location(answers, rows)
    places, floors = rooms(answers, here, options.language)
    house = Household(answers, read_specs(answers.specs, options, problems), places, options.language)
    house.add(filter(here.holds, rows))
    called = bundle.name or "home"
    home = house.home(options.home_id or called, here.name or options.home_id or called)
    notes = (*_of_documents(answers, house), *elsewhere, *house.notes)
    whole = replace(home, floors=floors, scenes=scenes(answers, here), notes=notes)
    return Imported(whole, house.reported())


def _note_missing_page(answers: Answers) -> None:
    """A page that another one points to must be there; half a home would be worse than none."""
    links = [page.page.row("_links").row("next") for page in answers.pages]
    pointing = [link for link in links if link.text("href")]
    if pointing and len(pointing) == len(answers.pages):
        last = pointing[-1]
        asked = re.search(r"[?&](page=\d+)", last.text("href"))
        told = Phrase("points to a further page, but {page} is missing", page=asked[1] if asked else "it")
        last.problems.note(last.file, "_links.next", told)


def _of_documents(answers: Answers, house: Household) -> Iterable[Note]:
    """Documents that nothing was made of, and what is missing to know more."""
    yield from (Note("ignored", name, name, "no answer that is known") for name in answers.unknown)
    if not answers.status and house.devices:
        yield Note(
            "fewer_facts", "status", "", "no /devices/ID/status: what is supported, and how things are"
        )
    if not answers.rooms and house.devices:
        yield Note("fewer_facts", "rooms", "", "no /locations/ID/rooms: which room a device is in")
