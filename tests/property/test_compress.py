"""Whatever is made smaller: it fits, it comes from the text, and no sentence is torn that would fit whole."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from winnow.assemble.compress import compress
from winnow.text.estimate import estimate_tokens
from winnow.text.tokens import count_tokens
from winnow.types.compression import Item

WORDS = st.sampled_from(
    [
        "The lamp",
        "in the hall",
        "was sold for 12 euros",
        "and nobody",
        "knows why",
        ".",
        ",",
        "台灯在书房，",
        "价格是三十元。",
        "电话：",
        "\n",
        "| a | b |\n",
        "| --- | --- |\n",
        '{"k": [1, 2]}',
        "- item\n",
        "def f(x):\n",
        "    return x\n",
        "# Title\n",
        "。",
        "x" * 70,
        "\t",
        "",
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


def bench_estimate(text: str) -> int:
    """A counter that is not Winnow's own: every four characters one, rounded up."""
    return -(-len(text) // 4)


@settings(max_examples=150, deadline=None)
@given(ITEMS, st.integers(0, 300), st.sampled_from([count_tokens, estimate_tokens, bench_estimate]))
def test_what_is_kept_never_costs_more_than_was_asked(items: list[Item], tokens: int, count) -> None:
    found = compress(items, "what was the lamp sold for 台灯", tokens, count=count)
    assert count(found.text) <= tokens
    assert found.tokens == count(found.text)
    assert found.reached <= found.asked
