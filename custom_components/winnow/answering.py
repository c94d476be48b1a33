"""From a sentence to what is said back: understood, done or asked, told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from winnow.engine.replies import receipt_sentences, verdict_reply
from winnow.engine.sessions import is_answered_elsewhere
from winnow.types.retrieval import Retrieval
from winnow.types.utterance import LanguageCode, Utterance
from winnow.types.verdict import Act, Clarify, Confirm, Nothing, NotUnderstood, Query, Refuse

from .runtime import Runtime
from .speech import Words, translations

Kind = Literal["done", "asked", "told", "refused", "failed", "elsewhere", "nothing"]
ELSEWHERE = frozenset(
    {
        "knowledge",
        "chat",
        "not_for_us",
        "none",
        "list",
        "date",
        "broadcast",
        "reminder",
        "self",
        "timer",
        "no_home",
        "nonsense",
    }
)
"""Why nothing is to be done in this home, where another agent may know better."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said, and what it is."""

    text: str
    kind: Kind
    done: tuple[tuple[str, str], ...] = ()
    """Id and name of what did something."""
    failed: tuple[tuple[str, str], ...] = ()


async def answered(runtime: Runtime, said: Utterance) -> Answer:
    """What came of the sentence. Raises WinnowError."""
    found = await runtime.thread.run(runtime.engine.retrieve(said))
    language = found.reading.language if runtime.language is None else runtime.language
    match found.verdict:
        case Act() | Nothing(reason="undo"):
            return await _done(runtime, found, language)
        case Query(reads=reads):
            view = await runtime.view(found.home_id)
            words = await translations(runtime.hass, reads, language)
            text = Words(language, runtime.sentences[language], words, view, found.snapshot).told(reads)
            return Answer(text, "told")
    return Answer(verdict_reply(found, await runtime.view(found.home_id)), _kind(found))


def _kind(found: Retrieval) -> Kind:
    match found.verdict:
        case Confirm() | Clarify():
            return "asked"
        case Refuse():
            return "refused"
        case NotUnderstood():
            return "elsewhere" if is_answered_elsewhere(found) else "refused"
        case Nothing(reason=reason) if reason in ELSEWHERE:
            return "elsewhere"
    return "nothing"


async def _done(runtime: Runtime, found: Retrieval, language: LanguageCode) -> Answer:
    """What was carried out, and what became of it."""
    view = await runtime.view(found.home_id)  # before: once something was done, it can be told
    receipt = await runtime.thread.run(runtime.engine.act(found))
    text = receipt_sentences(receipt, view, language)
    if receipt.waiting is not None:
        return Answer(text, "asked")
    names = {i: thing.name for things in (view.devices, view.scenes) for i, thing in things.items()}
    failed = [o.call.device_id for o in receipt.outcomes if not o.ok]
    became: Kind = "refused" if receipt.refused else "nothing"
    if receipt.outcomes:
        became = "done" if receipt.device_ids else "failed"
    return Answer(
        text,
        became,
        tuple((i, names.get(i, i)) for i in receipt.device_ids),
        tuple((i, names.get(i, i)) for i in dict.fromkeys(failed)),
    )
