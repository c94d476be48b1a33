"""Token counts, exact and estimated."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.text import tokens
from winnow.text.tokens import count_tokens, estimate_tokens

SAMPLES = {
    "json": (
        '{"deviceId":"lamp-12","label":"书房落地灯","components":[{"id":"main",'
        '"capabilities":[{"id":"switch","version":1}]}]}'
    ),
    "zh": "傍晚回到家，先把玄关的灯打开，再把客厅窗帘拉到一半，空调设成二十六度，最后放一点轻音乐。",
    "en": (
        "When the last person leaves, the house turns off every lamp, lowers the heating and locks the front"
        " door behind them. "
    ),
}


def test_counting_is_exact_for_the_named_vocabulary() -> None:
    assert tokens.COUNTER == "o200k_base"
    assert count_tokens("hello world") == 2


def test_nothing_costs_nothing() -> None:
    assert (count_tokens(""), estimate_tokens("")) == (0, 0)


@pytest.mark.parametrize("sample", SAMPLES)
def test_the_estimate_stays_near_the_count(sample: str) -> None:
    text = SAMPLES[sample] * 4
    assert estimate_tokens(text) == pytest.approx(count_tokens(text), rel=0.15)


def test_without_the_counter_the_estimate_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    tokens._counter.cache_clear()
    monkeypatch.setattr(tokens, "COUNTER", "fitted-estimate")
    assert count_tokens(SAMPLES["zh"]) == estimate_tokens(SAMPLES["zh"])
    tokens._counter.cache_clear()


@given(st.text(min_size=1, max_size=60))
def test_any_text_has_a_count(text: str) -> None:
    assert estimate_tokens(text) >= 1
    assert count_tokens(text) >= 1
