"""What of the sources stands in the messages: their sentences, as far as they were not cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from winnow.language.content import content_terms
from winnow.language.normalise import normalise
from winnow.language.sentences import Span, clauses_of, sentences
from winnow.text.tokens import count_tokens
from winnow.types.ref import Ref
from winnow.types.shortlist import Shortlist

LONGEST = 100_000
"""Characters of a text that are looked at."""


@dataclass(frozen=True)
class Sentence:
    """A sentence of a source, or what is left of it."""

    text: str
    tokens: int

    @cached_property
    def terms(self) -> frozenset[str]:
        """What it says."""
        return frozenset(content_terms(self.text))


@dataclass(frozen=True)
class Piece:
    """What stands in the messages of one thing that was found."""

    ref: Ref
    title: str
    relevance: float
    """Calibrated, 0..1."""
    sentences: tuple[Sentence, ...]

    @cached_property
    def title_terms(self) -> frozenset[str]:
        """What its title says."""
        return frozenset(content_terms(self.title))

    @cached_property
    def terms(self) -> frozenset[str]:
        """What title and sentences say."""
        return self.title_terms.union(*(sentence.terms for sentence in self.sentences))

    @cached_property
    def text(self) -> str:
        """Title and sentences."""
        return "\n".join((self.title, *(sentence.text for sentence in self.sentences)))


def pieces(found: Sequence[Shortlist], sent: str) -> tuple[Piece, ...]:
    """What of the shortlists the text that is sent holds, in their order; marks and blanks do not count."""
    there, squeezed_text = [], squeezed(sent)
    for candidate in (c for shortlist in found for c in shortlist.candidates):
        data = candidate.data
        said: Mapping[str, object] = data if isinstance(data, Mapping) else {"text": data or ""}
        spans = sentences(str(said.get("text", ""))[:LONGEST])
        texts = filter(None, (_kept(span, squeezed_text) for span in spans))
        kept = tuple(Sentence(text, count_tokens(text)) for text in texts)
        if kept:
            relevance, title = min(1.0, max(0.0, candidate.score)), str(said.get("title") or "")
            there.append(Piece(candidate.ref, title, relevance, kept))
    return tuple(there)


def _kept(sentence: Span, sent: str) -> str:
    """The sentence where it stands in what is sent, else those of its clauses that do."""
    if _stands(sentence.text, sent):
        return sentence.text.strip()
    return " ".join(span.text.strip() for span in clauses_of(sentence) if _stands(span.text, sent))


def squeezed(text: str) -> str:
    """Letters, characters and digits alone: what is quoted in another way is still the same."""
    return "".join(sign for sign in normalise(text, LONGEST) if sign.isalnum())


def _stands(text: str, sent: str) -> bool:
    said = squeezed(text)
    return bool(said) and said in sent
