"""The words of a turn read by the grammar: the best parse of the whole sentence, and what it orders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from operator import attrgetter

from winnow.types.query import (
    DEVICE_KINDS,
    PLACE_KINDS,
    Condition,
    Mention,
    Quantifier,
    QueryIR,
    Token,
    has_kind,
    of_kind,
    without_kind,
)
from winnow.types.utterance import LanguageCode
from winnow.understand.grammar.asr_variants import is_strange, variant_text
from winnow.understand.grammar.lattice import SOUND_PRICE, build_lattice
from winnow.understand.grammar.parser import NEAR_PRICE, Root, item_sketch, near_variants, parse_lattice
from winnow.understand.grammar.rulebook import INFINITE_COST, load_rulebook
from winnow.understand.meaning.conditions import parse_conditions
from winnow.understand.meaning.coreference import (
    doubtful_orders,
    hand_on_targets,
    in_mentioned_rooms,
    under_all_conditions,
)
from winnow.understand.meaning.exclusions import apply_contrasts
from winnow.understand.meaning.instructions import ActDraft, Span, build_instruction
from winnow.understand.meaning.parses import Parse, SentenceParses, asr_price_limit, is_whole
from winnow.understand.meaning.queries import build_queries
from winnow.understand.words.phrases import merge_states
from winnow.understand.words.text_cleanup import is_room_word, repair_names, unresolved_owners
from winnow.understand.words.tokens import any_use, canonical_sense, has_use, tag_text
from winnow.understand.words.vocabulary import Vocabulary

MAX_RIVALS = 3
"""Other readings that are looked at."""
Orders = tuple[QueryIR, ...]
"""What a sentence orders, one query for each act and thing."""


@dataclass(frozen=True, slots=True)
class Interpretation:
    """What a sentence may order, the likeliest first, and what else it says."""

    orders: tuple[Orders, ...]
    moods: tuple[str, ...] = ()
    guess: str = ""
    """The sentence as it was heard, where what is to be done was made out of one word nobody knows."""


@dataclass(frozen=True, slots=True)
class GrammarReader:
    """The grammar of one language over the words of one home."""

    language: LanguageCode
    vocabulary: Vocabulary

    def interpret(self, text: str, tokens: Sequence[Token]) -> Interpretation:
        """What a normalised text may order; other readings only where they say something else.

        ``tokens``: its words one by one, for what sounds like a name of the home, and for a sentence that
        does not parse: then the one reading is enough to ask or refuse, never to act on.
        """
        attempts = self.parses_of(text)
        best = attempts.written_parse([t for t in tokens if is_whole(t)])
        # What an article leads is a name though it may sound like a way of saying: the lights in the kitchen
        led = _is_led(tokens)
        named = all(_is_only_name(t, led=led) for t in tokens[led:])
        made = self._asr_interpretation(attempts, tokens, best)
        if made is not None and not (led and named and is_idiom(made.orders[0])):
            return made
        idle = named and (led or best is None or not _has_torn_act(best, tokens))
        if best is None or attempts.is_far_fetched(best) or _has_act_in_name(best, tokens):
            return Interpretation((_unread_orders(tokens, text, whole=not idle),))
        if not best.part.drafts:
            return Interpretation(((),), best.part.moods)
        # Whether words that each may name a thing are a way of saying together; one alone is a name
        if idle and (led or not (len(tokens) > 1 and is_idiom(best.part.drafts))):
            return Interpretation((_unread_orders(tokens, text, whole=False),), best.part.moods)
        return self._interpretation(best, text, tokens)

    def island_orders(self, text: str, tokens: Sequence[Token]) -> tuple[Orders, list[Token], list[Token]]:
        """What a normalised text orders among words that nothing reads, its words, and those around.

        The words around are those of the best cover: the parse may tear one that binds into some that do not.
        """
        made = self.parses_of(text).island_parse([t for t in tokens if is_whole(t)])
        if made is None:
            return (), [], []
        said = chain.from_iterable((d.words, *d.left, *d.back) for d in made.part.drafts)
        words = sorted(chain.from_iterable(said), key=attrgetter("start"))
        read = {at for w in words for at in range(w.start, w.end)}
        around = [t for t in tokens if not read.issuperset(range(t.start, t.end))]
        orders = self.orders(made, text)
        return ((), [], []) if _may_tell_which(orders, words, around) else (orders, words, around)

    def parses_of(self, text: str) -> SentenceParses:
        """The ways to read a normalised text."""
        return SentenceParses(self.language, self.vocabulary, text)

    def _interpretation(self, best: Parse, text: str, tokens: Sequence[Token]) -> Interpretation:
        """What a parse orders, and other readings about as cheap."""
        first = self.orders(best, text)
        if first and (lost := _lost_things(best, tokens)):
            attempts = self.parses_of(text)
            other = attempts.paraphrase_parse([t for t in tokens if is_whole(t)])
            if other and attempts.is_ordered(other) and not _lost_things(other, tokens):
                return Interpretation((self.orders(other, text),), other.part.moods)
            return Interpretation(
                ((*first[:-1], replace(first[-1], unplaced=(*first[-1].unplaced, *lost))),), best.part.moods
            )
        return Interpretation((first, *self._rival_orders(best, text, first)), best.part.moods)

    def _asr_interpretation(
        self, attempts: SentenceParses, tokens: Sequence[Token], best: Parse | None
    ) -> Interpretation | None:
        """What is meant with words in the place of what sounds like them.

        None where as it is written it says something, be it only told, asked or forbidden, and does so at a
        lower price.
        """
        if best is not None and _tells_what_was(best):
            return None
        text, written = attempts.text, best if best and _has_meaning(best, attempts) else None
        # What a turn of phrase is made of is known: ``take it down to 20``
        known = {(w.start, w.end) for w in written.tree.words if w.kind == "part"} if written else set()
        if written and not any(is_strange(t) for t in tokens if (t.start, t.end) not in known):
            return None
        most = asr_price_limit(written.root.cost, written.part.drafts, tokens) if written else INFINITE_COST
        made = attempts.asr_parse(tokens, most)
        if made is None or not (
            self._is_rather(made, written, text, most) if written else _hears_of_order(made, best)
        ):
            return None
        doubted = written is not None and made.root.cost >= written.root.cost + SOUND_PRICE
        return replace(
            self._interpretation(made, text, ()),
            guess=variant_text(text, made.tree.words, tokens, doubted=doubted),
        )

    def _is_rather(self, made: Parse, written: Parse, text: str, most: float) -> bool:
        """Whether what was heard, being something else, is about as likely as an order as it is written."""
        return made.root.cost < most and orders_sense(self.orders(made, text)) != orders_sense(
            self.orders(written, text)
        )

    def orders(self, parse: Parse, text: str) -> Orders:
        """What a parse orders."""
        found: list[QueryIR] = []
        last: Mention | None = None
        until: tuple[Condition, ...] = ()
        # What an act hangs on, what must not hold, and what those are like that it is for
        hangs_on = attrgetter("conditions", "otherwise", "where")
        for spans, drafts in groupby(parse.part.drafts, key=hangs_on):
            conditions, against, each = (tuple(self._draft_conditions(s, text, last)) for s in spans)
            last = conditions[-1].mention if conditions else last
            made = apply_contrasts([build_instruction(d) for d in drafts])
            read = [q.which(*each) for one in made for q in build_queries(one, text)]
            until = conditions or _leading_time(until, read, parse)
            found.extend(under_all_conditions(q, until, against) for q in read)
        placed = in_mentioned_rooms(_rooms_beside(parse), hand_on_targets(doubtful_orders(found, text)))
        owners = unresolved_owners(text, self.vocabulary)
        return tuple(_of_one_owner(query, owners) for query in placed) if owners else placed

    def meaning_of(self, root: Root, text: str) -> tuple[Orders, tuple[str, ...]]:
        """What a way to take the whole orders, and its moods."""
        other = self.parses_of(text).parse_of(root)
        if other is None:
            return (), ()
        return self.orders(other, text) if other.part.drafts else (), other.part.moods

    def roots(self, text: str, heard: Sequence[Token] = ()) -> list[Root]:
        """Every way to take the whole, as sentences of each sort; the cheapest first."""
        book = load_rulebook(self.language)
        return parse_lattice(build_lattice(text, self.vocabulary, book, heard), book)

    def _rival_orders(self, best: Parse, text: str, first: Orders) -> Iterator[Orders]:
        """What parses order that are about as cheap, where it is something else."""
        book = load_rulebook(self.language)
        if not (near := near_variants(best.root, NEAR_PRICE)):
            return
        found = {item_sketch(root.item, book): root for root in reversed(near)}
        found.pop(item_sketch(best.root.item, book), None)
        if not found:
            return
        told = {orders_sense(first)}
        for root in sorted(found.values(), key=lambda r: r.cost)[:MAX_RIVALS]:
            read, _ = self.meaning_of(root, text)
            if any(q.action or q.value or q.negated for q in read) and orders_sense(read) not in told:
                told.add(orders_sense(read))
                yield read

    def _draft_conditions(
        self, spans: Sequence[Span], text: str, previous: Mention | None = None
    ) -> Iterator[Condition]:
        for start, end in spans:
            words = tag_text(text[start:end], self.vocabulary, reading=True)
            inner = repair_names(words, text[start:end], self.vocabulary)
            for condition in parse_conditions(merge_states(inner), previous):
                previous = condition.mention
                yield condition


def _of_one_owner(query: QueryIR, owners: Sequence[tuple[int, str]]) -> QueryIR:
    """Of what nobody knows whose it is one is meant, never all; of a room of somebody nothing is placed."""
    for start, who in owners:
        owned = next((t for t in query.tokens if t.start == start), None)
        if owned is not None and (owned.kind in PLACE_KINDS or is_room_word(owned)):
            query = replace(query, unplaced=(*query.unplaced, f"{who} {owned.text}"))
        elif owned is not None and query.quantifier is Quantifier.ALL:
            query = replace(query, quantifier=Quantifier.ONE)
    return query


def _may_tell_which(orders: Orders, words: Sequence[Token], around: Sequence[Token]) -> bool:
    """Whether what stands unmarked behind a set or a property may tell which: ``every light I hate``."""
    last = words[-1]
    behind = next((t for t in around if t.start >= last.end), None)
    return (
        behind is not None
        and behind.kind != "mark"
        and (
            last.kind == "property"
            or (last.kind in DEVICE_KINDS and any(q.quantifier is Quantifier.ALL for q in orders))
        )
    )


def _has_meaning(best: Parse, attempts: SentenceParses) -> bool:
    """Whether a sentence as it is written is an order, or told, asked or forbidden."""
    return attempts.is_ordered(best) or bool(best.part.moods and not best.part.drafts)


def is_idiom(made: Iterable[ActDraft | QueryIR]) -> bool:
    """Whether words of a way of saying are among those of orders."""
    words = (w for one in made for w in (one.words if isinstance(one, ActDraft) else one.tokens))
    return any("way" in w.data for w in words)


def _leading_time(
    conditions: tuple[Condition, ...], read: Sequence[QueryIR], parse: Parse
) -> tuple[Condition, ...]:
    """A time before the order it was said of, which is that of these orders of the same sentence as well."""
    start = min((t.start for q in read for t in q.tokens), default=0)
    ends = [w.end for w in parse.tree.words if w.means("mark", "strong") and w.end <= start]
    leads = [at for d in parse.part.drafts for at, _ in d.conditions if at < min(w.start for w in d.words)]
    within = any(max(ends, default=0) <= at < start for at in leads)
    return conditions if within and any(c.timed for c in conditions) else ()


def _lost_things(parse: Parse, tokens: Sequence[Token]) -> tuple[str, ...]:
    """Things set aside beside an order of which something is told that is to be done as well.

    ``把台灯打开，吊灯也来``, ``.., 吊灯开了``: told of another thing behind it, it adds to the order;
    ``撤了警报的防，..``: what somebody has done has a subject. So does a value: ``.., 再压暗到三成``.
    """
    if any(d.conditions or d.otherwise or d.left for d in parse.part.drafts):
        return ()
    ordered = {w.start for d in parse.part.drafts for w in d.words}
    first = min(ordered, default=0)
    clauses = [tuple(of) for is_mark, of in groupby(tokens, _parts_clauses) if not is_mark]
    behind = (c for c in clauses if c[0].start > first and ordered.isdisjoint(t.start for t in c))
    things = (
        thing.text
        for clause in clauses
        for n, thing in enumerate(clause)
        if thing.kind in DEVICE_KINDS
        and thing.start not in ordered
        and ((thing.start > first and _is_added(clause[n + 1 :])) or _is_act(clause[:n], clause[n + 1 :]))
    )
    return (*things, *chain.from_iterable(map(_set_value, behind)))


def _set_value(clause: Sequence[Token]) -> tuple[str, ...]:
    """The value that all before it sets: 再压暗到三成, ``then zub it to 30``; not ``lunch at one``."""
    said = [t for t in clause if t.kind != "conj" and not t.means("filler", "additive", "article")]
    match [t.kind for t in said[:4]]:
        case ["word" | "verb", "to", "number" | "color" | "extreme", *_] if clause[0] not in said:
            return (said[2].text,)
        case ["word" | "verb" | "light_verb", "reference", "to", "number" | "color" | "extreme"]:
            return (said[3].text,)
    return ()


def _hears_of_order(made: Parse, best: Parse | None) -> bool:
    """Whether a word of an order was heard, and not only one of what is told beside it."""
    ordered = best is not None and bool(best.part.drafts)
    return ordered or any("heard" in w.data for d in made.part.drafts for w in d.words)


def _tells_what_was(parse: Parse) -> bool:
    """Whether it tells what was done: no sound makes an order of that (刚才上楼 is no 刚才喽)."""
    told = parse.tree.words if "told" in parse.part.moods else ()
    return any(w.means("part", "DONE", "PAST") for w in told)


def _has_torn_act(parse: Parse, tokens: Sequence[Token]) -> bool:
    """Whether an act was read across words that the best cover cut elsewhere: 后门锁 好 is 后门 锁好."""
    ends = {t.end for t in tokens}
    acts = (w for d in parse.part.drafts for w in of_kind(d.words, "verb"))
    return any(not ends.isdisjoint(range(w.start + 1, w.end)) for w in acts)


def _has_act_in_name(parse: Parse, tokens: Sequence[Token]) -> bool:
    """Whether an act was read out of the whole name of a thing: 循环扇 买了 is no 循环 扇."""
    named = [t for t in of_kind(tokens, "name") if t.data.get("full") and "also" not in t.data]
    acts = (w for d in parse.part.drafts for w in of_kind(d.words, "verb") if w.text)
    return any(t.start < w.start and w.end <= t.end for w in acts for t in named)


def _is_added(told: Sequence[Token]) -> bool:
    """Whether what is told of a thing says that it is as well, or closes with what was done to it."""
    return any(t.kind == "filler" and has_use(t, "also") for t in told) or any_use(told[-1:], "opened")


def _parts_clauses(token: Token) -> bool:
    return token.kind == "mark" or (token.kind == "filler" and canonical_sense(token) == "link")


def _is_act(before: Sequence[Token], behind: Sequence[Token]) -> bool:
    """Whether all that stands before a thing is a word that is done, unknown or not.

    ``so zoggle the awning and ..``: an English one only where another order is joined to it.
    """
    if [t.kind for t in before] == ["word", "filler"] and canonical_sense(before[1]) == "aspect":
        return True
    joined = bool(before and behind) and behind[0].means("conj", "and") and 1 < len(before) <= MAX_ACT_WORDS
    leads = {t.kind for t in before[1:]} <= {"filler", "particle"}
    return joined and leads and before[0].kind in {"word", "verb", "step", "light_verb"}


def _rooms_beside(parse: Parse) -> tuple[str, ...]:
    """The room that is spoken of beside what is ordered, where that is one: ``the study is empty, ...``."""
    if any(d.conditions or d.otherwise for d in parse.part.drafts):
        return ()
    ordered = {w.start for d in parse.part.drafts for w in d.words}
    rooms = {w.refs for w in of_kind(parse.tree.words, "room") if w.start not in ordered}
    return rooms.pop() if len(rooms) == 1 else ()


NAMING_WORD_KINDS = (DEVICE_KINDS | PLACE_KINDS | {"word", "quantifier", "domain"}) - {"scene"}
"""Kinds of words that name or say how many, and of those nobody knows."""
JOINING_KINDS = frozenset({"mark", "conj", "confirm"})
"""Kinds of words that stand between names, or before them."""


MAX_ACT_WORDS = 3
"""An act of two words and an article."""
MAX_UNREAD_CHARS = 80
"""Words of a sentence without a parse that tell what it is about."""


def _is_led(tokens: Sequence[Token]) -> bool:
    """Whether an article leads; in ``light the porch`` it tells the act from its thing."""
    return bool(tokens) and tokens[0].kind == "filler" and tokens[0].data.get("is") == "article"


def _is_only_name(token: Token, *, led: bool) -> bool:
    """Whether a word says nothing of what is to be done: ``the front door lock`` is no order.

    ``led``: behind an article, so that what may be an act as well is none.
    """
    if token.kind in JOINING_KINDS or (led and token.means("filler", "preposition")):
        return True
    return token.kind in NAMING_WORD_KINDS and (led or "also" not in token.data)


def _unread_orders(tokens: Sequence[Token], text: str, *, whole: bool) -> Orders:
    """What words are about of which no order can be made; unknown ones name a thing where none is named.

    ``whole``: where every word is known, the sentence is to blame; else it only lacks an act.
    """
    tokens = tokens[:MAX_UNREAD_CHARS]
    named = has_kind(tokens, *DEVICE_KINDS)
    kept = (t for t in without_kind(tokens, "mark") if not (named and t.kind == "word"))
    made = build_instruction(ActDraft(tuple(kept)))
    words = tuple(t.text for t in of_kind(tokens, "word")) or (text,) * whole
    return tuple(replace(q, unplaced=(*q.unplaced, *words)) for q in build_queries(made, text))


def orders_sense(read: Orders) -> str:
    """What queries say, apart from the words they were read from."""
    senses = []
    for query in read:
        act: tuple[object, ...] = (
            query.action,
            query.property,
            query.value,
            query.quantifier,
            query.count,
            False,
        )
        if query.negated:
            act = (True,)  # what is not to be done is not done, whatever it is called
        left_out = sorted(map(_mention_words, query.exclusions))
        senses.append((act, _mention_words(query.target), left_out, query.conditions))
    return repr(senses)


_HOW_KINDS = frozenset({"except", "negation", "mark", "filler"})
"""Kinds of words among those for a thing that name nothing: what they do is in the rest of the query."""


def _mention_words(mention: Mention) -> list[tuple[str, str]]:
    return sorted((t.kind, t.text) for t in without_kind(mention.tokens, *_HOW_KINDS))
