"""What becomes of what is held to be true when something is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from winnow.app.wiring.engine import open_builtin_embedder
from winnow.retrieve.facts.extract import parse_fact
from winnow.retrieve.facts.merge import fact_lineages, merge_fact
from winnow.types.fact import Fact

TABLE = open_builtin_embedder()
START = datetime(2026, 1, 1)  # noqa: DTZ001 - a wall clock has no zone


def day(number: int, text: str, credibility: float = 0.7) -> Fact:
    return replace(parse_fact(text, START + timedelta(days=number)), credibility=credibility)


def after(*told: Fact) -> list[Fact]:
    held: dict[str, Fact] = {}
    for fact in told:
        held.update({one.id: one for one in merge_fact(tuple(held.values()), fact, TABLE)})
    return list(held.values())


def standing(facts: Sequence[Fact]) -> list[str]:
    return [fact.status for fact in facts]


MONDAY, WEDNESDAY = "Choir practice is on Mondays.", "Choir practice has moved to Wednesdays now."


def test_news_take_the_place_of_what_was_and_both_are_kept() -> None:
    old, new = after(day(1, MONDAY), day(9, WEDNESDAY))
    assert (old.status, old.replaced_by, new.status) == ("superseded", new.id, "current")
    assert old.reason


def test_what_is_said_again_is_not_kept_twice() -> None:
    assert len(after(day(1, MONDAY), day(9, "As I said, choir practice is on Mondays."))) == 1


def test_what_stands_beside_changes_nothing() -> None:
    assert (
        standing(after(day(1, "I collect stamps."), day(2, "I also collect old coins."))) == ["current"] * 2
    )


def test_what_was_earlier_and_is_told_later_does_not_hold() -> None:
    new, old = after(day(9, WEDNESDAY), day(1, MONDAY))
    assert (new.status, old.status, old.replaced_by) == ("current", "superseded", new.id)


def test_a_doubtful_statement_makes_what_is_sure_uncertain_and_no_more() -> None:
    both = after(day(1, MONDAY, 1.0), day(9, WEDNESDAY, 0.4))
    assert standing(both) == ["uncertain"] * 2
    assert {fact.reason for fact in both} == {"less credible than what it contradicts"}


def test_two_of_one_moment_and_two_sources_that_cannot_both_be_are_uncertain() -> None:
    one, other = (
        replace(parse_fact(text, START, source), credibility=0.7)
        for text, source in (
            ("The silo holds 40 tonnes.", "document:a"),
            ("The silo holds 55 tonnes.", "document:b"),
        )
    )
    assert standing(after(one, other)) == ["uncertain"] * 2


def test_what_is_said_in_one_breath_is_no_news_of_itself() -> None:
    told = after(day(1, "My dentist is Dr. Cole."), day(1, "My dentist is now Dr. Ferris."))
    assert standing(told) == ["current"] * 2


def test_a_bare_correction_is_of_the_last_value_of_its_kind() -> None:
    old, other, new = after(
        day(1, "My flight leaves on Tuesday."), day(1, "I like plums."), day(1, "No, sorry, Thursday.")
    )
    assert (old.status, old.reason, other.status) == ("superseded", "correction", "current")
    assert new.text == "My flight leaves on Tuesday. No, sorry, Thursday."


def test_what_is_said_again_more_surely_takes_its_place() -> None:
    doubtful, sure = after(
        day(1, "I think my blood type is A positive.", 0.4), day(2, "My blood type is A positive.")
    )
    assert (doubtful.status, sure.status) == ("superseded", "current")


def test_lineage_runs_from_the_oldest_to_what_holds() -> None:
    third = "Choir practice has moved to Fridays from now on."
    (line,) = fact_lineages(after(day(1, MONDAY), day(9, WEDNESDAY), day(19, third)))
    assert [fact.text for fact in line] == [MONDAY, WEDNESDAY, third]


def test_what_was_replaced_by_something_forgotten_stands_by_itself() -> None:
    old = replace(day(1, MONDAY), status="superseded", replaced_by="gone")
    assert list(fact_lineages([old])) == [(old,)]


def test_tomorrow_is_another_day_when_it_is_said_on_another() -> None:
    told = "I see the dentist tomorrow."
    assert len(after(day(1, told), day(1, told))) == 1
    assert standing(after(day(1, told), day(9, told))) == ["superseded", "current"]
    assert len(after(day(1, "I turn forty this year."), day(9, "I turn forty this year."))) == 1


def test_what_tells_more_is_not_given_up_for_what_tells_less() -> None:
    more, less = "I take 5 mg of ramipril at 8 am.", "I take ramipril."
    assert more in [fact.text for fact in after(day(9, less), day(1, more)) if fact.status == "current"]
    assert standing(after(day(1, more, 0.5), day(9, less, 1.0))) == ["current"] * 2
    assert [fact.text for fact in after(day(1, more), day(9, less))] == [more]


def test_of_two_numbered_things_neither_is_news_of_the_other() -> None:
    both = after(day(1, "Bus 5 leaves at noon."), day(9, "Bus 6 leaves at noon."))
    assert standing(both) == ["current"] * 2


def test_what_another_does_is_no_news_of_what_i_do() -> None:
    both = after(day(1, "I can swim."), day(9, "She can't swim."))
    assert standing(both) == ["current"] * 2
