"""A real Home Assistant with its demo home, on this machine and for nobody else."""

from __future__ import annotations

import itertools
import json
import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

ROOT = Path(__file__).resolve().parents[2]
HASS = ROOT / os.environ.get("HASS", ".venv-ha/bin/hass")
"""The one to start; make test-homeassistant starts the oldest and the newest that are supported."""
LOOPBACK = "127.0.0.1"
USER, PASSWORD = "tester", "only-for-tests"
STARTED = 120.0
"""Seconds a start may take on a busy machine."""
CONFIGURATION = """\
homeassistant:
  name: Demo Home
  unit_system: metric
  time_zone: UTC
http:
  server_host: 127.0.0.1
  server_port: {port}
api:
websocket_api:
config:
demo:
"""
MANIFEST = {"domain": "frontend", "name": "None", "version": "1.0.0", "documentation": "", "codeowners": []}
NO_FRONTEND = '''\
"""In the place of the frontend: without one the server starts in recovery mode and listens everywhere."""

DOMAIN = "frontend"


async def async_setup(hass, config):
    return True


def async_register_built_in_panel(*args, **kwargs):
    pass


def async_remove_panel(*args, **kwargs):
    pass


def add_extra_js_url(*args, **kwargs):
    pass
'''


class HomeAssistant:
    """One installation in a folder. ``start`` and ``stop`` may be called again and again."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, _free_port()
        self.url = f"http://{LOOPBACK}:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None
        self._numbers = itertools.count(1)
        self._configure()
        self.token = ""

    def start(self) -> None:
        """Start it, and wait until it runs and all of the demo home is there."""
        with (self.folder / "log").open("ab") as log:
            command = [str(HASS), "--config", str(self.folder), "--skip-pip"]
            self._process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        try:
            _until(self._answers, self._process)
            self._is_alone()
            self.token = self.token or self._introduced()
            _until(self._runs, self._process)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Stop it as a person would, so that it writes what it knows."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def kill(self) -> None:
        """End it in the middle of whatever it does."""
        process, self._process = self._process, None
        if process is not None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def call(self, domain: str, service: str, **data: object) -> None:
        """Do something in the home, as somebody else would."""
        self._post(f"/api/services/{domain}/{service}", data, token=self.token)

    def states(self) -> dict[str, Any]:
        """The state of each entity as the server's REST API tells it."""
        return {told["entity_id"]: told for told in self._get("/api/states")}

    def ask(self, kind: str, **fields: object) -> Any:
        """The answer to a question over a WebSocket of its own."""
        with connect(f"ws://{LOOPBACK}:{self.port}/api/websocket", max_size=None, proxy=None) as client:
            client.recv()
            client.send(json.dumps({"type": "auth", "access_token": self.token}))
            client.recv()
            client.send(json.dumps({"id": 1, "type": kind, **fields}))
            answer = json.loads(client.recv())
        assert answer["success"], answer
        return answer["result"]

    def _configure(self) -> None:
        component = self.folder / "custom_components" / "frontend"
        component.mkdir(parents=True)
        (self.folder / "configuration.yaml").write_text(CONFIGURATION.format(port=self.port))
        (component / "manifest.json").write_text(json.dumps(MANIFEST))
        (component / "__init__.py").write_text(NO_FRONTEND)
        account = [str(HASS), "--script", "auth", "--config", str(self.folder), "add", USER, PASSWORD]
        subprocess.run(account, check=True, capture_output=True, timeout=STARTED)

    def _answers(self) -> bool:
        try:
            urllib.request.urlopen(f"{self.url}/auth/providers", timeout=5).close()
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False
        return True

    def _runs(self) -> bool:
        return self.ask("get_config")["state"] == "RUNNING"

    def _is_alone(self) -> None:
        """Fail when other machines could reach it."""
        told = [line.split() for name in ("tcp", "tcp6") for line in _lines(Path("/proc/net") / name)]
        listening = {row[1].rpartition(":") for row in told if row[3] == "0A"}
        hosts = {host for host, _, port in listening if int(port, 16) == self.port}
        assert hosts <= {"0100007F"}, f"the server listens beyond this machine: {hosts}"

    def _introduced(self) -> str:
        """A token, by the way a person signs in."""
        about = {"client_id": f"{self.url}/", "redirect_uri": f"{self.url}/"}
        flow = self._post("/auth/login_flow", {**about, "handler": ["homeassistant", None]})
        account = {"client_id": about["client_id"], "username": USER, "password": PASSWORD}
        done = self._post(f"/auth/login_flow/{flow['flow_id']}", account)
        form = {"grant_type": "authorization_code", "code": done["result"], "client_id": about["client_id"]}
        body = urllib.parse.urlencode(form).encode()
        with urllib.request.urlopen(f"{self.url}/auth/token", body, timeout=10) as answer:
            return str(json.load(answer)["access_token"])

    def _get(self, path: str) -> Any:
        request = urllib.request.Request(self.url + path, headers={"Authorization": f"Bearer {self.token}"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)

    def _post(self, path: str, data: Mapping[str, object], token: str = "") -> Any:
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        request = urllib.request.Request(self.url + path, json.dumps(data).encode(), headers)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def _lines(path: Path) -> list[str]:
    """The rows of a table of the kernel; none where there is no such table."""
    return path.read_text().splitlines()[1:] if path.exists() else []


def _until(happens: Any, process: subprocess.Popen[bytes]) -> None:
    ends = time.monotonic() + STARTED
    while not happens():
        assert process.poll() is None, "Home Assistant ended by itself; see its log"
        assert time.monotonic() < ends, f"Home Assistant was not ready after {STARTED} s"
        time.sleep(0.1)
