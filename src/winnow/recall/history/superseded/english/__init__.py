"""What English sentences state: whose, what of theirs, and what it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from winnow.recall.history.superseded.claim import Claim
from winnow.recall.history.superseded.english.attributes import canonical
from winnow.recall.history.superseded.english.clauses import clauses
from winnow.recall.history.superseded.english.states import renewed, stated
from winnow.recall.history.superseded.english.subjects import Subject, subject_of


def english(text: str) -> Iterator[Claim]:
    """The claims of an English text, in order."""
    before: Subject | None = None
    for said in clauses(text):
        subject = subject_of(said, before)
        if subject is None:
            continue
        claim = stated(subject, said)
        topic = before.topic if before else ()
        if claim is None:
            before = replace(subject, topic=renewed(subject) or topic)
            continue
        yield claim
        if topic and not subject.what and claim.what != canonical(topic):
            yield replace(claim, what=canonical(topic), changed=True, single=True)
        before = replace(subject, topic=topic)
