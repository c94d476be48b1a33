"""The readings of one sentence: by the rules, with ways of saying, with words beside, as it may be misheard.

Each has words and a rulebook of its own and is tried only where those before it left it something to read;
what several of them need is looked for once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from winnow.language.ways.read import TURNED
from winnow.types.dialogue import Language
from winnow.types.query import Token
from winnow.understand.grammar.chart import TOKEN, Item, Root, cheapest
from winnow.understand.grammar.composed import said_composed
from winnow.understand.grammar.hearing import Sound, heard_otherwise, is_whole_heard, read_as
from winnow.understand.grammar.lattice import lattice, token_of
from winnow.understand.grammar.rulebook import NEVER, Rulebook, rulebook
from winnow.understand.grammar.trees import Tree, tree
from winnow.understand.grammar.turns import said_turns
from winnow.understand.grammar.ways import Spoken, said_verbs, said_ways
from winnow.understand.sentence.drafts import VALUES, Part
from winnow.understand.sentence.listening import each_names_its_own
from winnow.understand.sentence.operations import said
from winnow.understand.words.kinds import serves
from winnow.understand.words.vocabulary import Vocabulary

ACTING = frozenset({"verb", "step", "particle", "dark", "media", "scene"}) | VALUES
"""Kinds of words one of which an order holds; the others only name."""
FORBIDDING = frozenset({"negation", "except"})
"""Kinds of words by one of which an order not to act is told."""
PLAIN = 0.5
"""What an order may cost beside its words that the rules alone read; a turn of phrase must save as much."""
SPARED = 1.0
"""What the rules of words beside an order take off its price, of most parses."""


@dataclass(frozen=True, slots=True)
class Parse:
    """A sentence parsed in full: its tree and what it says."""

    root: Root
    tree: Tree
    part: Part
    heard: tuple[Token, ...] = ()
    """Stretches that were read as a whole."""

    @property
    def price(self) -> float:
        """What it costs beside its words: how far it goes out of the way."""
        return self.root.cost - TOKEN * len(tuple(self.tree.words))


@dataclass(frozen=True)
class Attempts:
    """The readings of a normalised text by the grammar of a language over the words of one home."""

    language: Language
    vocabulary: Vocabulary
    text: str

    def written(self, heard: Sequence[Token] = ()) -> Parse | None:
        """The best parse as it is written; None when nothing covers the text whole.

        ``heard``: stretches to be read as a whole; those that only sound like names of the home are tried
        when the words as said do not parse, or not all of them are known.
        """
        said_so = [t for t in heard if "heard" not in t.data]
        made = self._best(said_so)
        if len(said_so) < len(heard) and (made is None or _has_unknown(made)):
            made = self._best(heard) or made
        return made

    def misheard(self, tokens: Sequence[Token], most: float) -> Parse | None:
        """The best order with words that sound alike: by the rules, else with ways of saying as well.

        One that costs ``most`` may be left out.
        """
        sounds = list(heard_otherwise(self.text, tokens, self.vocabulary, self.language))
        if not sounds:
            return None
        plain = self._misheard_by(rulebook(self.language, idioms=False), sounds, tokens, most)
        return plain or self._misheard_by(self._book, sounds, tokens, most)

    def by_idioms(self, heard: Sequence[Token]) -> Parse | None:
        """With ways of saying and turns of phrase; None where the text holds none or they lead nowhere."""
        composed = next(said_composed(self.text, self._book), None)
        if not (self._ways or self._turns or composed):
            return None
        made = self._cheapest(heard, (*self._ways, *self._turns))
        if made is None or not self._turns or self._is_settled(made):
            return made
        other = self._cheapest(heard, self._ways)
        return other if other and self._is_fitting(other) else made

    def parsed(self, root: Root, heard: Sequence[Token] = ()) -> Parse | None:
        """A root with its tree; None where it is a single word."""
        made = self.tree(root.item)
        return Parse(root, made, said(made), tuple(heard)) if isinstance(made, Tree) else None

    def tree(self, item: Item) -> Tree | Token:
        """The tree of an item of the chart, with its words."""
        return tree(item, self._book, lambda edge: token_of(edge, self.text, self.vocabulary))

    def is_ordered(self, made: Parse) -> bool:
        """Whether it says what is to be done, or not to be, in words that are known and lie close."""
        words = [w for d in made.part.drafts for w in d.words]
        acts = any(w.kind in ACTING | FORBIDDING or serves(w, "left") for w in words)
        return acts and not self.is_far_fetched(made) and not _has_unknown(made)

    def is_far_fetched(self, made: Parse) -> bool:
        """Whether what orders something costs too much beside its words; each order more may cost one."""
        drafts = len(made.part.drafts)
        return bool(drafts) and made.price > self._book.dearest + drafts - 1

    @cached_property
    def _book(self) -> Rulebook:
        """All that the language reads."""
        return rulebook(self.language)

    @cached_property
    def _ways(self) -> tuple[Spoken, ...]:
        return tuple(said_ways(self.text, self._book))

    @cached_property
    def _verbs(self) -> tuple[Spoken, ...]:
        return tuple(said_verbs(self.text, self._book))

    @cached_property
    def _turns(self) -> tuple[Spoken, ...]:
        return tuple(said_turns(self.text, self._book))

    def _best(self, heard: Sequence[Token]) -> Parse | None:
        """By the rules of the language; what they do not read as orders, with its ways of saying as well.

        Where those read none either, with any words beside one.
        """
        by_rules = self._by_rules(heard)
        if by_rules is not None and self._is_asked(by_rules):
            return by_rules
        if by_rules is not None and self.is_ordered(by_rules):
            return self._turned(by_rules, heard)
        made = self.by_idioms(heard) or by_rules
        if made is not None and (self._is_asked(made) or self.is_ordered(made)):
            return made
        return self._beside(heard) or made

    def _by_rules(self, heard: Sequence[Token]) -> Parse | None:
        """With the verbs that a rule of ways makes where they fit what is named, else without them."""
        made = self._cheapest(heard, self._verbs) if self._verbs else None
        if made is not None and self.is_ordered(made):
            return made
        return self._cheapest(heard)

    def _turned(self, by_rules: Parse, heard: Sequence[Token]) -> Parse:
        """What is out of the way as the rules read it is tried with turns of phrase, which must save some."""
        if by_rules.price <= PLAIN:
            return by_rules
        other = self._cheapest(heard, self._turns) if self._turns else None
        if other is None or other.root.cost + PLAIN > by_rules.root.cost:
            return by_rules
        return by_rules if self._is_fitting(by_rules) and not self._is_fitting(other) else other

    def _beside(self, heard: Sequence[Token]) -> Parse | None:
        """An order with any words beside it that tell something; None where there is none, or a dear one."""
        most = self._book.beside
        if not most:
            return None
        made = self._cheapest(heard, (*self._ways, *self._verbs), remarks=True)
        return made if made and self.is_ordered(made) and made.price <= most else None

    def _cheapest(
        self, heard: Sequence[Token], idioms: Sequence[Spoken] | None = None, *, remarks: bool = False
    ) -> Parse | None:
        """By the rules alone, or with these words of ways as well."""
        book = rulebook(self.language, idioms=idioms is not None, remarks=remarks)
        words = lattice(self.text, self.vocabulary, book, heard, idioms or ())
        most = book.beside + SPARED + TOKEN * words.size if remarks else NEVER
        root = cheapest(words, book, most)
        return self.parsed(root, heard) if root else None

    def _misheard_by(
        self, book: Rulebook, sounds: Sequence[Sound], tokens: Sequence[Token], most: float
    ) -> Parse | None:
        """Where it orders, names something and leaves nothing unknown."""
        heard = read_as(sounds, self.vocabulary, book)
        words = (*heard, *(self._ways if book.idioms else ()))
        whole = [t for t in tokens if is_whole(t) and "heard" not in t.data]
        root = cheapest(lattice(self.text, self.vocabulary, book, whole, words, known=True), book, most)
        made = self.parsed(root, whole) if root else None
        return made if made and self._is_all_heard(made, tokens, heard) else None

    def _is_all_heard(self, made: Parse, tokens: Sequence[Token], heard: Sequence[Spoken]) -> bool:
        """Whether what was heard is an order for something, with nothing left that nobody knows."""
        ordered = self.is_ordered(made) and each_names_its_own(made.part.drafts)
        return ordered and is_whole_heard(made.tree.words, tokens, heard)

    def _is_asked(self, made: Parse) -> bool:
        """Whether the rules read what no way of saying makes an order of: a question in its own form."""
        return not made.part.drafts and not self._book.settled_by.isdisjoint(made.part.moods)

    def _is_settled(self, made: Parse) -> bool:
        """Whether no turn of phrase can have hidden a way of saying."""
        return bool(made.part.moods) or _leaves_off(made) or self._is_fitting(made)

    def _is_fitting(self, made: Parse) -> bool:
        """Whether it orders what can be said of such things; a turn of phrase that cannot hides no way."""
        return self.is_ordered(made) and not any(d.doubts for d in made.part.drafts)


def is_whole(token: Token) -> bool:
    """Whether a stretch was read as one: a title, a part of a name, what only sounds like a name."""
    return "heard" in token.data or "part" in token.data or token.kind == "media"


def _leaves_off(made: Parse) -> bool:
    """Whether things are to leave off what they do not do: no other way says what was meant."""
    return any(TURNED in w.data for d in made.part.drafts for w in d.words)


def _has_unknown(parse: Parse) -> bool:
    """Whether a word of what is ordered is known to nobody; of what is only told nothing need be known."""
    words = [w for d in parse.part.drafts for w in d.words] or parse.tree.words
    return any(w.kind == "word" for w in words)
