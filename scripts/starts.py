"""Play the start pages by copy and paste, in a clean clone and a new environment: docs/starts.md.

    python -m scripts.starts [NAME ...]

Each command of the sections of a start is taken from its page and run in the order in which it stands there;
what it says is kept, and its seconds. Where a page names a server that is not here, one of ours answers on
this machine. Then three mistakes, each of which has to be told: a wrong flag, a wrong file, a wrong order.
The page is written once each start was played; NAME: plays that one alone.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.docs.runner import blocks
from tests.home_assistant_stand_in import TOKEN as HA_TOKEN
from tests.home_assistant_stand_in import HomeAssistant, in_a_thread
from tests.smartthings_stand_in import TOKEN as ST_TOKEN
from tests.smartthings_stand_in import smartthings

ROOT = Path(__file__).resolve().parents[1]
PAGE, CHINESE = ROOT / "docs" / "starts.md", ROOT / "docs" / "starts.zh.md"
HOMES = ROOT / "src" / "winnow" / "examples" / "homes"
PROGRAMS = ("pip", "winnow", "make", "curl", "unzip", "export")
"""What a block of commands begins with."""
MOST_SECONDS, MOST_LINES, WIDEST = 300, 6, 130
"""A whole start; lines shown of one command beside the last; characters of a line."""
TOKENS = {"HA_TOKEN": HA_TOKEN, "ST_TOKEN": ST_TOKEN}
"""What a newcomer pastes in the place of ``...``."""
UNTIL_STOPPED = re.compile(r"winnow (serve|mcp|home watch)\b")
"""What goes on until somebody ends it."""


@dataclass(frozen=True)
class Start:
    """One way to begin: sections of pages, and mistakes that are made on the way."""

    name: str
    title: str
    in_chinese: str
    sections: tuple[tuple[str, str], ...]
    """Page and heading; an empty heading: how the page begins, up to its first session."""
    order: str
    """Said once the installation is done, though it comes later."""
    slips: tuple[str, str]
    """A wrong flag and a wrong file, at the end."""


STARTS = (
    Start(
        "smartthings",
        "A home with SmartThings",
        "家里用 SmartThings",
        (("README.md", ""), ("docs/bring-your-home.md", "SmartThings")),
        "winnow ask is any window open --home home",
        (
            "winnow home import --url https://api.smartthings.com/v1 --token ST_TOKEN --id home",
            "winnow home import ./devices.jsn --id home",
        ),
    ),
    Start(
        "home-assistant",
        "A home with Home Assistant",
        "家里用 Home Assistant",
        (("docs/bring-your-home.md", "Home Assistant"), ("docs/home-assistant.md", "Install")),
        "winnow home watch home",
        ("winnow home import ./copied-config --idd home", "winnow home import ./README.md --id home"),
    ),
    Start(
        "application",
        "An application over HTTP",
        "通过 HTTP 的应用",
        (("docs/server.md", "In five minutes"),),
        "winnow ask turn off the reading lamp",
        ("winnow serve --simulat", "winnow home import example:cotage"),
    ),
    Start(
        "agent",
        "An agent over MCP",
        "通过 MCP 的智能体",
        (("docs/mcp.md", "Start in five minutes"),),
        "winnow ask turn off the reading lamp",
        ("winnow mcp --alow read", "winnow home import ./no-such-home"),
    ),
)


def section(page: str, heading: str) -> str:
    """The text of a section, with those below it."""
    text = (ROOT / page).read_text("utf-8")
    if not heading:
        return text.partition("<!-- /session -->")[0]
    found = re.search(rf"^## {re.escape(heading)}\n.*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise SystemExit(f"{page} has no section '{heading}'")
    return found[0]


def commands(start: Start) -> list[str]:
    """What a newcomer copies from the pages, in order, without comments; of two alike the first."""
    found: dict[str, None] = {}
    for page, heading in start.sections:
        for block in blocks_of(section(page, heading)):
            for line in block:
                found.setdefault(line)
    return list(found)


def blocks_of(text: str) -> Iterator[list[str]]:
    """The commands of each block of commands; of a file for a client, the command that it starts."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.md"
        page.write_text(text, "utf-8")
        for block in blocks(page):
            lines = block.text.splitlines()
            if block.language == "console":
                yield [line[2:] for line in lines if line.startswith("$ ")]
            elif block.language == "json" and "mcpServers" in block.text:
                server = next(iter(json.loads(block.text)["mcpServers"].values()))
                yield [" ".join([server["command"], *server["args"]])]
            elif block.language == "text" and lines[0].split()[0] in PROGRAMS:
                yield [re.sub(r"\s+# .*", "", line) for line in lines]


# A newcomer's shell.


@dataclass
class Shell:
    """Where a start is played: a clone, an environment, a home folder, all new."""

    folder: Path
    standing_in: dict[str, str]
    """What a page names -> what is here in its place."""
    env: dict[str, str] = field(default_factory=dict)
    running: subprocess.Popen[str] | None = None
    """What goes on in another window."""

    def __post_init__(self) -> None:
        """Clone the project and make the environment."""
        clone, own = self.folder / "winnow", self.folder / "venv"
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        subprocess.run([sys.executable, "-m", "venv", own], check=True)
        (self.folder / "config").mkdir()
        ours = ("WINNOW_", "PYTHON", "VIRTUAL_ENV", "PYTEST")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        path = f"{own / 'bin'}:{kept.get('PATH', '')}"
        new = {"HOME": str(self.folder), "PATH": path, "COLUMNS": "110", "NO_COLOR": "1", "LANG": "C.UTF-8"}
        self.env = {**kept, **new}
        (self.folder / ".curlrc").write_text("no-progress-meter\n")  # as where a person looks on
        # What the page of Home Assistant calls a copied folder.
        shutil.copytree(HOMES / "apartment-zh", clone / "copied-config")
        shutil.make_archive(str(clone / "storage"), "zip", HOMES / "apartment-zh")

    def say(self, command: str) -> tuple[list[str], float, int]:
        """Lines, seconds and exit code of one command as the page has it; 0 for what was stopped by hand."""
        typed = command.replace("//HOST:", "//127.0.0.1:")
        for there, here in self.standing_in.items():
            typed = typed.replace(there, here)
        if name := re.match(r"export (\w+)=", typed):
            self.env[name[1]] = TOKENS[name[1]]
            return [], 0.0, 0
        began = time.monotonic()
        if UNTIL_STOPPED.match(typed) and "--help" not in typed:
            said, code = self._until_stopped(typed)
        else:
            # What pip says of where it looks is of this machine alone.
            errors = subprocess.DEVNULL if typed.startswith("pip") else subprocess.STDOUT
            process = self._begin(typed, stderr=errors)
            try:
                said, _ = process.communicate(timeout=MOST_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                raise SystemExit(f"not done after {MOST_SECONDS} s: {command}") from None
            code = process.returncode
        took = time.monotonic() - began
        if secret := re.search(r"^wk_\w+$", said, re.MULTILINE):
            self.standing_in["wk_..."] = secret[0]
        return self._shown(typed, said), took, code

    def _begin(self, typed: str, **streams: Any) -> subprocess.Popen[str]:
        """Start it in the clone."""
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **streams}
        where = self.folder / "winnow"
        shell = ["bash", "-c", typed]
        return subprocess.Popen(shell, cwd=where, env=self.env, text=True, start_new_session=True, **streams)

    def _until_stopped(self, typed: str) -> tuple[str, int]:
        """What it says at first. A server goes on beside; what is only watched is ended like with Ctrl-C."""
        if typed.startswith("winnow mcp"):
            return self._of_a_client(typed)
        self.stop()
        log = self.folder / "running.log"
        with log.open("w") as told:
            process = self._begin(f"exec {typed}", stdout=told, stderr=told)
        end = time.monotonic() + 60
        while process.poll() is None and not log.read_text() and time.monotonic() < end:
            time.sleep(0.1)
        self.running = process
        with contextlib.suppress(subprocess.TimeoutExpired):
            code, self.running = process.wait(3), None  # what says what is wrong ends then
            return log.read_text(), code
        if "serve" not in typed:
            self.stop()
        return log.read_text(), 0

    def _of_a_client(self, typed: str) -> tuple[str, int]:
        """What a client that starts the program is answered to ``initialize`` and to a first question."""
        about = {"name": "newcomer", "version": "1"}
        begin = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about}
        call = {"name": "retrieve", "arguments": {"text": "turn off the lamp in the study"}}
        sent: list[dict[str, object]] = [
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": begin},
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
            {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": call},
        ]
        process = self._begin(f"exec {typed}", stdin=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert process.stdin is not None
        assert process.stdout is not None
        said, answers = list[str](), dict[int, Any]()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write("".join(f"{json.dumps(one)}\n" for one in sent))
            process.stdin.flush()
        for line in process.stdout:
            if not line.startswith("{"):
                said.append(line.rstrip())
                continue
            answer = json.loads(line)
            answers[answer.get("id")] = answer.get("result", answer)
            if 3 in answers:
                break
        process.stdin.close()
        code = process.wait(20)
        if 3 in answers:
            tools = ", ".join(tool["name"] for tool in answers[2]["tools"])
            said += [f"(tools: {tools})", f"(retrieve: {answers[3]['content'][0]['text']})"]
        return "\n".join(said), code

    def stop(self) -> None:
        """End what goes on, like Ctrl-C."""
        if self.running is not None:
            os.killpg(self.running.pid, signal.SIGINT)
            self.running.wait(20)
            self.running = None

    def _shown(self, typed: str, said: str) -> list[str]:
        """What the page shows of what was said: its beginning and its end, and nothing of this machine."""
        for there, here in self.standing_in.items():
            said = said.replace(here, there)
        said = said.replace(str(self.folder), "~").replace(str(ROOT), "~")
        lines = [line.rstrip() for line in said.splitlines() if line.strip()]
        lines = [f"{line[:WIDEST]} …" if len(line) > WIDEST else line for line in lines]
        if typed.startswith(("pip", "make")):
            lines = lines[-1:]
        if len(lines) > MOST_LINES + 1:
            lines = [*lines[:MOST_LINES], "...", lines[-1]]
        return lines


# The page.


@dataclass(frozen=True)
class Played:
    """A start as it went."""

    start: Start
    steps: tuple[tuple[str, list[str], float, int], ...]
    slips: tuple[tuple[str, str, list[str], int], ...]
    """What kind of mistake, the command, what was said, exit code."""

    @property
    def seconds(self) -> float:
        """All of its commands."""
        return sum(took for _, _, took, _ in self.steps)


def play(start: Start) -> Played:
    """Play one start. Raises SystemExit where something does not go, or a mistake is not told."""
    with tempfile.TemporaryDirectory() as folder, servers() as standing_in:
        shell = Shell(Path(folder), {**standing_in, "/path/to/config": f"{folder}/config"})
        steps = list[tuple[str, list[str], float, int]]()
        slips = list[tuple[str, str, list[str], int]]()
        try:
            for command in commands(start):
                if not slips and not command.startswith("pip"):
                    slips.append(("wrong order", start.order, *slip(shell, start.order)))
                lines, took, code = shell.say(command)
                print(f"{took:6.1f} s  {code}  {command}", *lines, sep="\n            ", flush=True)
                if code:
                    raise SystemExit(f"{start.name}: it ended with {code}: {command}")
                steps.append((command, lines, took, code))
            shell.stop()
            for kind, wrong in zip(("wrong flag", "wrong file"), start.slips, strict=True):
                slips.append((kind, wrong, *slip(shell, wrong)))
        finally:
            shell.stop()
    return Played(start, tuple(steps), tuple(slips))


def slip(shell: Shell, wrong: str) -> tuple[list[str], int]:
    """What is said of a mistake. Raises SystemExit where it is none, or a traceback."""
    lines, _, code = shell.say(wrong)
    print(f"     {code}  {wrong}", *lines, sep="\n            ", flush=True)
    if not code or any("Traceback" in line for line in lines):
        raise SystemExit(f"not told as a mistake: {wrong}")
    return lines, code


@contextlib.contextmanager
def servers() -> Iterator[dict[str, str]]:
    """Servers that stand in for those that the pages name; what stands there -> what is here."""
    states = json.loads((HOMES / "cottage" / "states.json").read_text("utf-8"))
    home = HomeAssistant({one["entity_id"]: one for one in states})
    with smartthings() as cloud, in_a_thread(home):
        yield {
            "https://api.smartthings.com/v1": cloud.url,
            "http://homeassistant.local:8123": home.url,
        }


BETWEEN = re.compile(r"(<!-- (\w+) -->\n).*?(<!-- /\2 -->)", re.DOTALL)
"""What is written anew of a page."""


HEADS = {
    ".md": "| start | pages | commands | seconds | of them installing |",
    ".zh.md": "| 开头 | 页面 | 命令 | 秒 | 其中安装 |",
}
"""By the ending of the pages of a language."""


def table(played: Sequence[Played], ending: str) -> Iterator[str]:
    """How many commands and seconds each start took."""
    yield from (HEADS[ending], "|---|---|---:|---:|---:|")
    for one in played:
        title = one.start.title if ending == ".md" else one.start.in_chinese
        pages = ", ".join(dict.fromkeys(link(page, ending) for page, _ in one.start.sections))
        installing = sum(took for command, _, took, _ in one.steps if command.startswith(("pip", "make")))
        yield f"| {title} | {pages} | {len(one.steps)} | {one.seconds:.0f} | {installing:.0f} |"


def write(page: Path, **parts: Iterable[str]) -> None:
    """Put each part into its place in the page."""
    text = page.read_text("utf-8")
    put = BETWEEN.sub(lambda m: "\n".join([m[1].rstrip(), "", *parts[m[2]], "", m[3]]), text)
    page.write_text(put, "utf-8")


def transcript(one: Played) -> Iterator[str]:
    """A start as the page shows it."""
    yield from (f"**{one.start.title}**", "", "```text")
    for command, said, took, _ in one.steps:
        yield from (f"$ {command}", *said, f"({took:.1f} s)")
    yield from ("```", "", "Mistakes:", "", "```text")
    for kind, command, said, code in one.slips:
        yield from (f"$ {command}", *said, f"({kind}; exit code {code})")
    yield from ("```", "")


def link(page: str, ending: str) -> str:
    """A page of the repository as the page of starts links to it."""
    name = Path(page).stem
    return f"[{name}]({'../' * (name == 'README')}{name}{ending})"


def main() -> int:
    """Exit code: 0 all that was played went, within the time."""
    wanted, kept = sys.argv[1:], ROOT / "build" / "starts"
    kept.mkdir(parents=True, exist_ok=True)
    now = [play(start) for start in STARTS if not wanted or start.name in wanted]
    for one in now:
        (kept / f"{one.start.name}.json").write_text(json.dumps([one.steps, one.slips]), "utf-8")
        print(f"{one.start.name}: {one.seconds:.0f} s")
    files = [(start, kept / f"{start.name}.json") for start in STARTS]
    if all(file.exists() for _, file in files):
        played = [Played(start, *json.loads(file.read_text("utf-8"))) for start, file in files]
        shown = [line for one in played for line in transcript(one)]
        write(PAGE, starts=table(played, ".md"), transcripts=shown)
        write(CHINESE, starts=table(played, ".zh.md"))
    return sum(one.seconds > MOST_SECONDS for one in now)


if __name__ == "__main__":
    sys.exit(main())
