"""Whether words put something to the home, where the grammar makes no order and no question of the whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import takewhile

from winnow.language.normalise import is_han
from winnow.text.tables import table
from winnow.types.dialogue import Language
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token
from winnow.understand.grammar.rulebook import rulebook
from winnow.understand.words.kinds import says

UNKNOWN = "word"
"""Kind of the words that nothing explains."""
PERSON = frozenset({"filler.subject", "filler.you"})
"""Who asks about what somebody does, and not about a state of the home."""
PUT_TO_US = frozenset({"verb", "step"})
"""What an order behind a remark begins with."""
OF_HOME = (DEVICE_KINDS | PLACE_KINDS) - {"zone"}
"""Kinds of words that name something of one home."""
Uses = frozenset[str]
"""What a word may be, as ``requests.yaml`` names it: ``verb``, ``verb.past``, ``part.SUBJ``."""


def is_request(tokens: Sequence[Token], language: Language) -> bool:
    """Whether a clause names something of the home beside an act, or a word that may be one, and tells nothing.

    What is denied, supposed, cited, taken back, or somebody else's doing is told.
    """
    words = [(t, _uses(t, language)) for t in tokens]
    if any(uses & _listed("withdraws") for _, uses in words):
        return False
    return any(_requests(clause, language) for clause in _clauses(words))


def is_asked_of_home(tokens: Sequence[Token], language: Language) -> bool:
    """Whether a question names something of the home, and nobody who does anything."""
    return any(map(_is_of_home, tokens)) and not any(_uses(t, language) & PERSON for t in tokens)


def strange_words(tokens: Sequence[Token]) -> tuple[str, ...]:
    """The words that nothing explains, side by side ones as one, each once."""
    found: list[Token] = []
    for token in (t for t in tokens if t.kind == UNKNOWN):
        if found and is_han(token.text[0]) and found[-1].end == token.start:
            before = found.pop()
            token = Token(before.text + token.text, UNKNOWN, before.start, token.end)
        found.append(token)
    return tuple(dict.fromkeys(t.text for t in found))


_Word = tuple[Token, Uses]


def _clauses(words: Sequence[_Word]) -> Iterator[list[_Word]]:
    """The words between marks, and from each word on that begins a request anew."""
    clause: list[_Word] = []
    for word in words:
        if word[1] & (_listed("ends") | _listed("begins")):
            yield clause
            clause = []
        if not word[1] & _listed("ends"):
            clause.append(word)
    yield clause


def _requests(clause: Sequence[_Word], language: Language) -> bool:
    """Whether a clause names something of the home, and what is to be done is told of nobody."""
    if not any(_is_of_home(t) or t.kind == "reference" for t, _ in clause):
        return False
    act = next((n for n, (t, _) in enumerate(clause) if t.kind in _listed("acts")), None)
    if act is None and not any(t.kind == UNKNOWN for t, _ in clause):
        return False
    until = len(clause) if act is None else act + 1
    if not any(_tells(uses, language) for _, uses in clause[:until]):
        return True
    return any(_begins_behind(clause[: n + 1], language) for n in range(1, len(clause)))


def _begins_behind(clause: Sequence[_Word], language: Language) -> bool:
    """Whether the last word begins an order behind a remark: ``he forgot his key unlock the door``.

    The act, or in Chinese the thing right before it, follows on a word of a remark that denies nothing.
    """
    (act, uses), *before = reversed(clause)
    if act.kind not in PUT_TO_US or _tells(uses, language) or any(t.kind == "negation" for t, _ in before):
        return False
    named = list(takewhile(lambda word: _is_of_home(word[0]), before))
    if language == "zh":
        before = before[len(named) :] if named else []
    return bool(before) and _ends_a_remark(before, language)


def _ends_a_remark(before: Sequence[_Word], language: Language) -> bool:
    """Whether the words before, the nearest first, leave off: none that tells, no filler, half of no ``I'll``."""
    last, uses = before[0]
    if last.kind == "filler" or _tells(uses, language):
        return False
    return not (len(before) > 1 and before[1][0].kind == "mark" and before[1][0].end == last.start)


def _is_of_home(token: Token) -> bool:
    return token.kind in OF_HOME


def _tells(uses: Uses, language: Language) -> bool:
    return not uses.isdisjoint(_telling(language))


def _uses(token: Token, language: Language) -> Uses:
    """What a word may be: its section, its meaning and form, and its classes among the grammar's own words."""
    form = token.data.get("form")
    told = {token.kind, f"{token.kind}.{says(token)}", *([f"{token.kind}.{form}"] if form else ())}
    return frozenset(told) | _classes(language).get(token.text, frozenset())


@cache
def _listed(name: str) -> Uses:
    return frozenset(table("winnow.understand.sentence", "requests.yaml")[name])


@cache
def _telling(language: Language) -> Uses:
    told = table("winnow.understand.sentence", "requests.yaml")["tells"]
    return frozenset([*told["shared"], *told[language]]) | _listed("quotes")


@cache
def _classes(language: Language) -> Mapping[str, Uses]:
    """Word -> its classes among the words that the grammar itself needs."""
    found: dict[str, set[str]] = {}
    for entry in rulebook(language, idioms=False).own:
        found.setdefault(entry.surface, set()).add(entry.kind)
    return {word: frozenset(kinds) for word, kinds in found.items()}
