"""The program as a person starts it: its address, several workers on one store, its end."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest
from tests.unit.app.server.conftest import serving

from winnow.app.access import Access
from winnow.app.config.settings import load_settings
from winnow.app.server.limits import ServerSettings
from winnow.app.server.serve import Listening, configured_app
from winnow.app.wiring.engine import import_path, open_store
from winnow.app.wiring.live_homes import open_links
from winnow.ports.services import run_blocking
from winnow.types.scope import Scope
from winnow.types.state import Link

pytestmark = pytest.mark.e2e


@contextmanager
def winnow_serve(
    data: Path, *args: str, command: str = "serve"
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The URL of a started server and its process, which is gone when the block ends."""
    env = {**os.environ, "WINNOW_HOME": str(data), "LANG": "en_GB.UTF-8"}
    call = [sys.executable, "-m", "winnow", command, "--port", "0", *args]
    with subprocess.Popen(call, env=env, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            line = process.stderr.readline()
            found = re.search(r"http://[^ ,]+", line)
            assert found, line + process.stderr.read()
            yield found[0], process
        finally:
            process.terminate()
            process.wait(20)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    import_path(Scope(), "example:cottage", open_store(load_settings({}, tmp_path)).storage.homes)
    return tmp_path


@pytest.mark.slow
def test_several_workers_serve_one_store_and_turn_a_revoked_key_away(data: Path) -> None:
    access = Access(open_store(load_settings({}, data)).storage)
    issued = run_blocking(access.add("default", "test"))
    headers = {"Authorization": f"Bearer {issued.secret}"}
    with winnow_serve(data, "--workers", "2") as (url, process):
        body: dict[str, object] = {"text": "turn on the light", "user": "ida", "session": "s"}
        asked = httpx.post(f"{url}/v1/retrieve", json=body, headers=headers, timeout=30).json()
        body = {"id": asked["id"], "choice": 0, "user": "ida"}
        answered = httpx.post(f"{url}/v1/answer", json=body, headers=headers, timeout=30).json()
        assert answered["verdict"]["kind"] == "act"  # whichever worker asked
        with httpx.Client(timeout=30) as kept:  # heads and bodies come together: else each takes 40 ms more
            assert min(kept.get(f"{url}/health").elapsed.total_seconds() for _ in range(20)) < 0.02
        run_blocking(access.revoke("default", issued.key.id))
        codes = {httpx.get(f"{url}/v1/homes", headers=headers, timeout=30).status_code for _ in range(6)}
        assert codes == {401}
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0


def test_without_a_key_a_copy_of_the_home_can_be_tried(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINNOW_HOME", str(data))
    with serving(configured_app(Listening(copy=True), ServerSettings())) as url:
        done = httpx.post(f"{url}/v1/act", json={"text": "turn off the reading lamp"}, timeout=30).json()
    assert done["receipt"]["status"] == "done"


def test_a_home_that_is_deleted_is_linked_to_no_server_any_more(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WINNOW_HOME", str(data))
    links, scope = open_links(load_settings()), Scope("default", home="cottage")
    links.keep(scope, Link("http://127.0.0.1:9", "home_assistant", "HASS_TOKEN"))
    with serving(configured_app(Listening(), ServerSettings())) as url:
        assert httpx.delete(f"{url}/v1/homes/cottage", timeout=30).status_code == 200
    assert links.link(scope) is None


@pytest.mark.slow
def test_show_opens_an_example_where_no_home_is_stored_and_keeps_nothing(tmp_path: Path) -> None:
    with winnow_serve(tmp_path, "--no-browser", command="show") as (url, _):
        assert "<title>Winnow</title>" in httpx.get(url, timeout=30).text
        done = httpx.post(f"{url}v1/act", json={"text": "turn off the reading lamp"}, timeout=30).json()
    assert done["receipt"]["status"] == "done"
    homes = open_store(load_settings({}, tmp_path)).storage.homes
    assert not run_blocking(homes.list_homes(Scope()))


def test_show_promises_no_page_of_a_home_that_is_not_there(winnow) -> None:
    told = winnow("show", "/nowhere", "--no-browser")
    assert (told.code, "http://" in told.err, "Hint: Check the path" in told.err) == (2, False, True)


@pytest.mark.parametrize(
    ("host", "local"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("x", False)],
)
def test_which_addresses_are_of_this_machine(host: str, local: bool) -> None:
    assert Listening(host).is_local == local


def test_other_machines_are_not_answered_before_there_is_a_key(winnow: Callable[..., object]) -> None:
    ran = winnow("serve", "--host", "0.0.0.0")
    assert ran.code == 2  # type: ignore[attr-defined]
    assert "winnow keys add" in ran.err  # type: ignore[attr-defined]


def test_a_missing_extra_names_the_command_that_installs_it(
    winnow: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as stack:
        loaded = [name for name in sys.modules if name.startswith("winnow.app.server")]
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        for name in loaded:
            patch.delitem(sys.modules, name)
        patch.setitem(sys.modules, "fastapi", None)
        ran = winnow("serve")
    assert 'pip install ".[server]"' in ran.err  # type: ignore[attr-defined]


def test_the_program_loads_no_web_framework_before_it_serves() -> None:
    code = "import sys, winnow, winnow.app.cli.program; print(*({'fastapi', 'uvicorn'} & {*sys.modules}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
