"""What a text tells that is to be kept: its statements, each with what it is about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, time
from hashlib import sha256

from winnow.language.normalise import fold, language_of, normalise
from winnow.language.sentences import sentences
from winnow.recall.facts.marks import pattern
from winnow.recall.facts.said import Said, said
from winnow.recall.history.superseded.claim import SELF, Claim
from winnow.recall.history.times import spans
from winnow.types.fact import Fact

USER = "user"
"""The subject of what a person says of themselves; ``user/sister`` is theirs."""
TOLD, HEDGED, CORRECTED = 0.7, 0.4, 1.0
"""Credibility of what is said plainly, with a doubt, and to put right what was wrong."""
LEAST, MOST = 4, 300
"""Characters of a statement."""
NO_STATEMENT = ("request", "chatter", "acknowledges")
"""Patterns of what states nothing that lasts."""


@dataclass(frozen=True, slots=True)
class About:
    """What a statement is about, as far as it can be read."""

    subject: str = ""
    attribute: str = ""
    value: str = ""


def statements(text: str, at: datetime | None = None, source: str = USER) -> tuple[Fact, ...]:
    """The statements of a text that speak of whoever says it, of theirs or of somebody named.

    No questions, no requests, no wishes. ``at``: when it was said.
    """
    return tuple(fact for fact in all_statements(text, at, source) if speaks_of_somebody(fact))


def all_statements(text: str, at: datetime | None = None, source: str = USER) -> Iterator[Fact]:
    """Those too that name nobody: ``the heating works again`` may be news of what is known."""
    subject = ""
    for sentence in sentences(text):
        told = sentence.text.strip()
        if states(told):
            fact = _of_the_same(fact_of(told, at, source), subject)
            subject = fact.subject
            yield fact


def _of_the_same(fact: Fact, subject: str) -> Fact:
    """A statement that begins with a pronoun is of whom the one before was."""
    plain = normalise(fact.text)
    pointing = subject and pattern("theirs", language_of(fact.text)).search(plain)
    return replace(fact, subject=subject) if pointing else fact


def fact_of(text: str, at: datetime | None = None, source: str = USER) -> Fact:
    """One statement as a fact, whatever it says."""
    read = said(text)
    about = _about(read)
    return Fact(
        id_of(text, at, source),
        text,
        about.subject,
        about.attribute,
        about.value,
        since(text, at),
        _credible(read),
        source,
    )


def id_of(text: str, at: datetime | None, source: str) -> str:
    """Stable: the same words of the same moment and source are one fact."""
    told = "\n".join((fold(text), at.isoformat() if at else "", source))
    return f"f-{sha256(told.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def states(text: str) -> bool:
    """Whether a sentence states something: it asks for nothing."""
    plain, language = normalise(text), language_of(text)
    if not len(plain) * (3 if language == "zh" else 1) >= LEAST or len(plain) > MOST:
        return False
    if "asks" in said(text).marks:
        return False
    return not any(pattern(name, language).search(plain) for name in NO_STATEMENT)


def speaks_of_somebody(fact: Fact) -> bool:
    """Whether it speaks of whoever says it, of theirs, or states something of somebody named."""
    return bool(fact.subject or said(fact.text).claims)


def since(text: str, at: datetime | None) -> datetime | None:
    """Since when it holds, where the text says so (``from 1 March``), else when it was said."""
    if at is None:
        return None
    plain, begins = normalise(text), pattern("since", language_of(text))
    for span in spans(text, at):
        where = plain.find(span.text)
        if where > 0 and begins.search(plain[:where]):
            return datetime.combine(span.start, time())
    return at


def _credible(read: Said) -> float:
    if "corrects" in read.marks:
        return CORRECTED
    return HEDGED if "doubtful" in read.marks else TOLD


def _about(read: Said) -> About:
    """Subject, attribute and value, by the grammar where it could be read, else by the verb."""
    for claim in read.claims:
        return _of_claim(claim, read)
    return _of_form(read)


def _of_claim(claim: Claim, read: Said) -> About:
    """What the grammar tells; attribute and value in the words of the sentence where its form shows them."""
    who, form = claim.who, _of_form(read)
    subject = USER + who[len(SELF) :] if who == SELF or who.startswith(f"{SELF}/") else who
    value = form.value or ", ".join(claim.looks.values()) or " ".join(sorted(claim.words))
    return About(subject, form.attribute or " ".join(sorted(claim.what)), value)


def _of_form(read: Said) -> About:
    """What the form of the sentence tells: ``our landlord is Petrov``, ``I drive a Polo``."""
    language = "zh" if read.chinese else "en"
    plain = pattern("lead", language).sub("", normalise(read.text))
    for form in ("labelled", "said"):
        found = pattern(form, language).match(plain)
        if found:
            told = found.groupdict()
            what = told.get("what") or told.get("verb") or ""
            return About(_subject(read), what.strip(), told["value"].strip())
    return About(_subject(read))


def _subject(read: Said) -> str:
    """Of whom: the first person of theirs it names, or whoever says it; empty: of nobody."""
    person = pattern("people", "zh" if read.chinese else "en").search(normalise(read.text))
    if person:
        return f"{USER}/{person[0]}"
    return USER if read.own else ""
