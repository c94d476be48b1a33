"""Rebuilds a dialogue: a summary of earlier turns and known facts, by rules or a model (seed 004, 4.2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from winnow.context.compress.abstract import abstract_items
from winnow.context.parts import ContextParts
from winnow.context.quotes import fitting_lines
from winnow.context.window import (
    Exchange,
    is_decision,
    is_personal,
    split_exchanges,
    topic_terms,
    window_words,
)
from winnow.language.encode import encode_text
from winnow.language.messages import message
from winnow.language.registry import LANGUAGES, language_of
from winnow.language.scope_words import is_limited
from winnow.language.sentences import split_sentences
from winnow.language.tokens import PER_MESSAGE, Counter
from winnow.ports.services import ModelClient
from winnow.types.candidate import Step
from winnow.types.context import Compressed, CompressedItem, Context, Item
from winnow.types.fact import Fact
from winnow.types.utterance import LanguageCode

FACTS_SHARE = 0.25
"""Part of the room that facts of the person may have."""
MAX_LINE_CHARS, MIN_LINE_CHARS = 240, 4
"""Characters of one line, at most (but for what may not be cut) and at least."""
MAX_OLDER_TURNS = 60
"""Turns that are read for the summary, counted from the last one that goes."""
LINE_MARK = "- "
_TELLING_TEXT = re.compile(r"\d|[A-Z][a-z]+ [A-Z][a-z]+|[\"“「《]")


@dataclass(frozen=True, slots=True)
class DialogueHead:
    """The message that stands before the window, and the facts in it. Empty where there is nothing to say."""

    text: str = ""
    fact_ids: tuple[str, ...] = ()

    def tokens(self, counter: Counter) -> int:
        """Tokens of the message."""
        return counter.count(self.text) + PER_MESSAGE if self.text else 0


@dataclass(frozen=True, slots=True)
class EarlierTalk:
    """What is to be told in short: turns, and the summary of those before them."""

    turns: Sequence[Exchange]
    earlier: str = ""
    """What the head said before, or what the caller says was said before the dialogue."""


def build_head(
    gone: EarlierTalk,
    facts: Sequence[Fact],
    question: str,
    room: int,
    counter: Counter,
    language: LanguageCode,
) -> DialogueHead:
    """The summary and the facts that matter most for the question, in at most ``room`` tokens."""
    left, asked = room - PER_MESSAGE, topic_terms(question)
    # Of the facts that hold, what bears on the question first, then what is believed most, then the newest.
    current = [fact for fact in reversed(facts) if fact.status == "current"]
    current.sort(key=lambda fact: (-len(asked & topic_terms(fact.text)), -fact.credibility))
    ids = {message("known_of_person", language): ""} | {
        LINE_MARK + _summary_line(f.text): f.id for f in current
    }
    known = fitting_lines(list(ids), int(left * FACTS_SHARE), counter)
    known = known if len(known) > 1 else []
    summary = _summary_lines(gone, question, left - counter.count("\n".join(known)) - 1, counter, language)
    lines = fitting_lines((*summary, *known), left, counter)
    return DialogueHead("\n".join(lines), tuple(ids[line] for line in known if ids[line] and line in lines))


def _summary_lines(
    gone: EarlierTalk, question: str, room: int, counter: Counter, language: LanguageCode
) -> list[str]:
    """The lines that say most, in the order they were said, under a title."""
    title = message("said_earlier", language)
    said = (line for turn in gone.turns[-MAX_OLDER_TURNS:] for line in _turn_lines(turn, language))
    # One line for each sentence, with who said it, oldest first and none twice.
    every = (*_previous_summary(gone.earlier), *said)
    lines = list(dict.fromkeys(LINE_MARK + line for line in every if len(line) >= MIN_LINE_CHARS))
    left, kept = room - counter.count(title) - 1, set[int]()
    for n in sorted(range(len(lines)), key=lambda n: -_line_worth(lines[n], n / len(lines), question)):
        cost = counter.count(lines[n]) + 1
        if cost <= left:
            kept.add(n)
            left -= cost
    return [title, *(lines[n] for n in sorted(kept))] if kept else []


def _previous_summary(earlier: str) -> Iterator[str]:
    """The lines of the summary before, without its titles and facts, or the sentences of another."""
    titles = {code: {message(code, one) for one in LANGUAGES} for code in ("said_earlier", "known_of_person")}
    for line in earlier.splitlines():
        if line in titles["known_of_person"]:
            return
        if line.startswith(LINE_MARK):
            yield line.removeprefix(LINE_MARK)
        elif line not in titles["said_earlier"]:
            yield from (_summary_line(sentence) for sentence in _sentence_texts(line))


def _turn_lines(turn: Exchange, language: LanguageCode) -> Iterator[str]:
    for who, text in (("by_user", turn.user_text), ("by_assistant", turn.reply_text)):
        for sentence in _sentence_texts(text):
            yield message(who, language) + _summary_line(sentence)


def _summary_line(text: str) -> str:
    """As one harmless line, cut where it is long; what a word turns round or limits stays whole."""
    return encode_text(text, max(MAX_LINE_CHARS, len(text)) if is_limited(text) else MAX_LINE_CHARS)


def _sentence_texts(text: str) -> Iterable[str]:
    return (said for one in split_sentences(text) if (said := one.text.strip()))


def _line_worth(line: str, place: float, question: str) -> float:
    """What is settled, tells of the person, has names or numbers, or is near to the question tells most."""
    weights, asked = window_words()["worth"], topic_terms(question)
    return float(
        weights["decision"] * is_decision(line)
        + weights["telling"] * is_personal(line)
        + weights["topic"] * (len(asked & topic_terms(line)) / len(asked) if asked else 0.0)
        + weights["telling"] * bool(_TELLING_TEXT.search(line))
        + weights["telling"] * place
    )


# The summary of a dialogue in a model's words, where there is a model and its words pass the checks.


MAX_SUMMARY_SOURCE_CHARS = 6000
"""Characters of what goes that a model sees, counted from the end."""
MODEL_SUMMARY_REASON = "the summary is in a model's words; its numbers and names were said"


async def summarize_dialogue(
    context: Context, parts: ContextParts, counsel: ModelClient, counter: Counter
) -> Context:
    """The context with the summary in a model's words, where the dialogue was built anew this turn.

    It never takes more tokens, and says no number or name that was not said; else the sentences stay, and
    the account says why.
    """
    lines = _model_summary_lines(context, parts)
    if not lines or not counsel.asks or context.last_reconstruction_time != parts.now:
        return context
    text = "\n".join(lines)
    tokens = counter.count(text)
    before = CompressedItem(Item("summary", _earlier_text(context, parts, text)), text, tokens, "sentences")
    made = Compressed((before,), "heavy", 0.2, 0.2, tokens)
    after = await abstract_items(made, parts.query or parts.question, counsel, counter.count)
    if after.text == text:
        return replace(context, trimmed=(*context.trimmed, *after.cut)) if after.cut else context
    return _with_summary(context, text, after.text, counter)


def _model_summary_lines(context: Context, parts: ContextParts) -> Sequence[str]:
    """The lines of the summary before the dialogue, without its title and the facts."""
    told = context.dialogue.summary.splitlines() if context.dialogue else []
    language = parts.language or language_of(parts.question)
    if not told or told[0] != message("said_earlier", language):
        return ()
    known = message("known_of_person", language)
    return told[1 : told.index(known) if known in told else len(told)]


def _earlier_text(context: Context, parts: ContextParts, summary: str) -> str:
    """What was said in the turns that are not word for word any more, the last of it where it is much."""
    kept = {key for key, _ in context.dialogue.window} if context.dialogue else set()
    said = " ".join(turn.text for turn in split_exchanges(parts.history) if turn.key not in kept)
    return f"{summary}\n{said[-MAX_SUMMARY_SOURCE_CHARS + len(summary) :]}" if said else summary


def _with_summary(context: Context, before: str, after: str, counter: Counter) -> Context:
    """The same with the summary in other words."""
    assert context.dialogue is not None
    assert context.usage is not None
    old, history = context.dialogue.summary, context.usage["history"]
    new = old.replace(before, after, 1)
    messages = tuple(
        {**one, "content": new} if one.get("role") == "system" and one.get("content") == old else one
        for one in context.messages
    )
    fewer = counter.count(old) - counter.count(new)
    return replace(
        context,
        messages=messages,
        token_count=counter.messages(messages) + context.tool_tokens,
        usage={**context.usage, "history": replace(history, used=history.used - fewer)},
        stable=context.stable - fewer,
        steps=(*context.steps, Step("summary", "model", MODEL_SUMMARY_REASON)),
        dialogue=replace(context.dialogue, summary=new),
    )
