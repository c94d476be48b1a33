"""What English sentences state: whose, what of theirs, and what it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from winnow.language.gazetteer import stem
from winnow.retrieve.statements.claims import Claim
from winnow.retrieve.statements.english.attributes import canonical
from winnow.retrieve.statements.english.clauses import Said, Tokens, clauses
from winnow.retrieve.statements.english.states import renewed, stated
from winnow.retrieve.statements.english.subjects import NOBODY, Subject, subject_of


def english(text: str) -> Iterator[Claim]:
    """The claims of an English text, in order."""
    before: Subject | None = None
    for said in clauses(text):
        subject = subject_of(said, before)
        if subject is None:
            continue
        claim = stated(subject, said)
        topic = before.topic if before else ()
        if claim is not None:
            yield from _with_topic(claim, subject, topic, said)
        elif subject.who == NOBODY:
            continue
        else:
            topic = renewed(subject) or topic
        before = replace(subject, topic=topic)


def _with_topic(claim: Claim, subject: Subject, topic: Tokens, said: Said) -> Iterator[Claim]:
    """The claim, and the same of what was said to be new: ``I switched dentists, I now see Dr. Lee``."""
    if claim.who:
        yield claim
    told = bool(claim.looks) or not claim.words.isdisjoint(map(stem, said.names))
    if topic and told and not subject.what:
        yield replace(claim, what=canonical(topic), changed=True, single=True)
