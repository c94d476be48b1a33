from __future__ import annotations

from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from winnow.types.document import threshold
from winnow.types.query import Reading
from winnow.types.utterance import Turn
from winnow.understand.intent.classify import intent_of
from winnow.understand.intent.taxonomy import taxonomy

OFFER = (Turn("user", "找两家面馆"), Turn("assistant", "有老周面馆和山城小面，您看哪家合适？"))
CLARIFY = (Turn("user", "帮我找个会议室"), Turn("assistant", "您需要几个人的会议室？"))
TOLD = (Turn("user", "找一家面馆"), Turn("assistant", "老周面馆，评价很好。"))
TURNS = st.lists(st.builds(Turn, st.sampled_from(["user", "assistant"]), st.text(max_size=60)), max_size=12)


@pytest.mark.parametrize(
    ("intent", "source"), [("command", "devices"), ("query", "devices"), ("hostile", "none")]
)
def test_what_the_home_understood_comes_first(intent: str, source: str) -> None:
    found = intent_of("谢谢", reading=Reading("谢谢", "zh", intent))
    assert (found.source, found.need_retrieval) == (source, source != "none")


def test_what_is_no_matter_of_the_home_is_judged_as_talk() -> None:
    assert intent_of("水的沸点是多少", reading=Reading("", "zh", "none")).source == "knowledge"


@pytest.mark.parametrize(
    "text",
    [
        "谢谢，那几点关门",
        "好的，我知道了。那几点关门？",
        "okay thanks so when do they close",
        "Thanks! When do they close?",
    ],
)
def test_thanks_and_a_question_is_a_question(text: str) -> None:
    assert intent_of(text, TOLD).need_retrieval


@pytest.mark.parametrize("text", ["几点关门？算了，不用了", "when do they close? never mind"])
def test_a_question_that_is_taken_back_is_none(text: str) -> None:
    assert intent_of(text, TOLD).act == "stop"


def test_the_same_words_answer_an_offer_and_complete_a_request() -> None:
    assert intent_of("第二家", OFFER).source == "none"
    assert intent_of("十个人的", CLARIFY).source == "knowledge"
    assert (
        intent_of("十个人的", (*TOLD, Turn("user", "我在开会"), Turn("assistant", "多少人的会？"))).source
        == "none"
    )


def test_a_yes_to_an_offer_of_looking_up_is_looked_up() -> None:
    offered = (Turn("user", "面馆在哪"), Turn("assistant", "在人民路。需要我帮您查一下公交吗？"))
    assert intent_of("好的", offered).source == "knowledge"
    assert intent_of("不用了，谢谢", offered).source == "none"
    assert intent_of("好的", TOLD).source == "none"


def test_a_bare_noun_is_a_query_and_after_a_question_an_answer() -> None:
    assert intent_of("面馆地址").source == "knowledge"
    assert intent_of("人民路", (Turn("assistant", "面馆在哪条路上？"),)).source == "none"


def test_the_desk_at_work_answers_what_its_record_holds() -> None:
    desk = (
        Turn("user", "find me an inn"),
        Turn("assistant", "let me see what i can find ok i'm showing one called the white hart"),
    )
    assert intent_of("great could i get the phone number", desk).reason == "desk"
    assert intent_of("great do they accept dogs", desk).source == "knowledge"
    assert (
        intent_of(
            "great could i get the phone number", (desk[0], Turn("assistant", "The White Hart."))
        ).source
        == "knowledge"
    )


@pytest.mark.parametrize("text", ["", "   ", "?!…", "🙂🙂", "。。。"])
def test_nothing_said_needs_nothing(text: str) -> None:
    found = intent_of(text)
    assert (found.need_retrieval, found.act, found.reason) == (False, "", "nothing_said")


def test_in_doubt_it_retrieves_and_says_how_sure_it_is() -> None:
    assert threshold("turn_needs") < 0.5
    found = intent_of("我觉得那边好像挺远")
    assert 0.0 <= found.confidence <= 1.0


@given(text=st.text(max_size=300), history=TURNS)
@settings(max_examples=300, deadline=None)
def test_any_text_has_an_intent(text: str, history: list[Turn]) -> None:
    found = intent_of(text, history)
    assert found.need_retrieval == (found.source != "none")
    assert 0.0 <= found.confidence <= 1.0
    assert found.label in {c.id for c in taxonomy().classes}


ASKED = [
    "面馆几点关门",
    "糖醋鱼怎么做",
    "推荐一本历史书",
    "when does the museum open",
    "recommend a good history book",
    "how do i clean a kettle",
]
IDLE = ["好的", "谢谢你", "知道了", "再见", "ok", "thank you", "got it", "goodbye"]


@given(
    text=st.sampled_from(ASKED + IDLE),
    before=st.sampled_from(["", "嗯，", "好的，", "谢谢。", "ok, ", "thanks! ", "umm "]),
    after=st.sampled_from(["", "。", "！", "，谢谢", "，谢谢你！", ", thanks", ", thank you!", "..."]),
)
def test_politeness_and_marks_change_nothing(text: str, before: str, after: str) -> None:
    assert intent_of(before + text + after, TOLD).need_retrieval == (text in ASKED)


@given(text=st.sampled_from(ASKED + IDLE), pad=st.sampled_from(["", " ", "  ", "\u200b", "\n"]))
def test_case_width_and_spaces_change_nothing(text: str, pad: str) -> None:
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)
    for variant in (text.upper(), text.title(), wide, pad + text + pad):
        assert intent_of(variant, TOLD).need_retrieval == (text in ASKED)


@pytest.mark.parametrize(
    ("simplified", "traditional"),
    [("面馆几点关门", "麵館幾點關門"), ("谢谢", "謝謝"), ("我说过什么", "我說過什麼"), ("怎么办", "怎麼辦")],
)
def test_the_script_changes_nothing(simplified: str, traditional: str) -> None:
    assert intent_of(simplified) == intent_of(traditional)


@pytest.mark.parametrize(
    "text",
    [
        "hiking trails in Wales",
        "history of Rome",
        "later flights to Oslo",
        "fine art museums",
        "what does the song say about love",
        "why?",
        "为什么",
        "早上吃什么好",
        "可以带狗吗",
        "好吃的面馆在哪",
        "行李超重怎么办",
        "是谁写的",
        "what should you do to treat a burn",
        "这句诗翻译成英语是什么意思",
    ],
)
def test_words_of_talk_at_the_start_of_a_question_do_not_swallow_it(text: str) -> None:
    assert intent_of(text, TOLD).need_retrieval


@pytest.mark.parametrize(
    "text", ["what did you just say?", "再说一遍好吗", "could you repeat that?", "没听清"]
)
def test_saying_it_again_needs_nothing(text: str) -> None:
    assert intent_of(text, TOLD).reason == "repeat"


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("我同事的电话是多少", "history"),
        ("我妈能吃海鲜吗", "knowledge"),
        ("我妈应该吃什么药", "knowledge"),
        ("how old is my nephew", "history"),
        ("what should my nephew eat", "knowledge"),
    ],
)
def test_facts_of_ones_own_people_are_ones_own_history(text: str, source: str) -> None:
    assert intent_of(text).source == source


@pytest.mark.parametrize("text", ["听说那家店搬走了", "i heard they moved away"])
def test_hearsay_is_looked_up(text: str) -> None:
    assert intent_of(text, TOLD).reason == "hearsay"


@pytest.mark.parametrize(
    "text", ["嗯" * 600, "the " * 150, "i like to " * 60, "第一" * 300, "非常" * 300 + "谢谢", "(" * 600]
)
def test_no_text_hangs_it(text: str) -> None:
    began = perf_counter()
    intent_of(text, (Turn("user", text), Turn("assistant", text)) * 5)
    assert perf_counter() - began < 30.0
