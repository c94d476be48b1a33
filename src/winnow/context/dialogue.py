"""The dialogue of a context: what stays word for word, what is told in short, and when that changes.

Between two rebuilds turns are only ever added at the end, so all before this turn's data stays byte by byte
what it was, and a server that keeps the beginning of a prompt need not read it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from winnow.context.parts import ContextParts
from winnow.context.rebuild import DialogueHead, EarlierTalk, build_head
from winnow.context.window import (
    FIRST_TURNS,
    Exchange,
    TopicShift,
    continue_window,
    is_decision,
    select_window,
    split_exchanges,
    topic_shift,
    topic_terms,
)
from winnow.errors import Phrase
from winnow.language.registry import language_of
from winnow.language.tokens import Counter
from winnow.types.candidate import Dropped, Step
from winnow.types.context import ChatMessage, DialogueState

STEP_WINDOW = "window"
HEAD_SHARE = 0.5
"""Part of the room that is left after the question which summary and facts may have, at most."""


@dataclass(frozen=True, slots=True)
class Dialogue:
    """What goes before this turn's data, and what the next turn goes on from."""

    head: DialogueHead
    window: tuple[Exchange, ...]
    state: DialogueState
    rebuilt: bool
    """Whether it was built anew, so that the messages before it are others now."""
    steps: tuple[Step, ...] = ()
    trimmed: tuple[Dropped, ...] = ()

    @property
    def messages(self) -> tuple[ChatMessage, ...]:
        """Its messages, oldest first."""
        told = ({"role": "system", "content": self.head.text},) if self.head.text else ()
        return (*told, *(message for turn in self.window for message in turn.messages))


@dataclass(frozen=True, slots=True)
class DialogueRoom:
    """How much a dialogue may take: ``share`` tokens, of which the question needs some."""

    share: int
    question: int
    counter: Counter

    def tokens_of(self, head: DialogueHead, window: Sequence[Exchange]) -> int:
        """Tokens of all three."""
        return self.question + head.tokens(self.counter) + sum(t.tokens(self.counter) for t in window)


def build_dialogue(parts: ContextParts, room: DialogueRoom, held: DialogueState) -> Dialogue:
    """The window as it was with what is new, or built anew where there is a reason to."""
    turns = split_exchanges(parts.history)
    going_on = continue_window(turns, held, room.counter)
    window = turns if going_on is None else going_on
    was_suspected = 0 < held.suspected == len(turns) - 1
    query = parts.query or parts.question
    about = topic_shift(query, window, parts.embedder, parts.question, was_suspected)
    old = DialogueHead(held.summary, held.pinned_facts)
    if why := _rebuild_reason(parts, room, held, going_on, about):
        return _rebuild(_Rebuild(parts, turns, window, about, room, why), held)
    now = _next_state(turns, window, old, room, held.summarized, held.since + len(window) - len(held.window))
    told: str = Phrase("{count} turns", count=len(window))
    if about.is_suspected:
        # Nothing is moved yet: the beginning stays what it was, should the question go on all the same.
        now = replace(now, suspected=len(turns))
        told = Phrase("{count} turns; the next question tells whether the topic turned", count=len(window))
    return Dialogue(old, window, now, False, (Step(STEP_WINDOW, "kept", told),))


def _rebuild_reason(
    parts: ContextParts,
    room: DialogueRoom,
    held: DialogueState,
    window: Sequence[Exchange] | None,
    about: TopicShift,
) -> str:
    """Why the dialogue is built anew; empty: it goes on as it stands."""
    if window is None or (window and not held.count):
        return "it is seen for the first time"
    taken, settings = room.tokens_of(DialogueHead(held.summary), window), parts.window
    current = {fact.id for fact in parts.facts if fact.status == "current"}
    reasons = {
        "turns it began with are no longer handed in": bool(held.window)
        and (not window or window[0].key != held.window[0][0]),
        "a fact that stood before it holds no longer": not current.issuperset(held.pinned_facts),
        "more than 85 in a hundred of its share are full": taken > settings.high * room.share,
        "it is longer than the window": settings.kind == "fixed" and len(window) > settings.most_turns,
        "the person asks for another topic": about.is_requested,
        "the topic turned": about.is_new_topic and taken - room.question > settings.shift * room.share,
        "it went on for long": held.since + len(window) - len(held.window) >= settings.long,
    }
    return next((why for why, holds in reasons.items() if holds), "")


@dataclass(frozen=True, slots=True)
class _Rebuild:
    """What a dialogue is built anew from, and why."""

    parts: ContextParts
    turns: Sequence[Exchange]
    before: Sequence[Exchange]
    """What the window held until now, and what is new."""
    about: TopicShift
    room: DialogueRoom
    why: str

    @property
    def question(self) -> str:
        """What is asked, standing alone where that is known."""
        return self.parts.query or self.parts.question

    @property
    def candidates(self) -> Sequence[Exchange]:
        """What may stay word for word; where the topic turned, the last turn and what bears on the new.

        Where one question alone tells so, the last three: a question that goes on after all hangs on these.
        """
        if not self.about.is_new_topic:
            return self.before
        asked, last = topic_terms(self.question), FIRST_TURNS if self.about.is_first else 1
        stays = {turn.place for turn in self.turns[-last:]}
        return [
            t for t in self.turns if t.place in stays or is_decision(t.text) or asked & topic_terms(t.text)
        ]


def _rebuild(what: _Rebuild, held: DialogueState) -> Dialogue:
    """All of it where that fits, else the turns that matter most, and the others in short."""
    room, settings = what.room, what.parts.window
    most = int(settings.summary * room.share)
    front, window = _dialogue_head(what, held, (), most), tuple(what.before)
    few = settings.kind != "fixed" or len(window) <= settings.most_turns
    if not few or what.about.is_new_topic or room.tokens_of(front, window) > settings.high * room.share:
        window, most = _remaining_turns(what, most)
        front = _dialogue_head(what, held, _removed_turns(what.before, window), most)
    return _rebuilt_dialogue(what, held, window, front)


def _remaining_turns(what: _Rebuild, most: int) -> tuple[tuple[Exchange, ...], int]:
    """The turns that stay, and the tokens that what stands before them may have: ``most``, or fewer."""
    room, settings = what.room, what.parts.window
    # As many turns as are asked for stay wherever they fit; else down to the low mark, so that it need not
    # be built anew the next turn.
    left, last = max(0, room.share - room.question), tuple(what.candidates)[-settings.turns :]
    taken, whole = sum(turn.tokens(room.counter) for turn in last), int(left * settings.high)
    target = int(left * settings.low)
    most = min(most, int(target * HEAD_SHARE))
    if settings.kind == "fixed" and taken <= whole:
        return last, min(most, whole - taken)
    return select_window(what.candidates, what.question, target - most, settings, room.counter), most


def _rebuilt_dialogue(
    what: _Rebuild, held: DialogueState, window: tuple[Exchange, ...], front: DialogueHead
) -> Dialogue:
    """The dialogue of these turns, with an account of the others."""
    counts: str = Phrase("{kept} of {all} turns word for word", kept=len(window), all=len(what.turns))
    steps = [Step(STEP_WINDOW, "rebuilt", what.why), Step(STEP_WINDOW, what.parts.window.kind, counts)]
    if front.text:
        size: str = Phrase("{count} tokens", count=front.tokens(what.room.counter))
        steps.append(Step("summary", "sentences", size))
    gone, turns = _removed_turns(what.before, window), what.turns
    keys = {turn.key for turn in gone}.union(held.summarized)
    # Of those that are told in short, the ones that are still handed in.
    told = tuple(dict.fromkeys(turn.key for turn in turns if turn.key in keys))
    now = _next_state(turns, window, front, what.room, told)
    trimmed = [_trimmed_turn(turn, what.why) for turn in gone]
    trimmed += [_trimmed_turn(turn, "cut in the middle") for turn in window if turn.limit]
    return Dialogue(front, window, now, True, tuple(steps), tuple(trimmed))


def _trimmed_turn(turn: Exchange, why: str) -> Dropped:
    return Dropped(f"turn {turn.place + 1}", STEP_WINDOW, why)


def _removed_turns(before: Sequence[Exchange], window: Sequence[Exchange]) -> list[Exchange]:
    """The turns that are not word for word any more."""
    places = {turn.place for turn in window}
    return [turn for turn in before if turn.place not in places]


def _dialogue_head(what: _Rebuild, held: DialogueState, gone: Sequence[Exchange], most: int) -> DialogueHead:
    """The summary of what goes and of what went before, and the facts that matter."""
    parts = what.parts
    language = parts.language or language_of(parts.question)
    earlier = "\n".join(part for part in (parts.summary, held.summary) if part)
    return build_head(
        EarlierTalk(gone, earlier), parts.facts, what.question, most, what.room.counter, language
    )


def _next_state(
    turns: Sequence[Exchange],
    window: Sequence[Exchange],
    front: DialogueHead,
    room: DialogueRoom,
    told: tuple[str, ...],
    since: int = 0,
) -> DialogueState:
    """What the next turn goes on from."""
    kept = tuple((turn.key, turn.limit) for turn in window)
    return DialogueState(kept, len(turns), since, front.text, told, front.fact_ids, room.share)
