"""Law 9: the briefing never exceeds its budget, and what is lost is named."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from winnow.context.briefing import build_briefing
from winnow.context.briefing_lines import BriefingLine, fit_lines
from winnow.language.tokens import count_tokens
from winnow.types.candidate import DeviceCandidate, HomeShortlist
from winnow.types.home import Command, Device, Home, HomeView, Profile, Room
from winnow.types.query import QueryIR, Reading
from winnow.types.retrieval import Attempt
from winnow.types.state import Snapshot
from winnow.types.verdict import (
    Act,
    Bulk,
    Call,
    Clarify,
    Confirm,
    Option,
    Query,
    Read,
    Refusal,
    Refuse,
    Verdict,
)

names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60)
budgets = st.integers(0, 300)


@st.composite
def cases(draw: st.DrawFn) -> tuple[Home, Verdict, tuple[HomeShortlist, ...]]:
    labels = draw(st.lists(names, min_size=1, max_size=25))
    profile = Profile("p", (Command("on", "Switch.On"), Command("off", "Switch.Off")))
    devices = tuple(
        Device(f"device-{n}", label, "p", ("light",), room_id="r") for n, label in enumerate(labels)
    )
    ids = [d.id for d in devices]
    calls = tuple(Call(i, draw(st.sampled_from(["on", "off"]))) for i in ids)
    text = draw(names)
    verdicts: list[Verdict] = [
        Act(calls[:5], refused=(Refusal("no_device", {"what": text}),)),
        Act(calls, Bulk(excluded=tuple(ids), uncovered=tuple(ids))),
        Confirm(calls[:1], text),
        Clarify(text, tuple(Option(d.name, (d.id,)) for d in devices)),
        Refuse((Refusal("no_device", device_ids=tuple(ids)),), text),
        Query(tuple(Read(i, "state") for i in ids)),
    ]
    shortlist = HomeShortlist(candidates=tuple(DeviceCandidate.of(i, "on#Switch.On", 0.5) for i in ids))
    return (
        Home("h", "h", "neutral", rooms=(Room("r", draw(names)),), profiles=(profile,), devices=devices),
        draw(st.sampled_from(verdicts)),
        (shortlist,),
    )


@given(case=cases(), budget=budgets, language=st.sampled_from(["zh", "en"]))
def test_a_briefing_never_exceeds_its_budget(
    case: tuple[Home, Verdict, tuple[HomeShortlist, ...]], budget: int, language: str
) -> None:
    home, verdict, shortlists = case
    reading = Reading("x", language, "command", queries=(QueryIR("x", action_cluster=("Switch.On",)),))
    snapshot = Snapshot({d.id: {"state": "on", d.name: d.name} for d in home.devices})
    attempt = Attempt(reading, shortlists, verdict, snapshot)
    briefing = build_briefing(attempt, HomeView.of(home), budget)
    assert briefing.tokens == count_tokens(briefing.text) <= budget


lines = st.lists(st.lists(names, min_size=1, max_size=3), max_size=6).map(
    lambda rows: tuple(
        BriefingLine(str(n), tuple(sorted(versions, key=len, reverse=True)))
        for n, versions in enumerate(rows)
    )
)


@given(lines=lines, budget=budgets)
def test_every_line_is_either_kept_in_order_or_named_as_left_out(
    lines: tuple[BriefingLine, ...], budget: int
) -> None:
    kept, left_out = fit_lines(lines, budget)
    assert [name for name, _ in kept] + list(left_out) == [line.name for line in lines]
    assert all(text in line.versions for (_, text), line in zip(kept, lines, strict=False))


def test_with_room_enough_every_line_keeps_its_fullest_version() -> None:
    assert fit_lines((BriefingLine("a", ("long text", "text")), BriefingLine("b", ("more",))), 100) == (
        (("a", "long text"), ("b", "more")),
        (),
    )


def test_lines_are_shortened_before_any_is_dropped_and_the_last_one_first() -> None:
    first, last = (
        BriefingLine("first", ("one two three four", "one")),
        BriefingLine("last", ("one two three four", "one")),
    )
    kept, left_out = fit_lines((first, last), count_tokens("one two three four\none"))
    assert kept == (("first", "one two three four"), ("last", "one"))
    assert left_out == ()


def test_the_least_important_line_is_dropped_first() -> None:
    kept, left_out = fit_lines(
        (BriefingLine("a", ("one",)), BriefingLine("b", ("two",)), BriefingLine("c", ("three",))),
        count_tokens("one\ntwo"),
    )
    assert [name for name, _ in kept] == ["a", "b"]
    assert left_out == ("c",)


def test_a_set_without_all_of_its_members_is_named_among_what_was_left_out() -> None:
    whole = BriefingLine("set", ("one two three four five six seven eight", "one"), members=True)
    told, left_out = fit_lines((whole,), 3)
    assert told == (("set", "one"),)
    assert left_out == ("set",)
    assert fit_lines((whole,), 100)[1] == ()
