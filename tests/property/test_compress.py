"""Whatever is made smaller: it fits, it comes from the text, and no sentence is torn that would fit whole."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from winnow.context.compress.compress import CompressionGoal, choose_units, compress, grain_for
from winnow.context.compress.features import unit_features, weights_for
from winnow.context.compress.selection import new_draft
from winnow.context.compress.units import split_units
from winnow.language.token_estimate import estimate_tokens
from winnow.language.tokens import count_tokens
from winnow.types.context import Item

WORDS = st.sampled_from(
    [
        *("The lamp", "in the hall", "was sold for 12 euros", "and nobody", "knows why", ".", ",", "。"),
        *("台灯在书房，", "价格是三十元。", "电话：", "\n", "\t", "", "x" * 70, "# Title\n", "- item\n"),
        *("| a | b |\n", "| --- | --- |\n", '{"k": [1, 2]}', "def f(x):\n", "    return x\n", "key: value\n"),
        *("It was built in 1820. ", "Nobody lived there, they say. ", "她昨天搬走了。", "⏎"),
    ]
)
TEXTS = st.lists(WORDS, max_size=40).map(" ".join)
ITEMS = st.lists(
    st.builds(
        Item,
        st.uuids().map(str),
        TEXTS,
        importance=st.sampled_from([0.1, 0.5, 0.9]),
        title=st.sampled_from(["", "A title"]),
    ),
    max_size=5,
)
QUERY = "what was the lamp sold for 台灯多少钱"


def fourths(text: str) -> int:
    """A counter that is none of Winnow's own: every four characters one, rounded up."""
    return -(-len(text) // 4)


COUNTERS = st.sampled_from([count_tokens, estimate_tokens, fourths])


@settings(max_examples=150, deadline=None)
@given(ITEMS, st.integers(0, 300), COUNTERS, st.sampled_from([None, 0.5, 0.97]))
def test_what_is_kept_never_costs_more_than_was_asked(items: list[Item], tokens: int, count, keep) -> None:
    found = compress(items, QUERY, tokens, count=count, keep=keep)
    assert count(found.text) <= tokens
    assert found.tokens == count(found.text)
    assert found.reached <= found.asked or not found.tokens


@settings(max_examples=80, deadline=None)
@given(ITEMS, st.integers(1, 120), COUNTERS)
def test_no_sentence_is_torn_that_would_fit_whole(items: list[Item], tokens: int, count) -> None:
    pieces = split_units(items, grain_for(tokens))
    if not pieces.all:
        return
    found = new_draft(pieces, count, tokens)
    choose_units(
        found,
        unit_features(pieces, QUERY, {}, None),
        weights_for("zh", "words"),
        CompressionGoal(QUERY, tokens),
    )
    whole = {number for number, text in found.kept_texts.items() if text == pieces.all[number].text}
    for number in sorted(whole):
        missing = [at for at in pieces.of_sentence(number) if at not in whole]
        for at in missing:
            found.kept_texts.pop(at, None)
        assert not missing or not found.take_if_it_fits(missing)


@settings(max_examples=80, deadline=None)
@given(ITEMS, st.integers(1, 200))
def test_all_that_is_kept_stands_in_the_items(items: list[Item], tokens: int) -> None:
    for kept in compress(items, QUERY, tokens).kept:
        if kept.method in {"whole", "sentences", "clauses"} and not kept.item.text.startswith("{"):
            text = kept.text.removeprefix(f"{kept.item.title}\n")
            assert all(
                piece.strip() in kept.item.text for line in text.split("\n") for piece in line.split("…")
            )


@settings(max_examples=50, deadline=None)
@given(ITEMS, st.integers(0, 200))
def test_what_is_made_smaller_is_accounted_for(items: list[Item], tokens: int) -> None:
    found = compress(items, QUERY, tokens)
    whole = {kept.item.id for kept in found.kept if kept.method == "whole"}
    assert {dropped.id for dropped in found.cut} | whole >= {item.id for item in items}


NUMBERS = st.one_of(
    st.integers(1, 99999).map(str),
    st.decimals("0.01", "99.99", places=2).map(str),
    st.tuples(st.integers(1, 12), st.integers(10, 59)).map(lambda both: f"{both[0]}:{both[1]}"),
    st.tuples(st.integers(1, 9), st.integers(100, 999)).map(lambda both: f"{both[0]},{both[1]}"),
    st.integers(1, 99).map(lambda number: f"A{number}"),
)
FRAMES = st.sampled_from(
    [
        "Pump {at} moves {n} litres, at most {n} an hour. ",
        "{at}号泵每小时抽{n}升，最多{n}升。",
        "水箱{n}升。",
        "From {n} on. ",
    ]
)
NUMBER = re.compile(r"A?\d+(?:[.,:]\d+)*")


@settings(max_examples=300)
@given(
    st.lists(st.tuples(FRAMES, NUMBERS), max_size=5),
    st.integers(0, 60),
    st.sampled_from(["", "pump B", "B号泵抽多少"]),
)
def test_no_piece_of_a_number_stands_for_it(said: list[tuple[str, str]], tokens: int, query: str) -> None:
    text = "".join(frame.format(at="BCDEF"[at], n=number) for at, (frame, number) in enumerate(said))
    kept = compress([Item("pumps", text)], query, tokens).text
    assert set(NUMBER.findall(kept)) <= set(NUMBER.findall(text))
