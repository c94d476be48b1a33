"""The rules of ways: many ways in one line, and words that are put together from others.

A line of ``ways/rules/*.txt`` of a language is a way of ``read`` in which ``(a|b)`` is either, ``[a]``
may be left out, and ``<name>`` stands for what a line ``<name> = ...`` of any of these files says. Nothing is
spelled out: each stretch between two holes is one expression, looked for where one of its first words stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import chain, product
from typing import Any, NamedTuple

from winnow.language.registry import LANGUAGES
from winnow.language.tables import prepared, table

# Template files: ``== act kind`` opens a block; each line in it is a template and who wrote it.


ANY = "any"
"""The kind of a way that is said of all things."""
TURNED = "turned"
"""Data of a word that is left off: it orders what undoes it."""
VERB = "v"
"""The shape of a verb."""


@dataclass(frozen=True, slots=True)
class ParaphraseTemplate:
    """One way of saying an act of a kind of things."""

    act: str
    kind: str
    text: str
    hands: str = ""
    """A letter for each writer who gave it."""
    implied: str = ""
    """The type of what it is said of where nothing is named."""

    @property
    def shape(self) -> str:
        """The holes by their letters and ``_`` for words between them: ``_t_`` for ``give {t} a rest``."""
        if self.is_verb:
            return VERB
        return "".join(part[1] if part[0] == "{" else "_" for part in parts_of(self.text))

    @property
    def is_verb(self) -> bool:
        """Whether it is a verb, said wherever the language puts one."""
        return "~" in self.text

    @property
    def names(self) -> bool:
        """Whether its thing has to be said."""
        return "{t}" in self.text

    @property
    def words(self) -> tuple[str, ...]:
        """What is said around the holes, in order."""
        return _words(self.text)

    @property
    def meaning(self) -> str:
        """``section.meaning`` of the lexicon that it comes to."""
        known = acts()["acts"]
        return str(known.get(f"{self.act} {self.kind}") or known[self.act])


def parts_of(text: str) -> list[str]:
    """Its holes and what is said around them, in order."""
    return [part.strip() for part in re.split(r"(\{[a-z]\})", text) if part.strip()]


@cache
def _words(text: str) -> tuple[str, ...]:
    return tuple(part.strip("~ ") for part in parts_of(text) if part[0] != "{")


def acts() -> Mapping[str, Any]:
    """What the acts are to the rest of the language: ``ways/acts.yaml``."""
    return table("winnow.language.ways", "acts.yaml")  # type: ignore[no-any-return]


@cache
def ways(language: str) -> tuple[ParaphraseTemplate, ...]:
    """Every way of a language, in the order of its files."""
    folder = files(LANGUAGES[language].package).joinpath("ways")
    tables = sorted(
        (f for f in folder.iterdir() if f.name.endswith(".txt")) if folder.is_dir() else (),
        key=lambda f: f.name,
    )
    return tuple(way for file in tables for way in parse_templates(file.read_text("utf-8")))


def parse_templates(text: str) -> Iterator[ParaphraseTemplate]:
    """The ways of a file's text."""
    act = kind = implied = ""
    for line in text.splitlines():
        said, _, hands = line.partition("\t")
        if said.startswith("== "):
            act, kind, implied = f"{said[3:].strip()} ".split(" ")[:3]
        elif said.strip() and not said.startswith("#"):
            yield ParaphraseTemplate(act, kind, said.strip(), hands.strip(), implied)


_PIECE = re.compile(r"<[a-z_ ]+>|[()\[\]|]|[^\s()\[\]|<>]+")
_CLASS = re.compile(r"<([a-z_ ]+)>\s*=\s*(.+)")
_LATIN = re.compile("[a-z0-9]")
_WORD = re.compile("[a-z0-9'-]+")
_LATIN_WORD = re.compile("[a-z0-9][a-z0-9']*")
_BEFORE, _BEHIND = "(?<![a-z0-9'])", "(?: +|(?![a-z0-9']))"
"""Where a Latin word begins and ends."""


Needs = tuple[frozenset[str], ...]
"""Sets of Latin words and of characters of others; a text that holds none of one of them is passed by."""


class _TemplatePart(NamedTuple):
    """What a part of a line may be: an expression, the words it may begin with, whether it may be nothing."""

    pattern: str
    full: str
    """The same, but not nothing."""
    first: frozenset[str]
    empty: bool
    longest: int = 0
    """Characters of the longest text it may be, spaces left out."""
    text: str = ""
    musts: Needs = ()
    """Of each of these sets one word stands in any text it is."""


class _NamedParts(dict[str, str]):
    """What each name stands for; read once."""

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[str, _TemplatePart] = {}

    def named_part(self, name: str) -> _TemplatePart:
        """What a name may be. Raises ValueError for one that names nothing."""
        if name not in self:
            raise ValueError(f"names nothing: <{name}>")
        if name not in self._said:
            self._said[name] = _read(self[name], self)
        return self._said[name]


@dataclass(frozen=True, slots=True)
class TemplateRule(ParaphraseTemplate):
    """Many ways in one line."""

    patterns: tuple[str, ...] = field(default=(), compare=False)
    """What stands around its holes, in order, as expressions."""
    first: frozenset[str] = field(default=frozenset(), compare=False)
    """What it may begin with: Latin words, characters of others."""
    musts: Needs = field(default=(), compare=False)

    @property
    def pieces(self) -> tuple[re.Pattern[str], ...]:
        """What stands around its holes, in order; made when it is first asked for."""
        return _compile_all(self.patterns)


@cache
def _compile_all(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(map(re.compile, patterns))


@cache
def rules(language: str) -> tuple[TemplateRule, ...]:
    """Every rule of a language; none where it has no files of them.

    Raises ValueError for a line that closes nothing, names nothing or may say nothing.
    """
    folder = files(LANGUAGES[language].package).joinpath("ways", "rules")
    texts = sorted(folder.iterdir(), key=lambda f: f.name) if folder.is_dir() else []
    written = "\n".join(f.read_text("utf-8") for f in texts)
    return tuple(
        TemplateRule(
            act, kind, text, hands, by, tuple(pieces), frozenset(first), tuple(map(frozenset, musts))
        )
        for (act, kind, text, hands, by), pieces, first, musts in prepared("ways", written, _rule_rows)
    )


def _rule_rows(text: str) -> list[list[Any]]:
    return [
        [
            (rule.act, rule.kind, rule.text, rule.hands, rule.implied),
            *(list(rule.patterns), sorted(rule.first), list(map(sorted, rule.musts))),
        ]
        for rule in template_rules(text)
    ]


def template_rules(text: str) -> Iterator[TemplateRule]:
    """The rules of a text and of the names it gives."""
    named = _NamedParts()
    rest: list[str] = []
    for line in text.splitlines():
        if found := _CLASS.fullmatch(line.strip()):
            named[found[1]] = found[2]
        else:
            rest.append(line)
    for way in parse_templates("\n".join(rest)):
        yield from (_rule(way, parts) for parts in _shapes(way, named))


def _rule(way: ParaphraseTemplate, parts: tuple[_TemplatePart | str, ...]) -> TemplateRule:
    said = [part for part in parts if isinstance(part, _TemplatePart)]
    if not said:
        raise ValueError(f"may say nothing: {way.text}")
    text = " ".join(part.text if isinstance(part, _TemplatePart) else part for part in parts)
    patterns = tuple(one.full for one in said)
    return TemplateRule(
        way.act, way.kind, text, way.hands, way.implied, patterns, said[0].first, _required_words(said)
    )


def _shapes(way: ParaphraseTemplate, named: _NamedParts) -> Iterator[tuple[_TemplatePart | str, ...]]:
    """The holes of a way and what stands between them: with and without what may be left out."""
    options: list[tuple[tuple[_TemplatePart | str, ...], ...]] = []
    for part in parts_of(way.text):
        said = part if part[0] == "{" else _read(part.strip("~ "), named)._replace(text=part)
        options.append(((said,), ()) if isinstance(said, _TemplatePart) and said.empty else ((said,),))
    return (tuple(chain.from_iterable(chosen)) for chosen in product(*options))


def first_of(text: str, at: int) -> str:
    """What a rule that stands at ``at`` begins with there."""
    found = _WORD.match(text, at)
    return found[0] if found else text[at : at + 1]


def _read(piece: str, named: _NamedParts) -> _TemplatePart:
    words = _PIECE.findall(piece)
    said, rest = _either(words, named)
    if rest:
        raise ValueError(f"closes nothing: {piece}")
    return said


def _either(words: list[str], named: _NamedParts) -> tuple[_TemplatePart, list[str]]:
    """Alternatives up to what closes them, and the words from there on."""
    said, words = _row(words, named)
    options = [said]
    while words[:1] == ["|"]:
        said, words = _row(words[1:], named)
        options.append(said)
    first = frozenset().union(*(o.first for o in options))
    either = _any_of((o.pattern, o.longest) for o in options)
    full = _any_of((o.full, o.longest) for o in options)
    longest = max(o.longest for o in options)
    empty = any(o.empty for o in options)
    return _TemplatePart(either, full, first, empty, longest, musts=_any_needed(options)), words


def _any_needed(options: Sequence[_TemplatePart]) -> Needs:
    """What one of these needs: of each the set of the fewest words; nothing where one needs nothing."""
    if len(options) == 1:
        return options[0].musts
    if not all(option.musts for option in options):
        return ()
    return (frozenset[str]().union(*(min(option.musts, key=len) for option in options)),)


def _required_words(row: Iterable[_TemplatePart]) -> Needs:
    """What all of these need, the sets of few words first."""
    needed = {must for said in row if not said.empty for must in said.musts}
    return tuple(sorted(needed, key=lambda must: (len(must), sorted(must))))


def _any_of(patterns: Iterable[tuple[str, int]]) -> str:
    """The longer ones are tried first; where Latin words begin and end is looked for once for all of them."""
    ordered = sorted(dict(patterns).items(), key=lambda p: (-p[1], p[0]))
    inner = [
        p[len(_BEFORE) : -len(_BEHIND)] for p, _ in ordered if p.startswith(_BEFORE) and p.endswith(_BEHIND)
    ]
    if len(inner) == len(ordered):
        return f"{_BEFORE}(?:{'|'.join(inner)}){_BEHIND}"
    return f"(?:{'|'.join(p for p, _ in ordered)})"


def _row(words: list[str], named: _NamedParts) -> tuple[_TemplatePart, list[str]]:
    """What stands one behind the other."""
    row: list[_TemplatePart] = []
    while words and words[0] not in {"|", ")", "]"}:
        said, words = _one(words, named)
        row.append(said)
    return _beside(row), words


def _beside(row: Sequence[_TemplatePart]) -> _TemplatePart:
    leads = next((n for n, said in enumerate(row) if not said.empty), len(row) - 1)
    first = frozenset[str]().union(*(said.first for said in row[: leads + 1]))
    pattern = "".join(said.pattern for said in row)
    longest = sum(said.longest for said in row)
    if not row or not row[leads].empty:
        return _TemplatePart(pattern, pattern, first, not row, longest, musts=_required_words(row))
    return _TemplatePart(pattern, _any_of(_not_nothing(row)), first, empty=True, longest=longest)


def _not_nothing(row: Sequence[_TemplatePart]) -> Iterator[tuple[str, int]]:
    """What may be left out, one behind the other, but not all of it."""
    for n, said in enumerate(row, 1):
        rest = row[n:]
        yield said.full + "".join(r.pattern for r in rest), said.longest + sum(r.longest for r in rest)


_CLOSES = {"(": ")", "[": "]"}


def _one(words: list[str], named: _NamedParts) -> tuple[_TemplatePart, list[str]]:
    word, *rest = words
    if word in _CLOSES:
        return _bracketed_part(word, rest, named)
    if word[0] != "<":
        return _word(word), rest
    return named.named_part(word[1:-1]), rest


def _bracketed_part(opens: str, words: list[str], named: _NamedParts) -> tuple[_TemplatePart, list[str]]:
    """What stands between brackets; between square ones it may be left out."""
    said, rest = _either(words, named)
    if rest[:1] != [_CLOSES[opens]]:
        raise ValueError(f"not closed: {opens} {' '.join(words)}")
    optional = said._replace(pattern=f"(?:{said.pattern})?", empty=True, musts=())
    return optional if opens == "[" else said, rest[1:]


def _word(word: str) -> _TemplatePart:
    start = _BEFORE if _LATIN.match(word[0]) else ""
    end = _BEHIND if _LATIN.match(word[-1]) else ""
    pattern = f"{start}{re.escape(word)}{end}"
    first = frozenset({first_of(word, 0)})
    return _TemplatePart(pattern, pattern, first, empty=False, longest=len(word), musts=_needs(word))


def _needs(word: str) -> Needs:
    """The Latin word a word begins with, or its characters; nothing of one that may go on behind its end."""
    latin = _LATIN_WORD.match(word)
    if latin is None:
        return (frozenset({word[0]}),)
    return (frozenset({latin[0]}),) if _LATIN.match(word[-1]) or latin.end() < len(word) else ()


def words_of(text: str) -> frozenset[str]:
    """What of a text a rule may need: its Latin words, and its characters."""
    return frozenset((*text, *_LATIN_WORD.findall(text)))
