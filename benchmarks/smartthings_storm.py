"""Orders and sets said to SmartThings homes whose cloud fails, and what became of every command.

    python -m benchmarks.smartthings_storm
    python -m benchmarks.smartthings_storm --seeds 20

A server on this machine plays the cloud for the example homes of 40 and 150 devices. It counts each command
that reaches a device, so that lost ones are told from doubled ones. ``wrong`` counts what may never be: told
failed and done, told sent and not done, a step done twice, a call that is in no receipt.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import asdict

from tests.smartthings_stand_in import HOMES
from tests.smartthings_storm import STORM, Tally, Weather, stormed

from benchmarks import places

WEATHERS = {
    "fair": Weather(),
    "429": Weather(many=0.5),
    "5xx": Weather(trouble=0.4),
    "all": STORM,
}


def main() -> None:
    """Run and keep the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=6)
    seeds = range(1, parser.parse_args().seeds + 1)
    rows = []
    for home in ("home40", "home150"):
        for name, weather in WEATHERS.items():
            tallies = [stormed(HOMES / home, weather, seed) for seed in (seeds if name != "fair" else [1])]
            rows.append({"home": home, "weather": name, **asdict(weather), **_summed(tallies)})
            print(json.dumps(rows[-1]), flush=True)
    places.keep("smartthings_storm", rows)


def _summed(tallies: list[Tally]) -> dict[str, object]:
    outcomes = sum((tally.outcomes for tally in tallies), Counter[str]())
    return {
        "seeds": len(tallies),
        "commands": outcomes.total(),
        "outcomes": dict(sorted(outcomes.items())),
        "requests": sum(tally.requests for tally in tallies),
        "faults": sum(tally.faults for tally in tallies),
        "settings_sent_twice": sum(tally.again for tally in tallies),
        "shown_all_the_same": sum(tally.shown for tally in tallies),
        "wrong": [what for tally in tallies for what in tally.wrong],
    }


if __name__ == "__main__":
    main()
