"""What counts as a number, and in which unit."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.language.normalize import normalise
from winnow.language.numbers.find import find_numbers
from winnow.language.numbers.numerals import chinese_value, english_value

CASES = {
    # percent
    "调到30%": [(30, "%")],
    "亮度百分之三十": [(30, "%")],
    "亮度百分之零点五": [(0.5, "%")],
    "开到百分百": [(100, "%")],
    "dim to 30 percent": [(30, "%")],
    "dim to thirty percent": [(30, "%")],
    "音量调到三成": [(30, "%")],
    "音量调到七成五": [(75, "%")],
    "音量调到七成半": [(75, "%")],
    "窗帘拉四成": [(40, "%")],
    "窗帘开一半": [(50, "%")],
    "窗帘半开": [(50, "%")],
    "窗帘拉到半": [(50, "%")],
    "开四分之一": [(25, "%")],
    "开三分之二": [(66.7, "%")],
    "拉到3/4": [(75, "%")],
    "拉到½": [(50, "%")],
    "open it a third": [(33.3, "%")],
    "open it a quarter": [(25, "%")],
    "open it three quarters of the way": [(75, "%")],
    "lower it by two thirds": [(66.7, "%")],
    "close the blinds halfway": [(50, "%")],
    "half open": [(50, "%")],
    "调低五个百分点": [(5, "%")],
    "a hundred percent": [(100, "%")],
    # degrees
    "空调二十六度": [(26, "degree")],
    "空调二十六点五度": [(26.5, "degree")],
    "空调26.5度": [(26.5, "degree")],
    "调高两度": [(2, "degree")],
    "调高两度半": [(2.5, "degree")],
    "调高一度": [(1, "degree")],
    "零下五度": [(-5, "degree")],
    "负五度": [(-5, "degree")],
    "低于零度": [(0, "degree")],
    "set it to -5": [(-5, "")],
    "调到-5度": [(-5, "degree")],
    "摄氏二十度": [(20, "celsius")],
    "26℃": [(26, "celsius")],
    "26 degrees celsius": [(26, "celsius")],
    "72°F": [(72, "fahrenheit")],
    "seventy two degrees": [(72, "degree")],
    "three degrees warmer": [(3, "degree")],
    "up a degree": [(1, "degree")],
    "三十多度": [(0, "vague")],
    "24°": [(24, "degree")],
    # colour temperature, light, power
    "色温六千k": [(6000, "kelvin")],
    "色温4000k": [(4000, "kelvin")],
    "色温2.7k": [(2700, "kelvin")],
    "六千开尔文": [(6000, "kelvin")],
    "4000 kelvin": [(4000, "kelvin")],
    "打开4k电视": [],
    "低于300lux": [(300, "lux")],
    "超过五十瓦": [(50, "watt")],
    "超过两千瓦": [(2000, "watt")],
    "800 ppm": [(800, "ppm")],
    # levels
    "风速三档": [(3, "level")],
    "风扇开2挡": [(2, "level")],
    "调到第三档": [(3, "level")],
    "风量四级": [(4, "level")],
    "fan speed 3": [(3, "level")],
    "level two": [(2, "level")],
    "fan speed to 3": [(3, "")],
    # durations
    "1个小时15分30秒": [(1, "hour"), (15, "minute"), (30, "second")],
    "1 hour 5 minutes": [(1, "hour"), (5, "minute")],
    "1小时10分": [(1, "hour"), (10, "minute")],
    "开一下一楼的灯": [(1, "floor")],
    "开一下一个灯": [(1, "count")],
    "半小时后": [(0.5, "hour")],
    "半个小时后": [(0.5, "hour")],
    "一个半小时": [(1.5, "hour")],
    "过1个钟": [(1, "hour")],
    "十分钟后关灯": [(10, "minute")],
    "一刻钟": [(15, "minute")],
    "half an hour": [(0.5, "hour")],
    "in an hour": [(1, "hour")],
    "an hour and a half": [(1.5, "hour")],
    "one and a half hours": [(1.5, "hour")],
    "a couple of minutes": [(2, "minute")],
    "thirty seconds": [(30, "second")],
    "三天没关": [(3, "day")],
    "半天": [(0.5, "day")],
    "一周": [(7, "day")],
    # clock
    "七点关灯": [(7, "clock")],
    "十点半": [(10.5, "clock")],
    "7:30": [(7.5, "clock")],
    "七点三十分": [(7.5, "clock")],
    "7点30": [(7.5, "clock")],
    "七点零五": [(pytest.approx(7 + 5 / 60, abs=1e-4), "clock")],
    "10 pm": [(22, "clock")],
    "at 10 p.m.": [(22, "clock")],
    "12 am": [(0, "clock")],
    "seven o'clock": [(7, "clock")],
    "half past seven": [(7.5, "clock")],
    "一点半": [(1.5, "clock")],
    "凌晨一点": [(1, "clock")],
    "调到六点五": [(6.5, "")],
    # counts
    "打开三个灯": [(3, "count")],
    "两盏灯": [(2, "count")],
    "把它俩关掉": [(2, "count")],
    "两灯都关": [(2, "count")],
    # floors
    "一楼的灯": [(1, "floor")],
    "二层所有灯": [(2, "floor")],
    "3楼": [(3, "floor")],
    "负一楼": [(-1, "floor")],
    "地下一层": [(-1, "floor")],
    "first floor lights": [(1, "floor")],
    "the 2nd floor": [(2, "floor")],
    "floor 2": [(2, "floor")],
    # ordinals
    "关第一个": [(1, "ordinal")],
    "第二盏灯": [(2, "ordinal")],
    "the second light": [(2, "ordinal")],
    "the 2nd one": [(2, "ordinal")],
    "the third one": [(3, "ordinal")],
    "on the third floor": [(3, "floor")],
    "at quarter to eight": [(7.75, "clock")],
    "2 and a half hours": [(2.5, "hour")],
    "up two notches": [(2, "level")],
    "down a notch": [(1, "level")],
    "一二楼的灯": [(1, "floor"), (2, "floor")],
    "调到二十六度五": [(26.5, "degree")],
    "把26度改成27度": [(26, "degree"), (27, "degree")],
    "a quarter of an hour": [(0.25, "hour")],
    "the second": [(2, "ordinal")],
    "the first, please": [(1, "ordinal")],
    "从30%调到50%": [(30, "%"), (50, "%")],
    "第2个": [(2, "ordinal")],
    # plain
    "音量调到三": [(3, "")],
    "音量调到一": [(1, "")],
    "音量调到三吧": [(3, "")],
    "音量调到二十五": [(25, "")],
    "set volume to ninety-five": [(95, "")],
    "one hundred and five": [(105, "")],
    "twenty one point five": [(21.5, "")],
    "1,500": [(1500, "")],
    "打开2号灯": [(2, "")],
    "打开二号灯": [(2, "")],
    "智能灯-2": [(2, "")],
    "smart-2": [(2, "")],
    "一百二": [(120, "")],
    "两千七": [(2700, "")],
    "2.5万": [(25000, "")],
    "房间二零五": [(205, "")],
    "level one": [(1, "level")],
    "one second": [(1, "second")],
}

CHINESE_WORDS = (
    "等一下 等一会 一起关 和客厅一样 一直开着 一些灯 一定要关 一键关灯 调亮一点 一边开 一律关掉 统一关掉"
    " 万一下雨 千万别关 周一 星期三 十分亮 打开百叶窗 二氧化碳 三星电视 两边的灯 三角钢琴 四季 七彩灯 下一个"
    " 上一台 把灯开一开 五孔插座 半夜 零食柜 e7a2 tv2 b1"
)
ENGLISH_WORDS = (
    "the other one,that one,turn on a light,turn the light on,often,wait a second,turn the fan off first"
    ",one more light"
)
NOT_NUMBERS = [*CHINESE_WORDS.split(), *ENGLISH_WORDS.split(",")]


@pytest.mark.parametrize(("text", "expected"), CASES.items(), ids=list(CASES))
def test_a_number_is_found_with_its_unit(text: str, expected: list[tuple[float, str]]) -> None:
    assert [(n.value, n.unit) for n in find_numbers(normalise(text))] == expected


@pytest.mark.parametrize("text", NOT_NUMBERS)
def test_words_that_only_look_like_numbers_hold_none(text: str) -> None:
    assert find_numbers(normalise(text)) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("turn it to about forty", "about forty"),
        ("around 26 degrees", "around 26 degrees"),
        ("how about forty", "forty"),
        ("what about 30", "30"),
        ("30 percent or so", "30 percent or so"),
        ("30 percent or sofa", "30 percent"),
        ("大约是四十", "大约是四十"),
        ("四十左右", "四十左右"),
        ("音量30上下", "30上下"),
        ("打开第二盏灯", "第二盏"),
        ("打开第十二", "第十二"),
    ],
)
def test_a_number_is_found_with_all_words_that_belong_to_it(text: str, said: str) -> None:
    (number,) = find_numbers(normalise(text))
    assert (number.text, text[number.start : number.end]) == (said, said)


def test_a_run_of_digits_no_home_measures_is_no_number() -> None:
    assert find_numbers("9" * 400) == []


def test_number_words_beside_chinese_characters_are_found() -> None:
    assert [(n.text, n.value) for n in find_numbers("调到fifty percent吧")] == [("fifty percent", 50)]


def test_spans_are_exact_and_do_not_overlap() -> None:
    text = "1小时后把客厅空调调到二十六度，风速三档"
    found = find_numbers(text)
    assert [n.text for n in found] == ["1小时", "二十六度", "三档"]
    assert all(text[n.start : n.end] == n.text for n in found)
    assert all(a.end <= b.start for a, b in pairwise(found))


@given(
    st.text(
        alphabet="零一二两三四五六七八九十百千万点半成度个分之第负0123456789.:%/-k adhlfnotwe楼小时到周",
        max_size=24,
    )
)
def test_any_text_gives_spans_in_order(text: str) -> None:
    text = normalise(text)
    found = find_numbers(text)
    assert all(0 <= n.start < n.end <= len(text) and text[n.start : n.end] == n.text for n in found)
    assert all(a.end <= b.start for a, b in pairwise(found))


DIGITS = "零一二三四五六七八九"


def chinese(n: int) -> str:
    """``n`` written out, 0..99999."""
    if n < 10:
        return DIGITS[n]
    for unit, name in ((10_000, "万"), (1000, "千"), (100, "百"), (10, "十")):
        if n >= unit:
            head, rest = divmod(n, unit)
            front = "" if head == 1 and unit == 10 else chinese(head)
            gap = "零" if rest and rest < unit // 10 else ""
            tail = f"一{chinese(rest)}" if 10 <= rest < 20 and unit > 10 else chinese(rest) if rest else ""
            return front + name + gap + tail
    raise AssertionError


ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen"
)
DECADES = "_ _ twenty thirty forty fifty sixty seventy eighty ninety"


def english(n: int) -> str:
    """``n`` in words, 0..999."""
    if n < 20:
        return ONES.split()[n]
    if n < 100:
        return DECADES.split()[n // 10] + (f"-{ONES.split()[n % 10]}" if n % 10 else "")
    return f"{ONES.split()[n // 100]} hundred" + (f" and {english(n % 100)}" if n % 100 else "")


@given(st.integers(0, 99_999))
def test_a_chinese_numeral_reads_back(n: int) -> None:
    assert chinese_value(chinese(n)) == n
    assert [x.value for x in find_numbers(f"调到{chinese(n)}度")] == [n]


@given(st.integers(0, 999))
def test_english_number_words_read_back(n: int) -> None:
    assert english_value(english(n)) == n
    assert [x.value for x in find_numbers(f"set it to {english(n)} degrees")] == [n]


@pytest.mark.parametrize("text", ["点", "", "灯", "二三", "二十三四", "三点", "三点x"])
def test_what_is_no_chinese_numeral_has_no_value(text: str) -> None:
    assert chinese_value(text) is None


@pytest.mark.parametrize("text", ["", "and", "one two", "twenty eleven", "one lamp", "one point twenty"])
def test_what_is_no_english_numeral_has_no_value(text: str) -> None:
    assert english_value(text) is None
