"""``winnow demo``: a guided tour, sentences in Chinese and English said to one home; nothing is stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from winnow.app.cli.options import command_group, message_language
from winnow.app.config.settings import Settings
from winnow.language.encode import compact_json, encode_text
from winnow.language.messages import message, translate_text
from winnow.language.tokens import COUNTER, count_tokens
from winnow.ports.services import run_blocking
from winnow.types.document import KnowledgeTier
from winnow.types.home import HomeView
from winnow.types.plan import ActingRules, Rules
from winnow.types.scope import Scope
from winnow.types.state import ImportedHome
from winnow.types.utterance import LanguageCode, Turn, Utterance

if TYPE_CHECKING:
    from winnow.engine.engine import Engine

commands = command_group()


@commands.command("demo", epilog="Example: winnow demo")
def show_demo(
    home: Annotated[
        str, typer.Argument(metavar="[PATH]", help="Folder of payloads, or example:NAME.")
    ] = "example:home150",
) -> None:
    """Show a guided tour: a home of 150 devices and a dozen sentences in Chinese and English.

    Nothing is stored.
    """
    for line in tour(home, message_language()):
        print(line)


EXAMPLE_HOME = "example:home150"
GUEST = "guest"
DOCUMENTS = ("en/private", "zh/private", "en/public", "zh/public")


@dataclass(frozen=True, slots=True)
class DemoStep:
    """One sentence and what it shows."""

    shows: str
    said: Utterance


HOME_STEPS = (
    DemoStep("a nickname: the fan of the children's room is called Little Bear", Utterance("麻烦把小熊打开")),
    DemoStep("a lamp on a smart plug is a lamp", Utterance("点亮花园灯串")),
    DemoStep("three lamps share this name, so one question", Utterance("请把镜前灯点亮")),
    DemoStep("the same sentence, said in the master bathroom", Utterance("请把镜前灯点亮", room="主卫")),
    DemoStep("a plug cannot dim: refused, with the reason", Utterance("玄关的鞋柜灯调到30%")),
    DemoStep("danger: a yes first", Utterance("把厨房的总水阀打开")),
    DemoStep("a whole floor without one room, as one line", Utterance("二楼除了儿童房，别处的灯全关掉")),
    DemoStep("a question reads, and does nothing", Utterance("酒窖现在的温度是多少")),
    DemoStep(
        "'it' is what was spoken of",
        Utterance(
            "再把它调到四成亮", history=(Turn("user", "打开书房台灯"), Turn("assistant", "书房台灯开了。"))
        ),
    ),
    DemoStep("not a request for the house", Utterance("今天上班可真够累的")),
    DemoStep("English, on the same home", Utterance("Switch off all the lamps in the living room, please")),
    DemoStep("English danger", Utterance("Could you open the garage door")),
)


def tour(source: str = EXAMPLE_HOME, language: LanguageCode = "en") -> Iterator[str]:
    """The tour, line by line, through the home of these payloads. Raises HomeImportError."""
    from winnow.app.wiring.engine import open_engine, read_home

    imported = read_home(source)
    home, rules = imported.home, ActingRules(users={GUEST: VALVES_STAY_SHUT})
    engine = open_engine(imported, settings=Settings(data=Path()), acting=rules)
    all_tokens = count_tokens(whole_home_text(imported))
    sizes = {"rooms": len(home.rooms), "devices": len(home.devices), "scenes": len(home.scenes)}
    yield message("demo_home", language, home=home.name, **sizes)
    yield message("demo_whole", language, tokens=all_tokens, counter=COUNTER)
    for scene in HOME_STEPS:
        yield from _step_lines(scene, engine, all_tokens, language)
    yield from documents_tour(engine, language)
    yield from acts_tour(engine, language)


def _step_lines(scene: DemoStep, engine: Engine, all_tokens: int, language: LanguageCode) -> Iterator[str]:
    from winnow.app.verdict_text import answer_text

    retrieval = engine.sync.retrieve(scene.said)
    room = f"   [{scene.said.room}]" if scene.said.room else ""
    yield f"\n=== {translate_text(scene.shows, language)}"
    yield from (f"    {turn.role}: {turn.content}" for turn in scene.said.history)
    yield f"> {scene.said.text}{room}"
    yield answer_text(retrieval, engine.sync.load_home(retrieval.home_id).view)
    cost = {"tokens": retrieval.briefing.tokens, "instead": all_tokens, "ms": f"{retrieval.ms:.1f}"}
    yield message("demo_cost", language, **cost)


ACT_STEPS = (
    DemoStep("danger waits for a yes", Utterance("打开车库门")),
    DemoStep("the yes, in the person's own words", Utterance("好的")),
    DemoStep("what is never done is refused", Utterance("把厨房的总水阀打开")),
    DemoStep("done, and told as a receipt", Utterance("关掉书房台灯")),
    DemoStep("the last act is taken back", Utterance("撤销")),
)
VALVES_STAY_SHUT = Rules({"open_valve": "never"})
"""A rule of the tour: valves stay shut."""


def acts_tour(engine: Engine, language: LanguageCode) -> Iterator[str]:
    """Acts in a simulated copy of the home, each told as its receipt."""
    from winnow.app.verdict_text import receipt_lines
    from winnow.app.wiring.engine import rehearse_on_copy

    opened = engine.sync.load_home()
    states = run_blocking(engine.states.read(Scope(engine.policy.tenant, home=opened.home.id)))
    rehearse_on_copy(engine, opened.home, states)
    yield "\n" + message("demo_acts", language)
    for scene in ACT_STEPS:
        turn = engine.sync.retrieve(replace(scene.said, user=GUEST, session=GUEST))
        yield f"\n=== {translate_text(scene.shows, language)}"
        yield f"> {scene.said.text}"
        yield from receipt_lines(engine.sync.act(turn), opened.view, turn.reading.language)


DOCUMENT_STEPS = (
    DemoStep("a person's own documents answer", Utterance("When does my lease end?", user=GUEST)),
    DemoStep("what is not private is asked of everybody's", Utterance("May I sublet a room?", user=GUEST)),
    DemoStep("the same in Chinese", Utterance("外婆的笋干烧肉要烧多久？", user=GUEST)),
)


def documents_tour(engine: Engine, language: LanguageCode) -> Iterator[str]:
    """Documents that come along, put into the engine's storage, and questions to them."""
    texts = {id_: text for name in DOCUMENTS for id_, text in _add_example(engine, name).items()}
    whole = sum(map(count_tokens, texts.values()))
    yield "\n" + message("demo_documents", language, documents=len(texts), tokens=whole)
    for scene in DOCUMENT_STEPS:
        turn = engine.sync.retrieve(scene.said)
        yield f"\n=== {translate_text(scene.shows, language)}"
        yield f"> {scene.said.text}"
        for shortlist in turn.results:
            for candidate in shortlist.candidates[:1]:
                data = candidate.data if isinstance(candidate.data, Mapping) else {}
                title, text = (encode_text(str(data.get(name) or ""), 160) for name in ("title", "text"))
                yield f"  {shortlist.source} {candidate.score:.2f}  {title}: {text}"
        cost = {"tokens": turn.context.token_count, "instead": whole, "ms": f"{turn.ms:.1f}"}
        yield message("demo_cost", language, **cost)


def _add_example(engine: Engine, name: str) -> dict[str, str]:
    """The texts of a guest's own documents, or of everybody's, with those of that example among them."""
    from winnow.retrieve.documents.document_reader import DocumentDefaults
    from winnow.retrieve.documents.files import document_path
    from winnow.retrieve.documents.index import segment_of
    from winnow.retrieve.documents.ingest import DocumentLibrary, IngestRequest, add_documents

    private = name.endswith("private")
    tier: KnowledgeTier = "private" if private else "public"
    scope, store = Scope(engine.policy.tenant, user=GUEST if private else ""), engine.storage.documents
    adding = IngestRequest(document_path(f"example:{name}"), DocumentDefaults(collection=name))
    run_blocking(add_documents(DocumentLibrary(scope, tier, store, segment_of), adding))
    ids = run_blocking(store.documents(scope, tier))
    return {id_: run_blocking(store.text(scope, tier, id_)) for id_ in ids}


def whole_home_text(imported: ImportedHome) -> str:
    """What an agent would be given without retrieval.

    Every device with all its commands and states, as compact JSON.
    """
    view, rows = HomeView.of(imported.home), []
    for device in view.devices.values():
        room = view.room(device.id)
        commands = [
            {"id": c.id, "text": c.text, "parameters": [p.name for p in c.parameters]}
            for c in view.profile(device.id).commands
        ]
        about = {"id": device.id, "name": device.name, "room": room.name if room else ""}
        rows.append({**about, "commands": commands, "states": dict(imported.states.of(device.id))})
    return compact_json(rows)
