"""Everything Winnow raises on purpose.

::

    WinnowError                what every error below is; catch this one at an edge
    ├── HomeImportError        payloads that are not a home: every problem at once, with file and path
    ├── MessagesUnread         no message in a file could be read: every problem, with its line
    ├── DocumentsUnread        nothing of what was to be added is a document: every problem, with its file
    ├── HomeNotFound           no stored home has that id, or none is stored, or which one was not said
    ├── StoreError             the store cannot be opened, read or written
    │   └── StoreBusy          another process is writing (retryable)
    ├── NoOpenQuestion         nothing waits for an answer under that id, or no longer
    ├── ArgumentError          an argument of a call is of a type that makes no sense there (a TypeError too)
    ├── MessageError           a message of a history has no role or no text
    ├── NoSuchState            states were told of devices or attributes that the home does not have
    ├── NoSuchThing            nothing of the home, or more than one thing, has that id or name
    │   └── NoSuchRoom         the home has no room where somebody is said to stand
    ├── NoSuchWord             no word of the home's lexicon has that number, or no taught name is that
    ├── NotAName               a word cannot be the name of a thing: it means something already
    ├── NoSuchFact             no fact of the person has that id
    ├── FeedbackError          feedback on a turn that nothing is known of, or on what it was not given
    ├── OverBudget             more is to go into a number of tokens than they hold
    ├── ConfigError            settings that make no sense: every problem at once, with its path
    ├── ModelError             a model or embedding server is down, slow, refuses, or talks nonsense
    ├── AccessError            a door is shut: no key, not that key, or not for that person or home
    ├── LinkError              the server of a live home is down, slow, refuses, or talks nonsense
    ├── TableError             the table of the built-in embedder is absent or damaged
    ├── EmbedderError          a model for this process has no library, no such name, or no usable files
    ├── NothingToPrecompute    vectors are to be made beforehand, and none are kept
    ├── ClusterError           the machines of a backfill cannot be reached, or were lost, or could not go on
    ├── TaxonomyError          a file of intent classes that makes no sense: every problem at once
    └── CaseError              a line of an evaluation case file that is not a case

Uncertainty about what a person meant is no error: it is a ``Verdict``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args


class Phrase(str):
    """English text that knows its ``template`` and ``facts``, so that it can be told in other languages."""

    template: str
    facts: Mapping[str, object]

    def __new__(cls, template: str, /, **facts: object) -> Phrase:
        """The template with its facts filled in; a list is told with commas, problems one a line."""
        made = super().__new__(cls, template.format_map({name: fact_text(v) for name, v in facts.items()}))
        made.template, made.facts = template, facts
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        """What an equal one is made from: pickled and copied like any text."""
        return (self.template,), dict(self.facts)


def install_command(extra: str) -> str:
    """What installs one of the extras of ``pyproject.toml``, in the folder of a clone."""
    return f'pip install ".[{extra}]"'


def install_hint(extra: str) -> Phrase:
    """What to do where a library of an extra is absent."""
    return Phrase("In the folder of Winnow's clone: {command}", command=install_command(extra))


NOT_UTF8 = "not UTF-8; save it in that encoding"
"""What is said of a file that holds text in another encoding."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: in which file, at which path inside it, and what."""

    file: str
    path: str
    message: str

    def __str__(self) -> str:
        """``file: path: message``, without the parts that are empty."""
        return ": ".join(part for part in (self.file, self.path, self.message) if part)


def fact_text(value: object, comma: str = ", ", told: Callable[[str], str] = str) -> str:
    """A fact as text, ``told`` in some language: a list with commas, problems one a line."""
    if isinstance(value, Problem):
        return str(replace(value, message=told(value.message)))
    if isinstance(value, list | tuple):
        between = "\n  " if any(isinstance(item, Problem) for item in value) else comma
        return between.join(fact_text(item, comma, told) for item in value)
    return told(value) if isinstance(value, str) else str(value)


class WinnowError(Exception):
    """``hint`` says what to do next; ``retryable`` whether the same call may succeed later.

    ``message`` is what ``str`` gives; texts that hold facts are a ``Phrase``, here as in the hint.
    """

    retryable = False

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


MAX_PROBLEMS = 20
"""Problems of a file of many lines that are told; ``problems`` holds all."""
EXAMPLE_MESSAGE = '{"role": "user", "content": "...", "created_at": "2026-03-01T09:30"}'


class HomeImportError(WinnowError):
    """The payloads do not describe a home. ``problems`` holds all of them; nothing was stored."""

    def __init__(self, problems: Sequence[Problem], *, hint: str = "") -> None:
        self.problems = tuple(problems)
        super().__init__(
            _list_problems("The home could not be read ({count}):\n  {problems}", self.problems),
            hint=hint or "Correct the files named above and import again.",
        )


class MessagesUnread(WinnowError):  # noqa: N818 - reads as what happened
    """No message could be read from a file. ``problems`` holds all of them; nothing was stored."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(
            _list_problems("No messages could be read ({count}):\n  {problems}", self.problems, MAX_PROBLEMS),
            hint=Phrase("A message is one JSON object a line: {example}", example=EXAMPLE_MESSAGE),
        )


class DocumentsUnread(WinnowError):  # noqa: N818 - reads as what happened
    """Nothing of what was to be added could be read. ``problems`` holds all of them; nothing was stored."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(
            _list_problems("No document could be read ({count}):\n  {problems}", self.problems, MAX_PROBLEMS),
            hint="Correct the files named above and add them again.",
        )


class HomeNotFound(WinnowError):  # noqa: N818 - reads as the sentence it is
    """No home to speak to: ``home_id`` was asked for (empty: none was named), ``known`` ids exist."""

    def __init__(self, home_id: str, known: Sequence[str] = ()) -> None:
        self.home_id, self.known = home_id, tuple(known)
        if home_id:
            missing: str = Phrase("No home has the id {home!r}.", home=home_id)
        else:
            missing = (
                "Several homes are stored and none was named." if self.known else "No home is stored yet."
            )
        super().__init__(missing, hint=_choose(home_id, self.known))


class StoreError(WinnowError):
    """The store cannot be opened, read or written."""


class StoreBusy(StoreError):  # noqa: N818 - reads as the state it is
    """Another process holds the store's write lock."""

    retryable = True


class NoOpenQuestion(WinnowError):  # noqa: N818 - reads as the state it is
    """No question waits for this person's answer under ``retrieval_id``. A question can be answered once."""

    def __init__(self, retrieval_id: str) -> None:
        self.retrieval_id = retrieval_id
        super().__init__(
            Phrase("No question is open under the id {id!r}.", id=retrieval_id),
            hint="Say the request again, or answer as the person who was asked: user=.",
        )


class ArgumentError(WinnowError, TypeError):
    """An argument of a call is of a wrong type. ``name`` is the argument; its value is not quoted."""

    def __init__(self, name: str, needs: str, value: object, hint: str = "") -> None:
        self.name = name
        kind = type(value).__name__
        super().__init__(Phrase("{name} {needs}, not {kind}.", name=name, needs=needs, kind=kind), hint=hint)


class MessageError(WinnowError):
    """A message that is no turn of a talk. ``number`` counts from 0, oldest first."""

    def __init__(self, number: int, why: str) -> None:
        self.number = number
        hint = 'A message is {"role": "user", "content": "..."}, or a winnow.Turn.'
        told = Phrase("Message {number} of the history cannot be read: {why}.", number=number, why=why)
        super().__init__(told, hint=hint)


class NoSuchState(WinnowError):  # noqa: N818 - reads as the sentence it is
    """States were told that ``home_id`` cannot have; none of them was taken in.

    ``unknown``: ``device`` or ``device.attribute`` -> the ids that come nearest.
    """

    def __init__(self, home_id: str, unknown: Mapping[str, Sequence[str]]) -> None:
        self.home_id, self.unknown = home_id, {name: tuple(near) for name, near in unknown.items()}
        told = Phrase("The home {home!r} has no {unknown}.", home=home_id, unknown=tuple(unknown))
        near = [
            Phrase("{ids} for {name}", ids=tuple(ids), name=name) for name, ids in self.unknown.items() if ids
        ]
        if near:
            nearest: str = Phrase("Did you mean {near}?", near=near)
        else:
            nearest = (
                "Engine.load_home().view has the devices by id, and the profile of each with its attributes."
            )
        super().__init__(told, hint=nearest)


class NoSuchThing(WinnowError):  # noqa: N818 - reads as the sentence it is
    """Nothing, or more than one thing, of ``home_id`` is meant by ``named``; ``near`` names what may be."""

    none = "The home {home!r} has no {name!r}."

    def __init__(self, home_id: str, named: str, near: Sequence[str], *, several: bool = False) -> None:
        self.home_id, self.named, self.near = home_id, named, tuple(near)
        template = "The home {home!r} has more than one {name!r}." if several else self.none
        hint = Phrase("Did you mean {near}?", near=near) if near else "winnow home show lists names and ids."
        super().__init__(Phrase(template, home=home_id, name=named), hint=hint)


class NoSuchRoom(NoSuchThing):
    """The home has no room called ``named``, where somebody is said to stand; ``near`` names what it has."""

    none = "The home {home!r} has no room {name!r}."


class NoSuchWord(WinnowError):  # noqa: N818 - reads as the state it is
    """The lexicon of ``home_id`` has no word of that ``number``, or no such taught name."""

    def __init__(self, home_id: str, number: int | str) -> None:
        self.home_id, self.number = home_id, number
        by_number = "The lexicon of {home!r} has no word number {number}."
        template = by_number if isinstance(number, int) else "Nothing in {home!r} was taught as {number!r}."
        super().__init__(
            Phrase(template, home=home_id, number=number), hint="winnow lexicon list shows all words."
        )


class NotAName(WinnowError):  # noqa: N818 - reads as the state it is
    """``word`` cannot be the name of a thing; ``by`` has it already."""

    def __init__(self, word: str, why: str, by: str = "") -> None:
        self.word, self.by = word, by
        super().__init__(Phrase(why, word=word, by=by), hint="Take a word that nothing is called by yet.")


class NoSuchFact(WinnowError):  # noqa: N818 - reads as the state it is
    """No fact of the person has the id ``fact_id``."""

    def __init__(self, fact_id: str) -> None:
        self.fact_id = fact_id
        super().__init__(
            Phrase("There is no fact {id!r}.", id=fact_id), hint="winnow facts --user NAME shows the ids."
        )


class OverBudget(WinnowError):  # noqa: N818 - reads as the state it is
    """A context cannot be held to its tokens: its shares are more than it, or what must be in it is."""


class FeedbackError(WinnowError):
    """Feedback on a turn that nothing is known of, or on something that turn was not given."""


class ConfigError(WinnowError):
    """Settings that make no sense. ``problems`` holds all of them; ``path`` is the setting."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(
            _list_problems("The settings are not valid ({count}):\n  {problems}", self.problems),
            hint=(
                "Correct them where they were found: in the environment, the file or the call that is named."
            ),
        )


PassingFault = Literal["unreachable", "timeout", "rate_limited", "server", "open_circuit"]
"""What may pass by itself. ``server``: it failed by itself (5xx)."""
LastingFault = Literal["bad_answer", "refused", "unauthorised"]
"""``bad_answer``: not what such a server sends; ``refused``: it does not take the request (4xx)."""
ModelFault = Literal[PassingFault, LastingFault]


class ModelError(WinnowError):
    """A model's server gave no usable answer.

    ``code`` is the kind of fault, ``attempts`` how many requests were made, ``status`` that of the HTTP
    response (0: there was none), ``retry_after`` the seconds the server wants to be left alone.
    """

    def __init__(self, code: ModelFault, message: str, *, hint: str = "", attempts: int = 1) -> None:
        super().__init__(message, hint=hint)
        self.code, self.attempts = code, attempts
        self.status, self.retry_after = 0, 0.0
        self.retryable = code in get_args(PassingFault)


PassingLinkFault = Literal["unreachable", "timeout", "lost", "rate_limited", "server"]
"""What may pass by itself. ``lost``: the connection broke off."""
LastingLinkFault = Literal[
    "no_library",
    "no_token",
    "bad_token",
    "bad_url",
    "no_home",
    "no_link",
    "tls",
    "unauthorised",
    "refused",
    "bad_answer",
]
"""``no_library``: an extra is not installed; ``no_home``: no such server answers at that address;
``no_link``: the home was imported from files."""
LinkFault = Literal[PassingLinkFault, LastingLinkFault]


class LinkError(WinnowError):
    """A home cannot be read where it runs. ``code`` is the kind of fault.

    ``retry_after`` is the seconds the server wants to be left alone.
    """

    def __init__(self, code: LinkFault, message: str, *, hint: str = "", retry_after: float = 0.0) -> None:
        super().__init__(message, hint=hint)
        self.code, self.retry_after = code, retry_after
        self.retryable = code in get_args(PassingLinkFault)


AccessFault = Literal[
    "no_key", "bad_key", "ended_key", "no_such_key", "user", "home", "which_user", "which_home", "shared"
]
"""``user``, ``home``: not one of the key's; ``which_user``, ``which_home``: the key has several and none was
named; ``shared``: what belongs to everybody is not for a key of some persons."""
UNAUTHENTICATED: tuple[AccessFault, ...] = ("no_key", "bad_key", "ended_key")
"""What is wrong with the key itself, and not with what was asked for with it."""


class AccessError(WinnowError):
    """A key does not open that. ``code`` is the kind of fault."""

    def __init__(self, code: AccessFault, message: str, *, hint: str) -> None:
        super().__init__(message, hint=hint)
        self.code = code


class TableError(WinnowError):
    """``folder`` does not hold a usable table of the built-in embedder."""

    def __init__(self, folder: Path, why: str) -> None:
        self.folder = folder
        super().__init__(
            Phrase("No usable table of vectors in {folder}: {why}.", folder=folder, why=why),
            hint="Reinstall the package, or build it: make train-embedder.",
        )


class EmbedderError(WinnowError):
    """``model`` cannot turn texts into vectors in this process; ``hint`` says what to install or fetch."""

    def __init__(self, model: str, why: str, *, hint: str) -> None:
        self.model = model
        told = Phrase("The embedding model {model!r} cannot be used: {why}.", model=model, why=why)
        super().__init__(told, hint=hint)


class NothingToPrecompute(WinnowError):  # noqa: N818 - reads as the state it is
    """Vectors are made when they are asked for, since the built-in table makes them at once."""

    def __init__(self) -> None:
        super().__init__(
            "The built-in table makes vectors when they are asked for; there is nothing to make beforehand.",
            hint="Name a model in history.yaml: vector_search.dynamic.embedding_model.",
        )


EXAMPLE_TAXONOMY = "{name: own, classes: [{id: talk, source: none}, {id: rest, source: knowledge}]}"
"""A file of intent classes with all it needs."""


class ClusterError(WinnowError):
    """The workers of a backfill cannot be reached, were lost, or one of them could not go on."""


class TaxonomyError(WinnowError):
    """A taxonomy of intents that makes no sense: all ``problems``, their ``path`` the place in the file."""

    def __init__(self, problems: Sequence[Problem], *, hint: str = "") -> None:
        self.problems = tuple(problems)
        super().__init__(
            _list_problems("The taxonomy is not valid ({count}):\n  {problems}", self.problems),
            hint=hint or Phrase("A small valid one: {example}", example=EXAMPLE_TAXONOMY),
        )


class CaseError(WinnowError):
    """A line of an evaluation file that is not a case: ``file``, ``line`` (from 1) and ``field``."""

    def __init__(self, file: str, line: int, field: str, message: str) -> None:
        self.file, self.line, self.field = file, line, field
        super().__init__(
            Phrase("{file}:{line}: {field}: {what}", file=file, line=line, field=field, what=message),
            hint="Correct that line; `winnow eval --help` shows what a line of a case file holds.",
        )


def _list_problems(template: str, problems: Sequence[Problem], most: int | None = None) -> Phrase:
    """The title with their number, then one problem per line, at most so many."""
    several = Phrase("{count} problems", count=len(problems))
    return Phrase(
        template, count="1 problem" if len(problems) == 1 else several, problems=tuple(problems[:most])
    )


def _choose(home_id: str, known: Sequence[str]) -> str:
    if home_id and known:
        return Phrase("Known homes: {known}. Name one of them.", known=tuple(known))
    if known:
        return Phrase(
            "Known homes: {known}. Name one: --home {first}, or for good WINNOW_DEFAULT_HOME={first},"
            ' or home = "{first}" in config.toml.',
            known=tuple(known),
            first=known[0],
        )
    return "Import one: winnow home import PATH. An example comes along: winnow home import example:cottage"
