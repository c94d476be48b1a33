"""``winnow chat``: a dialogue with a simulated copy of a home.

Questions can be answered, and what was done is known a sentence later.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Protocol
from uuid import uuid4

import typer

from winnow.app.cli.audit import act_lines, audited_acts
from winnow.app.cli.options import HomeOption, RoomOption, command_group, message_language, wished_language
from winnow.app.output import is_text, unreadable_input
from winnow.errors import WinnowError
from winnow.language.encode import encode_text
from winnow.language.messages import message
from winnow.language.naming import placed_name
from winnow.language.registry import language_of
from winnow.ports.services import run_blocking
from winnow.types.home import Home, HomeView
from winnow.types.query import UNDO
from winnow.types.receipt import Receipt
from winnow.types.retrieval import Retrieval
from winnow.types.scope import Scope
from winnow.types.utterance import LanguageCode, Utterance
from winnow.types.verdict import Act, Nothing, Query

if TYPE_CHECKING:
    from winnow.engine.engine import Engine


class RehearsedHome(Protocol):
    """The copy of a home that a talk is about."""

    home: Home

    def let_fail(self, share: float, *, seed: int | None = None, latency: float | None = None) -> int:
        """Let that share of the devices (0..1) fail from now on; how many do."""


@dataclass(slots=True)
class ChatSession:
    """One talk.

    ``language`` is that of the chat's own words; answers come in the language of the sentence unless
    ``reply`` says.
    """

    engine: Engine
    home: RehearsedHome
    language: LanguageCode
    reply: LanguageCode | None = None
    room: str = ""
    user: str = ""
    session: str = ""
    last: Retrieval | None = None
    receipt: Receipt | None = None
    """What came of the last line, where anything was done about it."""

    def lines(self, said: str) -> Iterator[str]:
        """What is printed for one line of input. Raises WinnowError."""
        if not is_text(said):
            raise unreadable_input(sys.stdin.encoding)
        if said.startswith("/"):
            name, _, rest = said[1:].partition(" ")
            yield self._command(name, rest.strip())
            return
        utterance = Utterance(said, self.reply, self.home.home.id, self.room or None, self.user, self.session)
        # Naming a device is not an order, so it is looked for before the sentence is parsed.
        if taught := run_blocking(self.engine.teaching.learn_from(utterance, self._scope)):
            code = "taught_forgotten" if taught.forgotten else "taught_learned"
            yield self._taught_line(code, taught.word, taught.device_id)
            return
        self.last, self.receipt = self.engine.sync.retrieve(utterance), None
        yield from self._answer(self.last)

    @property
    def _scope(self) -> Scope:
        return Scope(self.engine.policy.tenant, self.user, self.home.home.id)

    @property
    def _view(self) -> HomeView:
        return self.engine.sync.load_home(self.home.home.id).view

    def _taught_line(self, code: str, word: str, device_id: str) -> str:
        """What was learned, or forgotten."""
        thing = placed_name(device_id, self._view, self.language)
        return message(code, self.reply or language_of(word), word=word, thing=thing)

    def _answer(self, retrieval: Retrieval) -> Iterator[str]:
        # Imported here: the engine and its views are not needed to show the help of a command.
        from winnow.app.verdict_text import (
            readings_by_value,
            receipt_lines,
            search_lines,
            state_of,
            verdict_lines,
        )

        view, verdict, language = self._view, retrieval.verdict, retrieval.reading.language
        if isinstance(verdict, Query):
            if alike := readings_by_value(verdict.reads, view, retrieval.snapshot):
                yield from alike
                return
            for read in verdict.reads:
                name = encode_text(placed_name(read.device_id, view, language))
                value = encode_text(str(state_of(read, retrieval.snapshot)))
                yield f"  {name}: {encode_text(read.attribute_id)} = {value}"
        elif isinstance(verdict, Act) or verdict == Nothing(UNDO):
            self.receipt = self.engine.sync.act(retrieval)
            yield from receipt_lines(self.receipt, view, language)
        else:
            yield from [*verdict_lines(retrieval, view), *search_lines(retrieval)]

    def _command(self, name: str, rest: str) -> str:
        """What a line that begins with ``/`` answers."""
        match name:
            case "room":
                return self._move_to(rest)
            case "teach":
                return self._teach(rest)
            case "faults":
                return self._set_faults(rest)
            case "help":
                return message("chat_help", self.language)
            case "explain" if self.last:
                from winnow.app.explanation import explanation_text

                return explanation_text(self.last, self._view, receipt=self.receipt)
            case "explain":
                return message("chat_nothing_yet", self.language)
            case "audit":
                return self._audit() or message("chat_nothing_yet", self.language)
        return message("chat_unknown", self.language, what=rest or f"/{name}")

    def _audit(self) -> str:
        """The acts on record of this talk's home, oldest first."""
        home = self.home.home
        names = {device.id: device.name for device in home.devices} | {s.id: s.name for s in home.scenes}
        scope = Scope(self.engine.policy.tenant, home=home.id)
        acts = audited_acts(run_blocking(self.engine.acting.storage.audit.last(scope)))
        return "\n".join(act_lines(acts, names, self.language))

    def _teach(self, rest: str) -> str:
        """``/teach Bert = the reading lamp``."""
        word, _, thing = (part.strip() for part in rest.partition("="))
        if not word or not thing:
            return message("taught_how", self.language)
        entry = run_blocking(self.engine.teaching.add(self._scope, word, thing))
        return self._taught_line("taught_learned", entry.surface, entry.target)

    def _set_faults(self, share: str) -> str:
        """Let that share of the devices (0 to 1) fail from now on."""
        try:
            part = float(share or 0)
        except ValueError:
            return message("chat_unknown", self.language, what=share)
        return message("chat_faults", self.language, count=self.home.let_fail(part))

    def _move_to(self, place: str) -> str:
        """Stand in that room from now on; in none when none is named. Raises NoSuchRoom."""
        room = self._view.expect_room(place) if place else None
        self.room = room.id if room else ""
        return message("chat_room", self.language, room=room.name if room else None)


def open_chat(
    engine: Engine, home_id: str, room: str, user: str, language: LanguageCode, reply: LanguageCode | None
) -> tuple[ChatSession, list[str]]:
    """A talk with that home (empty: the only one), and what is printed first.

    Raises HomeNotFound, StoreError.
    """
    from winnow.app.wiring.engine import rehearse_on_copy

    opened = engine.sync.load_home(home_id)
    states = run_blocking(engine.states.read(Scope(engine.policy.tenant, home=opened.home.id)))
    # A chat never acts on the real home: states and audit entries belong to the copy.
    copy = rehearse_on_copy(engine, opened.home, states)
    chat = ChatSession(engine, copy, language, reply, user=user, session=f"chat-{uuid4().hex}")
    welcome = [message("chat_welcome", language, home=opened.home.name, devices=len(opened.home.devices))]
    return chat, [*welcome, *(chat.lines(f"/room {room}") if room else ())]


def run_chat(chat: ChatSession, welcome: list[str], went_wrong: Callable[[WinnowError], None]) -> bool:
    """Answer each line of standard input until ``/quit`` or its end; whether all of them could be.

    Lines that were piped in are shown again. What goes wrong with one is told, and the talk goes on.
    """
    print("\n".join(welcome))
    well = True
    for said in _inputs():
        if said == "/quit":
            break
        try:
            for line in chat.lines(said):
                print(line)
        except WinnowError as error:
            went_wrong(error)
            well = False
    return well


def _inputs() -> Iterator[str]:
    """The lines that say something."""
    typed = sys.stdin is not None and sys.stdin.isatty()
    if typed:
        with suppress(ImportError):  # lets lines be edited and earlier ones be called back
            import_module("readline")
    while True:
        try:
            said = input("> " if typed else "").strip()
        except (EOFError, RuntimeError):  # RuntimeError: there is no standard input
            if typed:
                print()  # what the shell says next begins a line of its own
            return
        if said and not typed:
            print(f"> {encode_text(said, 400)}")
        if said:
            yield said


# The command.


commands = command_group()


@commands.command("chat", epilog="Example: winnow chat --home flat --room study")
def start_chat(
    home: HomeOption = "",
    room: RoomOption = "",
    user: Annotated[
        str, typer.Option("--user", help="Who speaks; what each person uses is remembered.")
    ] = "me",
    faults: Annotated[
        float, typer.Option("--faults", min=0, max=1, help="Share of the devices that fail, 0 to 1.")
    ] = 0.0,
    latency: Annotated[
        float, typer.Option("--latency", min=0, help="Seconds that every device takes to answer.")
    ] = 0.0,
    seed: Annotated[int, typer.Option("--seed", help="Another number: other devices fail.")] = 0,
) -> None:
    """Talk to a simulated copy of a home.

    Questions can be answered, and what was done is known a sentence later. /help, /quit.
    """
    from winnow.app.cli.terminal import print_error
    from winnow.app.wiring.engine import open_engine

    talk, welcome = open_chat(open_engine(), home, room, user, message_language(), wished_language())
    talk.home.let_fail(faults, seed=seed, latency=latency)
    if not run_chat(talk, welcome, print_error):
        raise typer.Exit(2)
