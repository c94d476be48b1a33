"""The readings of one sentence: by the rules, with ways of saying, with words beside, as it may be misheard.

Each has words and a rulebook of its own and is tried only where those before it left it something to read;
what several of them need is looked for once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from winnow.language.ways.templates import TURNED
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Token, has_kind
from winnow.types.utterance import LanguageCode
from winnow.understand.grammar.asr_variants import (
    AsrVariant,
    asr_variants,
    is_strange,
    is_whole_variant,
    variant_readings,
)
from winnow.understand.grammar.lattice import SOUND_PRICE, build_lattice, edge_token
from winnow.understand.grammar.parser import TOKEN_PRICE, Item, Root, Tree, build_tree, cheapest_parse
from winnow.understand.grammar.rulebook import INFINITE_COST, Rulebook, load_rulebook
from winnow.understand.grammar.senses import (
    SpanReading,
    composed_words,
    idiom_words,
    paraphrase_verbs,
    paraphrase_words,
)
from winnow.understand.meaning import corrections, operations
from winnow.understand.meaning.instructions import VALUE_KINDS, ActDraft, Operation, TreeMeaning, join_parts
from winnow.understand.words.tokens import has_use
from winnow.understand.words.vocabulary import Vocabulary

# What was heard beside an order as it is written: how much dearer it may be, and what it must name.


MAX_ASR_PRICE = 1.5
"""What may be heard of words that are passed over as written: it is asked about."""


def asr_price_limit(cost: float, drafts: Sequence[ActDraft], tokens: Sequence[Token]) -> float:
    """The price from which nothing is heard in the place of orders that cost this much.

    More where every word of what is ordered is known and others are only told beside it; nothing is heard
    in the place of a condition.
    """
    if any(d.conditions for d in drafts):
        return 0.0
    ordered = {n for d in drafts for w in d.words for n in range(w.start, w.end)}
    beside = all(ordered.isdisjoint(range(t.start, t.end)) for t in tokens if is_strange(t))
    return cost + (MAX_ASR_PRICE if beside else SOUND_PRICE)


def is_each_named(drafts: Sequence[ActDraft]) -> bool:
    """Whether a thing or place is named, and none is lacking of the first act or of one that was heard.

    A few sounds that only may be an act are none, and a remark beside an order may sound like a value.
    """
    named = [d for d in drafts if any(map(_is_naming_word, d.words))]
    heard = [d for d in drafts if any("heard" in w.data for w in d.words)]
    return bool(named) and (len(drafts) == 1 or all(d in named for d in (*heard, *drafts[:1])))


def _is_naming_word(word: Token) -> bool:
    return word.kind in DEVICE_KINDS | PLACE_KINDS and "implied" not in word.data


# A tree -> what it orders: each production does with its parts what its operation says.


def tree_meaning(tree: Tree | Token) -> TreeMeaning:
    """What a tree says."""
    if isinstance(tree, Token):
        return TreeMeaning(words=(tree,))
    parts = [tree_meaning(part) for part in tree.parts]
    return OPERATIONS[tree.rule.operation](parts, tree)


OPERATIONS: dict[str, Operation] = {
    "merge": join_parts,
    "order": operations.build_order,
    "forbid": operations.forbid_order,
    "reversed": operations.reverse_order,
    "reversed_order": operations.reverse_act,
    "held": operations.hold_order,
    "lifted": operations.lift_order,
    "except": operations.except_named,
    "only": operations.spare_only,
    "readmit": operations.readmit_named,
    "union": operations.join_things,
    "undo": operations.undo_state,
    "made_so": operations.wished_state,
    "switched": operations.switch_part,
    "pressed": operations.press_named,
    "namely": operations.list_members,
    "leading": operations.share_leading_place,
    "cut_off": operations.drop_cut_off,
    "paused": operations.join_uncertain,
    "doubtful": operations.doubtful_words,
    "void": operations.drop_words,
    "condition": operations.order_condition,
    "which": operations.filter_things,
    "under": operations.order_under_condition,
    "otherwise": operations.alternative_order,
    "seq": operations.join_clauses,
    "about": corrections.complete_from_remark,
    "begun": corrections.begin_order,
    "aside": operations.drop_aside,
    "correct": corrections.correct_order,
    "retarget": corrections.retarget_order,
    "placed": operations.with_place,
    "members": operations.replace_by_members,
    "narrow": operations.narrow_places,
    "included": operations.include_listed,
    "listed": operations.replace_by_listed,
    "lacking": corrections.exclude_named,
    "described": corrections.drop_appearance,
    "again": corrections.repeat_order,
    "pair": corrections.pair_values,
    "likewise": corrections.no_order_likewise,
    "instead": corrections.no_order_instead,
    "means": corrections.replace_by_means,
    "told": operations.no_order("told"),
    "ask": operations.no_order("asked"),
    "able": operations.no_order("able"),
    "talk": operations.no_order("chat"),
    "report": operations.no_order("reported"),
    "elsewhere": operations.no_order("elsewhere"),
    "retract": operations.no_order("withdrawn"),
    "revert": operations.no_order("undo"),
    "withdraw": operations.withdraw_orders,
    "wish": operations.no_order("wish"),
}


ACTING_KINDS = frozenset({"verb", "step", "particle", "dark", "media", "scene"}) | VALUE_KINDS
"""Kinds of words one of which an order holds; the others only name."""
FORBIDDING_KINDS = frozenset({"negation", "except"})
"""Kinds of words by one of which an order not to act is told."""
PLAIN_PRICE = 0.5
"""What an order may cost beside its words that the rules alone read; a turn of phrase must save as much."""
SAVED_PRICE = 1.0
"""What the rules of words beside an order take off its price, of most parses."""


@dataclass(frozen=True, slots=True)
class Parse:
    """A sentence parsed in full: its tree and what it says."""

    root: Root
    tree: Tree
    part: TreeMeaning
    heard: tuple[Token, ...] = ()
    """Stretches that were read as a whole."""

    @property
    def price(self) -> float:
        """What it costs beside its words: how far it goes out of the way."""
        return self.root.cost - TOKEN_PRICE * len(tuple(self.tree.words))


@dataclass(frozen=True)
class SentenceParses:
    """The readings of a normalised text by the grammar of a language over the words of one home."""

    language: LanguageCode
    vocabulary: Vocabulary
    text: str

    def written_parse(self, heard: Sequence[Token] = ()) -> Parse | None:
        """The best parse as it is written; None when nothing covers the text whole.

        ``heard``: stretches to be read as a whole; those that only sound like names of the home are tried
        when the words as said do not parse, or not all of them are known.
        """
        said_so = [t for t in heard if "heard" not in t.data]
        made = self._best_parse(said_so)
        if len(said_so) < len(heard) and (made is None or _has_unknown(made)):
            made = self._best_parse(heard) or made
        return made

    def asr_parse(self, tokens: Sequence[Token], most: float) -> Parse | None:
        """The best order with words that sound alike: by the rules, else with ways of saying as well.

        One that costs ``most`` may be left out.
        """
        sounds = list(asr_variants(self.text, tokens, self.vocabulary, self.language))
        if not sounds:
            return None
        plain = self._asr_parse_by(load_rulebook(self.language, idioms=False), sounds, tokens, most)
        return plain or self._asr_parse_by(self._book, sounds, tokens, most)

    def paraphrase_parse(self, heard: Sequence[Token]) -> Parse | None:
        """With ways of saying and turns of phrase; None where the text holds none or they lead nowhere."""
        composed = next(composed_words(self.text, self._book), None)
        if not (self._paraphrase_words or self._idiom_words or composed):
            return None
        made = self._cheapest_parse(heard, (*self._paraphrase_words, *self._idiom_words))
        if made is None or not self._idiom_words or self._is_settled(made):
            return made
        other = self._cheapest_parse(heard, self._paraphrase_words)
        return other if other and self._is_fitting(other) else made

    def parse_of(self, root: Root, heard: Sequence[Token] = ()) -> Parse | None:
        """A root with its tree; None where it is a single word."""
        made = self.tree_of(root.item)
        return Parse(root, made, tree_meaning(made), tuple(heard)) if isinstance(made, Tree) else None

    def tree_of(self, item: Item) -> Tree | Token:
        """The tree of an item of the chart, with its words."""
        return build_tree(item, self._book, lambda edge: edge_token(edge, self.text, self.vocabulary))

    def is_ordered(self, made: Parse) -> bool:
        """Whether it says what is to be done, or not to be, in words that are known and lie close."""
        return _is_act(made) and not self.is_far_fetched(made)

    def is_far_fetched(self, made: Parse) -> bool:
        """Whether what orders something costs too much beside its words; each order more may cost one."""
        drafts = len(made.part.drafts)
        return bool(drafts) and made.price > self._book.dearest + drafts - 1

    @cached_property
    def _book(self) -> Rulebook:
        """All that the language reads."""
        return load_rulebook(self.language)

    @cached_property
    def _paraphrase_words(self) -> tuple[SpanReading, ...]:
        return tuple(paraphrase_words(self.text, self._book))

    @cached_property
    def _paraphrase_verbs(self) -> tuple[SpanReading, ...]:
        return tuple(paraphrase_verbs(self.text, self._book))

    @cached_property
    def _idiom_words(self) -> tuple[SpanReading, ...]:
        return tuple(idiom_words(self.text, self._book))

    def _best_parse(self, heard: Sequence[Token]) -> Parse | None:
        """By the rules of the language; what they do not read as orders, with its ways of saying as well.

        Where those read none either, with any words beside one.
        """
        by_rules = self._rules_parse(heard)
        if by_rules is not None and self._is_asked(by_rules):
            return by_rules
        if by_rules is not None and self.is_ordered(by_rules):
            return self._idiom_parse(by_rules, heard)
        made = self.paraphrase_parse(heard) or by_rules
        if made is not None and (self._is_asked(made) or self.is_ordered(made)):
            return made
        return self._parse_beside(heard) or made

    def _rules_parse(self, heard: Sequence[Token]) -> Parse | None:
        """With the verbs that a rule of ways makes where they fit what is named, else without them."""
        made = self._cheapest_parse(heard, self._paraphrase_verbs) if self._paraphrase_verbs else None
        if made is not None and self.is_ordered(made):
            return made
        return self._cheapest_parse(heard)

    def _idiom_parse(self, by_rules: Parse, heard: Sequence[Token]) -> Parse:
        """What is out of the way as the rules read it is tried with turns of phrase, which must save some."""
        if by_rules.price <= PLAIN_PRICE:
            return by_rules
        other = self._cheapest_parse(heard, self._idiom_words) if self._idiom_words else None
        if other is None or other.root.cost + PLAIN_PRICE > by_rules.root.cost:
            return by_rules
        return by_rules if self._is_fitting(by_rules) and not self._is_fitting(other) else other

    def _parse_beside(self, heard: Sequence[Token]) -> Parse | None:
        """An order with any words beside it that tell something; None where there is none, or a dear one."""
        most = self._book.beside
        if not most:
            return None
        made = self._cheapest_parse(heard, (*self._paraphrase_words, *self._paraphrase_verbs), remarks=True)
        return made if made and self.is_ordered(made) and made.price <= most else None

    def island_parse(self, heard: Sequence[Token] = ()) -> Parse | None:
        """An order that names something, inside words that nothing reads; None where there is none."""
        book = load_rulebook(self.language, islands=True)
        idioms = (*self._paraphrase_words, *self._paraphrase_verbs)
        root = cheapest_parse(build_lattice(self.text, self.vocabulary, book, heard, idioms), book)
        if root is None:
            return None
        tree = build_tree(root.item, book, lambda edge: edge_token(edge, self.text, self.vocabulary))
        if not isinstance(tree, Tree):
            return None
        made = Parse(root, tree, tree_meaning(tree), tuple(heard))
        # How far it goes out of the way tells nothing: most of it are words that are passed over.
        return made if _is_act(made) and is_each_named(made.part.drafts) else None

    def _cheapest_parse(
        self, heard: Sequence[Token], idioms: Sequence[SpanReading] | None = None, *, remarks: bool = False
    ) -> Parse | None:
        """By the rules alone, or with these words of ways as well."""
        book = load_rulebook(self.language, idioms=idioms is not None, remarks=remarks)
        words = build_lattice(self.text, self.vocabulary, book, heard, idioms or ())
        most = book.beside + SAVED_PRICE + TOKEN_PRICE * words.size if remarks else INFINITE_COST
        root = cheapest_parse(words, book, most)
        return self.parse_of(root, heard) if root else None

    def _asr_parse_by(
        self, book: Rulebook, sounds: Sequence[AsrVariant], tokens: Sequence[Token], most: float
    ) -> Parse | None:
        """Where it orders, names something and leaves nothing unknown."""
        heard = variant_readings(sounds, self.vocabulary, book)
        words = (*heard, *(self._paraphrase_words if book.idioms else ()))
        whole = [t for t in tokens if is_whole(t) and "heard" not in t.data]
        root = cheapest_parse(
            build_lattice(self.text, self.vocabulary, book, whole, words, known=True), book, most
        )
        made = self.parse_of(root, whole) if root else None
        if not made or not self.is_ordered(made):
            return None
        # What was heard must be an order for something, with nothing left that nobody knows.
        all_heard = is_each_named(made.part.drafts) and is_whole_variant(made.tree.words, tokens, heard)
        return made if all_heard else None

    def _is_asked(self, made: Parse) -> bool:
        """Whether the rules read what no way of saying makes an order of: a question in its own form."""
        return not made.part.drafts and not self._book.settled_by.isdisjoint(made.part.moods)

    def _is_settled(self, made: Parse) -> bool:
        """Whether no turn of phrase can have hidden a way of saying."""
        # Things may be to leave off what they do not do: no other way says what was meant.
        leaves_off = any(TURNED in w.data for d in made.part.drafts for w in d.words)
        return bool(made.part.moods) or leaves_off or self._is_fitting(made)

    def _is_fitting(self, made: Parse) -> bool:
        """Whether it orders what can be said of such things; a turn of phrase that cannot hides no way."""
        return self.is_ordered(made) and not any(d.doubts for d in made.part.drafts)


def is_whole(token: Token) -> bool:
    """Whether a stretch was read as one: a title, a part of a name, what only sounds like a name."""
    return "heard" in token.data or "part" in token.data or token.kind == "media"


def _is_act(made: Parse) -> bool:
    """Whether it says what is to be done, or not to be, in words that are known."""
    words = [w for d in made.part.drafts for w in d.words]
    acts = any(w.kind in ACTING_KINDS | FORBIDDING_KINDS or has_use(w, "left") for w in words)
    return acts and not _has_unknown(made)


def _has_unknown(parse: Parse) -> bool:
    """Whether a word of what is ordered is known to nobody; of what is only told nothing need be known."""
    words = [w for d in parse.part.drafts for w in d.words] or parse.tree.words
    return has_kind(words, "word")
