"""Damaged exports: what somebody cut, mixed up or saved wrongly ends in an error that says so, or in a home.

``python -m tests.damage --count 10000`` damages the homes that come along and reports what came of it.
"""

from __future__ import annotations

import argparse
import copy
import io
import json
import sys
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from winnow.adapters.platforms import bundle as examples
from winnow.adapters.platforms.registry import load_home
from winnow.errors import HomeImportError

Files = Mapping[str, bytes]
ODD: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    1e308,
    10**30,
    "",
    "x",
    "\u0000",
    "💥" * 50,
    [],
    {},
    [None],
    {"": None},
)
"""What may stand where something else was meant."""


def files_of(folder: Path) -> dict[str, bytes]:
    """The files of a home by their paths in it."""
    found = {
        path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()
    }
    return {name: path.read_bytes() for name, path in found.items()}


def damaged(files: Files, rng: Random) -> dict[str, bytes]:
    """The files with one to three damages."""
    hurt = dict(files)
    for _ in range(rng.randint(1, 3)):
        if hurt:
            rng.choice((_node, _node, _node, _bytes, _file))(hurt, rng)
    return hurt


def _node(files: dict[str, bytes], rng: Random) -> None:
    """One place in one document is dropped, replaced, repeated or put deeper."""
    name = rng.choice(list(files))
    try:
        data = json.loads(files[name])
    except (ValueError, RecursionError):
        return
    places = list(_places(data))
    if places:
        where, key = rng.choice(places)
        rng.choice((_drop, _replace, _repeat, _deepen, _swap))(where, key, rng)
    files[name] = json.dumps(data, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")


def _places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every (list or object, index or key) in the data."""
    waiting = [data]
    while waiting:
        here = waiting.pop()
        keys = here.keys() if isinstance(here, dict) else range(len(here)) if isinstance(here, list) else ()
        for key in list(keys):
            yield here, key
            waiting.append(here[key])


def _drop(where: Any, key: Any, rng: Random) -> None:
    del where[key]


def _replace(where: Any, key: Any, rng: Random) -> None:
    where[key] = copy.deepcopy(rng.choice(ODD))


def _repeat(where: Any, key: Any, rng: Random) -> None:
    if isinstance(where, list):
        where.insert(rng.randint(0, len(where)), copy.deepcopy(where[key]))
    else:
        where[f"{key}2"] = copy.deepcopy(where[key])


def _deepen(where: Any, key: Any, rng: Random) -> None:
    for _ in range(rng.choice((1, 2, 80, 400))):
        where[key] = {"a": where[key]} if rng.random() < 0.5 else [where[key]]


def _swap(where: Any, key: Any, rng: Random) -> None:
    other = rng.choice(list(where.keys()) if isinstance(where, dict) else range(len(where)))
    where[key], where[other] = where[other], where[key]


def _bytes(files: dict[str, bytes], rng: Random) -> None:
    """A file is cut off, saved in another encoding, or has wrong bytes in it."""
    name = rng.choice(list(files))
    raw = files[name]
    at = rng.randint(0, len(raw))
    ways: tuple[Callable[[], bytes], ...] = (
        lambda: raw[:at],
        lambda: raw[:at] + bytes(rng.randrange(256) for _ in range(4)) + raw[at:],
        lambda: raw.decode("utf-8", "replace").encode(
            rng.choice(("gbk", "utf-16", "utf-16-le", "latin-1", "utf-8-sig", "utf-32")), "replace"
        ),
        lambda: b"",
        lambda: raw + raw,
    )
    files[name] = rng.choice(ways)()


def _file(files: dict[str, bytes], rng: Random) -> None:
    """A file is lost, or is there twice, or is called otherwise."""
    name = rng.choice(list(files))
    raw = files.pop(name)
    if rng.random() < 0.6:
        files[f"{rng.randrange(9)}/{name}"] = raw
    if rng.random() < 0.3:
        files[f"copy/{name}"] = raw


def fields_of(documents: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    """The path of every field of every object that lies in a list of the documents."""
    waiting: list[tuple[tuple[Any, ...], Any, bool]] = [((), documents, False)]
    while waiting:
        path, here, is_in_list = waiting.pop()
        keys = here.keys() if isinstance(here, dict) else range(len(here)) if isinstance(here, list) else ()
        for key in keys:
            if is_in_list and isinstance(here, dict):
                yield (*path, key)
            waiting.append(((*path, key), here[key], is_in_list or isinstance(here, list)))


def with_value(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    """The data with another value at the path; the rest is shared."""
    if not path:
        return value
    inner = with_value(data[path[0]], path[1:], value)
    if isinstance(data, dict):
        return {**data, path[0]: inner}
    return [*data[: path[0]], inner, *data[path[0] + 1 :]]


def packed(files: Files) -> bytes:
    """The files as a ZIP."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as held:
        for name, raw in files.items():
            held.writestr(name, raw)
    return archive.getvalue()


def outcome(files: Files) -> str:
    """``home`` or ``error``. Raises AssertionError, or whatever the import raised, when it is neither."""
    try:
        imported = load_home(packed(files), "damaged")
    except HomeImportError as error:
        if not (error.problems and error.hint):
            raise AssertionError("an error that does not say what is wrong, or what to do") from error
        return "error"
    json.dumps([imported.home.name, [d.name for d in imported.home.devices]], ensure_ascii=False).encode()
    return "home"


def main() -> int:
    """Damage and report; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--home", action="append", help="default: all that come along")
    options = parser.parse_args()
    homes = {
        name: files_of(examples.EXAMPLES_FOLDER / name) for name in options.home or examples.example_names()
    }
    rng, seen, start = Random(options.seed), Counter[tuple[str, str]](), perf_counter()
    failures = 0
    for number in range(options.count):
        name = list(homes)[number % len(homes)]
        files = damaged(homes[name], rng)
        try:
            seen[name, outcome(files)] += 1
        except Exception:  # noqa: BLE001 - whatever it is, it is what is looked for
            failures += 1
            if failures <= 10:
                print(f"{name} {number}\n{traceback.format_exc(limit=-4)}", file=sys.stderr)
    for (name, what), count in sorted(seen.items()):
        print(f"{name:16} {what:6} {count:6}")
    print(f"{options.count} damaged exports, {failures} failures, {perf_counter() - start:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
