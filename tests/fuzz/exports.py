"""Exports with faults put into them: each is imported or refused with a reason, never a traceback.

python -m tests.fuzz.exports --home smartthings-raw --count 10000 --seed 1
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from winnow.errors import HomeImportError
from winnow.homes import examples
from winnow.homes.files import load_documents

Documents = dict[str, Any]

STRANGE: tuple[Any, ...] = (
    *(None, True, 0, -1, 1e308, "", " ", "main", "\u0000", "🎬", "台灯", "x" * 2000),
    *([], {}, [None], [[]], [1, "a", None], {"": None}, {"value": {"value": []}}),
)
"""What may stand anywhere instead of what belongs there."""


def documents(name: str, devices: int, chance: random.Random) -> Documents:
    """An example's documents with only so many things in each list: faults weigh more in a small home."""
    whole = {
        path.name: json.loads(path.read_text("utf-8"))
        for path in sorted((examples.FOLDER / name).iterdir())
        if path.suffix == ".json"
    }
    return {file: _smaller(data, devices, chance) for file, data in whole.items()}


def _smaller(data: Any, size: int, chance: random.Random) -> Any:
    if isinstance(data, list):
        return [json.loads(json.dumps(item)) for item in chance.sample(data, min(size, len(data)))]
    if isinstance(data, dict) and len(data) > 30:
        return {key: data[key] for key in chance.sample(sorted(data), size)}
    if isinstance(data, dict):
        return {key: _smaller(value, size, chance) for key, value in data.items()}
    return data


Spot = tuple[Any, Any]
"""A list or an object, and a place in it."""


def spots(data: Any) -> Iterator[Spot]:
    """Every place in the data."""
    inside = enumerate(data) if isinstance(data, list) else data.items() if isinstance(data, dict) else ()
    for key, value in list(inside):
        yield data, key
        yield from spots(value)


def mutate(home: Documents, chance: random.Random) -> None:
    """Put one fault into the documents."""
    all_spots = list(spots(home))
    where, key = chance.choice(all_spots)
    other, at = chance.choice(all_spots)
    deed = chance.randrange(6)
    if deed == 0:
        del where[key]
    elif deed == 1:
        where[key] = chance.choice(STRANGE)
    elif deed == 2:
        where[key] = json.loads(json.dumps(other[at]))
    elif deed == 3 and isinstance(where, list):
        where.append(where[key])
    elif deed == 4 and isinstance(where, dict):
        where[str(chance.choice(STRANGE))] = where.pop(key)
    elif isinstance(where[key], str):
        where[key] = where[key][: chance.randrange(len(where[key]) + 1)] + str(chance.choice(STRANGE))


def outcome(home: Documents) -> str:
    """``imported`` or ``refused``; anything else that is raised is a fault of the reader."""
    try:
        read = load_documents(home, "fuzzed").home
    except HomeImportError as error:
        return "refused" if error.problems else "refused without a reason"
    ids = [device.id for device in read.devices]
    profiles = {profile.id for profile in read.profiles}
    sound = len(ids) == len(set(ids)) and all(device.profile_id in profiles for device in read.devices)
    return "imported" if sound else "imported with devices of one id or of no profile"


def run(name: str, count: int, seed: int) -> Counter[str]:
    """How often which outcome came of ``count`` homes with one to four faults each."""
    chance = random.Random(seed)
    outcomes: Counter[str] = Counter()
    intact = ""
    for number in range(count):
        if number % 20 == 0:
            intact = json.dumps(documents(name, 5, chance))
        home = json.loads(intact)
        for _ in range(chance.randint(1, 4)):
            mutate(home, chance)
        try:
            outcomes[outcome(home)] += 1
        except Exception as error:
            error.add_note(f"home {number} of seed {seed}: {json.dumps(home, ensure_ascii=False)[:2000]}")
            raise
    return outcomes


def main() -> None:
    """Run it from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", default="smartthings-raw", choices=sorted(p.name for p in _homes()))
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(dict(run(given.home, given.count, given.seed)))


def _homes() -> list[Path]:
    return [path for path in examples.FOLDER.iterdir() if path.is_dir()]


if __name__ == "__main__":
    main()
