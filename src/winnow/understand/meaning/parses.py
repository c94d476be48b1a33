"""The readings of one sentence: by the rules, with ways of saying, with words beside, as it may be misheard.

Each has words and a rulebook of its own and is tried only where those before it left it something to read;
what several of them need is looked for once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from winnow.language.ways.templates import TURNED
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token
from winnow.types.utterance import Language
from winnow.understand.grammar.asr_variants import Sound, heard_otherwise, is_strange, is_whole_heard, read_as
from winnow.understand.grammar.lattice import HEARD, lattice, token_of
from winnow.understand.grammar.parser import TOKEN, Item, Root, Tree, cheapest, tree
from winnow.understand.grammar.rulebook import NEVER, Rulebook, rulebook
from winnow.understand.grammar.senses import Spoken, said_composed, said_turns, said_verbs, said_ways
from winnow.understand.meaning.corrections import (
    about,
    again,
    begun,
    by_means,
    corrected,
    described,
    instead,
    lacking,
    likewise,
    paired,
    retargeted,
)
from winnow.understand.meaning.drafts import VALUES, Draft, Operation, Part, together
from winnow.understand.meaning.operations import (
    aside,
    condition,
    cut_off,
    doubtful,
    excepted,
    forbidden,
    held,
    included,
    leading,
    lifted_order,
    listed,
    made_so,
    members,
    mood,
    namely,
    narrow,
    only,
    order,
    otherwise,
    paused,
    placed,
    readmit,
    reversed_,
    reversed_order,
    sequence,
    under,
    undo,
    union,
    void,
    which,
    withdrawn,
)
from winnow.understand.words.tokens import serves
from winnow.understand.words.vocabulary import Vocabulary

# What was heard beside an order as it is written: how much dearer it may be, and what it must name.


OVERHEARD = 1.5
"""What may be heard of words that are passed over as written: it is asked about."""


def most_heard(cost: float, drafts: Sequence[Draft], tokens: Sequence[Token]) -> float:
    """The price from which nothing is heard in the place of orders that cost this much.

    More where every word of what is ordered is known and others are only told beside it; nothing is heard
    in the place of a condition.
    """
    if any(d.conditions for d in drafts):
        return 0.0
    ordered = {n for d in drafts for w in d.words for n in range(w.start, w.end)}
    beside = all(ordered.isdisjoint(range(t.start, t.end)) for t in tokens if is_strange(t))
    return cost + (OVERHEARD if beside else HEARD)


def each_names_its_own(drafts: Sequence[Draft]) -> bool:
    """Whether a thing or place is named, and none is lacking of the first act or of one that was heard.

    A few sounds that only may be an act are none, and a remark beside an order may sound like a value.
    """
    named = [d for d in drafts if any(map(_names, d.words))]
    heard = [d for d in drafts if any("heard" in w.data for w in d.words)]
    return bool(named) and (len(drafts) == 1 or all(d in named for d in (*heard, *drafts[:1])))


def _names(word: Token) -> bool:
    return word.kind in DEVICE_KINDS | PLACE_KINDS and "implied" not in word.data


# A tree -> what it orders: each production does with its parts what its operation says.


def said(tree: Tree | Token) -> Part:
    """What a tree says."""
    if isinstance(tree, Token):
        return Part(words=(tree,))
    parts = [said(part) for part in tree.parts]
    return _OPERATIONS[tree.rule.operation](parts, tree)


_OPERATIONS: dict[str, Operation] = {
    "merge": together,
    "order": order,
    "forbid": forbidden,
    "reversed": reversed_,
    "reversed_order": reversed_order,
    "held": held,
    "lifted": lifted_order,
    "except": excepted,
    "only": only,
    "readmit": readmit,
    "union": union,
    "undo": undo,
    "made_so": made_so,
    "namely": namely,
    "leading": leading,
    "cut_off": cut_off,
    "paused": paused,
    "doubtful": doubtful,
    "void": void,
    "condition": condition,
    "which": which,
    "under": under,
    "otherwise": otherwise,
    "seq": sequence,
    "about": about,
    "begun": begun,
    "aside": aside,
    "correct": corrected,
    "retarget": retargeted,
    "placed": placed,
    "members": members,
    "narrow": narrow,
    "included": included,
    "listed": listed,
    "lacking": lacking,
    "described": described,
    "again": again,
    "pair": paired,
    "likewise": likewise,
    "instead": instead,
    "means": by_means,
    "told": mood("told"),
    "ask": mood("asked"),
    "able": mood("able"),
    "talk": mood("chat"),
    "report": mood("reported"),
    "elsewhere": mood("elsewhere"),
    "retract": mood("withdrawn"),
    "revert": mood("undo"),
    "withdraw": withdrawn,
    "wish": mood("wish"),
}


OPERATIONS = frozenset(_OPERATIONS)
"""What a production may do with its parts."""


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
