from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.evaluation.run import TASKS
from tests.fastembed_stand_in import SMALL, installed
from tests.model_server import ModelServer, Reply, embedded, failed, model_server, said
from typer.main import get_command

from winnow import __version__
from winnow.adapters.models import embedders as static
from winnow.app.cli import evaluate
from winnow.app.cli.program import app

Run = Callable[..., Any]


def test_the_version_is_printed(winnow: Run) -> None:
    ran = winnow("--version")
    assert (ran.code, ran.out.strip()) == (0, f"winnow {__version__}")


def test_without_a_command_the_help_lists_them_all(winnow: Run) -> None:
    ran = winnow("--help")
    assert ran.code == 0
    for command in (
        "ask",
        "explain",
        "intent",
        "rewrite",
        "chat",
        "demo",
        "doctor",
        "eval",
        "home",
        "lexicon",
    ):
        assert f"\n  {command} " in ran.out


def leaves(command: Any, path: str = "") -> Iterator[str]:
    """Each command that is no group, as it is called."""
    children = getattr(command, "commands", {})
    if not children:
        yield path
    for name, child in children.items():
        yield from leaves(child, f"{path} {name}".strip())


@pytest.mark.bulk
@pytest.mark.parametrize("option", ["-h", "--help"])
@pytest.mark.parametrize("command", tuple(leaves(get_command(app))))
def test_every_command_explains_itself_with_an_example(winnow: Run, command: str, option: str) -> None:
    ran = winnow(*command.split(), option)
    assert ran.code == 0
    assert f"Example: winnow {command}" in ran.out


def test_every_task_is_named_where_it_is_chosen(winnow: Run) -> None:
    said = winnow("eval", "-h").out
    assert all(task in said for task in TASKS)


def test_the_package_can_be_run_as_the_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "winnow", "--version"], check=False, capture_output=True, text=True
    )
    assert (done.stdout.strip(), done.stderr) == (f"winnow {__version__}", "")


def test_a_shell_completes_commands(winnow: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_WINNOW_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "winnow ho")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert winnow().out.split() == ["home"]


def test_an_import_tells_what_it_stored_and_a_second_what_changed(winnow: Run, payloads: Path) -> None:
    assert (
        "Imported flat (version 1): 1 floors, 2 rooms, 4 devices, 0 scenes."
        in winnow("home", "import", str(payloads / "flat")).out
    )
    path = payloads / "flat" / "home.json"
    home = json.loads(path.read_text())
    home["devices"][0]["name"] = "reading lamp"
    del home["devices"][3]
    path.write_text(json.dumps(home))
    ran = winnow("home", "import", str(payloads / "flat"))
    assert "0 devices added, 1 removed, 1 renamed" in ran.out
    assert "desk lamp -> reading lamp" in ran.out


def test_an_import_may_choose_the_id(winnow: Run, payloads: Path) -> None:
    winnow("home", "import", str(payloads / "flat"), "--id", "mine")
    assert json.loads(winnow("home", "list", "--json").out)["homes"][0]["home"] == "mine"


def test_an_example_comes_along(winnow: Run) -> None:
    assert "53 devices" in winnow("home", "import", "example:cottage").out
    assert winnow("ask", "turn", "on", "the", "crane").out.startswith("Act\n  Sitting Room / Reading Lamp")


def test_an_example_that_is_none_and_a_path_called_like_one_are_told(winnow: Run) -> None:
    said = winnow("home", "import", "example:palace")
    assert (said.code, "example:cottage, example:home150, example:home40" in said.err) == (2, True)
    assert "example:cottage" in winnow("home", "import", "cottage").err


def test_a_broken_payload_is_refused_with_its_place_and_changes_nothing(flat: Run, payloads: Path) -> None:
    (payloads / "flat" / "home.json").write_text('{"id": "flat", "devices": [{}]}')
    ran = flat("home", "import", str(payloads / "flat"))
    assert ran.code == 2
    assert "home.json" in ran.err
    assert "Hint:" in ran.err
    assert "Traceback" not in ran.err
    assert "v1  4 devices" in flat("home", "list").out


def test_the_list_names_each_home_and_says_so_when_there_is_none(winnow: Run, payloads: Path) -> None:
    assert "No home is stored yet" in winnow("home", "list").out
    winnow("home", "import", str(payloads / "flat"))
    assert winnow("home", "list").out.startswith("flat  Flat  neutral  v1  4 devices")


def test_a_home_is_shown_as_a_tree(flat: Run) -> None:
    lines = flat("home", "show").out.splitlines()
    assert lines[0] == "Flat (flat, neutral, v1)"
    assert lines[1:5] == ["  Ground floor", "    study", "      desk lamp [light]", "      wall lamp [light]"]
    assert "  hall" in lines


def test_a_home_is_deleted_once(flat: Run) -> None:
    assert flat("home", "delete", "flat").out.strip() == "Deleted flat."
    ran = flat("home", "delete", "flat")
    assert ran.code == 2
    assert "'flat'" in ran.err


def test_a_sentence_is_answered_with_the_verdict_and_the_text_to_inject(flat: Run) -> None:
    ran = flat("ask", "turn on the desk lamp")
    assert ran.code == 0
    assert ran.out.startswith("Act\n  study / desk lamp  turn_on\n")
    assert "Injected text (" in ran.out
    assert '"desk lamp" in "study", light; do Switch.On' in ran.out


def test_an_ambiguous_sentence_is_answered_with_a_question(flat: Run) -> None:
    ran = flat("ask", "turn on the wall lamp")
    assert ran.out.startswith("Clarify: Which")
    assert "study" in ran.out
    assert "hall" in ran.out


@pytest.mark.parametrize("command", ["ask", "explain"])
def test_a_room_nobody_has_is_an_error_that_names_those_there_are(flat: Run, command: str) -> None:
    said = flat(command, "turn on the wall lamp", "--room", "attic")
    assert said.code == 2
    assert "attic" in said.err
    assert "hall" in said.err


def test_the_case_of_a_room_does_not_matter(flat: Run) -> None:
    assert flat("ask", "turn on the wall lamp", "--room", "Hall").out.startswith(
        "Act\n  hall / wall lamp  turn_on"
    )


def test_the_room_the_person_stands_in_settles_it(flat: Run) -> None:
    assert flat("ask", "turn on the wall lamp", "--room", "hall").out.startswith(
        "Act\n  hall / wall lamp  turn_on"
    )


@pytest.mark.parametrize(
    "words",
    [
        ["turn on the wall lamp", "--room", "hall"],
        ["turn", "on", "the", "wall", "lamp", "--room", "hall"],
        ["--room", "hall", "turn", "on", "the", "wall", "lamp"],
        ["turn", "on", "--room", "hall", "the", "wall", "lamp"],
    ],
)
def test_a_sentence_needs_no_quotes_and_options_stand_anywhere(flat: Run, words: list[str]) -> None:
    assert flat("ask", *words).out.startswith("Act\n  hall / wall lamp  turn_on")
    assert "in   turn on the wall lamp" in flat("explain", *words).out


def test_a_turn_needs_no_quotes(winnow: Run) -> None:
    said = ["how", "old", "is", "it", "--said", "user: tell me about the Eiffel Tower"]
    assert winnow("rewrite", *said).out == winnow("rewrite", " ".join(said[:4]), *said[4:]).out
    assert winnow("intent", *said).out == winnow("intent", " ".join(said[:4]), *said[4:]).out


def test_the_answer_as_data_is_one_short_line(flat: Run) -> None:
    out = flat("ask", "turn on the desk lamp", "--json").out
    assert (out.count("\n"), len(out) < 2000) == (1, True)
    data = json.loads(out)
    assert data["verdict"]["kind"] == "act"
    assert [call["device_id"] for call in data["verdict"]["calls"]] == ["study.desk_lamp"]
    assert "trace" not in data


def test_data_is_indented_on_a_terminal(flat: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert '\n  "home": "flat",\n' in flat("ask", "turn on the desk lamp", "--json").out


@pytest.mark.parametrize("command", [["ask", "--trace"], ["explain"]])
def test_the_trace_as_data_holds_every_stage(flat: Run, command: list[str]) -> None:
    data = json.loads(flat(*command, "turn on the desk lamp", "--json").out)
    assert data["verdict"]["kind"] == "act"
    stages = [stage["name"] for stage in data["trace"]["stages"]]
    assert stages == ["understand", "recall", "decide", "intent", "assemble", "context"]


def test_asking_for_the_trace_as_text_explains(flat: Run) -> None:
    assert " candidates of " in flat("ask", "turn on the desk lamp", "--trace").out


def test_what_is_listed_and_shown_can_be_had_as_data(flat: Run) -> None:
    home = json.loads(flat("home", "show", "--json").out)
    assert (home["home"], len(home["devices"])) == ("flat", 4)
    findings = json.loads(flat("doctor", "--json").out)["findings"]
    assert {finding["ok"] for finding in findings} == {True}
    assert json.loads(flat("lexicon", "list", "--json").out)["words"] == []


def test_earlier_turns_are_passed_on(flat: Run) -> None:
    before = ["--history", "user: turn on the desk lamp", "--history", "assistant: Done: ok."]
    data = json.loads(flat("ask", "turn it off", *before, "--json", "--trace").out)
    assert data["trace"]["utterance"]["history"] == [
        {"role": "user", "content": "turn on the desk lamp", "device_ids": []},
        {"role": "assistant", "content": "Done: ok.", "device_ids": []},
    ]


def test_a_turn_without_a_speaker_is_a_usage_error(flat: Run) -> None:
    ran = flat("ask", "turn it off", "--history", "turn on the lamp")
    assert ran.code == 2
    assert "user:" in ran.err


def test_an_unknown_home_is_an_error_with_a_hint(flat: Run) -> None:
    ran = flat("ask", "turn on the lamp", "--home", "palace")
    assert ran.code == 2
    assert ran.err.splitlines() == [
        "Error: No home has the id 'palace'.",
        "Hint: Known homes: flat. Name one of them.",
    ]


@pytest.mark.parametrize(
    ("words", "looked"),
    [
        ("turn off the reading lamp", False),
        ("lock the door", False),
        ("where did I put my keys?", True),
        ("show me my notes about the boiler", True),
    ],
)
def test_without_a_home_who_asks_is_missed_where_something_is_asked(
    winnow: Run, words: str, looked: bool
) -> None:
    ran = winnow("ask", words)
    assert ("Nobody was named" in ran.err, "No home is stored yet" in ran.err) == (looked, True)


def test_asking_without_a_home_says_how_to_import_one(winnow: Run) -> None:
    ran = winnow("ask", "turn on the lamp")
    assert ran.code == 2
    assert "winnow home import" in ran.err


def test_a_question_is_answered_without_any_home_from_what_somebody_told(winnow: Run) -> None:
    assert winnow("facts", "add", "I am allergic to peanuts", "--user", "nina").code == 0
    ran = winnow("ask", "what am I allergic to?", "--user", "nina", "--json")
    assert ran.code == 0
    messages = json.loads(ran.out)["messages"]
    assert messages[-1] == {"role": "user", "content": "what am I allergic to?"}
    assert "allergic to peanuts" in messages[-2]["content"]


def test_who_asks_and_names_nobody_is_told_what_a_name_adds(flat: Run) -> None:
    assert "--user" in flat("ask", "how tall is Mont Blanc?").err
    assert "--user" not in flat("ask", "how tall is Mont Blanc?", "--user", "nina").err
    assert "--user" not in flat("ask", "turn on the desk lamp").err


def test_a_reply_needs_a_model_and_says_how_to_name_one(flat: Run) -> None:
    ran = flat("ask", "how tall is Mont Blanc?", "--reply")
    assert ran.code != 0
    assert "WINNOW_MODEL_NORMAL" in ran.err


def test_explain_draws_what_the_shares_hold(flat: Run) -> None:
    out = flat("explain", "how tall is Mont Blanc?").out
    assert "\ncontext  " in out
    assert "history    [" in out
    assert "of 4000 tokens" in out


def test_explain_shows_every_stage_with_its_time(flat: Run) -> None:
    out = flat("explain", "turn on the desk lamp").out
    places = [out.index(f"\n{stage}  ") for stage in ("understand", "recall", "decide", "assemble")]
    assert places == sorted(places)
    assert "in   turn on the desk lamp" in out
    assert "action: " in out
    assert "vectors by static-zh-en " in out
    assert " candidates of " in out
    assert "tokens (" in out


def test_explain_says_why_spelling_had_to_do(
    flat: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(static.StaticEmbedder.__init__, "__defaults__", (tmp_path / "gone",))
    ran = flat("explain", "turn on the desk lamp")
    assert ran.code == 0
    assert f"vectors by hashing-ngram 1 - No usable table of vectors in {tmp_path / 'gone'}" in ran.out


@pytest.mark.parametrize("how", ["option", "setting", "locale"])
def test_messages_come_in_the_language_asked_for(
    flat: Run, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    if how == "setting":
        monkeypatch.setenv("WINNOW_LANGUAGE", "zh")
    if how == "locale":
        monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    args = ["--language", "zh"] if how == "option" else []
    assert flat(*args, "ask", "开灯", "--home", "x").err.startswith("错误: ")
    assert flat(*args, "home", "delete", "flat").out == "已删除 flat。\n"


def test_bad_settings_are_told_all_at_once(winnow: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINNOW_BUDGET", "few")
    monkeypatch.setenv("WINNOW_LANGUAGE", "fr")
    ran = winnow("home", "list")
    assert ran.code == 2
    assert "WINNOW_BUDGET" in ran.err
    assert "WINNOW_LANGUAGE" in ran.err


def test_a_healthy_installation_passes_the_doctor(flat: Run) -> None:
    ran = flat("doctor")
    assert ran.code == 0
    stored = ["store", "schema", "homes", "audit"]
    looked_at = [
        "python",
        "settings",
        "sqlite",
        *stored,
        "history",
        "acting",
        "embedder",
        "tokenizer",
        "model",
    ]
    assert [line.split()[1] for line in ran.out.splitlines()[:-1]] == looked_at
    assert "flat v1 (4 devices)" in ran.out
    assert ran.out.splitlines()[-1] == "All is well."


def test_the_doctor_names_what_is_wrong_and_fails(
    winnow: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "winnow.db").write_bytes(b"no database at all" * 100)
    monkeypatch.setenv("WINNOW_HOME", str(tmp_path / "broken"))
    ran = winnow("doctor")
    assert ran.code == 1
    assert "BAD  store" in ran.out
    assert "ok   python" in ran.out


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """A language model that is configured and ready."""
    with model_server(said('{"ready": true}')) as server:
        monkeypatch.setenv("WINNOW_MODEL_SERVER", server.url)
        monkeypatch.setenv("WINNOW_MODEL_FAST", "small")
        monkeypatch.setenv("WINNOW_MODEL_KEY", "sk-hidden")
        yield server


def test_the_doctor_names_the_model_and_asks_it_only_when_told_to(winnow: Run, model: ModelServer) -> None:
    quiet = winnow("doctor")
    assert f"small at {model.url}, with a key; not asked" in quiet.out
    assert model.asked == []
    told = winnow("doctor", "--ask-model")
    assert "stand-in answered in" in told.out
    assert (told.code, len(model.asked)) == (0, 2)
    assert "sk-hidden" not in quiet.out + told.out + told.err


@pytest.mark.parametrize(
    ("reply", "words"), [(failed(401), "BAD  model"), (said("yes"), "answered, but no JSON")]
)
def test_the_doctor_tells_what_is_wrong_with_a_model(
    winnow: Run, model: ModelServer, reply: Reply, words: str
) -> None:
    model.answers = [reply]
    assert words in winnow("doctor", "--ask-model").out


def test_the_doctor_asks_for_vectors_too(
    winnow: Run, model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WINNOW_MODEL_FAST")
    monkeypatch.setenv("WINNOW_MODEL_EMBEDDING", "e5")
    model.answers = [embedded]
    assert "e5 at http" in winnow("doctor").out
    assert model.asked == []
    assert "3 numbers" in winnow("doctor", "--ask-model").out


def test_the_doctor_names_an_embedding_model_and_fetches_it_only_when_told_to(
    winnow: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WINNOW_MODEL_EMBEDDING", f"fastembed:{SMALL}")
    with installed():
        absent = winnow("doctor")
        assert (absent.code, "BAD  embedder" in absent.out, "--ask-model" in absent.out) == (1, True, True)
        assert winnow("doctor", "--ask-model").code == 0
        assert f"ok   embedder   {SMALL}" in winnow("doctor").out


def test_a_configured_model_helps_where_it_may(
    flat: Run, model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert flat("ask", "turn on the desk lamp").code == 0
    assert model.asked == []


def test_a_name_cannot_write_to_the_terminal(winnow: Run, payloads: Path) -> None:
    path = payloads / "flat" / "home.json"
    home = json.loads(path.read_text())
    home["devices"][0]["name"] = "desk\x1b[31m lamp"
    path.write_text(json.dumps(home))
    winnow("home", "import", str(payloads / "flat"))
    assert "\x1b" not in winnow("home", "show").out + winnow("ask", "turn on the desk lamp").out


def test_an_import_is_told_as_data(winnow: Run, payloads: Path) -> None:
    report = json.loads(winnow("home", "import", str(payloads / "flat"), "--json").out)
    assert (report["home"], report["version"], report["first"]) == ("flat", 1, True)
    assert report["counts"]["devices"] == 4


ONE_LAMP = '{"items": [{"deviceId": "1", "label": "lamp", "components": [{"id": "main"}]}]}'


@pytest.mark.parametrize("folder", ["ha", "st"])
def test_a_home_without_a_name_is_called_by_the_id_it_was_given(
    winnow: Run, payloads: Path, folder: str
) -> None:
    (payloads / "st").mkdir()
    (payloads / "st" / "devices_api.json").write_text(ONE_LAMP, "utf-8")
    assert winnow("home", "import", str(payloads / folder), "--id", "den").code == 0
    assert winnow("home", "show", "den").out.startswith("den (den,")


def test_the_language_of_messages_and_that_of_payloads_have_names_of_their_own(winnow: Run) -> None:
    said = winnow("home", "import", "-h").out
    assert "--texts" in said
    assert "--language" not in said


def test_a_query_for_a_search_has_the_words_the_talk_turns_on(winnow: Run) -> None:
    said = ["rewrite", "When did he die?", "--said", "user: Who was Fela Kuti?"]
    said += ["--said", "assistant: Fela Kuti was a musician from Nigeria."]
    plain, search = winnow(*said).out, winnow(*said, "--style", "retrieval").out
    assert plain.startswith("When did Fela Kuti die?")
    assert search.startswith("When did Fela Kuti die (")


def test_evaluation_without_a_checkout_says_where_it_runs(
    winnow: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        evaluate, "__file__", str(tmp_path / "lib" / "winnow" / "app" / "cli" / "evaluate.py")
    )
    monkeypatch.chdir(tmp_path)
    got = winnow("eval", "rewrite", "--cases", "cases.jsonl", "--out", "out.jsonl")
    assert got.code == 2
    assert "runs from a checkout" in got.err
    assert "Clone the repository" in got.err


@pytest.mark.parametrize("command", [("ask",), ("explain",), ("act", "--simulate")])
def test_a_room_that_the_home_has_not_is_an_error_with_what_may_be_meant(flat: Run, command) -> None:
    ran = flat(*command, "turn on the wall lamp", "--room", "stdy")
    assert (ran.code, ran.out) == (2, "")
    assert "The home 'flat' has no room 'stdy'." in ran.err
    assert "Did you mean study?" in ran.err


@pytest.mark.parametrize(
    ("said", "near"),
    [("docs", ""), ("serach", "'messages search', 'knowledge search'"), ("hom", "'home'"), ("xyz", "")],
)
def test_a_command_that_is_not_there_names_those_spelt_like_it(winnow, said: str, near: str) -> None:
    ran = winnow(said)
    assert (ran.code, near in ran.err, "Did you mean" in ran.err) == (2, True, bool(near))
