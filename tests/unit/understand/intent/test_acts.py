"""What the words of a turn do in the talk, and which rule says so."""

from __future__ import annotations

import pytest

from winnow.types.utterance import Turn
from winnow.understand.intent.classify import intent_of
from winnow.understand.intent.features import trust
from winnow.understand.intent.taxonomy import taxonomy


def talk(*said: str) -> tuple[Turn, ...]:
    return tuple(Turn("assistant" if n % 2 else "user", text) for n, text in enumerate(said))


BOOKS = talk("推荐两本书", "有《活着》和《边城》，您要哪一本？")
INNS = talk("find me a hotel", "There is the Savoy and the Ritz. Which one do you like?")
PLACE = talk("面馆在哪", "在人民路。")
DESK = talk("find me an inn", "let me see what i can find ok i'm showing one called the white hart")


def told(text: str, history: tuple[Turn, ...] = ()) -> tuple[str, str, str]:
    found = intent_of(text, history)
    return found.source, found.act, found.reason


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("再见", "farewell"),
        ("谢谢，再见", "farewell"),
        ("好的，再见", "farewell"),
        ("好的，谢谢你", "thanks"),
        ("你好", "greeting"),
        ("对不起", "smalltalk"),
        ("嗯嗯", "ack"),
        ("太棒了", "smalltalk"),
        ("哈哈哈", "smalltalk"),
        ("不用了", "ack"),
        ("不知道", "smalltalk"),
        ("没关系", "ack"),
        ("thanks, bye", "farewell"),
        ("hello there", "greeting"),
        ("sorry", "smalltalk"),
        ("haha", "smalltalk"),
        ("not sure", "smalltalk"),
        ("no thanks", "thanks"),
    ],
)
def test_words_of_talk_have_a_name_the_strongest_one(text: str, act: str) -> None:
    found = intent_of(text)
    assert (found.source, found.act, found.reason) == ("none", act, "talk")
    assert found.confidence == trust("talk")
    assert found.by == "rules"


@pytest.mark.parametrize(
    ("text", "before", "found"),
    [
        ("好", talk("你喜欢猫吗", "喜欢，你呢？"), ("none", "confirm", "talk")),
        ("好", talk("你喜欢猫吗", "喜欢。"), ("none", "ack", "talk")),
        ("谢谢", talk("你喜欢猫吗", "喜欢，你呢？"), ("none", "thanks", "talk")),
        (
            "好的",
            talk("帮我找个会议室", "您需要几个人的会议室？"),
            ("knowledge", "confirm", "offer_accepted"),
        ),
        ("不用", talk("面馆在哪", "在人民路。要不要我查一下路线？"), ("none", "ack", "talk")),
    ],
)
def test_a_yes_agrees_to_what_was_asked(text: str, before: tuple[Turn, ...], found: tuple[str, ...]) -> None:
    assert told(text, before) == found


@pytest.mark.parametrize(
    "text", ["停", "嗯，等一下", "面馆几点关门？算了", "wait", "when does it close? never mind"]
)
def test_what_ends_or_takes_back_is_a_stop(text: str) -> None:
    assert told(text) == ("none", "stop", "stop")


@pytest.mark.parametrize("text", ["算了，面馆几点关门？", "stop, when does it close?"])
def test_a_question_after_a_stop_is_asked(text: str) -> None:
    assert told(text) == ("knowledge", "question", "asked")


@pytest.mark.parametrize(
    ("text", "before"),
    [("第二个", BOOKS), ("边城", BOOKS), ("就要边城吧", BOOKS), ("the second one", INNS), ("the ritz", INNS)],
)
def test_one_of_what_was_offered_is_a_choice(text: str, before: tuple[Turn, ...]) -> None:
    assert told(text, before) == ("none", "choice", "choice")


def test_a_choice_needs_something_to_choose_from() -> None:
    assert told("第二个")[1] != "choice"
    assert told("边城好看吗", BOOKS) == ("knowledge", "question", "asked")


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("next friday", talk("find me a train to Leeds", "What day do you want to travel?")),
        ("3号线", talk("坐几号线", "您在哪一站？")),
    ],
)
def test_the_answer_that_a_request_waited_for_completes_it(text: str, before: tuple[Turn, ...]) -> None:
    assert told(text, before) == ("knowledge", "request", "slot_filled")
    assert told(text, talk("今天天气不错", before[-1].content))[2] != "slot_filled"


@pytest.mark.parametrize("text", ["真的吗", "really?"])
def test_a_short_question_may_only_show_that_one_listens(text: str) -> None:
    assert told(text, PLACE) == ("none", "smalltalk", "backchannel")
    assert told(text)[2] != "backchannel"


@pytest.mark.parametrize(
    ("text", "act", "reason"),
    [
        ("你叫什么名字", "smalltalk", "persona"),
        ("你几岁了", "smalltalk", "persona"),
        ("are you a robot", "smalltalk", "persona"),
        ("what is your name", "smalltalk", "persona"),
        ("帮我翻译一下这句话", "request", "tool"),
        ("讲个笑话", "request", "tool"),
        ("tell me a joke", "request", "tool"),
        ("set a timer for ten minutes", "request", "tool"),
        ("再说一遍", "request", "repeat"),
        ("重复一下，你是机器人吗", "smalltalk", "persona"),
    ],
)
def test_what_the_assistant_is_and_does_itself_is_not_looked_up(text: str, act: str, reason: str) -> None:
    assert told(text, PLACE) == ("none", act, reason)


def test_a_question_beside_a_command_to_the_assistant_is_looked_up() -> None:
    assert told("讲个笑话，面馆几点关门")[0] == "knowledge"


@pytest.mark.parametrize(
    "text", ["我上次说的医生叫什么", "what did i say about the plumber", "where did i put my passport"]
)
def test_what_one_said_oneself_is_history(text: str) -> None:
    assert told(text) == ("history", "question", "own")


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("推荐一家面馆", "request"),
        ("告诉我怎么去", "request"),
        ("查一下我明天的日程", "request"),
        ("tell me what the capital is", "request"),
        ("i would like some noodles", "request"),
        ("我想找一家面馆", "request"),
        ("你能推荐一家面馆吗", "question"),
        ("could you find a museum", "question"),
        ("how tall is it", "question"),
        ("好吧，那面馆呢", "question"),
    ],
)
def test_what_is_asked_for_is_a_request_or_a_question(text: str, act: str) -> None:
    assert told(text) == ("knowledge", act, "asked")
    assert intent_of(text).confidence == trust("asked")


def test_a_wish_opens_a_talk() -> None:
    assert told("我想去故宫") == ("knowledge", "request", "wish")
    assert told("我想去故宫", PLACE)[2] != "wish"


def test_what_others_say_is_looked_up() -> None:
    assert told("听说故宫关门了") == ("knowledge", "statement", "hearsay")


@pytest.mark.parametrize(
    ("text", "before", "asked"),
    [
        ("故宫门票", (), True),
        ("museum opening hours", (), True),
        ("川菜馆", talk("找一家粤菜馆", "抱歉，没有找到合适的粤菜馆。"), True),
        ("苹果", talk("水果", "好的。"), True),
        ("故宫门票", talk("你去过哪里", "我没有去过，您呢？"), False),
        (
            "a very long list of words without any sentence in it for the museum shop",
            talk("hi", "ok."),
            False,
        ),
        ("今天真累", (), False),
    ],
)
def test_nouns_alone_are_asked_about_unless_they_answer(
    text: str, before: tuple[Turn, ...], asked: bool
) -> None:
    assert (told(text, before) == ("knowledge", "request", "fragment")) is asked


@pytest.mark.parametrize(
    ("text", "before", "act"),
    [
        ("今天真累", (), "statement"),
        ("我昨天去了故宫", (), "statement"),
        ("we went to rome last year", (), "statement"),
        ("他说他不来了", talk("他来吗", "不清楚。"), "statement"),
        ("谢谢，那家店还挺好的", (), "thanks"),
    ],
)
def test_what_no_rule_settles_is_weighed(text: str, before: tuple[Turn, ...], act: str) -> None:
    assert told(text, before) == ("none", act, "weighed")
    assert 0.5 < intent_of(text, before).confidence <= 1


def test_the_desk_answers_what_its_records_hold_but_not_what_its_rules_are() -> None:
    assert told("book it for two people", DESK) == ("none", "request", "desk")
    assert told("what is the refund policy", DESK) == ("knowledge", "question", "asked")
    assert told("book it for two people", DESK[:1])[2] != "desk"


@pytest.mark.parametrize(
    ("text", "before", "found"),
    [
        ("九加七等于几", (), ("none", "request", "sum")),
        ("what is 144 divided by 12?", (), ("none", "request", "sum")),
        ("润色一下：昨天我去买东西", (), ("none", "request", "given")),
        ("给我的猫起个名字", (), ("none", "request", "creation")),
        ("回答简短一点", (), ("none", "request", "manner")),
        ("which one did you mention first", PLACE, ("none", "question", "recalled")),
        ("i'm heading to bed now", (), ("none", "farewell", "leaving")),
        ("刚跑完五公里，好爽啊", (), ("none", "statement", "report")),
        ("把租房合同第三条翻译成英文", (), ("knowledge", "request", "document")),
        ("我饿了，家里有鸡蛋", (), ("knowledge", "statement", "implied")),
    ],
)
def test_what_the_assistant_does_alone_has_a_reason(
    text: str, before: tuple[Turn, ...], found: tuple[str, ...]
) -> None:
    assert told(text, before) == found


def test_a_need_beside_what_is_at_hand_is_looked_up_and_a_denied_one_is_not() -> None:
    cooking = taxonomy("cooking")
    for text in ("我饿了，冰箱里只有土豆", "i'm starving and all i have is rice"):
        assert intent_of(text).source == intent_of(text, taxonomy=cooking).source == "knowledge"
    assert intent_of("我吃饱了，不饿了", taxonomy=cooking).source == "none"


def test_how_to_answer_does_not_complete_a_request_that_waits() -> None:
    waits = talk("find me a cottage", "What kind of cottage do you want?")
    assert told("nothing formal, more casual", waits)[2] != "manner"
