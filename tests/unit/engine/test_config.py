from __future__ import annotations

from pathlib import Path

import pytest

from winnow.config import Settings, load_settings, locale_language
from winnow.engine import Engine
from winnow.errors import ConfigError


def test_defaults_need_nothing(tmp_path: Path) -> None:
    settings = load_settings({"WINNOW_HOME": str(tmp_path)})
    assert settings == Settings(tmp_path, home="", language=None, budget=250, wait=5.0)
    assert settings.store == tmp_path / "winnow.db"


def test_loading_creates_nothing(tmp_path: Path) -> None:
    load_settings({"WINNOW_HOME": str(tmp_path / "new")})
    assert not (tmp_path / "new").exists()


def test_the_platform_gives_the_folder_when_nobody_else_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    assert load_settings({"XDG_DATA_HOME": str(tmp_path)}).data == tmp_path / "winnow"
    monkeypatch.setattr("sys.platform", "win32")
    assert load_settings({"LOCALAPPDATA": str(tmp_path)}).data == tmp_path / "winnow"
    monkeypatch.setattr("sys.platform", "darwin")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert load_settings({}).data == tmp_path / "Library" / "Application Support" / "winnow"


def test_the_environment_wins_over_the_file_and_the_file_over_defaults(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('home = "villa"\nbudget = 100\nlanguage = "en"\nwait = 1\n', "utf-8")
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


@pytest.mark.parametrize(("text", "learns"), [("1", True), ("yes", True), ("ON", True), ("false", False), ("0", False)])
def test_learning_is_switched_on_and_off(tmp_path: Path, text: str, learns: bool) -> None:
    assert load_settings({"WINNOW_HOME": str(tmp_path), "WINNOW_LEARN": text}).learn is learns


def test_learning_is_off_unless_asked_for(tmp_path: Path) -> None:
    assert load_settings({"WINNOW_HOME": str(tmp_path)}).learn is False


@pytest.mark.parametrize(
    ("name", "value"),
    [("LEARN", "perhaps"), ("MAX_TARGETS", "0"), ("MAX_GROUPS", "-1"), ("CONFIRM_SECONDS", "soon"), ("MAX_TARGETS", "1.5")],
)
def test_a_setting_out_of_its_range_is_named(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(ConfigError, match=f"WINNOW_{name}"):
        load_settings({"WINNOW_HOME": str(tmp_path), f"WINNOW_{name}": value})


@pytest.mark.parametrize("budget", ["31", "-40", "many", "40.5"])
def test_a_budget_is_a_whole_number_of_at_least_32_tokens(tmp_path: Path, budget: str) -> None:
    with pytest.raises(ConfigError, match="WINNOW_BUDGET"):
        load_settings({"WINNOW_HOME": str(tmp_path), "WINNOW_BUDGET": budget})


@pytest.mark.parametrize(
    ("env", "language"), [({"LANG": "zh_CN.UTF-8"}, "zh"), ({"LANG": "de_DE"}, "en"), ({"LC_ALL": "C", "LANG": "zh_TW"}, "en"), ({}, "en")]
)
def test_the_locale_gives_the_language_of_the_terminal(env: dict[str, str], language: str) -> None:
    assert locale_language(env) == language


def test_the_limits_of_sets_reach_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINNOW_MAX_TARGETS", "7")
    monkeypatch.setenv("WINNOW_MAX_GROUPS", "3")
    engine = Engine.open()
    assert (engine.max_targets, engine.max_groups) == (7, 3)
