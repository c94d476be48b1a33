"""The grammar as data, compiled: productions to small integers and bit masks.

Those of all languages are ``rules/*.yaml``, those of one ``grammar/*.yaml`` of its folder.

A line reads ``RIGHT HAND SIDE [=> operation] [@ cost] [| example]``; ``X?`` may be left out, ``X/Y`` is
either.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, reduce
from importlib.resources import files
from itertools import product
from operator import or_
from typing import Any, NamedTuple

from winnow.language.gazetteer import Gazetteer, GazetteerEntry
from winnow.language.lexicon import past_entries, surfaces
from winnow.language.registry import LANGUAGES
from winnow.language.tables import prepared
from winnow.types.utterance import LanguageCode

INFINITE_COST = 1e9
"""The price of what is never passed over."""
MERGE_OPERATION = "merge"
"""The operation of a production that names none: what its parts say, together."""
JOINT_RULE = -1
"""The rule of a node that only holds the first parts of a longer production."""
SHARED_RULES = "shared"


class Production(NamedTuple):
    """One production, without optional parts and choices."""

    left: str
    right: tuple[str, ...]
    operation: str
    cost: float
    line: int


class GrammarLine(NamedTuple):
    """A line of the grammar as it is written."""

    language: str
    left: str
    text: str
    example: str


Parents = tuple[tuple[int, int, float, float, int], ...]
"""(symbol, its bit, cost, what it may cost in all, rule) of what a pair of symbols makes."""
Chain = tuple[int, int, float, float, tuple[int, ...]]
"""(symbol, its bit, cost, what it may cost in all, rules) of what one symbol may stand for."""


@dataclass(slots=True)
class Rulebook:
    """The productions of one language, ready to parse with.

    ``unary[s]``: what a symbol may stand for, ``stands[s]`` its mask; ``by_right[r]``: left neighbour ->
    parents, ``left_of[r]`` their mask; ``expects[l]``: mask of what may begin after ``l``; ``begins``: of
    what may begin a sentence; ``follows[s]``: of what may begin behind ``s``; ``closes``: of its ends.
    """

    language: str = ""
    idioms: bool = True
    """Whether it reads ways of saying and turns of phrase."""
    islands: bool = False
    """Whether it reads nothing but an order inside words that it does not read."""
    beside: float = 0.0
    """What an order may cost beside its words that has any words beside it; 0 where it has none."""
    settled_by: frozenset[str] = frozenset()
    """Moods in which no way of saying is looked for."""
    names: list[str] = field(default_factory=list)
    ids: dict[str, int] = field(default_factory=dict)
    lines: list[GrammarLine] = field(default_factory=list)
    rules: list[Production] = field(default_factory=list)
    classes: dict[str, list[tuple[int, float]]] = field(default_factory=dict)
    """Section of the lexicon, or section.meaning -> symbols with their cost."""
    any: tuple[tuple[int, float], ...] = ()
    """What every word is besides, with its cost."""
    talk: tuple[tuple[tuple[int, float], frozenset[str]], ...] = ()
    """What a word is besides in talk beside an order, with its cost; and the sections that never are."""
    skips: dict[str, float] = field(default_factory=dict)
    """Section, section.meaning or class -> the price of passing a word over."""
    words: Gazetteer = field(default_factory=lambda: Gazetteer(()))
    own: tuple[GazetteerEntry, ...] = ()
    """The entries of ``words``."""
    """Words the structure itself needs."""
    roots: dict[int, str] = field(default_factory=dict)
    caps: dict[int, float] = field(default_factory=dict)
    """What one clause may cost."""
    limit: float = 0.0
    dearest: float = 0.0
    """What a sentence that orders something may cost beside its words."""
    apart: dict[str, dict[str, list[tuple[GazetteerEntry, str, str]]]] = field(default_factory=dict)
    """Verbs of two words that may stand apart: first word -> second -> entry, section, meaning."""
    unary: list[tuple[Chain, ...]] = field(default_factory=list)
    by_right: list[dict[int, Parents]] = field(default_factory=list)
    left_of: list[int] = field(default_factory=list)
    expects: list[int] = field(default_factory=list)
    begins: int = 0
    stands: list[int] = field(default_factory=list)
    follows: list[int] = field(default_factory=list)
    closes: int = 0
    before: dict[int, int] = field(default_factory=dict)
    composed: dict[int, tuple[Any, GazetteerEntry]] = field(default_factory=dict)
    """Readings of composed words by the id of their entry, in the numbers of this book's symbols."""

    def may_precede(self, symbol: int) -> int:
        """Mask of what may end where a symbol begins."""
        found = self.before.get(symbol)
        if found is None:
            found = sum(1 << s for s, mask in enumerate(self.follows) if mask >> symbol & 1)
            self.before[symbol] = found
        return found

    def symbol(self, name: str) -> int:
        """The number of a symbol."""
        if name not in self.ids:
            self.ids[name] = len(self.names)
            self.names.append(name)
        return self.ids[name]


def load_rulebook(
    language: str, *, idioms: bool = True, remarks: bool = True, islands: bool = False
) -> Rulebook:
    """The grammar of a language, compiled once a process.

    ``idioms``: with what it makes of ways of saying and turns of phrase; without, it reads what is plain in
    less time. ``remarks``: with any words beside an order as well, where there are ``idioms``. ``islands``:
    nothing but an order inside words that need not be read.
    """
    # Not every language has rules for any words beside an order.
    beside = remarks and idioms and bool(grammar_classes(language).get("beside"))
    return _load_rulebook(language, idioms, beside, islands)


@cache
def _load_rulebook(language: str, idioms: bool, remarks: bool, islands: bool) -> Rulebook:
    book = Rulebook(language, idioms, islands)
    tables, own = shared_classes(), grammar_classes(language)
    _read_classes(book, tables, own)
    _read_words(book, own, remarks=remarks)
    _read_prices(book, tables, own, remarks=remarks)
    _read_lines(book, SHARED_RULES, __package__, [f"rules/{name}.yaml" for name in tables["files"]])
    parts = {"idioms": idioms, "beside": remarks, "islands": islands}
    last = (name for part, wanted in parts.items() if wanted for name in own.get(part, ()))
    names = [f"grammar/{name}.yaml" for name in (*own["files"], *last)]
    _read_lines(book, language, LANGUAGES[language].package, names)
    book.roots = {book.symbol(name): name for name in tables["island_roots" if islands else "roots"]}
    book.caps = {book.symbol(name): float(tables["clause_limit"]) for name in tables["clauses"]}
    _compile_rules(book)
    return book


def _read_classes(book: Rulebook, tables: Mapping[str, Any], own: Mapping[str, Any]) -> None:
    for name, spec in tables["classes"].items():
        for part in str(spec).split():
            section, _, cost = part.partition("@")
            book.classes.setdefault(section, []).append((book.symbol(name), float(cost or 0)))
    book.any = ((book.symbol(tables["any"]), 0.0),)
    around = own.get("island_talk", {}) if book.islands else {}
    for talk in (tables["talk"], around):
        # Each class of words of talk leaves out what those before it do.
        never: frozenset[str] = frozenset()
        for name, sections in talk.items():
            never |= frozenset(sections)
            book.talk = (*book.talk, ((book.symbol(name), 0.0), never))


def _read_words(book: Rulebook, own: Mapping[str, Any], *, remarks: bool) -> None:
    """The words of its own."""
    words = (*_word_entries(own["words"]), *past_entries(book.language))
    book.own = (*words, *_word_entries(own.get("remarks", {}))) if remarks else words
    book.words = Gazetteer(book.own)
    book.apart = _separable_verb_words() if own.get("separable") else {}


def _read_prices(book: Rulebook, tables: Mapping[str, Any], own: Mapping[str, Any], *, remarks: bool) -> None:
    book.settled_by = frozenset(own.get("settled_by", ()))
    prices = {**tables["skip"], **own.get("skip", {})}
    book.skips = {k: INFINITE_COST if v == "never" else float(v) for k, v in prices.items()}
    book.beside = float(tables["beside_limit"]) if remarks else 0.0
    book.limit = float(tables["limit"])
    book.dearest = float(tables["dearest"])


def _read_lines(book: Rulebook, owner: str, package: str, names: Iterable[str]) -> None:
    for name in names:
        for left, rows in _load_table(package, name).items():
            for row in rows:
                _read_line(book, GrammarLine(owner, left, row, row.partition("|")[2].strip()))


@cache
def grammar_labels() -> Mapping[str, Any]:
    """What people are told of the grammar: ``lefts`` and ``operations`` by language, and ``pieces``."""
    return _load_table(__package__, "rules/labels.yaml")


def shared_classes() -> Mapping[str, Any]:
    """What the grammar of every language is made of."""
    return _load_table(__package__, "rules/classes.yaml")


def grammar_classes(language: LanguageCode) -> Mapping[str, Any]:
    """What the grammar of a language is made of besides."""
    return _load_table(LANGUAGES[language].package, "grammar/classes.yaml")


@cache
def _load_table(package: str, name: str) -> dict[str, Any]:
    text = files(package).joinpath(*name.split("/")).read_text("utf-8")
    return dict(prepared("strings", text, parse_strings))


def parse_strings(text: str) -> Any:
    """A table of the grammar, all of it strings: ``on`` and ``no`` are words."""
    import yaml

    return yaml.load(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))  # noqa: S506 - plain strings only


def _separable_verb_words() -> dict[str, dict[str, list[tuple[GazetteerEntry, str, str]]]]:
    """The English verbs of two words, those aside whose first word only lends them its particle."""
    light, verbs, steps = surfaces("light_verb"), surfaces("verb"), surfaces("step")
    particles = surfaces("particle").keys() | surfaces("to").keys()
    found: dict[str, dict[str, list[tuple[GazetteerEntry, str, str]]]] = {}
    for section, table in (("verb", verbs), ("step", steps)):
        for surface, meaning in table.items():
            first, _, last = surface.partition(" ")
            if last and last.isascii() and " " not in last and (first not in light or last not in particles):
                entry = GazetteerEntry(surface, section, {"is": meaning})
                found.setdefault(first, {}).setdefault(last, []).append((entry, section, meaning))
    return found


def _word_entries(table: Mapping[str, Sequence[str] | str]) -> Iterator[GazetteerEntry]:
    for name, spec in table.items():
        for surface in spec.split() if isinstance(spec, str) else spec:
            yield GazetteerEntry(surface, f"part.{name}", {"is": name})


def _read_line(book: Rulebook, line: GrammarLine) -> None:
    rule, _, cost = line.text.partition("|")[0].partition("@")
    right, _, operation = rule.partition("=>")
    book.lines.append(line)
    parts = right.split()
    for kept in product(*[((p[:-1],), ()) if p.endswith("?") else ((p,),) for p in parts]):
        chosen = [p.split("/") for one in kept for p in one]
        for flat in product(*chosen) if chosen else ():
            book.rules.append(
                Production(
                    line.left,
                    flat,
                    operation.strip() or MERGE_OPERATION,
                    float(cost or 0),
                    len(book.lines) - 1,
                )
            )


def _compile_rules(book: Rulebook) -> None:
    lines = (f"{line.left} = {line.text}" for line in book.lines)
    written = "\n".join((*book.names, *lines, *map(str, (book.roots, book.caps))))
    made = prepared("grammar", written, lambda _text: compiled_rules(book))
    book.names, book.ids = made["names"], {name: n for n, name in enumerate(made["names"])}
    book.expects = [made["masks"][n] for n in made["expects"]]
    book.follows = [made["masks"][n] for n in made["follows"]]
    book.begins, book.closes = made["begins"], made["closes"]
    _read_compiled(book, made)


def _read_compiled(book: Rulebook, made: Mapping[str, Any]) -> None:
    """What single symbols and pairs of them make."""
    book.unary = [
        tuple(_costed(book, symbol, cost, tuple(rules)) for symbol, cost, rules in chains)
        for chains in made["unary"]
    ]
    book.stands = [sum(bit for _, bit, _, _, _ in chains) for chains in book.unary]
    book.by_right = [{} for _ in book.names]
    for left, right, parents in made["pairs"]:
        book.by_right[right][left] = tuple(_costed(book, *one) for one in parents)
    book.left_of = [sum(1 << left for left in lefts) for lefts in book.by_right]


def _costed(book: Rulebook, symbol: int, cost: float, rules: Any) -> tuple[int, int, float, float, Any]:
    """What something makes, with its bit and what it may cost in all."""
    return symbol, 1 << symbol, cost, book.caps.get(symbol, INFINITE_COST), rules


def compiled_rules(book: Rulebook) -> dict[str, Any]:
    """What takes long to make of the productions, as plain data."""
    pairs, single = _binary_rules(book)
    size = len(book.names)
    corner = _left_corners(size, pairs, single)
    expects = [0] * size
    for left, right in pairs:
        expects[left] |= corner[right]
    follows, closes = _follow_masks(book, expects, pairs, single)
    # Of four symbols three share their mask with another.
    numbers = {mask: n for n, mask in enumerate(dict.fromkeys((*expects, *follows)))}
    return {
        "names": book.names,
        "pairs": [
            [left, right, [[p, cost, rule] for p, (cost, rule) in parents.items()]]
            for (left, right), parents in pairs.items()
        ],
        "unary": [_unary_chains(single, symbol) for symbol in range(size)],
        "masks": list(numbers),
        "expects": [numbers[mask] for mask in expects],
        "begins": reduce(or_, (corner[root] for root in book.roots)),
        "follows": [numbers[mask] for mask in follows],
        "closes": closes,
    }


_Pairs = dict[tuple[int, int], dict[int, tuple[float, int]]]
_Single = dict[int, dict[int, tuple[float, int]]]


def _binary_rules(book: Rulebook) -> tuple[_Pairs, _Single]:
    """The rules in pairs: longer ones by way of joints that rules with the same beginning share."""
    pairs: _Pairs = {}
    single: _Single = {}
    for number, rule in enumerate(book.rules):
        ids = [book.symbol(name) for name in rule.right]
        if len(ids) == 1:
            _keep_cheapest(single.setdefault(ids[0], {}), book.symbol(rule.left), rule.cost, number)
            continue
        left = ids[0]
        for n in range(2, len(ids)):
            joint = book.symbol(" ".join(rule.right[:n]))
            pairs.setdefault((left, ids[n - 1]), {}).setdefault(joint, (0.0, JOINT_RULE))
            left = joint
        _keep_cheapest(pairs.setdefault((left, ids[-1]), {}), book.symbol(rule.left), rule.cost, number)
    return pairs, single


def _keep_cheapest(table: dict[int, tuple[float, int]], symbol: int, cost: float, rule: int) -> None:
    if symbol not in table or table[symbol][0] > cost:
        table[symbol] = cost, rule


def _follow_masks(
    book: Rulebook, expects: Sequence[int], pairs: _Pairs, single: _Single
) -> tuple[list[int], int]:
    """For each symbol the mask of what may begin behind it; and the mask of those that may end a sentence."""
    end = 1 << len(book.names)
    behind = [expected | (end if s in book.roots else 0) for s, expected in enumerate(expects)]
    last = [(right, parent) for (_, right), parents in pairs.items() for parent in parents]
    last += [(child, parent) for child, parents in single.items() for parent in parents]
    _spread_masks(behind, [(parent, child) for child, parent in last])
    return behind, sum(1 << s for s, mask in enumerate(behind) if mask & end)


def _spread_masks(masks: list[int], along: Iterable[tuple[int, int]]) -> None:
    """What the first symbol of a pair has the second has too, until nothing is added any more."""
    takers: dict[int, set[int]] = {}
    for giver, taker in along:
        takers.setdefault(giver, set()).add(taker)
    work = {giver: None for giver in takers if masks[giver]}
    while work:
        giver, _ = work.popitem()
        mask = masks[giver]
        for taker in takers[giver]:
            if mask & ~masks[taker]:
                masks[taker] |= mask
                if taker in takers:
                    work[taker] = None


def _unary_chains(single: _Single, start: int) -> list[list[Any]]:
    """Everything a symbol may stand for, by the cheapest chain of rules: symbol, cost, rules."""
    best: dict[int, tuple[float, list[int]]] = {start: (0.0, [])}
    work = [start]
    while work:
        child = work.pop()
        for parent, (cost, rule) in single.get(child, {}).items():
            total = best[child][0] + cost
            if parent != start and (parent not in best or total < best[parent][0]):
                best[parent] = total, [*best[child][1], rule]
                work.append(parent)
    return [[p, cost, chain] for p, (cost, chain) in best.items() if p != start]


def _left_corners(size: int, pairs: _Pairs, single: _Single) -> list[int]:
    """For each symbol the mask of all that may stand first in it."""
    corner = [1 << i for i in range(size)]
    first = [(left, parent) for (left, _), parents in pairs.items() for parent in parents]
    first += [(child, parent) for child, parents in single.items() for parent in parents]
    _spread_masks(corner, first)
    return corner
