"""Taxonomies of intent: the classes that come with the package, and those a person wrote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, cast, get_args

from winnow.errors import Phrase, Problem, TaxonomyError
from winnow.language.tables import table
from winnow.types.query import Bilingual, IntentClass, IntentSource, Taxonomy

TOP = ("name", "title", "about", "classes", "retrieve", "skip")
CLASS = ("id", "source", "name", "when", "cues", "implied", "request", "otherwise")
WORDS = ("name", "when", "cues", "implied", "request")
"""Fields of a class that are told in both languages."""
LANGUAGES = ("zh", "en")


def names() -> tuple[str, ...]:
    """The taxonomies that come with the package."""
    found = files(__package__).joinpath("taxonomies").iterdir()
    return tuple(sorted(p.name.removesuffix(".yaml") for p in found if p.name.endswith(".yaml")))


@cache
def taxonomy(name: str = "general") -> Taxonomy:
    """A taxonomy of the package. Raises TaxonomyError for a name it does not have."""
    if name not in names():
        raise TaxonomyError(
            [Problem("", "", Phrase("no taxonomy is called {name!r}", name=name))],
            hint=Phrase("There are {names}; or give a file.", names=names()),
        )
    return check_taxonomy(table(__package__, f"taxonomies/{name}.yaml"), f"{name}.yaml")


def read_taxonomy(text: str, file: str = "") -> Taxonomy:
    """The taxonomy of a YAML text; ``file`` is what errors call it.

    Raises TaxonomyError with every problem.
    """
    import yaml

    try:
        data = yaml.safe_load(text)  # not the parser in C: what is nested too deep for that ends the process
    except (ValueError, RecursionError, yaml.YAMLError) as error:
        where = getattr(error, "problem_mark", None)
        at = f"line {where.line + 1}" if where else ""
        why = getattr(error, "problem", None) or "unreadable"
        raise TaxonomyError([Problem(file, at, Phrase("not YAML: {why}", why=why))]) from None
    return check_taxonomy(data, file)


def check_taxonomy(data: object, file: str = "") -> Taxonomy:
    """The taxonomy of parsed data. Raises TaxonomyError with every problem."""
    check = _TaxonomyCheck(file)
    rows = check.mapping(data, "")
    check.check_keys(rows, TOP, "")
    classes = tuple(
        check.intent_class(row, f"classes[{n}]")
        for n, row in enumerate(check.items(rows.get("classes"), "classes"))
    )
    out = Taxonomy(
        name=check.text(rows.get("name"), "name"),
        classes=classes,
        title=check.both(rows.get("title"), "title"),
        about=check.both(rows.get("about"), "about"),
        retrieve=check.both(rows.get("retrieve"), "retrieve"),
        skip=check.both(rows.get("skip"), "skip"),
    )
    check.whole(out)
    if check.problems:
        raise TaxonomyError(check.problems)
    return out


@dataclass(slots=True)
class _TaxonomyCheck:
    """Reads fields and notes what is wrong with them."""

    file: str
    problems: list[Problem] = field(default_factory=list)

    def wrong(self, path: str, message: str) -> None:
        self.problems.append(Problem(self.file, path, message))

    def mapping(self, value: object, path: str) -> Mapping[str, Any]:
        if isinstance(value, dict) and all(isinstance(k, str) for k in value):
            return value
        self.wrong(path, Phrase("expected fields, found {kind}", kind=_type_name(value)))
        return {}

    def items(self, value: object, path: str) -> list[Any]:
        if isinstance(value, list) and value:
            return value
        expected = Phrase("expected a list that is not empty, found {kind}", kind=_type_name(value))
        self.wrong(path, "missing" if value is None else expected)
        return []

    def text(self, value: object, path: str) -> str:
        if isinstance(value, str) and value.strip():
            return value.strip()
        wrong = Phrase("expected text, found {kind}", kind=_type_name(value))
        self.wrong(path, "missing" if value is None else wrong)
        return ""

    def check_keys(self, rows: Mapping[str, Any], allowed: tuple[str, ...], path: str) -> None:
        for name in rows:
            if name not in allowed:
                self.wrong(
                    f"{path}.{name}".lstrip("."), Phrase("unknown; allowed are {names}", names=allowed)
                )

    def both(self, value: object, path: str) -> Bilingual:
        if value is None:
            return Bilingual()
        rows = self.mapping(value, path)
        self.check_keys(rows, LANGUAGES, path)
        return Bilingual(
            *(tuple(self.lines(rows.get(language), f"{path}.{language}")) for language in LANGUAGES)
        )

    def lines(self, value: object, path: str) -> Iterator[str]:
        rows = value if isinstance(value, list) else [] if value is None else [value]
        for n, row in enumerate(rows):
            at = f"{path}[{n}]" if isinstance(value, list) else path
            number = isinstance(row, int | float) and not isinstance(row, bool)
            yield self.text(str(row) if number else row, at)

    def intent_class(self, value: object, path: str) -> IntentClass:
        rows = self.mapping(value, path)
        self.check_keys(rows, CLASS, path)
        if not isinstance(rows.get("otherwise", False), bool):
            self.wrong(f"{path}.otherwise", "expected true or false")
        return IntentClass(
            id=self.text(rows.get("id"), f"{path}.id"),
            source=self.source(rows.get("source"), f"{path}.source"),
            **{field: self.both(rows.get(field), f"{path}.{field}") for field in WORDS},
            otherwise=rows.get("otherwise") is True,
        )

    def source(self, value: object, path: str) -> IntentSource:
        for known in get_args(IntentSource):
            if value == known:
                return cast("IntentSource", known)
        sources = get_args(IntentSource)
        self.wrong(path, Phrase("expected one of {known}, found {value}", known=sources, value=repr(value)))
        return "none"

    def whole(self, read: Taxonomy) -> None:
        """What only the whole shows."""
        ids = [c.id for c in read.classes]
        for n, name in enumerate(ids):
            if name and name in ids[:n]:
                self.wrong(f"classes[{n}].id", Phrase("{id!r} occurs twice", id=name))
        if read.classes and not self.problems:
            self.retrieving(read)

    def retrieving(self, read: Taxonomy) -> None:
        """All but one class needs retrieval."""
        idle = sum(c.source == "none" for c in read.classes)
        if idle != 1:
            wrong = Phrase("exactly one class must have the source none, found {count}", count=idle)
            self.wrong("classes", wrong)
        elif len(read.classes) == 1:
            self.wrong("classes", "no class needs retrieval")


def _type_name(value: object) -> str:
    """What a person calls the type of a value."""
    name = type(value).__name__
    return {"dict": "fields", "list": "a list", "str": "text", "NoneType": "nothing"}.get(name, name)
