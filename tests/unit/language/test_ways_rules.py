"""Rules of ways: many ways in one line."""

from __future__ import annotations

import pytest

from winnow.language.ways.templates import first_of, rules, template_rules

TEXT = """
<pull> = pull|(draw|drag) [gently]
== open curtain
<pull> {t} [wide] open
"""


def test_a_rule_is_each_of_its_alternatives() -> None:
    (rule,) = template_rules(TEXT)
    before, behind = rule.pieces
    said = ["pull", "draw", "draw gently", "drag gently"]
    assert [bool(before.fullmatch(words)) for words in said] == [True] * 4
    assert [
        behind.search(f"it {words}") is not None for words in ("open", "wide open", "wide", "opened")
    ] == [
        True,
        True,
        False,
        False,
    ]


def test_a_rule_knows_what_it_begins_with_and_its_shape() -> None:
    (rule,) = template_rules(TEXT)
    assert (rule.act, rule.kind, rule.shape, rule.first) == (
        "open",
        "curtain",
        "_t_",
        {"pull", "draw", "drag"},
    )


def test_what_may_be_left_out_first_leaves_the_next_word_to_begin_with() -> None:
    (rule,) = template_rules("== dock vacuum\n[go] (back|home) {t}")
    assert rule.first == {"go", "back", "home"}


def test_what_may_be_left_out_behind_a_hole_makes_two_shapes() -> None:
    found = list(template_rules("== open curtain\nraise {t} [up] [now]"))
    assert {rule.shape for rule in found} == {"_t_", "_t"}
    ends = next(rule.pieces[1] for rule in found if rule.shape == "_t_")
    assert [bool(ends.fullmatch(words)) for words in ("up", "now", "up now", "")] == [True] * 3 + [False]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("(pull|draw {t}", "not closed"),
        ("pull) {t}", "closes nothing"),
        ("<tug> {t}", "names nothing"),
        ("[pull]", "may say nothing"),
    ],
)
def test_a_line_that_is_no_rule_is_refused(line: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        list(template_rules(f"== open curtain\n{line}"))


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_rules_of_each_language_are_read(language: str) -> None:
    assert all(rule.first and rule.meaning for rule in rules(language))


def test_chinese_begins_with_a_character() -> None:
    assert (first_of("拉上窗帘", 0), first_of("pull it", 0)) == ("拉", "pull")
