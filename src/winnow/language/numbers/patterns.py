"""The shapes numbers take in Chinese and English sentences.

Data for ``numbers``; each pattern says what it lets through.
"""

from __future__ import annotations

from winnow.language.numbers.numerals import ORDINALS, WORDS
from winnow.language.patterns import lazy_pattern

_D = "零〇一二两三四五六七八九"
_ZH = f"[{_D}十廿卅](?:[{_D}十万亿]|百(?!叶)|千(?!瓦))*"
_DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?"
_AFTER = r"(?=$|[\s,，.。!！?？;；、)]|[吧了呢啊的呀哦嘛号然再并和与跟或就])"
_E = "(?![a-z0-9])"
"""End of a Latin unit; a Chinese character may follow at once."""

_SMALL = "(?:" + "|".join(sorted((w for w in WORDS if WORDS[w] < 20), key=len, reverse=True)) + ")"
_TWO = f"(?:(?:{'|'.join(w for w in WORDS if WORDS[w] >= 20)})(?:[- ]{_SMALL}(?!teen))?|{_SMALL})"
_HUNDRED = f"(?:(?:(?:a|{_TWO}) )?hundred(?:(?: and)? {_TWO}\\b)?)"
_THOUSAND = f"(?:(?:a|{_HUNDRED}|{_TWO}) thousand(?:(?: and)? (?:{_HUNDRED}|{_TWO})\\b)?)"
_ENGLISH = f"(?:{_THOUSAND}|{_HUNDRED}|{_TWO})"
_PARTS = (
    "(?:thirds?|quarters?|fourths?|fifths?|sixths|sevenths|eighths?|ninths|tenths?)"
    "(?! (?:one|lamp|light|floor|room|time|of the month)s?\\b)"
)

HINT = (
    rf"[0-9{_D}十百半俩仨]|\b(?:{'|'.join(WORDS)}|{'|'.join(ORDINALS)}|hundred|thousand|half|halfway|quarters?|fourths?|thirds?|fifths?|tenths?|eighths?"
    r"|an? (?:couple|hour|minute|degree|notch))\b"
)
"""Cheap test: without any of these there is no number."""

_PERCENT = rf"百分之?(?P<percent>百|{_ZH}(?:点[{_D}]+)?|{_DIGITS})"
_FRACTION = (
    rf"(?:(?P<denominator>{_ZH}|\d+)分之(?P<numerator>{_ZH}|\d+)|(?<![\d/.])\d+/\d+(?![\d/]))(?P<fraction>)"
)
_CLOCK = (
    r"(?<![\d:a-z.])(?P<hour>[01]?\d|2[0-4]):(?P<minute>[0-5]\d)(?::\d\d)?(?![\d:])"
    r"(?:\s?(?P<meridiem>[ap])\.?m\b\.?)?(?P<clock>)"
)
_NUMERAL = (
    r"(?:(?P<sign>(?:^|(?<=[\s(到为成至是于,:]))-|负|零下))?"
    rf"(?:(?<![a-z0-9_.])(?P<digits>{_DIGITS}(?:[百千万亿](?![瓦叶能]))?)"
    rf"|(?P<zh>俩|仨|(?<![周统唯])(?<!星期)(?<!礼拜){_ZH}))(?P<numeral>)"
)
_ENGLISH_PART = (
    rf"\b(?:(?P<times>an?|{_SMALL})[ -](?={_PARTS}|hal)|(?=half|quarters?\b))"
    rf"(?P<part>hal(?:f(?:[ -]?way)?|ves)|[tqfsen]\w+)\b(?P<of_it> (?:strength|power|of the way)\b)?"
    rf"(?:(?P<past> (?:past|to)) (?P<oclock>{_TWO})\b"
    r"|(?: of)?(?: an?)? (?P<per>hour|minute|degree|day)s?\b)?(?P<en_fraction>)"
)
_ENGLISH_NUMERAL = (
    rf"\b(?P<minus>(?:minus|negative) )?(?P<en>{_ENGLISH}(?: point(?: {_SMALL}\b)+)?|a couple(?: of)?"
    r"|an?(?= (?:hour|minute|degree|notch)\b))\b(?P<plus_half> and a half\b)?(?P<english>)"
)
_ORDINAL = (
    rf"\b(?P<ordinal>{'|'.join(ORDINALS)})\b(?P<storey> (?:floor|storey|story)\b)?"
    r"(?P<gear> (?:gear|speed|setting|level|notch)\b)?(?P<ordinal_word>)"
)
_HALF = r"(?P<half>一?大?半|\bin half\b(?! an?\b))"
D, TWO, ENGLISH = _D, _TWO, _ENGLISH
"""Chinese digits, English numerals to 99, any English numeral."""
_WAYS = (_PERCENT, _FRACTION, _CLOCK, _HALF, _NUMERAL, _ENGLISH_PART, _ENGLISH_NUMERAL, _ORDINAL)

WAYS = _WAYS
"""One alternative per way of writing a number; the last group that matched names the reader."""

STOP = lazy_pattern(
    "(?<=[上下])(?<!一下)一[个首台张集曲章档]"
    "|一(?:[下会起样直些定键边律并般共次切旦体时路齐同再向概旁]|块[儿打开关调把]|次性|点[点儿])"
    rf"|十分(?![钟后之到\d{_D}十])|[一二]氧|二维|二手|二人|三星|三角|三明治|三基色|三防|三开|四季|四周|四面|四处|四件套"
    "|五金|五颜六色|五孔|六神|七彩|八音|九阳|十字|十足|两[边侧旁用面者]|零[食钱售件碎](?!下)"
)
"""Words that hold a numeral and no number."""

ADVERB = lazy_pattern(r" (?:and|then|turn|set|open|close)\b|[,.;!?]|$")
"""What follows ``first`` when it says when and not which."""

TENTH = lazy_pattern(
    f"(?:成|分(?=[亮满热]|的?亮度)|(?:(?<=[度量音][{_D}])|(?<=[度量音][到成为开调降][{_D}]))分(?!钟))(?P<rest>半|[{_D}]|)(?![功为人员立长])"
)
CLOCK_TAIL = lazy_pattern(
    rf"点(?:半(?!个|小时|分)|整|钟|[一三]刻|(?P<digits>\d{{1,2}}|[{_D}十]{{1,4}})(?![{_D}十\d楼层个盏台号间扇])(?P<fen>分(?!钟))?|)"
)

UNIT_SCALE = {
    "percent": ("%", 1),
    "kilowatt": ("watt", 1000),
    "quarter": ("minute", 15),
    "week": ("day", 7),
    "metre": ("centimetre", 100),
    "half_hours": ("hour", 1),
}
AND_HALF = lazy_pattern(r"半钟?(?![夜开关个小])| and a half\b")
"""After a unit: half a unit more."""

UNIT = lazy_pattern(
    r"(?:[多来余]?\s?|-(?=[a-z]{3}))(?:"
    + "|".join(
        (
            rf"(?P<percent>%|per ?cent(?:age)?{_E}|pct{_E}|个?百分点|个点|趴|个?巴仙)",
            rf"(?P<fahrenheit>°\s?f{_E}|degrees? f(?:ahrenheit)?{_E}|华氏度|f(?:ahrenheit)?{_E})",
            rf"(?P<celsius>°\s?c{_E}|度c{_E}|(?:degrees? )?c(?:elsius|entigrade)?{_E}|摄氏度)",
            rf"(?P<short_k>k{_E})",
            rf"(?P<kelvin>kelvins?{_E}|开尔文|开(?![灯关窗门启着了始到大小一]))",
            rf"(?P<degree>度(?!假)|deg(?:ree)?s?{_E}|°)",
            rf"(?P<level>个?[档挡]位?|级|格|(?:notch(?:es)?|steps?|levels?|gears?){_E})",
            rf"(?P<lux>lux{_E}|lx{_E}|勒克斯|勒)",
            rf"(?P<kilowatt>千瓦|kw{_E}|kilowatts?{_E})",
            rf"(?P<rpm>转速?(?![起动到成])|rpm{_E}|revs?{_E})",
            rf"(?P<watt>瓦特?|w{_E}|watts?{_E})",
            rf"(?P<ppm>ppm{_E})",
            rf"(?P<ampere>amp(?:ere)?s?{_E}|安培)",
            rf"(?P<centimetre>厘米|公分|cm{_E}|centimet(?:re|er)s?{_E})",
            rf"(?P<metre>米|met(?:re|er)s?{_E})",
            r"(?P<half_hours>个半(?:小时|钟头?))",
            rf"(?P<hour>个?(?:小时|钟头)|个钟头?|hours?{_E}|hrs?{_E}|h{_E})",
            rf"(?P<minute>分钟|min(?:ute)?s?{_E}|分(?![之贝米成组离开别享类]))",
            r"(?P<quarter>刻钟)",
            rf"(?P<second>秒钟?|sec(?:ond)?s?{_E}|s{_E})",
            rf"(?P<week>个?(?:星期|礼拜)(?![一二三四五六日天])|周(?![末一二三四五六日])|weeks?{_E})",
            rf"(?P<day>天(?![花窗气台井猫])|日|days?{_E})",
            r"(?P<floor>[楼层]|(?:st|nd|rd|th) (?:floor|storey)\b)",
            r"(?P<count>[个盏台间扇只张块条把部](?!月))",
            rf"(?P<nth>(?:st|nd|rd|th){_E})",
            rf"(?P<am>a\.?m\.?{_E})",
            rf"(?P<pm>p\.?m\.?{_E})",
            rf"(?P<o_clock>o'?clock{_E})",
        )
    )
    + ")"
)
"""What may follow a numeral; the group's name is the unit."""

DEGREE_TENTH = lazy_pattern(rf"([{_D}\d]){_AFTER}")
"""After 度: ``二十六度五`` is 26.5."""
METRE_PARTS = lazy_pattern(rf"([{_D}\d])([{_D}\d])?{_AFTER}")
"""After 米: ``一米一`` is 110 centimetres."""
HALF_DURATION = lazy_pattern(
    "(?:(?P<hour>个?(?:小时|钟头)|个钟)|(?P<minute>分钟)|(?P<second>秒钟?)|(?P<day>天(?!花))|(?P<degree>度)|(?P<level>[档挡格级]))"
)
HALF_PLACE = lazy_pattern("[开关掩闭拉亮]")
APART = lazy_pattern("[夜年径自月岛导个]")
BARE = lazy_pattern(rf"[{_D}十](?:{_AFTER}|号)|(?<=[到为成至是调加减升降高低大小暗亮于量速])[{_D}十]")
ONE_ALONE = lazy_pattern(rf"(?<=[到为成至是调量速道])一{_AFTER}|一号")
"""A lone numeral counts when it ends a phrase or a word of setting stands before it."""
