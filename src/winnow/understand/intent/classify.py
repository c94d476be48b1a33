"""Does this turn need something looked up, and where? Rules first; what they leave open is weighed.

In doubt, retrieve.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from winnow.language.content_words import content_terms
from winnow.language.normalize import is_han, normalise
from winnow.language.registry import language_of
from winnow.types.document import threshold
from winnow.types.query import UNDO, Bilingual, Intent, IntentClass, IntentSource, Reading, Taxonomy
from winnow.types.utterance import Turn
from winnow.understand.intent.alone import (
    ALONE,
    ASKING,
    Clause,
    PrecedingTalk,
    Task,
    acts,
    before,
    clauses,
    cue,
    is_question,
    kind,
    meets_a_need,
    on_documents,
    shows,
    task,
)
from winnow.understand.intent.features import SHORT, chance, features, length, trust
from winnow.understand.intent.taxonomy import taxonomy as general_taxonomy

# Labels: the class of a taxonomy, once the source of a turn is known.


def label(source: IntentSource, text: str, said: str, taxonomy: Taxonomy) -> str:
    """The class of that source whose cues ``text`` shows most.

    The last message ``said`` counts where the text shows none.
    """
    if source == "none":
        return taxonomy.idle.id
    classes = _retrieving(source, taxonomy)
    for words in map(normalise, (text, said)):
        shown = [_class_word_count(c, words) for c in classes]
        if any(shown):
            return classes[shown.index(max(shown))].id
    return next((c for c in classes if c.otherwise), classes[0]).id


def _retrieving(source: IntentSource, taxonomy: Taxonomy) -> list[IntentClass]:
    """The classes of a source; all that need retrieval where it has none."""
    classes = [c for c in taxonomy.classes if c.source != "none"]
    return [c for c in classes if c.source == source] or classes


def _class_word_count(of: IntentClass, words: str) -> int:
    """How many words of the class there are."""
    return len(words_of(of.cues).findall(words)) + len(words_of(of.implied).findall(words))


def shows_a_class(text: str, taxonomy: Taxonomy) -> bool:
    """Whether a text shows a cue of any class."""
    return any(_class_word_count(c, normalise(text)) for c in taxonomy.classes)


def implied_source(text: str, taxonomy: Taxonomy) -> IntentSource:
    """Where a statement is looked up that asks without asking; ``none`` when it does not."""
    words = normalise(text)
    for c in taxonomy.classes:
        # Whether a word of the class that asks without asking is said, and not denied
        if any(not shows("denied", words[: m.start()]) for m in words_of(c.implied).finditer(words)):
            return c.source
    return "none"


@lru_cache(maxsize=512)
def words_of(both: Bilingual) -> re.Pattern[str]:
    """The words of a class, the longest first; matches nothing when it has none."""
    words = sorted({normalise(w) for w in (*both.zh, *both.en)} - {""}, key=len, reverse=True)
    pieces = [re.escape(w) if is_han(w[0]) else rf"(?<![a-z0-9]){re.escape(w)}" for w in words]
    return re.compile("|".join(pieces) or r"(?!)")


# A request that names nothing is searched for by its class alone: vague stays vague (seed 002).


def general(text: str, intent: Intent, taxonomy: Taxonomy) -> str:
    """The request that the turn's class stands for; empty where it has none, or the turn says more."""
    found = next((c for c in taxonomy.classes if c.id == intent.label), None)
    if found is None:
        return ""
    # Whether a turn holds a content word beside those that put it into the class
    rest = normalise(text)
    for words in (found.implied, found.cues):
        rest = words_of(words).sub(" ", rest)
    if bool(content_terms(cue("whatever").sub(" ", rest))):
        return ""
    return next(iter(found.request.zh if language_of(text) == "zh" else found.request.en), "")


@dataclass(frozen=True, slots=True)
class IntentFinding:
    """What a rule makes of a turn."""

    source: IntentSource
    act: str
    rule: str
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class IntentInput:
    """A turn and the state of the talk before it."""

    clauses: tuple[Clause, ...]
    before: PrecedingTalk
    task: Task

    @property
    def content_clauses(self) -> tuple[Clause, ...]:
        """The clauses that are more than talk."""
        return tuple(c for c in self.clauses if c.rest)

    @property
    def kinds(self) -> set[str]:
        """The kinds of its clauses that are more than talk."""
        return {kind(c) for c in self.content_clauses}

    @property
    def acts(self) -> frozenset[str]:
        """Everything its words of talk do."""
        return frozenset(a for c in self.clauses for a in c.acts)

    @property
    def asks(self) -> bool:
        """Whether a clause asks for something to be looked up."""
        return any(kind(c) in ASKING for c in self.clauses)


def intent_of(
    text: str,
    history: Sequence[Turn] = (),
    *,
    taxonomy: Taxonomy | None = None,
    reading: Reading | None = None,
) -> Intent:
    """What kind of turn ``text`` is after ``history`` (oldest first).

    Whether to retrieve, from where, and which class of ``taxonomy``. ``reading`` is what the device grammar
    understood: a command or query for the home needs its devices. ``confidence`` is that of
    ``need_retrieval``; ``reason`` names the rule. Never raises, whatever the text.
    """
    classes, said = taxonomy or general_taxonomy(), ""
    found = _by_reading(reading)
    if found is None:  # what a home understood needs no second look at the words
        turn, state = clauses(text), before(history)
        heard = IntentInput(turn, state, task(text, turn, state))
        found, said = _by_words(heard), heard.before.said
    # A statement may ask without asking, by words that the taxonomy lists for it.
    if found.act == "statement" and found.source == "none":
        source = implied_source(text, classes)
        found = (IntentFinding(source, "statement", "implied") if source != "none" else None) or found
    return Intent(
        need_retrieval=found.source != "none",
        source=found.source,
        label=label(found.source, text, said, classes),
        act=found.act,
        confidence=trust(found.rule) if found.confidence is None else found.confidence,
        reason=found.rule,
    )


def _accepts_offer(heard: IntentInput) -> bool:
    """A yes to an offer to look something up, or to the question that was to complete a request."""
    if heard.content_clauses or not (heard.before.offers or heard.before.waiting):
        return False
    return bool(heard.acts & {"yes", "ack"}) and not heard.acts & {"no", "closing"}


def _talk_act(heard: IntentInput) -> str:
    """What a turn of nothing but talk does."""
    act = next((act for act in acts() if act in heard.acts), "ack")
    return "confirm" if act in {"yes", "ack"} and heard.before.asks else acts()[act]


def _stops(heard: IntentInput) -> bool:
    """The last thing said ends, interrupts or continues the talk, or takes back what was asked."""
    asked = max((n for n, c in enumerate(heard.clauses) if c.rest), default=0)
    return any(shows("stop", c.rest or c.text) for c in heard.clauses[asked:])


def _chooses(heard: IntentInput) -> bool:
    """One of what was offered is taken."""
    state = heard.before
    if heard.asks or not state.turns:
        return False
    for clause in heard.content_clauses:
        named = cue("choosing").sub("", clause.rest).strip()
        offered = state.asks and len(named) > 1 and named in state.said
        if not is_question(clause) and (offered or shows("choice", clause.rest)):
            return True
    return False


def _fills_slot(heard: IntentInput) -> bool:
    """An answer to the question that was to complete a request, or another wish after nothing was found."""
    if heard.asks or heard.acts & {"no", "closing"}:
        return False
    return heard.before.waiting or (heard.before.failed and "wish" in heard.kinds)


def _last_request(heard: IntentInput) -> Clause | None:
    """The last clause in the form of a request or a question."""
    return next((c for c in reversed(heard.content_clauses) if kind(c) in ASKING), None)


def _requests(heard: IntentInput) -> bool:
    """In the form of a request or a question; one between you and me is left to be weighed."""
    last = _last_request(heard)
    if last is None:
        return False
    return not heard.before.personal or "request" in heard.kinds or not shows("pronoun_you", last.rest)


def _request_act(heard: IntentInput) -> str:
    """Whether what is asked for is asked as a request or as a question.

    ``tell me what it is`` is a request.
    """
    last = _last_request(heard)
    if last is None or not is_question(last):
        return "request"
    marked = last.asked or shows("particle", last.rest) or shows("asks_yes_no", last.rest)
    return "request" if shows("request", last.rest) and not marked else "question"


def _is_fragment(heard: IntentInput) -> bool:
    """Nouns without a sentence: what is asked about, unless they answer a question."""
    state = heard.before
    if state.turns and (state.asks or state.personal or length(heard.content_clauses) > SHORT):
        return False
    told = ("predicate", "feeling", "indefinite")
    return not any(shows(name, c.rest) for c in heard.content_clauses for name in told)


def _of_task(holds: Callable[[Task], bool], heard: IntentInput) -> bool:
    return holds(heard.task)


def _by_reading(reading: Reading | None) -> IntentFinding | None:
    if reading is None:
        return None
    if reading.reason == UNDO:
        return IntentFinding("devices", "request", "devices")
    if reading.intent in {"command", "query"}:
        return IntentFinding("devices", "request" if reading.intent == "command" else "question", "devices")
    return IntentFinding("none", "request", "hostile") if reading.intent == "hostile" else None


def _by_words(heard: IntentInput) -> IntentFinding:
    """What the first rule that holds finds, else what is weighed."""
    for rule in RULES:
        if rule.holds(heard):
            act = rule.act if isinstance(rule.act, str) else rule.act(heard)
            return IntentFinding(rule.source, act, rule.name)
    return _weighted_finding(heard)


def _is_desk_work(heard: IntentInput) -> bool:
    last = heard.content_clauses[-1].rest
    return heard.before.desk and shows("record", last) and not shows("policy", last)


def _weighted_finding(heard: IntentInput) -> IntentFinding:
    share = chance(features(heard.clauses, heard.before))
    asks = any(is_question(c) for c in heard.content_clauses)
    act = "question" if asks else "request" if heard.asks else "statement"
    if share >= threshold("turn_needs"):
        return IntentFinding("knowledge", act if act != "statement" else "request", "weighed", share)
    # What leads to no search is called by its talk, where it holds any.
    leave = next((a for a in ("farewell", "thanks") if a in heard.acts), "")
    return IntentFinding("none", leave or ("smalltalk" if asks else act), "weighed", 1 - share)


@dataclass(frozen=True, slots=True)
class IntentRule:
    """A rule and what it finds where it holds."""

    name: str
    source: IntentSource
    act: str | Callable[[IntentInput], str]
    holds: Callable[[IntentInput], object]


RULES: tuple[IntentRule, ...] = (
    IntentRule("nothing_said", "none", "", lambda h: not h.clauses),
    IntentRule("offer_accepted", "knowledge", "confirm", _accepts_offer),
    IntentRule("talk", "none", _talk_act, lambda h: not h.content_clauses),
    IntentRule("stop", "none", "stop", _stops),
    # A choice completes a request that waited for it; else nothing follows from it.
    IntentRule("slot_filled", "knowledge", "choice", lambda h: h.before.waiting and _chooses(h)),
    IntentRule("choice", "none", "choice", _chooses),
    # A short question that only shows one listens
    IntentRule("backchannel", "none", "smalltalk", lambda h: h.before.turns and h.kinds == {"backchannel"}),
    # A yes is asked for to what was said before, and nothing else.
    IntentRule(
        "consent",
        "none",
        "confirm",
        lambda h: h.before.turns and all(shows("consent", c.rest) for c in h.content_clauses),
    ),
    # A need, and what is at hand to meet it: a statement that asks without asking
    IntentRule("implied", "knowledge", "statement", partial(_of_task, meets_a_need)),
    IntentRule("document", "knowledge", "request", partial(_of_task, on_documents)),
    # Of the assistant itself, or told to do what needs nothing looked up, with nothing else asked
    IntentRule("persona", "none", "smalltalk", lambda h: not h.asks and "persona" in h.kinds),
    IntentRule("tool", "none", "request", lambda h: not h.asks and "tool" in h.kinds),
    IntentRule("repeat", "none", "request", lambda h: not h.asks and "repeat" in h.kinds),
    *(IntentRule(rule, "none", act, partial(_of_task, holds)) for rule, (act, holds) in ALONE.items()),
    # What the person said, noted or planned
    IntentRule("own", "history", "question", lambda h: "own" in h.kinds),
    # What the system at hand answers itself: a booking, a field of a record, a search by what it filters on
    IntentRule("desk", "none", "request", _is_desk_work),
    IntentRule("slot_filled", "knowledge", "request", _fills_slot),
    IntentRule("asked", "knowledge", _request_act, _requests),
    # A wish that opens the talk
    IntentRule(
        "wish", "knowledge", "request", lambda h: not h.before.turns and kind(h.content_clauses[-1]) == "wish"
    ),
    # What others say is repeated, to be confirmed or put right.
    IntentRule(
        "hearsay",
        "knowledge",
        "statement",
        lambda h: any(shows("hearsay", c.rest) for c in h.content_clauses),
    ),
    IntentRule("fragment", "knowledge", "request", _is_fragment),
)
"""In order; the first that holds decides."""
