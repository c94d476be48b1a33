"""What was answered to one of our questions: which devices, yes, no, or nothing clear.

What words say to a question is read in ``language.answers``; here the question is put as that reads it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from winnow.decide.decide import decide
from winnow.language.answers import AnswerMeaning, ClosedQuestion, meaning
from winnow.language.kinds import mode_of_command
from winnow.language.messages import message
from winnow.language.naming import refusal_text
from winnow.language.normalize import normalise
from winnow.types.candidate import HomeShortlist
from winnow.types.home import Device, HomeView, Scene
from winnow.types.plan import ActionLimits
from winnow.types.query import UNDO, Quantifier, QueryIR, Reading, Value
from winnow.types.retrieval import Attempt, Retrieval
from winnow.types.utterance import Question, Turn, Utterance
from winnow.types.verdict import (
    RISK_UNSURE_TARGET,
    Act,
    Clarify,
    Confirm,
    Nothing,
    Option,
    Refusal,
    Refuse,
    Verdict,
    named_calls,
)


@dataclass(frozen=True, slots=True)
class QuestionAnswer:
    """``some``: the devices of the chosen options, or those of a confirmation that are agreed to.

    ``among``: those left, and it is still open which of them. ``unclear``: no answer to this question.
    """

    kind: Literal["some", "among", "yes", "no", "unclear"]
    device_ids: tuple[str, ...] = ()
    label: str = ""
    """What was chosen, or the words as said."""
    capability: str = ""
    """What would be done, where that was the question and one option was chosen."""


def parse_answer(asked: Retrieval, choice: int | str, view: HomeView) -> QuestionAnswer:
    """What ``choice`` says to the question of ``asked``.

    ``choice``: an option's index from 0, a bool for a confirmation, or words.
    """
    if isinstance(choice, str):
        question = closed_question(asked, view)
        meant = meaning(choice, question) if question else None
        return _answer_in_words(asked.verdict, meant, view, choice)
    match asked.verdict:
        case Confirm() if isinstance(choice, bool):
            return QuestionAnswer("yes", label="yes") if choice else QuestionAnswer("no", label="no")
        case Clarify(options=options) if not isinstance(choice, bool) and 0 <= choice < len(options):
            return _chosen_options([options[choice]])
    return QuestionAnswer("unclear", label=str(choice))


def _answer_in_words(
    verdict: Verdict, meant: AnswerMeaning | None, view: HomeView, words: str
) -> QuestionAnswer:
    """The devices that words leave; of a confirmation only where the question names them all."""
    if meant is None or meant.kind == "doubtful":
        return QuestionAnswer("unclear", label=words)
    if meant.kind not in {"some", "among"}:
        return QuestionAnswer(meant.kind, label=words)
    if isinstance(verdict, Clarify):
        left = _chosen_options([_answerable_options(verdict, view)[n] for n in meant.options])
        return left if meant.kind == "some" else QuestionAnswer("among", left.device_ids, words)
    assert isinstance(verdict, Confirm)
    named = list(_names_in_question(verdict, view))
    if len(named) < len(_proposed_ids(verdict)):
        return QuestionAnswer("unclear", label=words)
    return QuestionAnswer("some", tuple(named[n] for n in meant.options), words)


def _answerable_options(asked: Clarify, view: HomeView) -> tuple[Option, ...]:
    """The options, and those that were not offered but may be named."""
    return (*asked.options, *(Option(view.devices[i].name, (i,)) for i in asked.more))


def closed_question(asked: Retrieval, view: HomeView) -> ClosedQuestion | None:
    """The question of ``asked`` for whoever reads an answer to it; None where it asked none."""
    request = asked.reading.text
    acts = frozenset(query.action for query in asked.reading.queries if query.action)
    match asked.verdict:
        case Confirm() as question:
            names = tuple(_names_in_question(question, view).values())
            things: tuple[Device | Scene, ...] = (*view.home.devices, *view.home.scenes)
            others = [thing for thing in things if thing.id not in _proposed_ids(question)]
            elsewhere = frozenset(normalise(n) for x in others for n in (x.name, *x.aliases))
            return ClosedQuestion("confirm", request, names, acts, elsewhere=elsewhere)
        case Clarify() as question:
            options = _answerable_options(question, view)
            names = tuple((normalise(o.label), *_all_names(o.device_ids, view)) for o in options)
            return ClosedQuestion("choose", request, names, acts, len(question.options))
    return None


def _chosen_options(options: Sequence[Option]) -> QuestionAnswer:
    ids = tuple(dict.fromkeys(i for option in options for i in option.device_ids))
    capability = options[0].capability if len(options) == 1 else ""
    return QuestionAnswer(
        "some", ids, ", ".join(dict.fromkeys(option.label for option in options)), capability
    )


def _proposed_ids(asked: Confirm) -> tuple[str, ...]:
    """What a yes would be said to: devices and scenes, each once."""
    return tuple(dict.fromkeys(call.device_id for call in asked.proposed))


def _names_in_question(asked: Confirm, view: HomeView) -> dict[str, tuple[str, ...]]:
    """Each thing that the question calls by its name -> all its names."""
    text = normalise(asked.question)
    called = {i: _all_names((i,), view) for i in _proposed_ids(asked)}
    return {i: names for i, names in called.items() if names and names[0] in text}


def _all_names(device_ids: Sequence[str], view: HomeView) -> tuple[str, ...]:
    """All that the devices are called by: names, then those of their rooms and floors."""
    out: list[str] = []
    for device_id in device_ids:
        thing = view.devices.get(device_id) or view.scenes.get(device_id)
        for named in (thing, view.room(device_id), view.floor(device_id)):
            out += [named.name, *named.aliases] if named else []
    return tuple(map(normalise, out))


# A question answered: the original request goes on, narrowed to what was chosen.


MAX_ALTERNATIVES = 3
"""Things named of what else comes near."""
OUTSIDE_EVIDENCE = frozenset({"type.like", "room.name"})
"""Evidence that keeps a device out of a set; what a person chose is in it."""


def resume_turn(asked: Retrieval, answer: QuestionAnswer, view: HomeView, limits: ActionLimits) -> Retrieval:
    """``asked`` with the verdict that follows from the answer, while its snapshot holds.

    Its briefing is still that of the question.
    """
    match answer.kind:
        case "no":
            return asked.with_verdict(_verdict_of_no(asked, view))
        case "yes":
            return _confirm(asked, view, limits)
        case "some" if (one := asked.attempt.rival(answer.capability)) is not None:
            return replace(asked, attempt=one)
        case "some" if isinstance(asked.verdict, Confirm):
            return _confirm_in_part(asked, answer.device_ids, view, limits)
        case "some":
            return _narrow(asked, answer, view, limits)
        case "among":  # the same question about fewer devices, or done where only one can be meant
            asking, ids = _asking_queries(asked, answer.device_ids, view, limits), answer.device_ids
            shortlists = [
                narrow_shortlist(s, ids) if n in asking else s for n, s in enumerate(asked.shortlists)
            ]
            return _decide_queries(asked, asked.reading.queries, shortlists, view, limits)
    return asked.with_verdict(refusal_verdict(asked, "be_specific", answer.label))


def _verdict_of_no(asked: Retrieval, view: HomeView) -> Nothing | Refuse:
    """Nothing is done; where only the thing was wrong, it is told what else comes near."""
    if not isinstance(asked.verdict, Confirm):
        return Nothing("withdrawn")
    if RISK_UNSURE_TARGET not in asked.verdict.risks:
        return Nothing("declined")
    reason = Refusal("not_that", near=tuple(_alternatives(asked))[:MAX_ALTERNATIVES])
    return Refuse((reason,), refusal_text(reason, view, asked.reading.language))


def _alternatives(asked: Retrieval) -> Iterator[str]:
    """What else comes near to the words and has a command for the act, each once, best first."""
    named = {call.device_id for call in named_calls(asked.verdict)}
    for shortlist in asked.shortlists:
        able = (
            c for c in (*shortlist.weak, *shortlist.candidates) if any(e.lane == "trait" for e in c.evidence)
        )
        for device_id in dict.fromkeys(c.device_id for c in able):
            if device_id not in named:
                yield device_id


def refusal_verdict(asked: Retrieval, code: str, what: str = "") -> Refuse:
    """Nothing is done: ``be_specific`` or ``expired``."""
    reason = Refusal("not_understood" if code == "be_specific" else code, {"what": what})
    return Refuse((reason,), message(code, asked.reading.language))


def is_complete(reading: Reading) -> bool:
    """Whether a reading needs nothing said before it.

    A question, an act with a thing it is for, or words for somebody else.
    """
    if reading.intent == "command":
        return any((q.action or q.value) and q.target.tokens and not q.negated for q in reading.queries)
    return reading.intent in {"query", "hostile"} or (
        reading.intent == "none" and reading.reason not in {"", "not_understood", "nonsense", "reported"}
    )


def new_request(question: Question, text: str) -> Utterance:
    """A new request in the place of an answer, by the same person in the same place.

    The question is not in its history.
    """
    said = question.utterance
    return replace(said, text=text, history=(*said.history, Turn("user", said.text)))


def narrow_shortlist(shortlist: HomeShortlist, device_ids: Sequence[str]) -> HomeShortlist:
    """The shortlist with no other devices than these, which need not be counted out; nothing is added."""
    kept = [c for c in shortlist.candidates if c.device_id in device_ids]
    inside = [
        replace(c, evidence=tuple(e for e in c.evidence if e.lane not in OUTSIDE_EVIDENCE)) for c in kept
    ]
    weak = tuple(c for c in shortlist.weak if c.device_id in device_ids)
    return replace(shortlist, candidates=tuple(inside), weak=weak, uncounted="")


def _confirm(asked: Retrieval, view: HomeView, limits: ActionLimits) -> Retrieval:
    """The same calls, now agreed to; other calls than those asked about are not done.

    A yes that an agent wrote agrees to nothing: the question is asked again.
    """
    if asked.utterance.by_agent:
        return asked
    reading = replace(asked.reading, confirmed=True)
    if asked.reading.reason == UNDO:  # what is taken back tells the log, not the words
        return replace(asked, attempt=replace(asked.attempt, reading=reading, verdict=Nothing(UNDO)))
    verdict = decide(reading, asked.shortlists, view, asked.attempt.snapshot, asked.utterance, limits=limits)
    if named_calls(verdict) != named_calls(asked.verdict):
        return asked.with_verdict(refusal_verdict(asked, "expired"))
    return replace(asked, attempt=replace(asked.attempt, reading=reading, verdict=verdict))


def _confirm_in_part(
    asked: Retrieval, device_ids: tuple[str, ...], view: HomeView, limits: ActionLimits
) -> Retrieval:
    """The request for the things agreed to, not confirmed: what is dangerous is asked about by itself."""
    both = zip(
        asked.reading.queries, (narrow_shortlist(s, device_ids) for s in asked.shortlists), strict=True
    )
    left = [(_query_for(q, s.device_ids), s) for q, s in both if s.candidates]
    found = _decide_queries(asked, [q for q, _ in left], [s for _, s in left], view, limits)
    called = {call.device_id for call in named_calls(found.verdict)}
    fits = isinstance(found.verdict, Act | Confirm) and called == set(device_ids)
    return found if fits else asked.with_verdict(refusal_verdict(asked, "be_specific"))


def _decide_queries(
    asked: Retrieval,
    queries: Sequence[QueryIR],
    shortlists: Sequence[HomeShortlist],
    view: HomeView,
    limits: ActionLimits,
) -> Retrieval:
    """What follows where the request is read as these ``queries``."""
    reading = replace(asked.reading, queries=tuple(queries), clarified=True)
    verdict = decide(reading, shortlists, view, asked.attempt.snapshot, asked.utterance, limits=limits)
    return replace(asked, attempt=Attempt(reading, tuple(shortlists), verdict, asked.attempt.snapshot))


def _narrow(asked: Retrieval, answer: QuestionAnswer, view: HomeView, limits: ActionLimits) -> Retrieval:
    """The request for the devices, or with the mode, that was chosen."""
    if isinstance(asked.verdict, Clarify) and asked.verdict.by == "mode":
        mode = Value("absolute", text=mode_of_command(answer.capability))
        reading = replace(asked.reading, queries=tuple(replace(q, value=mode) for q in asked.reading.queries))
        asked = replace(asked, attempt=replace(asked.attempt, reading=reading))
    queries, shortlists = list(asked.reading.queries), list(asked.shortlists)
    for n in _asking_queries(asked, answer.device_ids, view, limits):
        queries[n] = _query_for(queries[n], answer.device_ids)
        shortlists[n] = narrow_shortlist(shortlists[n], answer.device_ids)
    found = _decide_queries(asked, queries, shortlists, view, limits)
    return (
        found.with_verdict(refusal_verdict(asked, "be_specific"))
        if isinstance(found.verdict, Clarify)
        else found
    )


def _asking_queries(
    asked: Retrieval, device_ids: Sequence[str], view: HomeView, limits: ActionLimits
) -> list[int]:
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


def _query_for(query: QueryIR, device_ids: Sequence[str]) -> QueryIR:
    """The instruction for just these devices, however many were said before."""
    query = replace(query, count=None)
    if len(device_ids) < 2 or query.quantifier is Quantifier.EXCEPT:
        return query
    return replace(query, quantifier=Quantifier.ALL)
