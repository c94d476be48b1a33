"""Build and run what the Dockerfile says without a container engine, in a root of Debian; only root can.

    python -m scripts.container.run

Each instruction is read from the file and carried out, so that one that changes is tried as changed. What a
container engine would do beside: a layer over the image it begins with (an overlay), a volume that begins as
the folder of the image, a read-only root with a ``/tmp`` in memory, process 1 of its own, no right beyond
those of the user, no network but its own loopback. Nothing stays mounted once what was started here ended.
"""

from __future__ import annotations

import ast
import ctypes
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from string import Template
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "container"
RELEASES = {"python:3.13-slim": ("trixie", "python3,python3-venv,ca-certificates")}
"""Image to begin with -> the release of Debian with that Python, and its packages."""
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
NEW_NETWORK = 0x40000000
"""CLONE_NEWNET: interfaces of its own, of which only the loopback is there."""
MOST_EXPOSED = 30
"""What ``systemd-analyze security`` may say of the unit, in tenths: 0 is shut in, 100 is anything goes."""
SECONDS_TO_END = 10
"""How long a container engine waits between SIGTERM and SIGKILL."""


class Failed(Exception):  # noqa: N818 - reads as what happened
    """The container does not do what its file says."""


def instructions(text: str) -> list[tuple[str, str]]:
    """The instructions of a container file, continued lines joined."""
    lines = re.sub(r"\\\n", " ", text).splitlines()
    parts = (line.partition(" ") for line in lines if line and not line.startswith("#"))
    return [(name, rest.strip()) for name, _, rest in parts]


def context_files(ignored: str) -> set[str]:
    """What of the project the build may copy. Raises Failed for a pattern that is not understood here."""
    lines = [line for line in ignored.splitlines() if line and not line.startswith("#")]
    if lines[:1] != ["*"] or any(not line.startswith("!") and line != "**/__pycache__" for line in lines[1:]):
        raise Failed(".dockerignore: only '*', then '!NAME' and '**/__pycache__' are understood here")
    return {line[1:] for line in lines if line.startswith("!")}


@dataclass
class Stage:
    """An image as it is being built, and what its file says of it so far."""

    layer: Path
    """What it has beyond the image it began with."""
    base: Path
    at: Path
    """Where the whole of it is seen."""
    env: dict[str, str] = field(default_factory=lambda: {"PATH": PATH})
    folder: str = "/"
    user: str = "0:0"
    said: dict[str, Any] = field(default_factory=dict)
    """VOLUME, EXPOSE, HEALTHCHECK, ENTRYPOINT and CMD."""

    def inside(self, path: str) -> Path:
        """A path of the image as one of this machine."""
        return self.at / os.path.normpath(Path(self.folder) / path).lstrip("/")


def begin(image: str, name: str, folder: Path) -> Stage:
    """A stage on that image. Raises Failed where nothing stands in for it."""
    if image not in RELEASES:
        raise Failed(f"FROM {image}: only {', '.join(RELEASES)} has a root of Debian that stands in for it")
    release, packages = RELEASES[image]
    base = BUILD / release
    if not (base / "complete").exists():
        shutil.rmtree(base, ignore_errors=True)
        base.mkdir(parents=True)
        log = BUILD / "debootstrap.log"
        with log.open("w") as told:
            call = ["debootstrap", "--variant=minbase", f"--include={packages}", release, str(base / "root")]
            if subprocess.run(call, stdout=told, stderr=told, check=False).returncode:
                raise Failed(f"Debian {release} could not be had: {log.read_text().splitlines()[-1:]}")
        (base / "root/usr/local/bin/python").symlink_to("/usr/bin/python3")
        (base / "complete").touch()
    layer, work, at = (folder / f"{name}.{part}" for part in ("layer", "work", "at"))
    for each in (layer, work, at):
        each.mkdir()
    mount("-t", "overlay", "overlay", "-o", f"lowerdir={base / 'root'},upperdir={layer},workdir={work}", at)
    mount("-t", "proc", "proc", at / "proc")
    return Stage(layer, base / "root", at)


def mount(*words: str | Path) -> None:
    subprocess.run(["mount", *words], check=True)


def run(stage: Stage, command: Sequence[str], **how: Any) -> subprocess.Popen[str]:
    """Start a command inside, as the stage's user and without a way to more rights."""
    enter = ["chroot", f"--userspec={stage.user}", "--groups=", str(stage.at)]
    shell = ["/bin/sh", "-c", 'cd "$0" && exec "$@"', stage.folder, *command]
    env = {**stage.env, "HOME": "/root" if stage.user == "0:0" else "/", **how.pop("env", {})}
    apart = ["unshare", "--pid", "--fork", "--kill-child", "setpriv", "--no-new-privs", *enter, *shell]
    return subprocess.Popen(apart, env=env, text=True, **how)


def build(stages: dict[str, Stage], folder: Path) -> Stage:
    """The last stage of the container file, with all before it."""
    allowed, stage = context_files((ROOT / ".dockerignore").read_text("utf-8")), None
    for name, rest in instructions((ROOT / "Dockerfile").read_text("utf-8")):
        started = time.monotonic()
        if name == "FROM":
            image, *called = rest.split()
            stage = begin(image, f"{len(stages)}", folder)
            stages[called[-1] if called else ""] = stage
        elif stage is not None:
            carry_out(name, rest, stage, stages, allowed)
        print(f"{time.monotonic() - started:6.1f} s  {name} {rest[:90]}", flush=True)
    if stage is None:
        raise Failed("Dockerfile: there is no FROM")
    return stage


def carry_out(name: str, rest: str, stage: Stage, stages: Mapping[str, Stage], allowed: set[str]) -> None:
    """One instruction. Raises Failed for one that is unknown here or does not go."""
    match name:
        case "WORKDIR":
            stage.folder = os.path.normpath(Path(stage.folder) / rest)
            stage.inside(".").mkdir(parents=True, exist_ok=True)
        case "ENV":
            words = dict(word.split("=", 1) for word in shlex.split(rest))
            stage.env |= {key: Template(value).safe_substitute(stage.env) for key, value in words.items()}
        case "USER":
            stage.user = rest
        case "COPY":
            copy(rest.split(), stage, stages, allowed)
        case "RUN":
            log, settings = BUILD / "run.log", of_the_machine(stage)
            with log.open("w") as said:
                code = run(stage, ["/bin/sh", "-c", rest], env=settings, stdout=said, stderr=said).wait()
            if code:
                raise Failed(f"RUN ended with {code}; the end of {log}:\n{log.read_text()[-2000:]}")
        case "VOLUME" | "EXPOSE":
            stage.said[name] = rest
        case "ENTRYPOINT" | "CMD":
            stage.said[name] = json.loads(rest)
        case "HEALTHCHECK":
            options, _, command = rest.partition("CMD")
            stage.said[name] = (dict(o.lstrip("-").split("=") for o in options.split()), json.loads(command))
        case _:
            raise Failed(f"{name}: nothing here carries that out")


def copy(words: list[str], stage: Stage, stages: Mapping[str, Stage], allowed: set[str]) -> None:
    """COPY, from the project or another stage. Raises Failed for what is not sent along."""
    other = words.pop(0).removeprefix("--from=") if words[0].startswith("--from=") else None
    *sources, target = words
    for source in sources:
        if other is None and source not in allowed:
            raise Failed(f"COPY {source}: .dockerignore leaves it out")
        found = ROOT / source if other is None else stages[other].inside(source)
        to = stage.inside(target)
        if found.is_dir():
            ignore = shutil.ignore_patterns("__pycache__")
            shutil.copytree(
                found, to, symlinks=True, dirs_exist_ok=True, ignore=ignore if not other else None
            )
        else:
            shutil.copy2(found, to / found.name if target.endswith("/") else to)


def of_the_machine(stage: Stage) -> dict[str, str]:
    """What pip is set to here, as variables; the files it names are seen inside, and how names resolve."""
    listed = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=True
    ).stdout
    found, files = {}, {Path("/etc/resolv.conf")}
    for line in listed.splitlines():
        key, _, value = line.partition("=")
        text = str(ast.literal_eval(value))
        found[f"PIP_{key.rsplit('.', 1)[-1].upper().replace('-', '_')}"] = text
        # An index that is a folder has its packages in another one beside it.
        words = text.split()
        named = [Path(w[7:]).parent if w.startswith("file://") else Path(w) for w in words]
        files |= {path for path in named if path.is_absolute() and path.exists()}
    for path in files:
        to = stage.at / str(path).lstrip("/")
        if not to.is_mount():
            to.parent.mkdir(parents=True, exist_ok=True)
            to.mkdir(exist_ok=True) if path.is_dir() else to.touch()
            mount("--bind", path, to)
    return found


# Running it.


def mounted(built: Stage, folder: Path) -> Stage:
    """The image as a container sees it: nothing can be written but its volume and ``/tmp``."""
    subprocess.run(["umount", "--recursive", built.at], check=True)
    at, volume = folder / "container", folder / "volume"
    at.mkdir()
    data = built.said["VOLUME"]
    shutil.copytree(built.layer / data.lstrip("/"), volume)
    shutil.copystat(built.layer / data.lstrip("/"), volume)
    owner = (built.layer / data.lstrip("/")).stat()
    os.chown(volume, owner.st_uid, owner.st_gid)
    mount("-t", "overlay", "overlay", "-o", f"ro,lowerdir={built.layer}:{built.base}", at)
    mount("-t", "proc", "proc", at / "proc")
    mount("-t", "tmpfs", "-o", "mode=1777", "tmpfs", at / "tmp")
    mount("--bind", volume, at / data.lstrip("/"))
    return Stage(built.layer, built.base, at, built.env, built.folder, built.user, built.said)


def own_network() -> None:
    """From here on only this process and those it starts hear one another."""
    if ctypes.CDLL(None, use_errno=True).unshare(NEW_NETWORK):
        raise OSError(ctypes.get_errno(), "no network namespace")
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)


def once(image: Stage, *words: str) -> tuple[int, str]:
    """Exit code and all that is said by ``docker run --rm IMAGE WORDS``."""
    command = [*image.said["ENTRYPOINT"], *(words or image.said["CMD"])]
    process = run(image, command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    said, _ = process.communicate(timeout=120)
    return process.returncode, said


@contextmanager
def serving(image: Stage) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """The image's own command under way, and what its process 1 is on this machine. Raises Failed."""
    process = run(image, [*image.said["ENTRYPOINT"], *image.said["CMD"]])
    try:
        healthy = healthy_after(image, process)
        print(f"  ok  the health check of the image is content after {healthy:.1f} s", flush=True)
        first = int(Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text())
        yield process, first
        began = time.monotonic()
        os.kill(first, signal.SIGTERM)
        code = process.wait(SECONDS_TO_END)
    finally:
        process.kill()
    expect(
        code == 0,
        f"after SIGTERM it ends by itself within {time.monotonic() - began:.1f} s, with code {code}",
    )


def healthy_after(image: Stage, process: subprocess.Popen[str]) -> float:
    """Seconds until the health check of the image is content. Raises Failed after its start period."""
    options, command = image.said["HEALTHCHECK"]
    began, most = time.monotonic(), float(options["start-period"].rstrip("s"))
    while run(image, command, stderr=subprocess.DEVNULL).wait():
        if process.poll() is not None or time.monotonic() - began > most:
            raise Failed(f"the health check was not content within {most:.0f} s")
        time.sleep(0.2)
    return time.monotonic() - began


def ask(port: str, secret: str, path: str, **body: Any) -> Any:
    """What the server answers to JSON. Raises HTTPError."""
    from urllib.request import Request, urlopen

    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {secret}"}
    url = f"http://127.0.0.1:{port}{path}"
    with urlopen(Request(url, json.dumps(body).encode() if body else None, headers), timeout=20) as answered:
        return json.load(answered)


WRITES = "import sys, pathlib; pathlib.Path(sys.argv[1]).write_text('x')"


def expect(holds: object, what: str) -> None:
    """Tell it. Raises Failed."""
    if not holds:
        raise Failed(f"not so: {what}")
    print(f"  ok  {what}", flush=True)


def try_it(image: Stage) -> None:
    """What docs/install.md says of the container. Raises Failed."""
    code, said = once(image)
    expect(code and "winnow keys add" in said, "without a key it does not listen, and says what makes one")
    code, said = once(image, "keys", "add", "tablet")
    expect(code == 0 and said.split()[-1].startswith("wk_"), "a key is made in the volume")
    secret = said.split()[-1]
    expect(once(image, "home", "import", "example:cottage")[0] == 0, "a home is imported into the volume")
    for path in ("/written", "/opt/winnow/written", "/home/written"):
        failed = run(image, ["python", "-c", WRITES, path], stderr=subprocess.PIPE).communicate()[1]
        expect("Read-only file system" in failed, f"{path} cannot be written")
    with serving(image) as (_, first):
        status = dict(line.split(":\t", 1) for line in Path(f"/proc/{first}/status").read_text().splitlines())
        expect(status["Uid"].split() == [image.user.split(":")[0]] * 4, f"it runs as {image.user}")
        expect(int(status["CapEff"], 16) == 0 and status["NoNewPrivs"] == "1", "it has no right beyond that")
        found = ask(image.said["EXPOSE"], secret, "/v1/retrieve", text="turn off the crane", home="cottage")
        expect(found["verdict"]["kind"] == "act", "an order over HTTP is decided: turn off the crane -> act")
    try_unit(image)


def try_unit(image: Stage) -> None:
    """Let systemd read the unit beside what was installed where it says. Raises Failed."""
    if shutil.which("systemd-analyze") is None:
        print("NOT TRIED: the unit, since there is no systemd-analyze.", file=sys.stderr)
        return
    mount("-t", "overlay", "overlay", "-o", f"ro,lowerdir={image.at / 'opt'}:/opt", "/opt")
    unit = ROOT / "deploy" / "winnow.service"
    for words in (["verify"], ["security", "--offline=true", f"--threshold={MOST_EXPOSED}"]):
        call = subprocess.run(["systemd-analyze", *words, unit], capture_output=True, text=True, check=False)
        said = (call.stdout + call.stderr).strip().splitlines() or ["content"]
        expect(call.returncode == 0, f"systemd-analyze {words[0]}: {said[-1]}")


def megabytes(path: Path) -> float:
    listed = subprocess.run(["du", "-sk", path], capture_output=True, text=True, check=True).stdout
    return int(listed.split()[0]) / 1024


def tell_size(built: Stage) -> None:
    """How large the layer is, and what is largest in it."""
    site = next(built.layer.glob("opt/winnow/lib/python*/site-packages"))
    largest = sorted(((megabytes(p), p.name) for p in site.iterdir() if p.is_dir()), reverse=True)[:6]
    over, base = megabytes(built.layer), megabytes(built.base)
    print(f"size: {over:.0f} MB over the image it begins with, for which a root of {base:.0f} MB stands in")
    print("largest: " + ", ".join(f"{name} {size:.0f} MB" for size, name in largest), flush=True)


def main() -> int:
    """Exit code: 0 all is as said, 1 something is not, 2 it cannot be tried here."""
    needed = [name for name in ("debootstrap", "unshare", "setpriv", "ip") if shutil.which(name) is None]
    if os.geteuid() or needed:
        why = f"there is no {', '.join(needed)}" if needed else "only root can"
        print(f"NOT TRIED: {why}. The container file was only read.", file=sys.stderr)
        return 2
    if "WINNOW_CONTAINER_NAMESPACE" not in os.environ:
        os.environ["WINNOW_CONTAINER_NAMESPACE"] = "1"
        os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", sys.executable, *sys.argv])
    BUILD.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD) as made:
        folder, stages = Path(made), dict[str, Stage]()
        try:
            built = build(stages, folder)
            image = mounted(built, folder)
            own_network()
            tell_size(built)
            try_it(image)
        except Failed as error:
            print(f"FAILED: {error}", file=sys.stderr)
            return 1
        finally:
            for at in sorted(folder.glob("*.at")) + sorted(folder.glob("container")):
                subprocess.run(
                    ["umount", "--recursive", "--lazy", at], check=False, stderr=subprocess.DEVNULL
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
