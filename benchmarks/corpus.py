"""A corpus of documents, made by a seed: Chinese and English, of every kind that is read.

Every document holds a sentence of its own that nothing else says, so that each can be asked for; some are
copies of others with another spelling.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.files import docx, pdf

PLACES = [
    "cellar",
    "attic",
    "office",
    "garage",
    "kitchen",
    "porch",
    "library",
    "workshop",
    "pantry",
    "studio",
    "stable",
    "boathouse",
]
PEOPLE = [
    "Alder",
    "Birch",
    "Cedar",
    "Dogan",
    "Ellis",
    "Faber",
    "Grant",
    "Hoshi",
    "Ivers",
    "Jonas",
    "Kemal",
    "Lindt",
    "Mora",
    "Nolan",
    "Otto",
]
THINGS = [
    "pump",
    "boiler",
    "ladder",
    "carpet",
    "printer",
    "fence",
    "radio",
    "kettle",
    "mirror",
    "drill",
    "heater",
    "engine",
    "clock",
    "piano",
]
DEEDS = [
    "repaired",
    "moved",
    "sold",
    "painted",
    "cleaned",
    "measured",
    "replaced",
    "borrowed",
    "ordered",
    "inspected",
    "labelled",
]
WHY = [
    "because it was noisy",
    "after the storm",
    "before the guests came",
    "for the second time",
    "as agreed in spring",
]
HAN_PLACES = ["地下室", "阁楼", "书房", "车库", "厨房", "门廊", "图书室", "工作间", "储藏室", "画室"]
HAN_PEOPLE = ["老周", "小林", "陈师傅", "阿梅", "王工", "刘姐", "何伯", "小赵", "孙老师", "吴先生"]
HAN_THINGS = [
    "水泵",
    "锅炉",
    "梯子",
    "地毯",
    "打印机",
    "栅栏",
    "收音机",
    "水壶",
    "镜子",
    "电钻",
    "暖气",
    "钢琴",
]
HAN_DEEDS = [
    "修好了",
    "搬走了",
    "卖掉了",
    "刷了一遍",
    "清洗了",
    "量过了",
    "换掉了",
    "借来了",
    "订购了",
    "检查了",
]
HAN_WHY = ["因为声音太大", "在暴雨之后", "在客人来之前", "这已是第二次", "按春天的约定"]
COPIES = 0.02
"""Share of documents that say what another one says."""


@dataclass(frozen=True, slots=True)
class Made:
    """A document of the corpus, and the one question it answers alone."""

    name: str
    question: str
    answer: str
    copy: bool = False


def write(folder: Path, count: int, mean: int, seed: int = 14) -> Iterator[Made]:
    """Write so many documents of so many bytes on average."""
    random, records, last = Random(seed), list[str](), ("", False)
    for number in range(count):
        size = int(random.lognormvariate(0, 0.8) * mean * 0.73)
        copy = bool(last[0]) and random.random() < COPIES
        chinese = last[1] if copy else random.random() < 0.5
        body = last[0].replace(".", " .") if copy else _body(random, size, chinese=chinese)
        question, answer = _own(number, chinese=chinese)
        last = last if copy else (body, chinese)
        name, record = _written(folder, number, random, f"{answer}\n\n{body}", chinese=chinese)
        records += [record] if record else []
        yield Made(name, question, answer, copy)
    if records:
        (folder / "records.jsonl").write_text("\n".join(records), "utf-8")


def _own(number: int, *, chinese: bool) -> tuple[str, str]:
    """What is asked for, and the sentence that alone says it."""
    code = f"KX{number:05d}"
    if chinese:
        return code, f"{code}号储物柜的钥匙放在第{number * 7 + 3}号抽屉。"
    return code, f"The key of locker {code} lies in drawer {number * 7 + 3}."


def _body(random: Random, size: int, *, chinese: bool) -> str:
    """Sections of paragraphs of sentences."""
    parts, left = list[str](), size
    while left > 0:
        many = random.randint(3, 9)
        said = ("" if chinese else " ").join(_sentence(random, chinese=chinese) for _ in range(many))
        if random.random() < 0.2:
            said = f"## {random.choice(HAN_THINGS if chinese else THINGS)} {random.randint(1, 999)}\n\n{said}"
        parts.append(said)
        left -= len(said.encode())
    return "\n\n".join(parts)


def _sentence(random: Random, *, chinese: bool) -> str:
    pick, number, day = random.choice, random.randint(2, 9999), random.randint(1, 28)
    if chinese:
        return (
            f"{pick(HAN_PEOPLE)}{day}日把{pick(HAN_PLACES)}的{pick(HAN_THINGS)}{pick(HAN_DEEDS)}，"
            f"{pick(HAN_WHY)}，一共花了{number}元。"
        )
    return (
        f"On day {day} {pick(PEOPLE)} {pick(DEEDS)} the {pick(THINGS)} in the {pick(PLACES)} {pick(WHY)}, "
        f"which cost {number} in all."
    )


def _written(folder: Path, number: int, random: Random, text: str, *, chinese: bool) -> tuple[str, str]:
    """The name of the document, and its record where it is one of many in a file."""
    kinds = (
        ("md", "txt", "html", "jsonl", "docx") if chinese else ("md", "txt", "html", "jsonl", "docx", "pdf")
    )
    kind = random.choices(kinds, (40, 20, 15, 15, 8, 2)[: len(kinds)])[0]
    if kind == "jsonl":
        return f"records.jsonl#{number}", json.dumps({"id": number, "title": f"R {number}", "text": text})
    within = folder / f"{number % 50:02d}"
    within.mkdir(exist_ok=True)
    path = within / f"{number}.{kind}"
    path.write_bytes(_of_kind(kind, text, chinese=chinese))
    return path.relative_to(folder).as_posix(), ""


def _of_kind(kind: str, text: str, *, chinese: bool) -> bytes:
    if kind == "docx":
        return docx(text.split("\n\n"))
    if kind == "pdf":
        return pdf([line for line in text.replace("(", "").replace(")", "").splitlines() if line])
    if kind == "html":
        said = "".join(f"<p>{part}</p>" for part in text.split("\n\n"))
        return f"<html><head><title>Page</title></head><body>{said}</body></html>".encode()
    return text.encode("gbk" if kind == "txt" and chinese else "utf-8")
