"""Whatever is made smaller, nothing that was denied, excepted or limited is told without saying so."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from winnow.context.briefing import quotation_lines
from winnow.context.compress.abstract import reversed_sentence
from winnow.context.compress.compress import compress
from winnow.context.window import cut_text
from winnow.language.scope_words import beginning
from winnow.language.tokens import count_tokens, counter
from winnow.types.candidate import Candidate, Ref, Shortlist
from winnow.types.context import Item

EN = [
    *("amber", "brisk", "cedar", "dune", "ember", "fjord", "grove", "haven", "islet"),
    *("jetty", "knoll", "lagoon", "meadow", "nectar", "orchid", "pebble", "quartz"),
]
ZH = "桌椅灯伞瓶杯盘碗筷勺锅刀叉壶盆钟镜梳帽鞋袜衣裤裙琴鼓笛画笔墨纸砚"
# Each holds the word that turns it round, and content words of its clause: behind it, or before it (P).
DENIED = {
    "en": (
        ("not", "Do not, under any circumstances, mix W with W{, in the W}."),
        ("not", "The P must not be kept near W{ or beside the W} during W."),
        ("never", "Never carry the W into W{, for W, or for W}, at W."),
        ("n't", "You shouldn't open the W{, the W and the W} before W comes."),
        ("only", "Only the W may be washed with W{, in the W}, by W."),
        ("unless", "Unless W is W{ and the W is W}, use the W."),
        ("except", "Everything from the P is covered, except the W{, the W} and all W."),
        ("without", "The P runs without W{, W} and without the W of W."),
    ),
    "zh": (
        ("不要", "不要在任何情况下，把W和W放在一起{，也包括W}。"),
        ("禁止", "禁止把W带进W{，或者放在W旁边}，以及W。"),
        ("别", "P那边别动W{，别碰W}和W。"),
        ("没有", "P里没有W{、W}和W。"),
        ("除了", "除了W{、W}和W，都可以放。"),
        ("除非", "除非W和W都在{，而且W也在}，才能用W。"),
        ("只有", "只有W{、W}和W可以洗。"),
        ("请勿", "请勿将W与W{，或者W}一起使用。"),
    ),
}
PLAIN = {
    "en": ("The P stands by the P.", "It was painted green by P in 1998.", "P comes on Sundays, with P."),
    "zh": ("P放在P旁边。", "它在1998年由P漆成绿色，重4公斤。", "P每个星期天都来，带着P。"),
}  # fmt: skip


@dataclass
class Made:
    """A text of known clauses."""

    text: str = ""
    reach: dict[str, str] = field(default_factory=dict)
    """Content word -> the word that turns its clause round; no content word occurs twice."""


def made(rng: random.Random, language: str) -> Made:
    found, used = Made(), iter(range(1000))
    kinds = [True] * rng.randint(1, 3) + [False] * rng.randint(0, 3)
    rng.shuffle(kinds)
    joint = rng.choice([" ", "\n", "\n- "]) if language == "en" else rng.choice(["", "\n", "\n- "])
    sentences = []
    for denied in kinds:
        word, shape = rng.choice(DENIED[language]) if denied else ("", rng.choice(PLAIN[language]))
        shape = re.sub(r"\{(.*?)\}", lambda m: m.group(1) if rng.random() < 0.6 else "", shape)
        sentences.append("".join(_filled(shape, word, found, lambda: coined(language, next(used)))))
    found.text = joint.removeprefix("\n") * ("-" in joint) + joint.join(sentences)
    return found


def coined(language: str, number: int) -> str:
    """A content word that occurs nowhere else."""
    if language == "en":
        return EN[number % len(EN)] + "abcdefgh"[number // len(EN)] * (number >= len(EN))
    return ZH[number % len(ZH)] + "甲乙丙丁戊己庚辛"[number // len(ZH) % 8]


def _filled(shape: str, word: str, found: Made, name: Callable[[], str]) -> Iterator[str]:
    for piece in re.split(r"(?<![A-Za-z])([WP])(?![A-Za-z])", shape):
        said = name() if piece in ("W", "P") else piece
        found.reach |= {said: word} if word and said != piece else {}
        yield said


def lost(source: Made, output: str) -> list[str]:
    """The content words of a denied clause that stand in a piece of the output without what denies them.

    In English a sentence ends with a full stop and in Chinese with its own; a gap or a line ends a piece too.
    """
    missing = []
    for piece in re.split(r"[.。…\n]", output):
        names = {
            word: denial
            for word, denial in source.reach.items()
            if re.search(rf"(?<![a-z]){word}(?![a-z])", piece)
        }
        missing += [word for word, denial in names.items() if denial not in piece.lower().replace("’", "'")]
    return missing


CUTS: dict[str, Callable[[str, int], str]] = {
    "compress": lambda text, tokens: compress([Item("i", text)], "oven 灯", tokens).text,
    "cut in the middle": lambda text, tokens: cut_text(text, tokens, counter()),
    "beginning": lambda text, tokens: beginning(text, 3 * tokens),
    "briefing": lambda text, tokens: briefed(text),
}


def briefed(text: str) -> str:
    """The text as a briefing without room quotes it."""
    return quotation_lines([Shortlist("k", (Candidate(Ref("passage", "p"), data=text),))])[0].versions[-1]


@pytest.mark.slow
@pytest.mark.parametrize("way", CUTS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_denial_is_lost_in_a_thousand_texts(language: str, way: str) -> None:
    rng, wrong = random.Random(f"{language} {way}"), []
    for _ in range(1000 if way == "compress" else 100):
        source = made(rng, language)
        tokens = rng.randint(1, count_tokens(source.text))
        if broken := lost(source, output := CUTS[way](source.text, tokens)):
            wrong.append((tokens, broken, output, source.text))
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "query", "turned"),
    [
        ("Do not, under any circumstances, mix the cleaner with bleach. It smells.", "cleaner", "bleach"),
        ("The warranty covers the battery, except where it was opened. It is grey.", "warranty", "covers"),
        ("Guests may use the sauna if, and only if, they have booked it. It is hot.", "sauna", "use"),
        ("请勿在任何情况下，将清洁剂与漂白剂混合使用。它有柠檬味。", "清洁剂", "混合"),
        ("除非医生同意，这种药每天可以吃三次。药片是白色的。", "这种药", "三次"),
    ],
)  # fmt: skip
def test_at_no_budget_is_a_statement_turned_round(text: str, query: str, turned: str) -> None:
    first = re.split(r"(?<=[.。])\s*", text)[0]
    for tokens in range(1, count_tokens(text) + 1):
        kept = compress([Item("i", text)], query, tokens).text
        assert turned not in kept or first in kept


def test_what_stands_under_a_denial_is_not_told_without_it() -> None:
    text = "# Never\n\n- heat the varnish\n- thin the varnish\n\n# Colours\n\n- green\n"
    listed = "The can is green. You must not:\n- heat the varnish\n- thin the varnish"
    for tokens in range(1, 40):
        for source, over in ((text, "Never"), (listed, "must not")):
            kept = compress([Item("i", source)], "varnish", tokens).text
            assert "varnish" not in kept or over in kept


@pytest.mark.parametrize(
    ("version", "passes"),
    [
        ("Never mix it with bleach.", True),
        ("Mix it with bleach.", False),
        ("Do not mix it with bleach, heat it in the oven.", False),
        ("Do not store it in the hall.", False),
        ("Store it in the hall.", True),
        ("Adults may open the bottle.", False),
        ("Only adults may open the bottle.", True),
        ("可以将瓶子加热", False),
        ("勿将瓶子加热", True),
    ],
)
def test_a_models_version_keeps_every_denial_and_adds_none(version: str, passes: bool) -> None:
    source = (
        "Do not, under any circumstances, mix it with bleach. Never heat it in the oven. "
        "Store it in the hall. Only adults may open the bottle. 请勿将瓶子加热。"
    )
    assert (reversed_sentence(version, source) == "") is passes
