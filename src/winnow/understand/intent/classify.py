"""Does this turn need something looked up, and where? Rules first; what they leave open is weighed.

In doubt, retrieve.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from winnow.language.content_words import content_terms
from winnow.language.normalize import is_han, language_of, normalise
from winnow.types.query import UNDO, Bilingual, Intent, IntentClass, IntentSource, Reading, Taxonomy
from winnow.types.utterance import Turn
from winnow.understand.intent.alone import (
    ASKING,
    Clause,
    PrecedingTalk,
    Task,
    acts,
    alone,
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
from winnow.understand.intent.features import SHORT, chance, features, length, threshold, trust
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


def _by_reading(reading: Reading | None) -> IntentFinding | None:
    if reading is None:
        return None
    if reading.reason == UNDO:
        return IntentFinding("devices", "request", "devices")
    if reading.intent in {"command", "query"}:
        return IntentFinding("devices", "request" if reading.intent == "command" else "question", "devices")
    return IntentFinding("none", "request", "hostile") if reading.intent == "hostile" else None


def _by_words(heard: IntentInput) -> IntentFinding:
    """What the first rule that fits finds, else what is weighed."""
    return next((found for rule in RULES if (found := rule(heard))), None) or _weighted_finding(heard)


def _nothing(heard: IntentInput) -> IntentFinding | None:
    return None if heard.clauses else IntentFinding("none", "", "nothing_said")


def _offer(heard: IntentInput) -> IntentFinding | None:
    """A yes to an offer to look something up, or to the question that was to complete a request."""
    open_ = heard.before.offers or heard.before.waiting
    if (
        open_
        and not heard.content_clauses
        and heard.acts & {"yes", "ack"}
        and not heard.acts & {"no", "closing"}
    ):
        return IntentFinding("knowledge", "confirm", "offer_accepted")
    return None


def _talk(heard: IntentInput) -> IntentFinding | None:
    """Nothing but talk."""
    if heard.content_clauses:
        return None
    act = next((act for act in acts() if act in heard.acts), "ack")
    agrees = act in {"yes", "ack"} and heard.before.asks
    return IntentFinding("none", "confirm" if agrees else acts()[act], "talk")


def _document(heard: IntentInput) -> IntentFinding | None:
    """Words of a document are to be worked on, or something is to be written that rests on what is known."""
    return IntentFinding("knowledge", "request", "document") if on_documents(heard.task) else None


def _alone(heard: IntentInput) -> IntentFinding | None:
    """What the assistant does by itself."""
    found = alone(heard.task)
    return IntentFinding("none", *found) if found else None


def _at_hand(heard: IntentInput) -> IntentFinding | None:
    """A need, and what is at hand to meet it: a statement that asks without asking."""
    return IntentFinding("knowledge", "statement", "implied") if meets_a_need(heard.task) else None


def _stop(heard: IntentInput) -> IntentFinding | None:
    """The last thing said ends, interrupts or continues the talk, or takes back what was asked."""
    asked = max((n for n, c in enumerate(heard.clauses) if c.rest), default=0)
    stops = any(shows("stop", c.rest or c.text) for c in heard.clauses[asked:])
    return IntentFinding("none", "stop", "stop") if stops else None


def _choice(heard: IntentInput) -> IntentFinding | None:
    """One of what was offered; it completes a request that waited for it."""
    if (
        heard.asks
        or not heard.before.turns
        or not any(_picks(c, heard.before) for c in heard.content_clauses)
    ):
        return None
    if heard.before.waiting:
        return IntentFinding("knowledge", "choice", "slot_filled")
    return IntentFinding("none", "choice", "choice")


def _picks(clause: Clause, state: PrecedingTalk) -> bool:
    if is_question(clause):
        return False
    if shows("choice", clause.rest):
        return True
    named = cue("choosing").sub("", clause.rest).strip()
    return state.asks and len(named) > 1 and named in state.said


def _slot(heard: IntentInput) -> IntentFinding | None:
    """An answer to the question that was to complete a request, or another wish after nothing was found."""
    if heard.asks or heard.acts & {"no", "closing"}:
        return None
    waits = heard.before.waiting or (
        heard.before.failed and any(kind(c) == "wish" for c in heard.content_clauses)
    )
    return IntentFinding("knowledge", "request", "slot_filled") if waits else None


def _wish(heard: IntentInput) -> IntentFinding | None:
    """A wish that opens the talk."""
    opens = not heard.before.turns and kind(heard.content_clauses[-1]) == "wish"
    return IntentFinding("knowledge", "request", "wish") if opens else None


def _assistant(heard: IntentInput) -> IntentFinding | None:
    """Speaks of the assistant itself, or commands it to do what needs nothing looked up.

    Nothing else is asked.
    """
    kinds = {kind(c) for c in heard.content_clauses}
    if heard.asks or not kinds & {"persona", "tool", "repeat"}:
        return None
    if "persona" in kinds:
        return IntentFinding("none", "smalltalk", "persona")
    return IntentFinding("none", "request", "tool" if "tool" in kinds else "repeat")


def _own(heard: IntentInput) -> IntentFinding | None:
    """Asks for what the person said, noted or planned."""
    return (
        IntentFinding("history", "question", "own")
        if any(kind(c) == "own" for c in heard.content_clauses)
        else None
    )


def _desk(heard: IntentInput) -> IntentFinding | None:
    """What the system at hand answers itself.

    A booking, a field of a record, a search by what it filters on.
    """
    if not heard.before.desk:
        return None
    last = heard.content_clauses[-1].rest
    return (
        IntentFinding("none", "request", "desk")
        if shows("record", last) and not shows("policy", last)
        else None
    )


def _backchannel(heard: IntentInput) -> IntentFinding | None:
    """A short question that only shows one listens."""
    only = heard.before.turns and all(kind(c) == "backchannel" for c in heard.content_clauses)
    return IntentFinding("none", "smalltalk", "backchannel") if only else None


def _consent(heard: IntentInput) -> IntentFinding | None:
    """Asks for a yes to what was said before, and for nothing else."""
    only = (
        heard.before.turns
        and heard.content_clauses
        and all(shows("consent", c.rest) for c in heard.content_clauses)
    )
    return IntentFinding("none", "confirm", "consent") if only else None


def _request_finding(heard: IntentInput) -> IntentFinding | None:
    """In the form of a request or a question; one between you and me is left to be weighed."""
    last = next((c for c in reversed(heard.content_clauses) if kind(c) in ASKING), None)
    if last is None:
        return None
    requests = any(kind(c) == "request" for c in heard.content_clauses)
    if heard.before.personal and not requests and shows("pronoun_you", last.rest):
        return None
    return IntentFinding("knowledge", _form(last), "asked")


def _form(clause: Clause) -> str:
    """Whether what is asked for is asked as a request or as a question.

    ``tell me what it is`` is a request.
    """
    if not is_question(clause):
        return "request"
    marked = clause.asked or shows("particle", clause.rest) or shows("asks_yes_no", clause.rest)
    return "request" if shows("request", clause.rest) and not marked else "question"


def _hearsay(heard: IntentInput) -> IntentFinding | None:
    """Repeats what others say: to be confirmed or put right."""
    repeats = any(shows("hearsay", c.rest) for c in heard.content_clauses)
    return IntentFinding("knowledge", "statement", "hearsay") if repeats else None


def _fragment(heard: IntentInput) -> IntentFinding | None:
    """Nouns without a sentence: what is asked about, unless they answer a question."""
    state = heard.before
    bare = not any(
        shows(name, c.rest) for c in heard.content_clauses for name in ("predicate", "feeling", "indefinite")
    )
    new = not state.turns or (
        not state.asks and not state.personal and length(heard.content_clauses) <= SHORT
    )
    return IntentFinding("knowledge", "request", "fragment") if bare and new else None


def _weighted_finding(heard: IntentInput) -> IntentFinding:
    share = chance(features(heard.clauses, heard.before))
    asks = any(is_question(c) for c in heard.content_clauses)
    act = "question" if asks else "request" if heard.asks else "statement"
    if share >= threshold():
        return IntentFinding("knowledge", act if act != "statement" else "request", "weighed", share)
    leave = next((a for a in ("farewell", "thanks") if a in heard.acts), "")
    return IntentFinding("none", leave or ("smalltalk" if asks else act), "weighed", 1 - share)


RULES: tuple[Callable[[IntentInput], IntentFinding | None], ...] = (
    _nothing,
    _offer,
    _talk,
    _stop,
    _choice,
    _backchannel,
    _consent,
    _at_hand,
    _document,
    _assistant,
    _alone,
    _own,
    _desk,
    _slot,
    _request_finding,
    _wish,
    _hearsay,
    _fragment,
)
"""In order; the first that finds something decides."""
