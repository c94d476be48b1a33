"""The words of a turn read by the grammar: the best parse of the whole sentence, and what it orders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from winnow.language.ways.read import TURNED
from winnow.types.dialogue import Language
from winnow.types.query import DEVICE_KINDS, PLACE_KINDS, Condition, Mention, QueryIR, Token
from winnow.understand.grammar.chart import NEAR, TOKEN, Item, Root, cheapest, parse
from winnow.understand.grammar.composed import said_composed
from winnow.understand.grammar.hearing import as_heard, heard_otherwise, is_strange, is_whole_heard
from winnow.understand.grammar.lattice import HEARD, lattice, token_of
from winnow.understand.grammar.rulebook import NEVER, Rulebook, rulebook
from winnow.understand.grammar.trees import Tree, sketch, tree, variants
from winnow.understand.grammar.turns import said_turns
from winnow.understand.grammar.ways import Spoken, said_verbs, said_ways
from winnow.understand.sentence.carry import carried, in_doubt, told_of, under_conditions
from winnow.understand.sentence.conditions import parse as parse_condition
from winnow.understand.sentence.contrast import contrasted
from winnow.understand.sentence.drafts import VALUES, Draft, Part, Span
from winnow.understand.sentence.instructions import instruction
from winnow.understand.sentence.listening import each_names_its_own, most_heard
from winnow.understand.sentence.operations import said
from winnow.understand.sentence.queries import queries
from winnow.understand.words.kinds import serves
from winnow.understand.words.repair import repair
from winnow.understand.words.tag import tag
from winnow.understand.words.vocabulary import Vocabulary
from winnow.understand.words.whole_states import whole_states

ACTING = frozenset({"verb", "step", "particle", "dark", "media", "scene"}) | VALUES
"""Kinds of words one of which an order holds; the others only name."""
FORBIDDING = frozenset({"negation", "except"})
"""Kinds of words by one of which an order not to act is told."""
PLAIN = 0.5
"""What an order may cost beside its words that the rules alone read; a turn of phrase must save as much."""
RIVALS = 3
"""Other readings that are looked at."""
Orders = tuple[QueryIR, ...]
"""What a sentence orders, one query for each act and thing."""


@dataclass(frozen=True, slots=True)
class Parse:
    """A sentence parsed in full: its tree and what it says."""

    root: Root
    tree: Tree
    part: Part
    heard: tuple[Token, ...] = ()
    """Stretches that were read as a whole."""


@dataclass(frozen=True, slots=True)
class Meant:
    """What a sentence may order, the likeliest first, and what else it says."""

    orders: tuple[Orders, ...]
    moods: tuple[str, ...] = ()
    guess: str = ""
    """The sentence as it was heard, where what is to be done was made out of one word nobody knows."""


@dataclass(frozen=True, slots=True)
class Reader:
    """The grammar of one language over the words of one home."""

    language: Language
    vocabulary: Vocabulary

    def meant(self, text: str, tokens: Sequence[Token]) -> Meant:
        """What a normalised text may order; other readings only where they say something else.

        ``tokens``: its words one by one, for what sounds like a name of the home, and for a sentence that
        does not parse: then the one reading is enough to ask or refuse, never to act on.
        """
        best = self.parse(text, [t for t in tokens if is_whole(t)])
        if (made := self._misheard(text, tokens, best)) is not None:
            return made
        idle = all(map(_names, tokens[_is_led(tokens) :]))
        if best is None or self._is_far_fetched(best):
            return Meant((_unread(tokens, text, whole=not idle),))
        if not best.part.drafts:
            return Meant(((),), best.part.moods)
        if idle and not _is_more_than_names(tokens, best):
            return Meant((_unread(tokens, text, whole=False),), best.part.moods)
        return self._said(best, text)

    def _said(self, best: Parse, text: str) -> Meant:
        """What a parse orders, and other readings about as cheap."""
        first = self.orders(best, text)
        return Meant((first, *self._others(best, text, first)), best.part.moods)

    def _says_nothing(self, best: Parse) -> bool:
        """Whether a sentence, as it is written, is neither an order nor told, asked or forbidden."""
        return not (self._is_ordered(best) or (best.part.moods and not best.part.drafts))

    def _misheard(self, text: str, tokens: Sequence[Token], best: Parse | None) -> Meant | None:
        """What is meant with words in the place of what sounds like them.

        None where as it is written it says something, and does so at a lower price.
        """
        written = None if best is None or self._says_nothing(best) else best
        if written and not any(map(is_strange, tokens)):
            return None
        made = self._heard(
            text, tokens, most_heard(written.root.cost, written.part.drafts, tokens) if written else NEVER
        )
        if made is None or (written and not self._is_rather(made, written, text, tokens)):
            return None
        doubted = written is not None and made.root.cost >= written.root.cost + HEARD
        return replace(self._said(made, text), guess=as_heard(text, made.tree.words, tokens, doubted=doubted))

    def _is_rather(self, made: Parse, written: Parse, text: str, tokens: Sequence[Token]) -> bool:
        """Whether what was heard, being something else, is about as likely as an order as it is written."""
        likely = made.root.cost < most_heard(written.root.cost, written.part.drafts, tokens)
        return likely and sense(self.orders(made, text)) != sense(self.orders(written, text))

    def _heard(self, text: str, tokens: Sequence[Token], most: float) -> Parse | None:
        """The best parse with words that sound alike: by the rules, else with ways of saying as well.

        One that costs ``most`` may be left out.
        """
        plain = self._heard_by(rulebook(self.language, idioms=False), text, tokens, most)
        return plain or self._heard_by(rulebook(self.language), text, tokens, most)

    def _heard_by(self, book: Rulebook, text: str, tokens: Sequence[Token], most: float) -> Parse | None:
        """Where it orders, names something and leaves nothing unknown."""
        sounds = heard_otherwise(text, tokens, self.vocabulary, book)
        if not sounds:
            return None
        words = (*sounds, *(said_ways(text, book) if book.idioms else ()))
        whole = [t for t in tokens if is_whole(t) and "heard" not in t.data]
        root = cheapest(lattice(text, self.vocabulary, book, whole, words, known=True), book, most)
        made = self._parsed(root, text, whole) if root else None
        return made if made and self._says_what(made, tokens, sounds) else None

    def _says_what(self, made: Parse, tokens: Sequence[Token], sounds: Sequence[Spoken]) -> bool:
        ordered = self._is_ordered(made) and each_names_its_own(made.part.drafts)
        return ordered and is_whole_heard(made.tree.words, tokens, sounds)

    def _is_far_fetched(self, best: Parse) -> bool:
        """Whether what orders something costs too much beside its words; each order more may cost one."""
        drafts = len(best.part.drafts)
        return bool(drafts) and _price(best) > rulebook(self.language).dearest + drafts - 1

    def parse(self, text: str, heard: Sequence[Token] = ()) -> Parse | None:
        """The best parse; None when nothing covers the text whole.

        ``heard``: stretches to be read as a whole; those that only sound like names of the home are tried
        when the words as said do not parse, or not all of them are known.
        """
        said_so = [t for t in heard if "heard" not in t.data]
        made = self._best(text, said_so)
        if len(said_so) < len(heard) and (made is None or _has_unknown(made)):
            made = self._best(text, heard) or made
        return made

    def orders(self, parse: Parse, text: str) -> Orders:
        """What a parse orders."""
        found: list[QueryIR] = []
        last: Mention | None = None
        for spans, drafts in groupby(parse.part.drafts, key=_hangs_on):
            conditions, against, each = (tuple(self._conditions(s, text, last)) for s in spans)
            last = conditions[-1].mention if conditions else last
            made = contrasted([instruction(d) for d in drafts])
            read = [q.which(*each) for one in made for q in queries(one, text)]
            found.extend(under_conditions(q, conditions, against) for q in read)
        return told_of(_rooms_beside(parse), carried(in_doubt(found, text)))

    def says(self, root: Root, text: str) -> tuple[Orders, tuple[str, ...]]:
        """What a way to take the whole orders, and its moods."""
        other = self._parsed(root, text)
        if other is None:
            return (), ()
        return self.orders(other, text) if other.part.drafts else (), other.part.moods

    def roots(self, text: str, heard: Sequence[Token] = ()) -> list[Root]:
        """Every way to take the whole, as sentences of each sort; the cheapest first."""
        book = rulebook(self.language)
        return parse(lattice(text, self.vocabulary, book, heard), book)

    def _best(self, text: str, heard: Sequence[Token]) -> Parse | None:
        """By the rules of the language; what they do not read as orders, with its ways of saying as well.

        Where those read none either, with any words beside one.
        """
        by_rules = self._by_rules(text, heard)
        if by_rules is not None and self._is_asked(by_rules):
            return by_rules
        if by_rules is not None and self._is_ordered(by_rules):
            return self._turned(by_rules, text, heard)
        made = self.by_idioms(text, heard) or by_rules
        if made is not None and (self._is_asked(made) or self._is_ordered(made)):
            return made
        return self._beside(text, heard) or made

    def _beside(self, text: str, heard: Sequence[Token]) -> Parse | None:
        """An order with any words beside it that tell something; None where there is none, or a dear one."""
        most = rulebook(self.language).beside
        if not most:
            return None
        idioms = (*said_ways(text, rulebook(self.language)), *said_verbs(text, rulebook(self.language)))
        made = self._cheapest(text, heard, idioms, remarks=True)
        return made if made and self._is_ordered(made) and _price(made) <= most else None

    def by_idioms(self, text: str, heard: Sequence[Token]) -> Parse | None:
        """With ways of saying and turns of phrase; None where the text holds none or they lead nowhere."""
        book = rulebook(self.language)
        idioms = (*said_ways(text, book), *said_turns(text, book))
        composed = next(said_composed(text, book), None)
        made = self._cheapest(text, heard, idioms) if idioms or composed else None
        if made is None or made.part.moods or _leaves_off(made) or self._is_fitting(made):
            return made
        other = self._cheapest(text, heard, tuple(said_ways(text, book)))
        return other if other and self._is_fitting(other) else made

    def _is_fitting(self, made: Parse) -> bool:
        """Whether it orders what can be said of such things; a turn of phrase that cannot hides no way."""
        return self._is_ordered(made) and not any(d.doubts for d in made.part.drafts)

    def _turned(self, by_rules: Parse, text: str, heard: Sequence[Token]) -> Parse:
        """What is out of the way as the rules read it is tried with turns of phrase, which must save some."""
        if _price(by_rules) <= PLAIN:
            return by_rules
        turns = tuple(said_turns(text, rulebook(self.language)))
        other = self._cheapest(text, heard, turns) if turns else None
        return other if other and other.root.cost + PLAIN <= by_rules.root.cost else by_rules

    def _by_rules(self, text: str, heard: Sequence[Token]) -> Parse | None:
        """With the verbs that a rule of ways makes where they fit what is named, else without them."""
        verbs = tuple(said_verbs(text, rulebook(self.language)))
        made = self._cheapest(text, heard, verbs) if verbs else None
        if made is not None and self._is_ordered(made):
            return made
        return self._cheapest(text, heard)

    def _cheapest(
        self,
        text: str,
        heard: Sequence[Token],
        idioms: Sequence[Spoken] | None = None,
        *,
        most: float = NEVER,
        remarks: bool = False,
    ) -> Parse | None:
        """By the rules alone, or with these words of ways as well; what costs ``most`` may be missed."""
        book = rulebook(self.language, idioms=idioms is not None, remarks=remarks)
        root = cheapest(lattice(text, self.vocabulary, book, heard, idioms or ()), book, most)
        return self._parsed(root, text, heard) if root else None

    def _is_asked(self, made: Parse) -> bool:
        """Whether the rules read what no way of saying makes an order of: a question in its own form."""
        settled_by = rulebook(self.language).settled_by
        return not made.part.drafts and not settled_by.isdisjoint(made.part.moods)

    def _is_ordered(self, made: Parse) -> bool:
        words = [w for d in made.part.drafts for w in d.words]
        acts = any(w.kind in ACTING | FORBIDDING or serves(w, "left") for w in words)
        return acts and not self._is_far_fetched(made) and not _has_unknown(made)

    def _parsed(self, root: Root, text: str, heard: Sequence[Token] = ()) -> Parse | None:
        made = self.tree(root.item, text)
        return Parse(root, made, said(made), tuple(heard)) if isinstance(made, Tree) else None

    def tree(self, item: Item, text: str) -> Tree | Token:
        """The tree of an item of the chart, with its words."""
        return tree(item, rulebook(self.language), lambda edge: token_of(edge, text, self.vocabulary))

    def _others(self, best: Parse, text: str, first: Orders) -> Iterator[Orders]:
        """What parses order that are about as cheap, where it is something else."""
        book = rulebook(self.language)
        if not (near := variants(best.root, NEAR)):
            return
        found = {sketch(root.item, book): root for root in reversed(near)}
        found.pop(sketch(best.root.item, book), None)
        if not found:
            return
        told = {sense(first)}
        for root in sorted(found.values(), key=lambda r: r.cost)[:RIVALS]:
            read, _ = self.says(root, text)
            if any(map(_does, read)) and sense(read) not in told:
                told.add(sense(read))
                yield read

    def _conditions(
        self, spans: Sequence[Span], text: str, previous: Mention | None = None
    ) -> Iterator[Condition]:
        for start, end in spans:
            words = tag(text[start:end], self.vocabulary, reading=True)
            inner = repair(words, text[start:end], self.vocabulary)
            for condition in parse_condition(whole_states(inner), previous):
                previous = condition.mention
                yield condition


def _is_more_than_names(tokens: Sequence[Token], best: Parse) -> bool:
    """Whether words that each may name a thing are a way of saying together; one alone is a name."""
    return len(tokens) > 1 and is_idiom(best.part.drafts)


def _leaves_off(made: Parse) -> bool:
    """Whether things are to leave off what they do not do: no other way says what was meant."""
    return any(TURNED in w.data for d in made.part.drafts for w in d.words)


def _hangs_on(draft: Draft) -> tuple[tuple[Span, ...], ...]:
    """What an act hangs on, and what those are like that it is for."""
    return draft.conditions, draft.otherwise, draft.where


def _has_unknown(parse: Parse) -> bool:
    """Whether a word of what is ordered is known to nobody; of what is only told nothing need be known."""
    words = [w for d in parse.part.drafts for w in d.words] or parse.tree.words
    return any(w.kind == "word" for w in words)


def is_idiom(made: Iterable[Draft | QueryIR]) -> bool:
    """Whether words of a way of saying are among those of orders."""
    words = (w for one in made for w in (one.words if isinstance(one, Draft) else one.tokens))
    return any("way" in w.data for w in words)


def is_whole(token: Token) -> bool:
    """Whether a stretch was read as one: a title, a part of a name, what only sounds like a name."""
    return "heard" in token.data or "part" in token.data or token.kind == "media"


def _price(parse: Parse) -> float:
    """What a parse costs beside its words: how far it goes out of the way."""
    return parse.root.cost - TOKEN * len(tuple(parse.tree.words))


def _rooms_beside(parse: Parse) -> tuple[str, ...]:
    """The room that is spoken of beside what is ordered, where that is one: ``the study is empty, ...``."""
    if any(d.conditions or d.otherwise for d in parse.part.drafts):
        return ()
    ordered = {w.start for d in parse.part.drafts for w in d.words}
    rooms = {w.refs for w in parse.tree.words if w.kind == "room" and w.start not in ordered}
    return rooms.pop() if len(rooms) == 1 else ()


NAMING = (DEVICE_KINDS | PLACE_KINDS | {"word", "quantifier", "domain"}) - {"scene"}
"""Kinds of words that name or say how many, and of those nobody knows."""
JOINING = frozenset({"mark", "conj", "confirm"})
"""Kinds of words that stand between names, or before them."""


HEEDED = 80
"""Words of a sentence without a parse that tell what it is about."""


def _is_led(tokens: Sequence[Token]) -> bool:
    """Whether an article leads; in ``light the porch`` it tells the act from its thing."""
    return bool(tokens) and tokens[0].kind == "filler" and tokens[0].data.get("is") == "article"


def _names(token: Token) -> bool:
    """Whether a word says nothing of what is to be done: ``the front door lock`` is no order."""
    return token.kind in JOINING or (token.kind in NAMING and "also" not in token.data)


def _unread(tokens: Sequence[Token], text: str, *, whole: bool) -> Orders:
    """What words are about of which no order can be made; unknown ones name a thing where none is named.

    ``whole``: where every word is known, the sentence is to blame; else it only lacks an act.
    """
    tokens = tokens[:HEEDED]
    named = any(t.kind in DEVICE_KINDS for t in tokens)
    kept = (t for t in tokens if t.kind != "mark" and not (named and t.kind == "word"))
    made = instruction(Draft(tuple(kept)))
    words = tuple(t.text for t in tokens if t.kind == "word") or (text,) * whole
    return tuple(replace(q, unplaced=(*q.unplaced, *words)) for q in queries(made, text))


def sense(read: Orders) -> str:
    """What queries say, apart from the words they were read from."""
    return repr([(_act(q), _words(q.target), sorted(map(_words, q.excluded)), q.conditions) for q in read])


def _does(query: QueryIR) -> bool:
    """Whether it says what is to be done."""
    return bool(query.action or query.value or query.negated)


def _act(query: QueryIR) -> tuple[object, ...]:
    if query.negated:
        return (True,)  # what is not to be done is not done, whatever it is called
    return query.action, query.property, query.value, query.quantifier, query.count, query.negated


_SAYS_HOW = frozenset({"except", "negation", "mark", "filler"})
"""Kinds of words among those for a thing that name nothing: what they do is in the rest of the query."""


def _words(mention: Mention) -> list[tuple[str, str]]:
    return sorted((t.kind, t.text) for t in mention.tokens if t.kind not in _SAYS_HOW)
