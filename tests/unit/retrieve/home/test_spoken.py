"""What earlier turns mentioned: it, both, the other one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.retrieve.home.villa import ON, OPEN, VILLA, asked, here, kind, lamp, mention, name, room

from winnow.adapters.models.embedders import HashingEmbedder
from winnow.retrieve.home.evidence import antecedent_devices
from winnow.retrieve.home.explain import HomePosition
from winnow.retrieve.home.index import build_index
from winnow.retrieve.home.search import home_shortlist
from winnow.types.home import Device
from winnow.types.query import Mention, Quantifier, QueryIR, Reference, Token, Value

LAMP, CURTAINS = (
    mention(name("moon", "nursery-lamp", full=True)),
    mention(name("long curtains", "parlour-curtains")),
)
IT, OTHER = Reference("it", "last"), Reference("the other one", "other")


def after(*antecedents: Mention, cluster: tuple[str, ...] = ON, words: tuple[Token, ...] = ()) -> QueryIR:
    """An order of which those were mentioned before, the last first."""
    return replace(asked(*words, cluster=cluster), antecedents=antecedents, references=(IT,))


def ids(query: QueryIR, stands: HomePosition | None = None) -> list[str]:
    return [m.device_id for m in antecedent_devices(query, stands or here())]


def test_it_is_the_last_mentioned_that_can_do_it() -> None:
    assert ids(after(CURTAINS, LAMP)) == ["nursery-lamp"]
    assert ids(after(LAMP, CURTAINS, cluster=OPEN)) == ["parlour-curtains"]


def test_without_a_known_act_it_is_the_last_mentioned() -> None:
    assert ids(after(CURTAINS, LAMP, cluster=())) == ["parlour-curtains"]


def test_both_are_all_that_can_do_it() -> None:
    both = replace(after(CURTAINS, LAMP, cluster=("Switch.On", "Cover.Open")), quantifier=Quantifier.ALL)
    assert ids(both) == ["parlour-curtains", "nursery-lamp"]


def test_a_word_beside_the_pronoun_says_which_was_meant() -> None:
    lamps = (mention(lamp(), room("parlour")), LAMP)
    assert ids(after(*lamps, words=(room("nursery"),))) == ["nursery-lamp"]


@pytest.mark.parametrize(
    ("value", "prop", "meant"),
    [
        (Value("absolute", 40.0), "", "nursery-lamp"),
        (Value("absolute", 40.0, "%"), "", "parlour-curtains"),
        (Value("absolute", 40.0), "position", "parlour-curtains"),
        (Value("absolute", text="half"), "", "parlour-curtains"),
        (Value("relative", 10.0), "", "parlour-curtains"),
        (None, "", "parlour-curtains"),
    ],
)
def test_a_bare_number_is_rather_for_what_is_no_shade(value: Value | None, prop: str, meant: str) -> None:
    sets = ("Cover.SetPosition", "Brightness.Set")
    assert ids(replace(after(CURTAINS, LAMP, cluster=sets), value=value, property=prop)) == [meant]


def test_of_one_mention_only_what_fits_about_best_is_meant() -> None:
    called = mention(name("lamp", "parlour-lamp", "storage-lamp"), room("parlour"))
    assert ids(after(called)) == ["parlour-lamp"]
    lamps = mention(lamp(), kind("light"))
    assert len(ids(after(lamps))) > 1


def test_of_one_mention_only_the_ablest_are_meant() -> None:
    those = mention(name("those", "parlour-lamp", "parlour-curtains", "parlour-blinds"))
    assert ids(after(those, cluster=OPEN)) == ["parlour-blinds", "parlour-curtains"]


def test_what_only_fits_less_than_the_best_is_not_spoken_of() -> None:
    exact = mention(Token("hatch", "word", 0, 5, {}, ("loft-bolt",)))
    near = Device("hatch-2", "hatch of the roof", "bolt", ("lock",), (), "loft")
    index = build_index(replace(VILLA, devices=(*VILLA.devices, near)), HashingEmbedder())
    assert ids(after(exact, cluster=("Lock.Lock",)), HomePosition(index)) == ["loft-bolt"]


def other_than(thing: Mention, *references: Reference, cluster: tuple[str, ...] = ON) -> QueryIR:
    return replace(asked(cluster=cluster), other_than=thing, references=references)


def test_the_other_one_is_of_the_same_kind_and_room_and_not_the_thing_itself() -> None:
    chandelier = mention(name("chandelier", "parlour-lights", full=True))
    assert ids(other_than(chandelier)) == ["parlour-lamp"]


def test_the_other_one_stands_elsewhere_where_its_room_has_none() -> None:
    assert ids(other_than(CURTAINS, cluster=OPEN)) == ["nursery-curtains"]


def test_the_other_one_said_with_a_pronoun_is_of_its_sort_in_the_same_room() -> None:
    assert ids(other_than(CURTAINS, OTHER, cluster=OPEN)) == ["parlour-blinds"]
    chandelier = mention(name("chandelier", "parlour-lights", full=True))
    assert ids(other_than(chandelier, OTHER)) == ["parlour-lamp"]


def test_nothing_is_another_than_what_is_not_there() -> None:
    assert ids(other_than(mention(kind("humidifier")))) == []


def test_a_thing_of_no_kind_has_no_fellows() -> None:
    index = build_index(
        replace(VILLA, devices=(*VILLA.devices, Device("odd", "gadget", "lamp", ()))), HashingEmbedder()
    )
    gadget = mention(name("gadget", "odd", full=True))
    assert ids(other_than(gadget), HomePosition(index)) == []


def test_what_points_at_nothing_that_can_do_it_brings_nothing() -> None:
    query = after(CURTAINS, words=(room("parlour"),))
    assert home_shortlist(replace(query, action_cluster=("Lock.Lock",)), here()).device_ids == ()


def test_without_a_pronoun_the_words_count_where_earlier_turns_do_not_help() -> None:
    query = replace(after(CURTAINS, words=(kind("lock"),), cluster=("Lock.Lock",)), references=())
    assert home_shortlist(query, here()).device_ids == ("loft-bolt",)


def test_another_one_is_looked_for_beside_what_was_named() -> None:
    chandelier = mention(name("chandelier", "parlour-lights", full=True))
    assert home_shortlist(other_than(chandelier), here()).device_ids == ("parlour-lamp",)


def test_what_the_sentence_excludes_is_not_taken_from_earlier_turns_either() -> None:
    both = replace(after(CURTAINS, LAMP, cluster=("Switch.On", "Cover.Open")), quantifier=Quantifier.ALL)
    assert home_shortlist(both.without(CURTAINS), here()).device_ids == ("nursery-lamp",)
