"""Which words are a yes to what is dangerous: a yes and courtesy, or the act itself, and nothing more."""

from __future__ import annotations

import re

import pytest

from winnow.language.answers import ClosedQuestion, meaning

YES_ZH = """
好 / 好的 / 好吧 / 好啊 / 好呀 / 好嘞 / 行 / 行吧 / 行啊 / 可以 /
可以的 / 可以啊 / 是 / 是的 / 对 / 对的 / 没错 / 确认 / 确定 /
没问题 / 当然 / 要 / 嗯 / 嗯嗯 / 嗯，好 / 好的谢谢 / 好，麻烦你 /
可以，谢谢 / 好的，打开吧 / 开吧 / 打开 / 请打开 / 打开车库门吧 /
好的，请开 / 对，开 / 是的，打开它 / 行，开吧 / 嗯，开 / 好，快点 /
没问题，开吧 / 确认打开 / 我确定 / 同意 / 执行吧 / 好好好 / 对对对 /
可以可以 / 行行行 / 好滴 / 当然可以 / 麻烦了好的 / 好，就这样 / 好的呀 /
好啦 / 可以，打开吧 / 好，现在就开 / 那好吧 / 那就开吧 / 行，谢谢你 /
是的，谢谢 / 好，请 / 请吧 / 得嘞 / 嗯哪 / 要得 / 好的吧 / 行呗 /
好呗 / 开呗 / 好哇 / 行嘞 / 好的好的 / 嗯好的 / 对，就是 / 是是是 /
没事，开吧 / 放心，开吧
"""
YES_EN = """
yes / yes please / yeah / yep / yup / sure / sure thing / ok / okay / alright / all right /
of course / certainly / absolutely / definitely / affirmative / go ahead / go for it / do it /
please do / yes do it / yes, open it / open it / open it please / yes, open the garage door /
sure, go ahead / ok go ahead / okay, do it / yes thanks / yeah, please / sounds good /
that's right / confirm / confirmed / I confirm / proceed / yes, I'm sure / I'm sure /
by all means / yes, go for it / ok thanks / yes sir / oh yes / yes yes / ok ok / okay okay /
sure sure / well, yes / yes, right now / uh yes / um, sure /
fine, do it / yes of course / please open it / go on then / absolutely, thank you /
yes, correct / you may / yes you may / be my guest / okay, please /
yes please open it / exactly
"""
NO_YES_ZH = """
对了 / 可以啊你 / 好家伙 / 行了吧你 / 行了 / 得了 / 好了好了 / 行吧你 /
可以可以的你 / 好不好 / 对了对了 / 是吗 / 是么 / 好啦知道了 / 行啊你 /
你行啊 / 好样的 / 好好说话 / 可以嘛 / 是啊是啊谁知道 / 好说 / 好说好说 /
对了还有 / 确定？ / 好的呢 / 对了，现在几点 / 好吧你赢了 / 好险 / 好奇怪 /
好热 / 好久不见 / 好厉害 / 行家 / 是这样 / 对不起 / 对哦 / 行不行啊你 /
可以的话 / 好几次了 / 好家伙你 / 嗯？ / 嗯… / 嗯嗯？ / 啊？ / 可不是 /
可不是嘛 / 得了吧 / 行行好 / 好端端的 / 好烦 / 真行 / 真是的 /
你可以的 / 要命 / 要是 / 要你管 / 好笑 / 是吧 / 确实 / 系啊？ /
得啦 / 得了呗 / 行了 / 好了 / 可以了 / 就这样吧 / 没问题吧 / 没错吧 /
好大的雨 / 好啊你 / 好呀你 / 你好 / 您好 / 你是对的 / 我确定你错了 /
你真行 / 可真行 / 我可以 / 你可以啊 / 是我 / 是你 / 好我 / 得你
"""
NO_YES_EN = """
sure? / yeah right / right, anyway / okay so what / right / right then / ok then what /
well okay then? / okay okay, whatever / sure, whatever / yeah, no / yes and no / ok hold on /
okay, wait / you're sure / sure you are / as if / sure, if you like / ok boomer / yeah whatever /
okay, and / okay but / ok now / okay anyway / right so / alright already / alright then, listen /
is it ok / yeah? / oh yeah? / of course you would / of course it is / sure is hot /
do it yourself / go ahead and try me / yes? / ok so / so ok / well / fine / oh fine / great /
cool / yes i heard you / okay google / i'm sure you are / correct me if i'm wrong /
no problem there / sounds good to whom / so what / right on / right you are / you do it /
you're correct / you are right / ok you / sure thing, buddy / continue talking / yeah i bet /
yes sir no sir / that's right, anyway / so anyway / yes, anyway / anyway / you would /
sure you do / right now / now / please / it / then / so / go on / go ahead punk
"""
QUESTIONS = {
    "zh": ClosedQuestion("confirm", "打开车库门", (("车库门",),), frozenset({"open"})),
    "en": ClosedQuestion("confirm", "open the garage door", (("garage door",),), frozenset({"open"})),
}


def said(text: str) -> list[str]:
    return [words for part in re.split(r"/|\n", text) if (words := part.strip())]


@pytest.mark.parametrize(("language", "text"), [("zh", YES_ZH), ("en", YES_EN)])
def test_a_yes_is_a_word_for_it_with_courtesy_or_the_act(language: str, text: str) -> None:
    answers = {words: meaning(words, QUESTIONS[language]).kind for words in said(text)}
    assert len(answers) >= 40
    assert [words for words, kind in answers.items() if kind != "yes"] == []


@pytest.mark.parametrize(("language", "text"), [("zh", NO_YES_ZH), ("en", NO_YES_EN)])
def test_what_only_holds_a_word_for_yes_is_none(language: str, text: str) -> None:
    answers = {words: meaning(words, QUESTIONS[language]).kind for words in said(text)}
    assert len(answers) >= 40
    assert [words for words, kind in answers.items() if kind == "yes"] == []
