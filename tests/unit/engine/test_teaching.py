"""Names that people give their things: by sentence and by command; a word that means something is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import winnow
from winnow import Engine, Utterance
from winnow.engine.naming import export_words, import_words
from winnow.errors import NoSuchWord, NotAName
from winnow.ports.services import run_blocking
from winnow.types.scope import Scope
from winnow.understand.dialogue.references import taught_in

NAMES = {
    "light.lamp": "Reading Lamp",
    "fan.study": "Study Fan",
    "lock.front": "Front Door",
    "light.desk": "书房台灯",
}


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    folder = tmp_path_factory.mktemp("home")
    rows = [{"entity_id": i, "state": "on", "attributes": {"friendly_name": n}} for i, n in NAMES.items()]
    Path(folder, "states.json").write_text(json.dumps(rows), "utf-8")
    return winnow.open(folder)


@pytest.fixture
def engine(opened: Engine) -> Engine:
    """The same home, with nothing taught."""
    scope = Scope(opened.policy.tenant, home=opened.sync.load_home().home.id)
    run_blocking(opened.storage.lexicon.save_entries(scope, ()))
    return opened


def teach(engine: Engine, text: str) -> tuple[str, str] | None:
    home = engine.sync.load_home().home.id
    lesson = run_blocking(engine.teaching.learn_from(Utterance(text), Scope(engine.policy.tenant, home=home)))
    return (lesson.word, lesson.device_id) if lesson else None


def outcome(engine: Engine, text: str) -> tuple[str, set[str]]:
    verdict = engine.sync.retrieve(Utterance(text)).verdict
    calls = getattr(verdict, "calls", ()) or getattr(verdict, "proposed", ()) or ()
    return type(verdict).__name__, {call.device_id for call in calls}


@pytest.mark.parametrize(
    ("text", "word", "device"),
    [
        ("call the reading lamp Bert", "bert", "light.lamp"),
        ("Bert is the reading lamp", "bert", "light.lamp"),
        ("from now on the study fan is called Whirly", "whirly", "fan.study"),
        ("when I say Bert, I mean the reading lamp", "bert", "light.lamp"),
        ("以后把书房台灯叫小亮", "小亮", "light.desk"),
        ("小亮是书房台灯", "小亮", "light.desk"),
        ("我说的小亮就是书房台灯", "小亮", "light.desk"),
    ],
)
def test_a_sentence_gives_a_thing_a_name(engine: Engine, text: str, word: str, device: str) -> None:
    order = f"turn off {word}" if word.isascii() else f"把{word}关了"
    assert outcome(engine, order)[0] != "Act"
    assert teach(engine, text) == (word, device)
    assert outcome(engine, order) == ("Act", {device})


@pytest.mark.parametrize(
    "text",
    [
        "this is the reading lamp",
        "where is the reading lamp",
        "is Bert the reading lamp?",
        "Bert is the jacuzzi",
        "dinner is ready",
        "call mum now",
        "forget it",
        "这是书房台灯",
        "哪个是书房台灯",
        "问题是书房台灯坏了",
        "小亮是个好名字",
    ],
)
def test_what_only_looks_so_teaches_nothing(engine: Engine, text: str) -> None:
    assert teach(engine, text) is None


def test_a_taught_name_is_forgotten(engine: Engine) -> None:
    assert teach(engine, "call the reading lamp Bert")
    assert teach(engine, "forget Bert") == ("bert", "light.lamp")
    assert outcome(engine, "turn off bert")[0] == "Refuse"
    assert teach(engine, "以后把书房台灯叫小亮")
    assert teach(engine, "忘了小亮吧") == ("小亮", "light.desk")


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("Study Fan", "already the name"),
        ("fan", "means something"),
        ("x", "too short"),
        ("turn off", "means"),
    ],
)
def test_a_word_that_means_something_is_refused_with_the_reason(engine: Engine, word: str, why: str) -> None:
    scope = Scope(engine.policy.tenant, home=engine.sync.load_home().home.id)
    with pytest.raises(NotAName, match=why):
        run_blocking(engine.teaching.add(scope, word, "light.lamp"))


def test_a_lock_by_a_taught_name_still_wants_its_yes(engine: Engine) -> None:
    assert teach(engine, "Gandalf is the front door") == ("gandalf", "lock.front")
    assert outcome(engine, "unlock gandalf") == ("Confirm", {"lock.front"})


def test_what_was_never_taught_cannot_be_removed(engine: Engine) -> None:
    scope = Scope(engine.policy.tenant, home=engine.sync.load_home().home.id)
    with pytest.raises(NoSuchWord, match="Bert"):
        run_blocking(engine.teaching.remove(scope, "Bert"))


def test_words_go_out_and_come_back(engine: Engine) -> None:
    home = engine.sync.load_home().home
    scope = Scope(engine.policy.tenant, home=home.id)
    run_blocking(engine.teaching.add(scope, "Bert", "light.lamp"))
    entries = run_blocking(engine.storage.lexicon.entries(scope))
    data = json.loads(json.dumps(export_words(entries, home)))
    assert [(e.surface, e.target) for e in import_words((), data, home)[0]] == [("bert", "light.lamp")]
    assert import_words(entries, data, home) == (entries, ())
    data["words"].append({"word": "Ernie", "kind": "alias", "means": "light.gone", "name": "Gone"})
    assert import_words((), data, home)[1] == ("Ernie",)


def test_a_question_teaches_nothing() -> None:
    assert list(taught_in("is called the lamp Bert?")) == []


def test_what_names_nothing_or_takes_back_what_nobody_gave_teaches_nothing(engine: Engine) -> None:
    assert teach(engine, "call the reading lamp Bert") == ("bert", "light.lamp")
    for text in ("forget Ernie", "忘了小亮吧", "call the jacuzzi Ernie"):
        assert teach(engine, text) is None, text
    assert outcome(engine, "turn off bert") == ("Act", {"light.lamp"})


def test_a_name_that_cannot_be_one_is_told_where_it_was_plainly_given(engine: Engine) -> None:
    with pytest.raises(NotAName, match="means something"):
        teach(engine, "call the reading lamp fan")
    assert outcome(engine, "turn off the study fan") == ("Act", {"fan.study"})
