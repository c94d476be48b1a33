from __future__ import annotations

from pathlib import Path

import pytest

from winnow.adapters.models.embedders import StaticEmbedder
from winnow.adapters.models.openai import OpenAIChat, OpenAIEmbedder, preset_names
from winnow.app.config.checks import SERVERS
from winnow.app.config.settings import Settings, load_settings, locale_language
from winnow.app.wiring.engine import open_chat, open_embedder, open_engine
from winnow.errors import ConfigError
from winnow.types.plan import DEFAULT_LIMITS


def test_defaults_need_nothing(tmp_path: Path) -> None:
    settings = load_settings({"WINNOW_HOME": str(tmp_path)})
    assert settings == Settings(tmp_path, home="", language=None, budget=250, wait=5.0)
    assert settings.store_location == tmp_path / "winnow.db"


URL = "postgresql://ida:s3cret@db.example/notes"


def test_the_store_may_be_a_file_or_a_server(tmp_path: Path) -> None:
    here = {"WINNOW_HOME": str(tmp_path)}
    assert (
        load_settings(here | {"WINNOW_STORE": "~/notes.db"}).store_location == Path("~/notes.db").expanduser()
    )
    assert load_settings(here | {"WINNOW_STORE": URL}).store_location == URL
    (tmp_path / "config.toml").write_text('store = "postgresql://ida@db.example/notes"')
    assert load_settings(here).store_location == "postgresql://ida@db.example/notes"


def test_the_password_of_the_store_is_never_shown(tmp_path: Path) -> None:
    assert "s3cret" not in repr(Settings(tmp_path, store=URL))
    with pytest.raises(ConfigError) as caught:
        load_settings({"WINNOW_HOME": str(tmp_path), "WINNOW_STORE": URL, "WINNOW_WAIT": "soon"})
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize("url", [URL, "postgresql://db.example/notes?sslpassword=s3cret"])
def test_a_password_in_the_file_is_a_problem_that_does_not_repeat_it(tmp_path: Path, url: str) -> None:
    (tmp_path / "config.toml").write_text(f'store = "{url}"')
    with pytest.raises(ConfigError, match="WINNOW_STORE") as caught:
        load_settings({"WINNOW_HOME": str(tmp_path)})
    assert "s3cret" not in str(caught.value)


def test_loading_creates_nothing(tmp_path: Path) -> None:
    load_settings({"WINNOW_HOME": str(tmp_path / "new")})
    assert not (tmp_path / "new").exists()


def test_the_platform_gives_the_folder_when_nobody_else_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    assert load_settings({"XDG_DATA_HOME": str(tmp_path)}).data == tmp_path / "winnow"
    monkeypatch.setattr("sys.platform", "win32")
    assert load_settings({"LOCALAPPDATA": str(tmp_path)}).data == tmp_path / "winnow"
    monkeypatch.setattr("sys.platform", "darwin")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert load_settings({}).data == tmp_path / "Library" / "Application Support" / "winnow"


def test_the_environment_wins_over_the_file_and_the_file_over_defaults(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(
        'home = "villa"\nbudget = 100\nlanguage = "en"\nwait = 1\n', "utf-8"
    )
    env = {"WINNOW_HOME": str(tmp_path), "WINNOW_BUDGET": "80", "WINNOW_DEFAULT_HOME": "flat"}
    assert load_settings(env) == Settings(tmp_path, home="flat", language="en", budget=80, wait=1.0)


def test_all_problems_come_at_once_with_their_places(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('budget = 3\ncolour = "red"\nwait = true\nhome = 7\n', "utf-8")
    with pytest.raises(ConfigError) as caught:
        load_settings({"WINNOW_HOME": str(tmp_path), "WINNOW_LANGUAGE": "fr"})
    where = {(Path(p.file).name, p.path) for p in caught.value.problems}
    assert where == {
        ("config.toml", "budget"),
        ("config.toml", "colour"),
        ("config.toml", "wait"),
        ("config.toml", "home"),
        ("environment", "WINNOW_LANGUAGE"),
    }


def test_a_file_that_is_no_toml_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("budget = = 3", "utf-8")
    with pytest.raises(ConfigError, match="not readable as TOML"):
        load_settings({"WINNOW_HOME": str(tmp_path)})


@pytest.mark.parametrize(
    ("text", "learns"), [("1", True), ("yes", True), ("ON", True), ("false", False), ("0", False)]
)
def test_learning_is_switched_on_and_off(tmp_path: Path, text: str, learns: bool) -> None:
    assert load_settings({"WINNOW_HOME": str(tmp_path), "WINNOW_LEARN": text}).learn is learns


def test_learning_is_off_unless_asked_for(tmp_path: Path) -> None:
    assert load_settings({"WINNOW_HOME": str(tmp_path)}).learn is False


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LEARN", "perhaps"),
        ("MAX_TARGETS", "0"),
        ("MAX_GROUPS", "-1"),
        ("CONFIRM_SECONDS", "soon"),
        ("MAX_TARGETS", "1.5"),
    ],
)
def test_a_setting_out_of_its_range_is_named(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(ConfigError, match=f"WINNOW_{name}"):
        load_settings({"WINNOW_HOME": str(tmp_path), f"WINNOW_{name}": value})


@pytest.mark.parametrize("budget", ["31", "-40", "many", "40.5"])
def test_a_budget_is_a_whole_number_of_at_least_32_tokens(tmp_path: Path, budget: str) -> None:
    with pytest.raises(ConfigError, match="WINNOW_BUDGET"):
        load_settings({"WINNOW_HOME": str(tmp_path), "WINNOW_BUDGET": budget})


@pytest.mark.parametrize(
    ("env", "language"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "de_DE"}, "en"),
        ({"LC_ALL": "C", "LANG": "zh_TW"}, "en"),
        ({}, "en"),
    ],
)
def test_the_locale_gives_the_language_of_the_terminal(env: dict[str, str], language: str) -> None:
    assert locale_language(env) == language


def loaded(tmp_path: Path, **env: str) -> Settings:
    return load_settings({"WINNOW_HOME": str(tmp_path), **env})


OLLAMA = {"WINNOW_MODEL_SERVER": "ollama", "WINNOW_MODEL_FAST": "small"}


def test_without_a_server_there_is_no_model(tmp_path: Path) -> None:
    settings = loaded(tmp_path)
    assert open_chat(settings) is None
    assert open_engine().chat is None
    assert isinstance(open_embedder(settings), StaticEmbedder)


@pytest.mark.parametrize(
    ("fast", "normal", "models"),
    [
        ("a", "b", {"fast": "a", "normal": "b"}),
        ("a", "", {"fast": "a", "normal": "a"}),
        ("", "b", {"fast": "b", "normal": "b"}),
    ],
)
def test_a_tier_without_a_model_has_that_of_the_other(
    tmp_path: Path, fast: str, normal: str, models: dict[str, str]
) -> None:
    chat = open_chat(
        loaded(tmp_path, WINNOW_MODEL_SERVER="ollama", WINNOW_MODEL_FAST=fast, WINNOW_MODEL_NORMAL=normal)
    )
    assert isinstance(chat, OpenAIChat)
    assert chat.models == models


def test_the_settings_of_a_model_reach_it_and_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    more = {
        "WINNOW_MODEL_SECONDS": "3.5",
        "WINNOW_MODEL_RETRIES": "0",
        "WINNOW_MODEL_CONCURRENCY": "9",
        "WINNOW_MODEL_KEY": "k",
    }
    for name, value in {**OLLAMA, "WINNOW_MODEL_SERVER": "http://box:1/v1/", **more}.items():
        monkeypatch.setenv(name, value)
    engine = open_engine()
    assert isinstance(engine.chat, OpenAIChat)
    found = engine.chat.endpoint
    assert (found.url, found.seconds, found.retries, found.concurrency, found.key) == (
        "http://box:1/v1",
        3.5,
        0,
        9,
        "k",
    )
    assert engine.policy.model_seconds == 3.5


def test_an_embedding_model_is_behind_the_port(tmp_path: Path) -> None:
    settings = loaded(tmp_path, WINNOW_MODEL_SERVER="dashscope", WINNOW_MODEL_EMBEDDING="v4")
    embedder = open_embedder(settings)
    assert isinstance(embedder, OpenAIEmbedder)
    assert (embedder.name, embedder.endpoint.batch) == ("v4", 10)
    assert open_chat(settings) is None


@pytest.mark.parametrize(
    ("env", "key"),
    [
        ({}, ""),
        ({"DASHSCOPE_API_KEY": "customary"}, "customary"),
        ({"OPENAI_API_KEY": "of another"}, ""),
        ({"DASHSCOPE_API_KEY": "customary", "WINNOW_MODEL_KEY": "ours"}, "ours"),
        ({"WINNOW_MODEL_KEY": "ours", "WINNOW_MODEL_KEY_ENV": "MINE", "MINE": "named"}, "named"),
        ({"WINNOW_MODEL_KEY": "ours", "WINNOW_MODEL_KEY_ENV": "MINE"}, ""),
    ],
)
def test_the_key_comes_from_the_environment(tmp_path: Path, env: dict[str, str], key: str) -> None:
    settings = loaded(tmp_path, WINNOW_MODEL_SERVER="dashscope", WINNOW_MODEL_FAST="m", **env)
    assert settings.model_key == key
    assert not key or key not in repr(settings)


def test_a_key_of_one_server_is_never_sent_to_a_url(tmp_path: Path) -> None:
    settings = loaded(
        tmp_path,
        WINNOW_MODEL_SERVER="https://elsewhere.example/v1",
        WINNOW_MODEL_FAST="m",
        OPENAI_API_KEY="k",
    )
    assert settings.model_key == ""


def test_a_key_does_not_belong_into_a_file(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('model_key = "sk-hidden"', "utf-8")
    with pytest.raises(ConfigError, match="environment, not into a file") as caught:
        loaded(tmp_path)
    assert "sk-hidden" not in str(caught.value)


@pytest.mark.parametrize(
    ("env", "problem"),
    [
        ({"WINNOW_MODEL_SERVER": "ollama"}, "needs the name of a model"),
        ({"WINNOW_MODEL_FAST": "m"}, "model_server: is missing"),
        ({**OLLAMA, "WINNOW_MODEL_SECONDS": "0"}, "more than 0"),
        ({**OLLAMA, "WINNOW_MODEL_RETRIES": "-1"}, "WINNOW_MODEL_RETRIES"),
        ({**OLLAMA, "WINNOW_MODEL_CONCURRENCY": "0"}, "WINNOW_MODEL_CONCURRENCY"),
        ({**OLLAMA, "WINNOW_MODEL_SERVER": "https://me:secret@box/v1"}, "without user"),
        ({**OLLAMA, "WINNOW_MODEL_SERVER": "https://box/v1?key=secret"}, "without user"),
    ],
)
def test_a_model_that_makes_no_sense_is_named(tmp_path: Path, env: dict[str, str], problem: str) -> None:
    with pytest.raises(ConfigError, match=problem) as caught:
        loaded(tmp_path, **env)
    assert "secret" not in str(caught.value)


def test_a_server_nobody_knows_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="dashscope"):
        open_chat(loaded(tmp_path, WINNOW_MODEL_SERVER="dashscop", WINNOW_MODEL_FAST="m"))


@pytest.mark.parametrize(
    ("setting", "value", "limit"),
    [
        ("max_targets", 7, "max_targets"),
        ("max_groups", 3, "max_groups"),
        ("max_everywhere", 4, "everywhere"),
        ("max_options", 2, "options"),
        ("batch_size", 5, "batch"),
        ("top1_ratio", 0.9, "top1_ratio"),
        ("top1_margin", 0.5, "margin"),
        ("evidence_window", 50, "window"),
    ],
)
def test_the_limits_of_sets_reach_the_engine(
    monkeypatch: pytest.MonkeyPatch, setting: str, value: float, limit: str
) -> None:
    assert getattr(Settings(Path()), setting) == getattr(DEFAULT_LIMITS, limit)
    monkeypatch.setenv(f"WINNOW_{setting.upper()}", str(value))
    assert getattr(open_engine().policy.limits, limit) == value


@pytest.mark.parametrize("setting", ["MAX_EVERYWHERE=0", "MAX_OPTIONS=1", "BATCH_SIZE=x", "TOP1_RATIO=2"])
def test_limits_that_make_no_sense_are_refused(tmp_path: Path, setting: str) -> None:
    name, _, value = setting.partition("=")
    with pytest.raises(ConfigError, match=name):
        load_settings({f"WINNOW_{name}": value}, tmp_path)


def test_classes_of_turns_and_one_call_for_both_reach_the_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "bikes.yaml"
    classes = "[{id: repair, source: knowledge, otherwise: true}, {id: talk, source: none}]"
    own.write_text(f"name: bikes\nclasses: {classes}\n", "utf-8")
    monkeypatch.setenv("WINNOW_HOME", str(tmp_path))
    monkeypatch.setenv("WINNOW_TAXONOMY", str(own))
    monkeypatch.setenv("WINNOW_MODEL_COMBINED", "yes")
    engine = open_engine()
    assert engine.policy.combined
    assert engine.sync.understand("how do I true a wheel?").intent.label == "repair"
    assert not open_engine(settings=load_settings({}, tmp_path)).policy.combined


def test_every_server_with_a_preset_may_be_named() -> None:
    assert set(SERVERS) == set(preset_names())


def test_a_server_that_is_neither_known_nor_a_url_is_told_as_such(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as raised:
        load_settings({"WINNOW_MODEL_SERVER": "foo"}, tmp_path)
    assert any("must be a URL or one of openai" in p.message for p in raised.value.problems)


@pytest.mark.parametrize("name", ["WINNOW_BUDGE", "WINNOW_BUDGETS", "WINNOW_LANGUGE", "WINNOW_MODELS_SERVER"])
def test_a_slip_in_a_variable_is_told_with_the_one_that_is_meant(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError) as raised:
        load_settings({name: "5"}, tmp_path)
    (problem,) = raised.value.problems
    assert (problem.path, problem.message.split(";")[0]) == (name, "unknown setting")


def test_a_slip_in_the_file_is_told_with_the_one_that_is_meant(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("budgt = 300\n")
    with pytest.raises(ConfigError, match="budgt: unknown setting; budget is one"):
        load_settings({}, tmp_path)


@pytest.mark.parametrize("name", ["WINNOW_PORT", "WINNOW_SERVICE_HOST", "WINNOW_BENCH", "WINNOW_VERSION"])
def test_variables_of_others_that_begin_like_ours_are_left_alone(tmp_path: Path, name: str) -> None:
    load_settings({name: "5"}, tmp_path)


@pytest.mark.parametrize("tokenizer", ["gpt2", "nowhere/tokenizer.json"])
def test_a_tokenizer_is_one_that_is_known_or_a_file_that_is_there(tmp_path: Path, tokenizer: str) -> None:
    with pytest.raises(ConfigError, match="o200k, cl100k"):
        load_settings({"WINNOW_HOME": str(tmp_path), "WINNOW_TOKENIZER": tokenizer})


@pytest.mark.parametrize(
    ("tokenizer", "counted_by"), [("cl100k", "cl100k_base"), ("seed", "seed-formula"), ("", "o200k_base")]
)
def test_the_tokenizer_counts_the_messages_of_a_turn(tmp_path: Path, tokenizer: str, counted_by: str) -> None:
    settings = load_settings({"WINNOW_HOME": str(tmp_path), "WINNOW_TOKENIZER": tokenizer})
    found = open_engine(settings=settings).sync.retrieve(
        "How do I make a leek tart?", system="You are a cook."
    )
    assert found.context.counted_by == counted_by
