"""A question answered: the original request goes on, narrowed to what was chosen.

What follows is done to nothing that was not asked about. Asked again is only about less than before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from winnow.converse.answers import Answer
from winnow.decide import Limits, decide
from winnow.language.arming import mode_of_command
from winnow.say.messages import message
from winnow.say.telling import told
from winnow.types.attempt import Attempt
from winnow.types.briefing import Retrieval
from winnow.types.dialogue import Turn, Utterance
from winnow.types.home_shortlist import HomeShortlist
from winnow.types.query import UNDO, Quantifier, QueryIR, Reading, Value
from winnow.types.session import Question
from winnow.types.verdict import MEANT, Act, Clarify, Confirm, Nothing, Refusal, Refuse, named_calls
from winnow.types.view import HomeView

OFFERED = 3
"""Things named of what else comes near."""
OUTWARD = frozenset({"type.like", "room.name"})
"""Evidence that keeps a device out of a set; what a person chose is in it."""


def resumed(asked: Retrieval, answer: Answer, view: HomeView, limits: Limits) -> Retrieval:
    """``asked`` with the verdict that follows from the answer, while its snapshot holds.

    Its briefing is still that of the question.
    """
    match answer.kind:
        case "no":
            return asked.decided(_declined(asked, view))
        case "yes":
            return _confirmed(asked, view, limits)
        case "some" if (one := asked.attempt.rival(answer.capability)) is not None:
            return replace(asked, attempt=one)
        case "some" if isinstance(asked.verdict, Confirm):
            return _agreed_in_part(asked, answer.device_ids, view, limits)
        case "some":
            return _narrowed(asked, answer, view, limits)
        case "among":  # the same question about fewer devices, or done where only one can be meant
            asking, ids = _asking(asked, answer.device_ids, view, limits), answer.device_ids
            shortlists = [narrowed(s, ids) if n in asking else s for n, s in enumerate(asked.shortlists)]
            return _decided(asked, asked.reading.queries, shortlists, view, limits)
    return asked.decided(refusal(asked, "be_specific", answer.label))


def _declined(asked: Retrieval, view: HomeView) -> Nothing | Refuse:
    """Nothing is done; where only the thing was wrong, it is told what else comes near."""
    if not isinstance(asked.verdict, Confirm):
        return Nothing("withdrawn")
    if MEANT not in asked.verdict.risks:
        return Nothing("declined")
    reason = Refusal("not_that", near=tuple(_beside(asked))[:OFFERED])
    return Refuse((reason,), told(reason, view, asked.reading.language))


def _beside(asked: Retrieval) -> Iterator[str]:
    """What else comes near to the words and has a command for the act, each once, best first."""
    named = {call.device_id for call in named_calls(asked.verdict)}
    for shortlist in asked.shortlists:
        able = (
            c for c in (*shortlist.weak, *shortlist.candidates) if any(e.lane == "trait" for e in c.evidence)
        )
        for device_id in dict.fromkeys(c.device_id for c in able):
            if device_id not in named:
                yield device_id


def refusal(asked: Retrieval, code: str, what: str = "") -> Refuse:
    """Nothing is done: ``be_specific`` or ``expired``."""
    reason = Refusal("not_understood" if code == "be_specific" else code, {"what": what})
    return Refuse((reason,), message(code, asked.reading.language))


def whole(reading: Reading) -> bool:
    """Whether a reading needs nothing said before it.

    A question, an act with a thing it is for, or words for somebody else.
    """
    if reading.intent == "command":
        return any((q.action or q.value) and q.target.tokens and not q.negated for q in reading.queries)
    return reading.intent in {"query", "hostile"} or (
        reading.intent == "none" and reading.reason not in {"", "not_understood", "nonsense", "reported"}
    )


def anew(question: Question, text: str) -> Utterance:
    """A new request in the place of an answer, by the same person in the same place.

    The question is not in its history.
    """
    said = question.utterance
    return replace(said, text=text, history=(*said.history, Turn("user", said.text)))


def narrowed(shortlist: HomeShortlist, device_ids: Sequence[str]) -> HomeShortlist:
    """The shortlist with no other devices than these, which need not be counted out; nothing is added."""
    kept = [c for c in shortlist.candidates if c.device_id in device_ids]
    inside = [replace(c, evidence=tuple(e for e in c.evidence if e.lane not in OUTWARD)) for c in kept]
    weak = tuple(c for c in shortlist.weak if c.device_id in device_ids)
    return replace(shortlist, candidates=tuple(inside), weak=weak, uncounted="")


def _confirmed(asked: Retrieval, view: HomeView, limits: Limits) -> Retrieval:
    """The same calls, now agreed to; other calls than those asked about are not done."""
    reading = replace(asked.reading, confirmed=True)
    if asked.reading.reason == UNDO:  # what is taken back tells the log, not the words
        return replace(asked, attempt=replace(asked.attempt, reading=reading, verdict=Nothing(UNDO)))
    verdict = decide(reading, asked.shortlists, view, asked.attempt.snapshot, asked.utterance, limits=limits)
    if named_calls(verdict) != named_calls(asked.verdict):
        return asked.decided(refusal(asked, "expired"))
    return replace(asked, attempt=replace(asked.attempt, reading=reading, verdict=verdict))


def _agreed_in_part(
    asked: Retrieval, device_ids: tuple[str, ...], view: HomeView, limits: Limits
) -> Retrieval:
    """The request for the things agreed to, not confirmed: what is dangerous is asked about by itself."""
    both = zip(asked.reading.queries, (narrowed(s, device_ids) for s in asked.shortlists), strict=True)
    left = [(_of(q, s.device_ids), s) for q, s in both if s.candidates]
    found = _decided(asked, [q for q, _ in left], [s for _, s in left], view, limits)
    called = {call.device_id for call in named_calls(found.verdict)}
    fits = isinstance(found.verdict, Act | Confirm) and called == set(device_ids)
    return found if fits else asked.decided(refusal(asked, "be_specific"))


def _decided(
    asked: Retrieval,
    queries: Sequence[QueryIR],
    shortlists: Sequence[HomeShortlist],
    view: HomeView,
    limits: Limits,
) -> Retrieval:
    """What follows where the request is read as these ``queries``."""
    reading = replace(asked.reading, queries=tuple(queries), clarified=True)
    verdict = decide(reading, shortlists, view, asked.attempt.snapshot, asked.utterance, limits=limits)
    return replace(asked, attempt=Attempt(reading, tuple(shortlists), verdict, asked.attempt.snapshot))


def _narrowed(asked: Retrieval, answer: Answer, view: HomeView, limits: Limits) -> Retrieval:
    """The request for the devices, or with the mode, that was chosen."""
    if isinstance(asked.verdict, Clarify) and asked.verdict.by == "mode":
        mode = Value("absolute", text=mode_of_command(answer.capability))
        reading = replace(asked.reading, queries=tuple(replace(q, value=mode) for q in asked.reading.queries))
        asked = replace(asked, attempt=replace(asked.attempt, reading=reading))
    queries, shortlists = list(asked.reading.queries), list(asked.shortlists)
    for n in _asking(asked, answer.device_ids, view, limits):
        queries[n] = _of(queries[n], answer.device_ids)
        shortlists[n] = narrowed(shortlists[n], answer.device_ids)
    found = _decided(asked, queries, shortlists, view, limits)
    return found.decided(refusal(asked, "be_specific")) if isinstance(found.verdict, Clarify) else found


def _asking(asked: Retrieval, device_ids: Sequence[str], view: HomeView, limits: Limits) -> list[int]:
    """The instructions whose devices were asked about: those that by themselves lead to the same question."""
    pairs = list(enumerate(zip(asked.reading.queries, asked.shortlists, strict=True)))
    each = [replace(asked.reading, queries=(q,)) for q in asked.reading.queries]
    alone = [
        n
        for n, (_, s) in pairs
        if decide(each[n], (s,), view, asked.attempt.snapshot, asked.utterance, limits=limits)
        == asked.verdict
    ]
    return alone or [n for n, (_, s) in pairs if set(device_ids) <= set(s.device_ids)]


def _of(query: QueryIR, device_ids: Sequence[str]) -> QueryIR:
    """The instruction for just these devices, however many were said before."""
    query = replace(query, count=None)
    if len(device_ids) < 2 or query.quantifier is Quantifier.EXCEPT:
        return query
    return replace(query, quantifier=Quantifier.ALL)
