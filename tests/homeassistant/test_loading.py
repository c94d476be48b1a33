"""Winnow loaded anew, disabled, removed and broken in a real Home Assistant, also in the middle of a turn."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from tests.homeassistant.conftest import ABSENT, ALONE, figures
from tests.homeassistant.integrated import WithWinnow
from tests.homeassistant.server import HASS

LAMP, LOCK, OTHER = "light.bed_light", "lock.front_door", "light.office_rgbw_lights"
ON = "turn on the bed light"
INTERRUPTED = "Winnow was unloaded in the middle of this, so I cannot say what was done."
PATIENCE = 5.0
"""Seconds that a turn is waited for."""
MORE = 4.0
"""Seconds that loading may take on a busy machine."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WithWinnow]:
    if not (ALONE and HASS.exists()):
        pytest.skip(ABSENT)
    server = WithWinnow(tmp_path_factory.mktemp("loading"))
    server.start()
    try:
        server.expose(LAMP, LOCK)
        server.add_winnow()
        yield server
    finally:
        server.stop()
    log = (server.folder / "log").read_text()
    assert "Detected blocking call" not in log, "Home Assistant's event loop was held up"
    assert "did not complete in time" not in log, "Home Assistant gave up waiting for an unload"


@pytest.fixture
def home(server: WithWinnow) -> Iterator[WithWinnow]:
    """The home, with one engine before and after."""
    server.until(lambda: server.ask("asking/engine") is not None)
    yield server
    server.until(lambda: done(server, ON))
    assert server.ask("asking/running") == 1


@pytest.fixture
def meanwhile() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor() as pool:
        yield pool


def done(home: WithWinnow, text: str) -> bool:
    status, said = home.process(text)
    return status == 200 and said["response"]["response_type"] == "action_done"


def hanging(home: WithWinnow, meanwhile: ThreadPoolExecutor) -> Future[tuple[int, object]]:
    """A turn that is under way and will not end."""
    home.answer("DELETE", "/api/states/asking.hangs")
    home.ask("asking/break", how="hang")
    turn = meanwhile.submit(home.process, ON)
    home.until(lambda: "asking.hangs" in home.states())
    return turn


def test_a_turn_that_hangs_is_told_of_and_holds_up_no_reload(
    home: WithWinnow, meanwhile: ThreadPoolExecutor
) -> None:
    turn = hanging(home, meanwhile)
    start = time.monotonic()
    home.reload()
    took = time.monotonic() - start
    figures["reload while a turn hangs"] = f"{took:.1f} s"
    assert PATIENCE <= took < PATIENCE + MORE
    status, said = turn.result(MORE)
    assert status == 200
    assert home.speech(said) == INTERRUPTED  # type: ignore[arg-type]


def test_what_is_being_done_is_done_before_it_is_loaded_anew(
    home: WithWinnow, meanwhile: ThreadPoolExecutor
) -> None:
    home.call("lock", "unlock", entity_id=LOCK)
    home.until(lambda: home.state(LOCK) == "unlocked")
    turn = meanwhile.submit(home.say, "lock the front door")
    home.until(lambda: home.state(LOCK) == "locking")
    home.reload()
    assert home.speech(turn.result(MORE)) == "Locked Front Door."
    assert home.state(LOCK) == "locked"


def test_what_is_said_while_it_is_loaded_anew_is_answered_and_not_waited_for(
    home: WithWinnow, meanwhile: ThreadPoolExecutor
) -> None:
    turn = hanging(home, meanwhile)
    reload = meanwhile.submit(home.reload)
    took = []
    while not reload.done():
        start = time.monotonic()
        home.process(ON)  # there may be no such agent at this moment
        took.append(time.monotonic() - start)
    assert max(took) < PATIENCE + MORE  # what was said before it began hangs as well
    assert min(took) < 1
    turn.result(MORE)


def test_options_are_kept_while_a_turn_hangs(home: WithWinnow, meanwhile: ThreadPoolExecutor) -> None:
    turn = hanging(home, meanwhile)
    home.options(language="auto", allowed=[], never=[], many=0, budget=300)
    turn.result(MORE)


def test_a_turn_that_hangs_holds_up_no_restart(home: WithWinnow, meanwhile: ThreadPoolExecutor) -> None:
    turn = hanging(home, meanwhile)
    start = time.monotonic()
    home.stop()
    figures["stop while a turn hangs"] = f"{time.monotonic() - start:.1f} s"
    assert time.monotonic() - start < 20
    assert turn.exception(MORE) or turn.result()
    home.start()


def test_diagnostics_and_repairs_of_a_set_up_that_failed(home: WithWinnow) -> None:
    settings = home.folder / "winnow" / "acting.yaml"
    settings.write_text("dangers: {unlock: perhaps}\n")
    try:
        home.reload()
        about = home.about()
        assert about["state"] == "setup_error"
        assert "acting.yaml" in about["reason"]
        assert about["error_reason_translation_key"] == "wrong_settings"
        status, told = home.answer("GET", f"/api/diagnostics/config_entry/{home.entry}")
        assert (status, told["data"]["state"]) == (200, "setup_error")
        assert home.issues() == set()
        assert home.ask("asking/running") == 0
    finally:
        settings.unlink()
        home.reload()


def test_repairs_go_with_the_entry_that_is_disabled(home: WithWinnow) -> None:
    raised(home)
    home.ask("config_entries/disable", entry_id=home.entry, disabled_by="user")
    assert home.issues() == set()
    assert home.ask("asking/running") == 0
    assert home.ask("asking/apis") == ["assist"]
    home.ask("config_entries/disable", entry_id=home.entry, disabled_by=None)
    home.until(lambda: home.issues() == {"same_name"})
    lowered(home)


def test_what_is_removed_leaves_its_audit_log_and_nothing_else(home: WithWinnow) -> None:
    raised(home)
    status, _ = home.answer("DELETE", f"/api/config/config_entries/entry/{home.entry}")
    assert (status, home.issues(), home.ask("asking/running")) == (200, set(), 0)
    assert home.ask("asking/apis") == ["assist"]
    assert list((home.folder / "winnow").iterdir())
    home.add_winnow()
    home.until(lambda: home.issues() == {"same_name"})
    lowered(home)


def raised(home: WithWinnow) -> None:
    """Let repairs tell of two things with one name."""
    home.expose(OTHER)
    home.register(OTHER, name="Bed Light")
    home.until(lambda: home.issues() == {"same_name"})


def lowered(home: WithWinnow) -> None:
    home.register(OTHER, name=None)
    home.until(lambda: home.issues() == set())
