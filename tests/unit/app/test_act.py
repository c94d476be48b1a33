"""``winnow act``, the acts of the chat and of the tour: done, asked about, refused, taken back."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from winnow import open as open_engine
from winnow.app.cli.chat import ChatSession, open_chat
from winnow.app.cli.demo import GUEST, VALVES_STAY_SHUT, acts_tour
from winnow.app.cli.program import app
from winnow.app.config.settings import Settings
from winnow.errors import WinnowError
from winnow.types.plan import ActingRules


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WINNOW_HOME", str(tmp_path))
    monkeypatch.setenv("WINNOW_LANGUAGE", "en")
    run("home", "import", "example:cottage")
    return tmp_path


def run(*words: str) -> tuple[int, str]:
    """Exit code and output. Raises what the command raises of ours."""
    came = CliRunner().invoke(app, list(words))
    if isinstance(came.exception, WinnowError):
        raise came.exception
    return came.exit_code, came.output


def test_a_sentence_is_done_in_a_copy_and_told_as_a_receipt(data: Path) -> None:
    code, told = run("act", "turn", "off", "the", "desk", "lamp", "--simulate")
    assert code == 0
    assert told.startswith("Done: Turned off Study Desk Lamp.\n  Study / Desk Lamp  state: on -> off")


def test_danger_without_anybody_to_ask_waits_and_says_how(data: Path) -> None:
    code, told = run("act", "unlock", "the", "front", "door", "--simulate")
    assert code == 3
    assert "Shall I really unlock Front Door (Hall)?" in told
    token = told.partition("--token ")[2].split(",")[0]
    code, told = run("act", "--token", token, "--simulate")
    assert (code, told.partition("\n")[0]) == (0, "Done: Unlocked Hall Front Door.")
    code, told = run("act", "--token", token, "--simulate")
    assert code == 1
    assert "Say the order again" in told


ASKED = ("act", "unlock", "the", "front", "door", "--simulate", "--user", "ida", "--session", "tablet")


def test_a_yes_on_the_command_line_counts_from_the_person_asked_alone(data: Path) -> None:
    _, told = run(*ASKED)
    token = told.partition("--token ")[2].split(",")[0].split()
    assert token[1:] == ["--user", "ida"]
    for who in ((), ("--user", "bob"), ("--user", "Ida")):
        code, told = run("act", "--token", token[0], "--simulate", *who)
        assert (code, "asked of somebody else" in told) == (1, True)
        code, told = run("act", "yes", "--session", "tablet", "--simulate", *who)
        assert told.startswith("Nothing done")
    code, told = run("act", "--token", *token, "--simulate")
    assert (code, told.partition("\n")[0]) == (0, "Done: Unlocked Hall Front Door.")


@pytest.mark.bulk
@pytest.mark.parametrize(
    "beside",
    [
        ("turn", "on", "the", "owl"),
        ("--home", "cottage"),
        ("--session", "tablet"),
        ("--room", "Hall"),
        ("--yes",),
    ],
)
def test_nothing_else_is_said_with_a_token(data: Path, beside: tuple[str, ...]) -> None:
    _, told = run(*ASKED)
    token = told.partition("--token ")[2].split(",")[0].split()
    code, told = run("act", "--token", *token, "--simulate", *beside)
    assert (code, "leave these out" in told) == (2, True)
    assert run("act", "--token", *token, "--simulate")[0] == 0


def test_a_token_knows_its_home(data: Path) -> None:
    _, told = run(*ASKED)
    token = told.partition("--token ")[2].split(",")[0].split()
    run("home", "import", "example:home40")
    assert "no question that is still open" in run("act", "--token", "made-up", "--simulate")[1]
    assert run("act", "--token", *token, "--simulate")[0] == 0


def test_a_yes_may_be_said_beforehand_and_never_stays_never(data: Path) -> None:
    assert run("act", "unlock", "the", "front", "door", "--simulate", "--yes")[0] == 0
    (data / "acting.yaml").write_text("dangers: {unlock: never}", "utf-8")
    code, told = run("act", "unlock", "the", "front", "door", "--simulate", "--yes")
    assert (code, told) == (1, "Refused: Front Door: unlocking is not allowed here.\n")


def test_the_first_mistakes_are_told_with_the_next_step(data: Path) -> None:
    with pytest.raises(WinnowError, match="not linked") as unlinked:
        run("act", "turn", "on", "the", "owl", "--live")
    assert "winnow home import --url" in unlinked.value.hint
    with pytest.raises(WinnowError, match="where") as nowhere:
        run("act", "turn", "on", "the", "owl")
    assert "--simulate" in nowhere.value.hint
    (data / "acting.yaml").write_text("danger: {unlock: never}", "utf-8")
    with pytest.raises(WinnowError, match="dangers is one"):
        run("act", "turn", "on", "the", "owl", "--simulate")


def test_a_talk_switches_shows_the_change_takes_it_back_and_knows_its_record(data: Path) -> None:
    chat, _ = open_chat(open_engine(), "", "", "me", "en", "en")

    def said(words: str) -> list[str]:
        return list(chat.lines(words))

    assert isinstance(chat, ChatSession)
    assert said("turn off the desk lamp")[1] == "  Study / Desk Lamp  state: on -> off"
    assert said("undo that")[0].startswith("Done: Taken back. Turned on Study Desk Lamp.")
    heads, *acts = said("/audit")[0].splitlines()
    assert heads.split() == ["When", "Who", "Done", "Outcome"]
    assert [line.split()[2:] for line in acts] == [
        ["me", "Desk", "Lamp", "light.turn_off", "done"],
        ["me", "Desk", "Lamp", "light.turn_on", "done"],
    ]
    assert said("/faults 1") == ["53 devices fail from now on."]
    assert "No such command" in said("/faults many")[0]


def test_the_tour_ends_with_receipts() -> None:
    rules = ActingRules(users={GUEST: VALVES_STAY_SHUT})
    engine = open_engine("example:home150", settings=Settings(Path()), acting=rules)
    told = [
        line.partition(":")[0] for line in acts_tour(engine, "en") if ": " in line and line[0] not in " =>\n"
    ]
    assert told == ["等待确认", "完成", "拒绝", "完成", "完成"]


def test_rules_that_name_nothing_stop_the_start(data: Path) -> None:
    (data / "acting.yaml").write_text(
        "things: {Owl: ask, Owll: ask}\n"
        "homes: {cottage: {things: {Kettle: ask}}, flat: {many: 3}, cotage: {many: 3}}\n"
        "users: {bob: {things: {Owl: ask, 大白: never}}}",
        "utf-8",
    )
    for command in (["doctor"], ["act", "turn on the owl", "--simulate"], ["ask", "turn on the owl"]):
        came = CliRunner().invoke(app, command)
        assert came.exit_code != 0
        told = f"{came.output}{came.exception}"
        for path, why in {
            "things.Owll": "Owl is there",
            "homes.flat": "use an id or an exact name",
            "homes.cotage": "cottage is there",
            "users.bob.things.大白": "use an id or an exact name",
        }.items():
            assert f"acting.yaml: {path}: nothing is called so" in told
            assert why in told
        assert "users.bob.things.Owl:" not in told
        assert "Kettle" not in told
    (data / "acting.yaml").write_text("things: {Owl: ask, lock.front_door: never}", "utf-8")
    assert "rules are set" in run("doctor")[1]
