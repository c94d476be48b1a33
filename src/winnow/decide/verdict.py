"""The verdict of a sentence, from what its instructions come to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from winnow.decide.batches import TOO_MANY, batches, groups, too_many
from winnow.decide.confirm import Asked, confirmation
from winnow.decide.outcome import Doubt, Sentence
from winnow.decide.situation import Situation
from winnow.say.messages import message
from winnow.say.telling import told
from winnow.types.dialogue import Language
from winnow.types.verdict import MEANT, Act, Bulk, Clarify, Confirm, Nothing, Refusal, Refuse, Verdict


def verdict(sentence: Sentence, situation: Situation) -> Verdict:
    """What is done of the whole: everything that is clear, or nothing before an answer."""
    deeds, doubts = sentence.deeds, sentence.doubts
    # Of two orders the clear one is done and the other told, unless what is unclear could do harm
    if doubts and (not deeds or any(d.grave for d in doubts)):
        return _question(doubts, situation.language)
    refused = (*sentence.refused, *(d.refusal for d in doubts))
    if sentence.spoilt:
        first = sentence.spoilt[0]
        return Refuse((first,), told(first, situation.view, situation.language), sentence.judged)
    if not deeds:
        return _nothing_done(sentence, situation)
    return _carried_out(sentence, refused, situation)


def _nothing_done(sentence: Sentence, situation: Situation) -> Nothing | Refuse:
    """Why no instruction has calls: its condition does not hold, or it cannot be done."""
    if sentence.judged and not sentence.refused:
        return Nothing("condition_false", sentence.judged)
    refused = sentence.refused or (Refusal("not_understood"),)
    text = told(refused[0], situation.view, situation.language)
    return Refuse(refused, text, sentence.judged, sentence.hints)


def _question(doubts: Sequence[Doubt], language: Language) -> Clarify:
    """The first question; that another order of the sentence is unclear as well is said before it."""
    ask = doubts[0].ask
    if len(doubts) == 1:
        return ask
    return replace(
        ask, question=message("also_open", language) + ask.question, hints=(*ask.hints, "also_open")
    )


def _carried_out(sentence: Sentence, refused: tuple[Refusal, ...], situation: Situation) -> Act | Confirm:
    """The calls, done or first asked about, and what is told beside them."""
    deeds = sentence.deeds
    calls = tuple(d.call for d in deeds)
    together = groups(deeds) if sentence.bulk else ()
    many = too_many(together, situation.limits, everywhere=sentence.everywhere)
    hints = (*sentence.hints, TOO_MANY) if many else sentence.hints
    risks = _risks(sentence, situation)
    if (risks or many) and not situation.confirmed:
        told = Asked(deeds, many, situation.guess, sentence.meant)
        text = confirmation(told, situation.view, situation.language)
        return Confirm(calls, text, risks, refused, sentence.judged, hints)
    if sentence.bulk:
        pieces = batches(sentence.deeds, situation.limits)
        bulk = Bulk(pieces, sentence.excluded, sentence.uncovered, hints, together)
    else:
        bulk = None
    return Act(calls, bulk, refused, sentence.judged)


def _risks(sentence: Sentence, situation: Situation) -> tuple[str, ...]:
    """The names of what wants a yes, each once. To have guessed is a risk of its own."""
    dangers = dict.fromkeys(d.danger for d in sentence.deeds if d.danger)
    guessed = ("guess",) if situation.guess else ()
    return (*dangers, *guessed, *((MEANT,) if sentence.meant else ()))
