"""What is kept of texts that are too long, and what is told of the rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.app.wiring.engine import open_builtin_embedder
from winnow.context.compress.compress import compress
from winnow.errors import ArgumentError
from winnow.language.tokens import count_tokens
from winnow.types.context import Item

MILL = (
    "The old mill stands by the river. It was built in 1820 by a family of bakers. Swallows nest under its "
    "roof every spring. The wheel turns slowly and makes a lot of noise. Children like to play there in "
    "summer. In winter the river freezes, and the wheel stands still for weeks."
)
TOWER = (
    "The water tower is much younger. A storm damaged its roof twice. Visitors may climb it on Sundays, and "
    "the view reaches to the sea. A small shop sells postcards. The lift has been broken for a year."
)
TEA = (
    "这家茶馆在老城的北门旁边。老板姓周，今年六十岁。茶馆每天早上七点开门，晚上十点关门。"
    "二楼有一个小戏台，周末唱戏。"
)


def items(*texts: str, **fields) -> list[Item]:
    return [Item(f"i{n}", text, **fields) for n, text in enumerate(texts)]


def tokens(*texts: str) -> int:
    return count_tokens("\n".join(texts))


def test_what_fits_stays_as_it_is() -> None:
    found = compress(items(MILL, TOWER), "anything", 1000)
    assert found.text == f"{MILL}\n{TOWER}"
    assert (found.level, found.reached, found.cut) == ("none", 1.0, ())


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When was the mill built?", "1820"),
        ("Which days can visitors climb the water tower?", "Sundays"),
        ("What happens to the river in winter?", "freezes"),
        ("茶馆几点开门？", "七点"),
    ],
)
def test_the_answer_stays(question: str, answer: str) -> None:
    found = compress(items(MILL, TOWER, TEA), question, 40)
    assert answer in found.text
    assert found.tokens <= 40


@pytest.mark.parametrize(
    ("share", "level"), [(0.8, "light"), (0.6, "medium"), (0.3, "heavy"), (0.1, "extreme")]
)
def test_the_level_follows_from_how_much_must_go(share: float, level: str) -> None:
    found = compress(items(MILL, TOWER), "the mill", int(share * tokens(MILL, TOWER)))
    assert found.level == level
    assert found.reached <= found.asked <= share


def test_gaps_are_marked_and_sentences_stay_whole_where_there_is_room() -> None:
    found = compress(items(MILL), "When was the mill built, and does the river freeze in winter?", 45)
    assert "It was built in 1820 by a family of bakers." in found.text
    assert "…" in found.text
    assert found.kept[0].method == "sentences"


def test_what_is_said_twice_is_kept_once_and_the_account_says_where() -> None:
    again = "Many tourists come. It was built in 1820 by a family of bakers. Bring an umbrella."
    found = compress(items(MILL, again), "When was the mill built?", 60)
    assert found.text.count("1820") == 1
    assert [(d.id, d.stage) for d in found.cut if d.stage == "repeats"] == [("i1", "repeats")]


@pytest.mark.parametrize(
    "other",
    [
        "It was built in 1830 by a family of bakers.",
        "It was not built in 1820 by a family of bakers.",
    ],
)
def test_another_number_or_a_denial_is_no_repetition(other: str) -> None:
    found = compress(
        items(MILL, f"Many tourists come. {other}"), "When was it built by a family of bakers?", 60
    )
    assert not [d for d in found.cut if d.stage == "repeats"]
    assert other in found.text


def test_an_important_item_stays_whole_up_to_half_and_nearly_beyond() -> None:
    notice = Item("n", "The spare key lies with Ms. Ito. Ring twice. She is out on Mondays.", importance=0.9)
    long = items(MILL, TOWER)
    half = compress([*long, notice], "the mill", int(0.6 * tokens(MILL, TOWER, notice.text)))
    assert half.kept[-1].text == notice.text
    hard = compress([*long, notice], "the mill", int(0.25 * tokens(MILL, TOWER, notice.text)))
    assert hard.kept[-1].item.id == "n"
    assert hard.kept[-1].tokens >= 0.5 * count_tokens(notice.text)
    plain = compress(
        [*long, Item("n", notice.text)], "the mill", int(0.25 * tokens(MILL, TOWER, notice.text))
    )
    assert plain.text != hard.text


def test_what_is_more_important_goes_last() -> None:
    few = Item("few", "Visitors see the garden from July on. It is open until dusk.", importance=0.1)
    many = Item("many", "Visitors see the library from June on. It is closed at noon.", importance=0.7)
    found = compress([few, many], "what do visitors see", 15)
    assert {kept.item.id for kept in found.kept} == {"many"}


TABLE = """Our lamps:

| name | room | price |
| --- | --- | --- |
| Alba | hall | 30 euros |
| Brio | kitchen | 45 euros |
| Cora | study | 60 euros |
| Dora | attic | 75 euros |
"""


def test_a_row_of_a_table_keeps_its_header() -> None:
    found = compress(items(TABLE), "What does the lamp in the study cost?", 40)
    assert "| Cora | study | 60 euros |" in found.text
    assert "| name | room | price |\n| --- | --- | --- |" in found.text
    assert "Alba" not in found.text
    assert found.kept[0].method == "structure"


def test_an_entry_of_a_list_keeps_what_the_list_is_of() -> None:
    entries = "- a warm blanket\n- matches and candles\n- two pots\n- salt"
    text = f"We had a nice trip in May.\nTake with you to the hut:\n{entries}"
    found = compress(items(text), "Do I need candles at the hut?", 20)
    assert "Take with you to the hut:\n" in found.text
    assert "- matches and candles" in found.text


def test_json_becomes_lines_and_the_one_asked_for_stays() -> None:
    text = '{"lamps": [{"room": "hall", "watts": 40}, {"room": "study", "watts": 60}], "owner": "Ida Holm"}'
    found = compress(items(text), "Who is the owner?", 12)
    assert "owner: Ida Holm" in found.text
    assert found.kept[0].method == "structure"


def test_a_heading_and_a_title_stand_over_what_is_kept_where_there_is_room() -> None:
    text = f"# Mills\n\n{MILL}\n\n# Towers\n\n{TOWER}"
    found = compress([Item("g", text, title="Town guide")], "Which days can visitors climb the tower?", 60)
    assert found.text.startswith("Town guide\n")
    assert "# Towers" in found.text
    tight = compress([Item("g", text, title="Town guide")], "Which days can visitors climb the tower?", 22)
    assert "Sundays" in tight.text


def test_code_is_kept_by_lines() -> None:
    text = "def price(lamp):\n    base = lamp.base\n    tax = base * 0.2\n    return base + tax\n" * 2
    found = compress(items(text), "how is the tax computed", 20)
    assert all(line in text or line.strip("… ") in text for line in found.text.splitlines())
    assert "    tax = base * 0.2" in found.text or "tax = base * 0.2" in found.text


def test_with_room_for_a_few_words_key_words_stand_for_a_text() -> None:
    found = compress(
        items("Grandmother Ottilie founded the bakery Kringel in 1931 together with her sister."), "bakery", 5
    )
    assert found.kept
    assert found.kept[0].method == "keywords"
    assert found.tokens <= 5


def test_titles_of_what_has_no_room_are_kept_as_metadata() -> None:
    several = [Item("a", MILL, title="Mill"), Item("b", TOWER, title="Tower")]
    found = compress(several, "When was the mill built?", 24)
    methods = {kept.item.id: kept.method for kept in found.kept}
    assert methods.get("b") == "metadata" or "b" not in methods
    assert "1820" in found.text


def test_a_share_of_the_support_can_be_asked_for_and_the_rate_follows() -> None:
    rates = [
        compress(items(MILL, TOWER), "When was the mill built?", 1000, keep=keep) for keep in (0.3, 0.8, 0.99)
    ]
    assert rates[0].tokens <= rates[1].tokens < rates[2].tokens < tokens(MILL, TOWER)
    assert [found.support >= keep for found, keep in zip(rates, (0.3, 0.8, 0.99), strict=True)] == [True] * 3


def test_nothing_is_kept_without_tokens() -> None:
    found = compress(items(MILL, TOWER), "mill", 0)
    assert (found.text, found.tokens, found.level) == ("", 0, "extreme")
    assert [dropped.id for dropped in found.cut] == ["i0", "i1"]


def test_words_of_like_meaning_are_found_with_the_table() -> None:
    texts = items(
        "The doctor comes on Tuesdays. The bus leaves at nine. Bread is baked at night. Rain is likely."
    )
    found = compress(texts, "When is the physician here?", 10, meaning=open_builtin_embedder())
    assert "Tuesdays" in found.text


def test_a_text_as_long_as_a_book_is_made_smaller_too() -> None:
    long = " ".join(f"Room n{n} holds the box b{n * 7}, and its key is k{n * 3}." for n in range(3000))
    found = compress(items(f"{long} The spare ladder leans on the barn."), "Where is the spare ladder?", 60)
    assert "barn" in found.text
    assert found.tokens <= 60


def test_texts_in_the_place_of_items_are_told() -> None:
    with pytest.raises(ArgumentError, match=r"^items must be winnow\.Item\(id, text\), not str"):
        compress([MILL], "When was the mill built?", 20)  # type: ignore[list-item]


FORD = (
    "The mill at the ford, which is a lovely and extremely bright place, was built in 1820 by Tom Harl. "
    "It is 12 metres high. The mill was built in 1820. Swallows nest there. "
    "Visitors climb it on Sundays because the view is fine."
)


@given(st.integers(0, 80), st.sampled_from(["", "when was the mill built?", "how high is the mill?"]))
def test_what_only_tells_more_of_a_thing_is_kept_behind_it_or_not_at_all(tokens: int, query: str) -> None:
    small = compress([Item("mill", FORD)], query, tokens)
    assert small.tokens <= tokens
    assert "which" not in small.text or "mill at the ford" in small.text


def test_a_short_sentence_that_is_said_again_goes_before_anything_else() -> None:
    small = compress([Item("mill", FORD)], "how high is the mill?", 48)
    assert "1820" in small.text
    assert "The mill was built in 1820" not in small.text
