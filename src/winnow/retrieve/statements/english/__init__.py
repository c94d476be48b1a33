"""What English sentences state: whose, what of theirs, and what it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from winnow.language.gazetteer import stem
from winnow.retrieve.statements.claims import StatementClaim
from winnow.retrieve.statements.english.states import clause_claim, renewed_topic
from winnow.retrieve.statements.english.subjects import (
    NO_PERSON,
    ClauseSubject,
    EnglishClause,
    Tokens,
    canonical_attribute,
    clause_subject,
    english_clauses,
)


def english_claims(text: str) -> Iterator[StatementClaim]:
    """The claims of an English text, in order."""
    before: ClauseSubject | None = None
    for said in english_clauses(text):
        subject = clause_subject(said, before)
        if subject is None:
            continue
        claim = clause_claim(subject, said)
        topic = before.topic if before else ()
        if claim is not None:
            yield from _with_topic(claim, subject, topic, said)
        elif subject.who == NO_PERSON:
            continue
        else:
            topic = renewed_topic(subject) or topic
        before = replace(subject, topic=topic)


def _with_topic(
    claim: StatementClaim, subject: ClauseSubject, topic: Tokens, said: EnglishClause
) -> Iterator[StatementClaim]:
    """The claim, and the same of what was said to be new: ``I switched dentists, I now see Dr. Lee``."""
    if claim.who:
        yield claim
    told = bool(claim.looks) or not claim.words.isdisjoint(map(stem, said.names))
    if topic and told and not subject.what:
        yield replace(claim, what=canonical_attribute(topic), changed=True, single=True)
