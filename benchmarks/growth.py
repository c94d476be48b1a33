"""How the time and the memory of opening a home grow with what it holds."""

from __future__ import annotations

import gc
import random
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np

from winnow.adapters.testing.fakes import simulated_home
from winnow.app.wiring.engine import open_embedder
from winnow.retrieve.home.index import HomeIndex, build_index
from winnow.types.home import Command, Home, Profile
from winnow.understand.words.vocabulary import Vocabulary, build_vocabulary

DEVICES = (100, 300, 1000, 2000, 3000, 6000)
COMMANDS = (500, 1000, 2000, 4000, 8000, 16000)
CARRIERS = 200
"""Devices that carry the distinct commands; their number stays the same."""
TRIES = 3
SYLLABLES = (
    "ba",
    "co",
    "di",
    "fen",
    "gor",
    "hal",
    "jin",
    "kel",
    "lum",
    "mer",
    "nor",
    "pal",
    "quil",
    "ras",
    "sol",
    "tev",
    "ul",
    "vor",
)
CHARACTERS = (
    "设置打开关闭调节启动停止模式温度亮度风速音量时间定时预约清洗"
    "烘干净化加热制冷除湿送风循环节能静音强力自动手动睡眠儿童锁定解锁重置"
)


def by_devices() -> list[dict[str, Any]]:
    """Devices, seconds for the vocabulary and for the index (best of three), and bytes that both keep."""
    return [_by_devices(simulated_home(n).home) for n in DEVICES]


def _by_devices(home: Home) -> dict[str, Any]:
    return {
        "devices": len(home.devices),
        "vocabulary_s": best(lambda: build_vocabulary(home)),
        "index_s": best(lambda: build_index(home, open_embedder())),
        "kept_bytes": kept_bytes(lambda: (build_vocabulary(home), build_index(home, open_embedder()))),
    }


def by_commands() -> list[dict[str, Any]]:
    """How the index grows with distinct commands of the same number of devices.

    A row has the commands, seconds for the index (best of three), and the bytes that it keeps.
    """
    return [_by_commands(home_of_commands(n), n) for n in COMMANDS]


def _by_commands(home: Home, commands: int) -> dict[str, Any]:
    return {
        "commands": commands,
        "index_s": best(lambda: build_index(home, open_embedder())),
        "kept_bytes": kept_bytes(lambda: build_index(home, open_embedder())),
    }


def home_of_commands(commands: int, seed: int = 0) -> Home:
    """A home of 200 devices with one profile each; of its ``commands`` no two say the same."""
    rng = random.Random(seed)
    made = simulated_home(CARRIERS).home
    texts = [f"{_text(rng)} {n}" for n in range(commands)]
    share = commands // CARRIERS or 1
    cut = [texts[n * share : (n + 1) * share if n < CARRIERS - 1 else None] for n in range(CARRIERS)]
    profiles = tuple(
        Profile(f"many:{n}", tuple(Command(f"c{i}", text=text) for i, text in enumerate(rows)))
        for n, rows in enumerate(cut)
    )
    devices = tuple(replace(d, profile_id=p.id) for d, p in zip(made.devices, profiles, strict=True))
    return replace(made, id=f"commands-{commands}", profiles=profiles, devices=devices)


def _text(rng: random.Random) -> str:
    words = ["".join(rng.choices(SYLLABLES, k=rng.randint(1, 3))) for _ in range(4)]
    return " ".join([*words, "".join(rng.choices(CHARACTERS, k=8))])


def best(build: Callable[[], object]) -> float:
    """Seconds of the quickest of three."""
    return round(min(_seconds(build) for _ in range(TRIES)), 4)


def _seconds(build: Callable[[], object]) -> float:
    gc.collect()
    start = perf_counter()
    made = build()
    seconds = perf_counter() - start
    del made
    return seconds


def kept_bytes(build: Callable[[], tuple[Vocabulary, HomeIndex] | HomeIndex]) -> int:
    """Bytes that stay allocated as long as what ``build`` made is kept."""
    build()  # fills what is shared between homes
    gc.collect()
    tracemalloc.start()
    made = build()
    gc.collect()
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    del made
    return size


def straightness(points: Sequence[tuple[float, float]]) -> dict[str, float]:
    """The straight line through (items, seconds).

    ``r2`` of the fit, milliseconds per 1,000 items, and the milliseconds it begins with.
    """
    x, y = (np.array(column, np.float64) for column in zip(*points, strict=True))
    slope, rise = np.polyfit(x, y, 1)
    left = ((y - slope * x - rise) ** 2).sum() / ((y - y.mean()) ** 2).sum()
    return {
        "r2": round(float(1 - left), 4),
        "ms_per_1000": round(float(slope) * 1e6, 1),
        "ms_fixed": round(float(rise) * 1000, 1),
    }
