"""What a question asks for: its terms, its concepts, and how much each of them tells in a collection."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from winnow.language.content import content_terms, is_character, is_stop, touches_stop
from winnow.language.ngrams import runs
from winnow.language.normalise import language_of, normalise
from winnow.language.segment import cut
from winnow.ports import Embedder
from winnow.recall.passages.alike import Alike, alike
from winnow.recall.passages.index import PassageIndex
from winnow.recall.passages.terms import LIMIT, WORD, is_word, passage_terms
from winnow.recall.passages.tuned import Tuning
from winnow.types.dialogue import Language
from winnow.types.search import Search


@dataclass(frozen=True, slots=True)
class Question:
    """Terms and concepts with their weights; both are what ``said`` looks for."""

    text: str = ""
    terms: Mapping[str, float] = field(default_factory=dict)
    concepts: Mapping[str, float] = field(default_factory=dict)
    """Its words of content, Chinese ones whole: no pairs of characters that only meet."""
    alike: Alike = field(default_factory=dict)
    """Terms of the collection that may stand for a concept, in the other language."""
    rare: Mapping[str, float] = field(default_factory=dict)
    """How much each of its content terms tells in all that was searched."""
    about: Mapping[str, float] = field(default_factory=dict)
    """What the talk turns on beside; it adds to scores only."""

    @property
    def language(self) -> Language:
        """Of its words."""
        return language_of(self.text)

    @property
    def mass(self) -> float:
        """How much all terms tell together."""
        return sum(self.terms.values()) or 1.0


def asked(search: Search, index: PassageIndex, table: Embedder | None = None) -> Question:
    """The question as it is asked of these passages; with a table, of those in the other language too."""
    text, forms = search.text, dict[str, str]()
    words = [word for run in runs(normalise(text, LIMIT))[1] for word in cut(run)]
    told = _told(passage_terms(text), words, index.tuned)
    content = list(dict.fromkeys(content_terms(text, forms)))
    concepts = [*filter(str.isascii, content), *dict.fromkeys(_concepts(words))]
    return Question(
        text,
        _weighed(told, index),
        index.rarity(concepts, plainly=False),
        alike(concepts, forms, index, table) if table else {},
        index.rarity(content),
        _weighed({term: value for term, value in search.context.items() if term not in told}, index),
    )


def _weighed(shares: Mapping[str, float], index: PassageIndex) -> dict[str, float]:
    """Terms, each with its share of its rarity."""
    return {term: rare * shares[term] for term, rare in index.rarity(list(shares)).items()}


def _concepts(words: Sequence[str]) -> Iterator[str]:
    for word in words:
        if not is_stop(word):
            yield WORD + word if len(word) > 1 else word


def _told(terms: Sequence[str], words: Collection[str], tuned: Tuning) -> dict[str, float]:
    """The terms and what share of its rarity each counts.

    Two characters that meet where one word ends and another begins are rare in any collection and say little:
    least where one of them says nothing.
    """
    within = {word[at : at + 2] for word in words for at in range(len(word) - 1)}
    found: dict[str, float] = {}
    for term in dict.fromkeys(terms):
        if term.isascii() or is_character(term) or term in within:
            found[term] = 1.0
        elif not is_word(term):
            found[term] = tuned.beside if touches_stop(term) else tuned.across
        elif not is_stop(term.removeprefix(WORD)):
            found[term] = 1.0
    return found
