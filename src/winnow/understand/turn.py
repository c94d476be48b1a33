"""Understand a turn (seed 002): its intent, its standalone query, and what the home makes of it.

Rules come first; a model is asked only where they are unsure, and its answer counts only when it passes.
Without one nothing waits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import Literal

from winnow.language.encode import encode_text
from winnow.language.normalize import normalise
from winnow.language.registry import language_of, rows_for
from winnow.ports.services import Embedder, ModelClient
from winnow.types.document import threshold
from winnow.types.query import (
    DEVICE_KINDS,
    UNDO,
    Intent,
    QueryIR,
    QueryStyle,
    Reading,
    Rewrite,
    Taxonomy,
    has_kind,
)
from winnow.types.retrieval import Attempt, Stage, Understanding
from winnow.types.utterance import LanguageCode, Turn, Utterance
from winnow.types.verdict import Clarify, Nothing, Query, Refuse, Verdict
from winnow.understand.intent.alone import before, clauses, shows
from winnow.understand.intent.classify import general, intent_of, label, shows_a_class
from winnow.understand.intent.features import chance_by_example, strange
from winnow.understand.meaning.queries import MIN_CONFIDENCE
from winnow.understand.prompts.compile import GUARDED, compile_ask, wants_help
from winnow.understand.prompts.intent import doubtful, improvable, intent_ask, prepare_ask, rewrite_ask
from winnow.understand.reading import understand
from winnow.understand.rewrite.rewrite import rewrite, turns_on
from winnow.understand.words.tokens import TARGET_KINDS
from winnow.understand.words.vocabulary import Vocabulary

MAX_TURNS = 10
"""Earlier messages that are read (seed 002); before them stands a summary, where there is one."""
WEIGHED_AGAIN = frozenset({"asked", "wish", "fragment", "hearsay", "weighed", "tool"})
"""Rules that only know the form of a turn: it is held against examples as well."""
ON_REPLY = "on_reply"
"""Why a turn is none of the home's: it asks on about what the last reply told, which no home has."""
LOOSE = frozenset({"alone", "asked", "wish", "fragment", "slot_filled", "weighed"})
"""Rules of the words alone that give way to a home that half understood."""
EXPLAINS: Mapping[LanguageCode, int] = {"zh": 30, "en": 80}
"""Characters from which an answer explains something; what homes answer is shorter."""
PLAIN = 0.9
"""Confidence from which an order is plain, whatever hinders it: its act and its target were said."""
TELLING = frozenset({"verb", "step", *TARGET_KINDS}) - {"word"}
"""Kinds of words for an act, a thing or a place."""
HOMELY = frozenset({"room", "floor", *DEVICE_KINDS})
"""Kinds of words for what homes have."""
VAGUE = frozenset({"not_understood", "unplaced", "no_reference", "no_device", "ambiguous"})
"""Refusals that only say that the home knows no such words, or not which thing is meant."""
SAID = frozenset({"told", "asked"})
"""What was said was recognised, and is nothing the home has to do with."""


FOREIGN = 0.7
"""How sure it is that a question lies outside the field: a model, where there is one, is asked."""
Claim = Literal["sure", "open", "no"]
"""Whether a turn is for the home: ``sure`` when something follows, ``open`` when it was half understood."""


@dataclass(frozen=True, slots=True)
class RuleResult:
    """What the rules alone made of the words as said, and the words of the home they were made with."""

    attempt: Attempt
    vocabulary: Vocabulary

    @property
    def reading(self) -> Reading:
        """How the words were read."""
        return self.attempt.reading


@dataclass(frozen=True, slots=True)
class TurnReader:
    """How turns are understood under one set of settings.

    ``combined``: intent and rewriting are asked of a model in one call.
    """

    taxonomy: Taxonomy
    combined: bool = False
    style: QueryStyle = "plain"
    """How standalone queries are written."""
    table: Embedder | None = None
    """What tells whether a question belongs to the field of the taxonomy, where that has one."""

    async def understand(
        self, said: Utterance, counsel: ModelClient, heard: RuleResult | None = None
    ) -> Understanding:
        """Intent, then the standalone query where one is needed, then what the home makes of it."""
        history = recent(said)
        stages, start = list[Stage](), perf_counter()
        rules = self._by_rules(said.text, history, heard)
        stages.append(Stage("intent", (perf_counter() - start) * 1000))
        intent, again = await self._decide_intent(said.text, history, rules, counsel)
        again = again or await self._standalone(said.text, history, intent, counsel, stages)
        # The query, with what the talk turns on where something is searched
        again = replace(again, context=turns_on(again.query, history)) if _searches(intent) else again
        if heard is None:
            return Understanding(said, intent, again, stages=tuple(stages))
        reading = await self._compile_other_reading(said, intent, again, heard, counsel)
        if reading is not None and intent.source != "devices":
            intent = replace(intent, need_retrieval=True, source="devices", reason="rewritten")
        return Understanding(said, intent, again, reading or heard.reading, tuple(stages))

    def _by_rules(self, text: str, history: tuple[Turn, ...], heard: RuleResult | None) -> Intent:
        """What the words say by themselves, unless the home knows better."""
        if heard is None:
            return self.by_words(text, history)
        claim = "open" if _asks_on(heard.reading, history) else home_claim(heard.attempt)
        by_home = partial(intent_of, text, history, taxonomy=self.taxonomy, reading=heard.reading)
        if (claim == "sure" and not history) or heard.reading.intent == "hostile":
            return by_home()
        rules = self.by_words(text, history)
        if rules.reason == "asked" and _on_reply(text, history, heard, claim):
            return replace(rules, reason=ON_REPLY)
        return (
            by_home() if claim == "sure" or (claim == "open" and _gives_way(rules, heard.reading)) else rules
        )

    def by_words(self, text: str, history: tuple[Turn, ...]) -> Intent:
        """What the words say by themselves, within the field of the taxonomy."""
        # The intent, unless what is asked lies outside the field of the taxonomy: then nothing is looked up
        rules, idle = intent_of(text, history, taxonomy=self.taxonomy), self.taxonomy.idle.id
        share = None
        if rules.reason in WEIGHED_AGAIN:
            share = chance_by_example(text, clauses(text), before(history), self.table)
        if share is not None and rules.need_retrieval:
            if share < threshold("follow_up_needs" if history else "opening_needs"):
                nothing = replace(rules, need_retrieval=False, source="none", label=idle)
                return replace(nothing, confidence=1 - share, reason="alone")
        elif share is not None and not history and share > threshold("statement_needs"):
            found = label("knowledge", text, "", self.taxonomy)
            return replace(rules, need_retrieval=True, source="knowledge", label=found, confidence=share)
        if rules.source != "knowledge" or not self.taxonomy.about:
            return rules
        if history and shows_a_class(text, self.taxonomy):
            return rules
        if not strange(rewrite(text, history).query, self.taxonomy, self.table):
            return rules
        return replace(
            rules, need_retrieval=False, source="none", label=idle, confidence=FOREIGN, reason="other_field"
        )

    async def _decide_intent(
        self, text: str, history: tuple[Turn, ...], rules: Intent, counsel: ModelClient
    ) -> tuple[Intent, Rewrite | None]:
        """The intent, by a model where the rules doubt; and the query, where one call asked for both."""
        if not doubtful(rules) or not counsel.asks:
            return rules, None
        if not self.combined or not history:
            return await counsel.ask(intent_ask(text, history, rules, self.taxonomy)) or rules, None
        both = await counsel.ask(prepare_ask(text, history, rules, self.taxonomy))
        if both is None:
            return rules, None
        intent = both.intent or rules
        return intent, both.rewrite if _searches(intent) else None

    async def _standalone(
        self, text: str, history: tuple[Turn, ...], intent: Intent, counsel: ModelClient, stages: list[Stage]
    ) -> Rewrite:
        """The standalone query.

        A device request is left as it is: its references are bound to devices, not to words.
        """
        if not _searches(intent):
            return Rewrite(text, reason="devices" if intent.need_retrieval else "no_retrieval")
        start = perf_counter()
        # What the rules make of the words; a general request where they want something and name nothing
        rules = rewrite(text, history, self.style)
        asked = "" if rules.spans else general(text, intent, self.taxonomy)
        rules = Rewrite(asked, True, reason="general") if asked else rules
        stages.append(Stage("rewrite", (perf_counter() - start) * 1000))
        better = await counsel.ask(rewrite_ask(text, history)) if improvable(rules) else None
        return better or rules

    async def _compile_other_reading(
        self, said: Utterance, intent: Intent, again: Rewrite, heard: RuleResult, counsel: ModelClient
    ) -> Reading | None:
        """Another reading than that of the rules: a model's, or that of the standalone query.

        None where the rules' own stands.
        """
        if intent.source == "devices" and wants_help(heard.reading):
            asked = replace(said, history=recent(said))
            return await counsel.ask(compile_ask(asked, heard.reading, heard.vocabulary))
        return reread(said, again, heard)


def _searches(intent: Intent) -> bool:
    """Whether something other than the home is searched for the turn."""
    return intent.need_retrieval and intent.source != "devices"


def _gives_way(rules: Intent, reading: Reading) -> bool:
    """Whether what the words say by themselves gives way to a home that half understood them."""
    if reading.intent == "query":
        return rules.reason == "own"  # did I leave the stove on?
    if rules.reason not in LOOSE:
        return False
    if reading.intent == "command" and (shows("whatsit", reading.text) or _is_all_read(reading)):
        return True  # open that what's its name; can you make it brighter
    if rules.act != "question":
        return not (rules.reason == "asked" and _asks_for_more(reading))
    # Whether something was forbidden, excepted or made to depend on something
    kinds = {t.kind for q in reading.queries for t in q.tokens}
    flags = {flag for q in reading.queries for flag in q.risk_flags}
    return not kinds.isdisjoint(GUARDED) or not flags.isdisjoint(GUARDED.values())


def _asks_on(reading: Reading, history: Sequence[Turn]) -> bool:
    """Whether a question names no thing and no place, after an explanation: ``how hot?`` is the oven then."""
    last = _last_reply(history)
    if last is None or reading.intent != "query":
        return False
    explained = len(last.content) >= rows_for(EXPLAINS, language_of(last.content))
    return explained and not any(map(_about_a_home, reading.queries))


def _on_reply(text: str, history: Sequence[Turn], heard: RuleResult, claim: Claim) -> bool:
    """Whether what is asked is about a thing that the last reply told and the home has not.

    ``when does the second one open?`` after a list of museums. An order stays one, whatever was talked
    of: only what could never be done, a condition or words that no home knows, is taken for a question.
    """
    if _last_reply(history) is None:
        return False
    alone, reading = rewrite(text, history), heard.reading
    if reading.intent == "command" and _asks_for_more(reading):
        return True
    if not alone.changed or any(_is_of_a_home(span.text, heard.vocabulary) for span in alone.spans):
        return False
    points = any(span.replaced.strip() for span in alone.spans)
    at_home = any(map(_about_a_home, reading.queries))
    if reading.intent == "command":
        never = any("condition" in q.risk_flags or (q.unplaced and not points) for q in reading.queries)
        return never and not at_home and not shows("whatsit", text)
    by_place = alone.reason in {"ordinal", "nth"}
    return claim != "sure" or by_place or (not at_home and (points or alone.reason == "bare"))


def _last_reply(history: Sequence[Turn]) -> Turn | None:
    """The last turn, if it is a reply that is not about devices."""
    last = history[-1] if history else None
    return None if last is None or last.role != "assistant" or last.device_ids else last


def _asks_for_more(reading: Reading) -> bool:
    """``tell me more about the trip``: a step of nothing, and words that no home knows."""
    return all(q.action == "step" and q.unplaced for q in reading.queries)


def _is_all_read(reading: Reading) -> bool:
    """Whether the home knows every word of an order, whatever thing it is for."""
    return not (
        shows("wh", reading.text) or any(q.unplaced or has_kind(q.tokens, "word") for q in reading.queries)
    )


def _is_of_a_home(text: str, vocabulary: Vocabulary) -> bool:
    """Whether a phrase names a thing or a room of the home."""
    return any(map(_about_a_home, understand(Utterance(text), vocabulary).queries))


def home_claim(first: Attempt) -> Claim:
    """Whether the turn is for the home."""
    intent = first.reading.intent
    if first.reading.reason == UNDO:
        return "sure"
    if intent == "query":
        return _asked_of(first)
    if intent != "command":
        return "no"
    told = _names(first.reading) or _implies(first.reading)
    if isinstance(first.verdict, Nothing) and not told:
        return "no"  # does it need salt or not: something was denied, and nothing of a home was named
    if not isinstance(first.verdict, Clarify | Refuse) or _plain(first.reading):
        return "sure"
    return "open" if told else "no"


def _plain(reading: Reading) -> bool:
    """Whether every order was said in full, whatever hinders it."""
    return all(q.confidence.overall >= PLAIN and not q.unplaced for q in reading.queries)


def _names(reading: Reading) -> bool:
    """Whether an act, a thing or a place was said."""
    return any(t.kind in TELLING for q in reading.queries for t in q.tokens)


def _implies(reading: Reading) -> bool:
    """Whether there is an act, and it is plain what it is for."""
    return any(q.action and q.confidence.slots.get("target", 0.0) >= MIN_CONFIDENCE for q in reading.queries)


def _asked_of(first: Attempt) -> Claim:
    """A question: about the home when it is read there, or asks for the state of what homes have."""
    queries = first.reading.queries
    stated = any(t.kind == "cue" for q in queries for t in q.tokens)
    asks_a_state = stated and any(map(_about_a_home, queries))
    if all(map(_is_fully_placed, queries)) and (asks_a_state or isinstance(first.verdict, Query)):
        return "sure"
    return "open" if asks_a_state else "no"


def _is_fully_placed(query: QueryIR) -> bool:
    """Whether all words of a question are accounted for, and it asks about something."""
    return query.confidence.overall >= 1.0 and bool(query.target.tokens or query.antecedents)


def _about_a_home(query: QueryIR) -> bool:
    """Whether a question names a thing or a room, or points back at one."""
    return bool(query.antecedents) or has_kind(query.target.tokens, *HOMELY)


def outside(first: Attempt, intent: Intent) -> Verdict:
    """The verdict on a turn that is not for the home.

    What made no sense to it is none of its business, and neither refused nor asked.
    """
    codes = _unclear(first.verdict)
    if intent.reason == ON_REPLY:
        return Nothing("knowledge")
    nobodys = isinstance(first.verdict, Refuse) and home_claim(first) == "no"
    idle = frozenset() < codes <= VAGUE | SAID or nobodys
    if intent.need_retrieval and (idle or _idle(first.verdict)):
        return Nothing("knowledge")
    if first.verdict == Nothing("knowledge") and not intent.need_retrieval:
        return Nothing("chat")
    if not codes or not codes <= VAGUE | SAID:
        return first.verdict
    if codes <= SAID:
        return first.verdict
    return Nothing("chat") if home_claim(first) == "no" else first.verdict


def _idle(verdict: Verdict) -> bool:
    """Whether the home has nothing to say: it is talk to it, or a denial, or nothing would be read."""
    if isinstance(verdict, Query):
        return not verdict.reads
    return isinstance(verdict, Nothing) and verdict.reason in {"chat", "negated"}


def nowhere(said: Utterance, intent: Intent) -> Attempt:
    """What is made of a turn without a home: nothing is recalled, and what asks for devices says so."""
    text = normalise(said.text)
    reading = Reading(text, said.language or language_of(text), "none", "no_home")
    if intent.source == "devices":
        return Attempt(reading, (), Nothing("no_home"))
    return Attempt(reading, (), Nothing("knowledge" if intent.need_retrieval else "chat"))


def _unclear(verdict: Verdict) -> frozenset[str]:
    """Why nothing follows, as far as that is a matter of words; empty where something does."""
    if isinstance(verdict, Refuse):
        return frozenset(r.code for r in verdict.refusals)
    if isinstance(verdict, Clarify):
        return frozenset({"ambiguous"})
    return frozenset({verdict.reason}) if isinstance(verdict, Nothing) else frozenset()


def recent(said: Utterance) -> tuple[Turn, ...]:
    """The last ten turns, behind a summary of what came before them when the caller has one (seed 002)."""
    summary = (Turn("assistant", said.summary),) if said.summary.strip() else ()
    return (*summary, *said.history[-MAX_TURNS:])


def reread(said: Utterance, again: Rewrite, heard: RuleResult) -> Reading | None:
    """The reading of the standalone query, where the words as said made no sense to the home.

    What it would read is read; what it would do is asked first, for the person did not say it in these words.
    """
    if not again.changed or (heard.reading.intent, heard.reading.reason) != ("none", "not_understood"):
        return None
    second = understand(replace(said, text=again.query, history=()), heard.vocabulary)
    if second.intent == "command" and not wants_help(second):
        return replace(second, guess=encode_text(again.query, 120))
    for_the_home = second.intent == "query" and _asked_of(replace(heard.attempt, reading=second)) == "sure"
    return second if for_the_home else None
