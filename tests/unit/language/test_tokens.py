"""Token counts, exact and estimated."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.errors import ConfigError
from winnow.language import tokens
from winnow.language.token_estimate import PARTS, estimate_tokens, features, kind_of
from winnow.language.tokens import PER_MESSAGE, PER_REPLY, count_tokens, counter, seed_tokens

SAMPLES = {
    "json": (
        '{"deviceId":"lamp-12","label":"书房落地灯","components":[{"id":"main",'
        '"capabilities":[{"id":"switch","version":1}]}]}'
    ),
    "zh": "傍晚回到家，先把玄关的灯打开，再把客厅窗帘拉到一半，空调设成二十六度，最后放一点轻音乐。",
    "code": "def area(self, width: int) -> int:\n    total = self.rows * width\n    return total + 1\n\n\n",
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


@pytest.mark.parametrize("vocabulary", ["o200k", "cl100k"])
@pytest.mark.parametrize("sample", SAMPLES)
def test_the_estimate_stays_near_the_count(sample: str, vocabulary: str) -> None:
    text = SAMPLES[sample] * 4
    assert estimate_tokens(text, vocabulary) == pytest.approx(counter(vocabulary).count(text), rel=0.1)


def test_code_and_prose_are_weighed_apart() -> None:
    assert {name: kind_of(features(text, "o200k")) for name, text in SAMPLES.items()} == {
        "json": "marked",
        "zh": "han",
        "en": "prose",
        "code": "lines",
    }


def test_what_is_frequent_is_one_token_and_what_is_rare_is_not() -> None:
    assert estimate_tokens("question " * 50) == pytest.approx(50, rel=0.1)
    assert estimate_tokens("zxqvjkw " * 50) > 100


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("hello", {"known": 1, "bare": 1}),
        ("Hello", {"known_capital": 1, "bare": 1}),
        (" HELLO", {"known_upper": 1}),
        ("(self", {"joined": 1}),
        (" ZXQ", {"split_upper": 1, "letter_upper": 3}),
        ("counterrevolutionaries", {"split": 1, "piece": 3, "bare": 1}),
        ("12345", {"number": 2}),
        ("!=", {"mark": 1}),
        ("]{~^|", {"mark_split": 1, "mark_sign": 5}),
        ("-------", {"mark_split": 1, "mark_piece": 1, "mark_sign": 1}),
        ("你好", {"han_run": 1, "han_word": 1}),
        ("灯龘", {"han_run": 1, "han_known": 1, "han_rare": 1}),
        ("玩大发快三", {"han_run": 1, "han_word": 1}),
        ("authentication", {"known": 1, "bare": 1}),
        ("ж🧿", {"other_run": 1, "other_known": 1, "other_rare": 1}),
        ("  \n", {"line": 1}),
        ("\x00", {"control": 1}),
    ],
)
def test_a_text_is_weighed_by_parts_that_are_frequent_or_not(text: str, parts: dict[str, int]) -> None:
    assert {name: n for name, n in zip(PARTS, features(text, "o200k"), strict=True) if n} == parts


def test_without_the_counter_the_estimate_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    count_tokens.cache_clear()
    monkeypatch.setattr(tokens, "COUNTER", "fitted-estimate")
    assert count_tokens(SAMPLES["zh"]) == estimate_tokens(SAMPLES["zh"])
    assert counter().name == "fitted-estimate"
    count_tokens.cache_clear()


@pytest.mark.parametrize("name", ["o200k", "cl100k", "estimate", "estimate-cl100k", "seed"])
def test_every_counter_counts_a_message_with_what_surrounds_it(
    name: str,
) -> None:
    chosen = counter(name)
    message = {"role": "user", "content": SAMPLES["en"]}
    assert chosen.count("") == 0
    assert chosen.message(message) == chosen.count(SAMPLES["en"]) + PER_MESSAGE
    assert chosen.messages([message, message]) == 2 * chosen.message(message) + PER_REPLY


def test_the_calls_of_a_message_cost_tokens_too() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "look_up", "arguments": '{"query":"oven"}'}}
    bare = {"role": "assistant", "content": None}
    assert counter().message({**bare, "tool_calls": [call]}) > counter().message(bare) + 15


def test_the_formula_of_the_seed_is_there_by_its_name() -> None:
    assert seed_tokens("one two three") == 4
    assert counter("seed").count("\u706f\u5f00\u4e86") == 6  # one word of 1.3 and three characters of 1.5


@pytest.mark.parametrize("name", ["gpt2", "nowhere/tokenizer.json"])
def test_a_counter_that_is_not_there_is_told_with_those_that_are(name: str) -> None:
    with pytest.raises(ConfigError, match="o200k, cl100k, estimate, estimate-cl100k, seed"):
        counter(name)


def test_a_vocabulary_in_a_file_needs_the_library_that_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_text("{}", "utf-8")
    monkeypatch.setattr(tokens, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match="tokenizers"):
        counter(str(path))


def test_a_vocabulary_in_a_file_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "Words" / "tokenizer.json"
    path.parent.mkdir()
    path.write_text("{}", "utf-8")
    made = SimpleNamespace(
        from_file=lambda name: SimpleNamespace(
            encode=lambda text, add_special_tokens: SimpleNamespace(ids=text.split())
        )
    )
    monkeypatch.setitem(sys.modules, "tokenizers", SimpleNamespace(Tokenizer=made))  # type: ignore[arg-type]
    monkeypatch.setattr(tokens, "find_spec", lambda name: True)
    chosen = counter(str(path))
    assert (chosen.name, chosen.count("four words are here")) == ("Words", 4)


@given(st.text(min_size=1, max_size=60))
def test_any_text_has_a_count(text: str) -> None:
    assert estimate_tokens(text) >= 1
    assert count_tokens(text) >= 1
