"""What people say to Winnow inside a real Home Assistant, each in a fresh demo home, and what came of it.

``python -m tests.homeassistant.spoken [FILE] [--json OUT] [--fallback AGENT] [--tokens]``: FILE tells in its
head how its cases are written. What the home is like tells its own REST interface. ``wrong`` is what changed
though it should not have, or into something else than was said.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import yaml
from tests.homeassistant.demo import FOLDER, DemoHome, States, arrange, differing, known_as
from tests.homeassistant.integrated import WithWinnow, prompt_tokens
from tests.homeassistant.said import QUIET, unlike

from winnow.app.config.settings import load_settings
from winnow.app.wiring.engine import open_store, save_override
from winnow.ports.services import run_blocking

FILE = FOLDER / "spoken.yaml"
LIST, WEATHER = "todo.shopping_list", "weather.demo_weather_south"
SPOKEN_IN = {"en": ("en", "yes"), "zh": ("zh-CN", "好的")}
"""Language of a case -> that of Home Assistant, and a yes."""
REBUILT = 2.5
"""Seconds after which Winnow knows a home that was set up anew."""
OPTIONS = {"language": "auto", "allowed": [], "never": [], "many": 0, "budget": 250}


@dataclass(frozen=True, slots=True)
class Came:
    """What came of a sentence: right, wrong, asked, or left (nothing was done that should have been)."""

    language: str
    say: str
    kind: str
    """order, none or question."""
    came: str
    answers: Sequence[str]
    why: str


class Demo(DemoHome):
    """The demo home with a shopping list."""

    server: WithWinnow

    def states(self) -> States:
        """Everything that can be told to do something, and how long the list is."""
        return {**super().states(), LIST: {"state": self.server.state(LIST)}}

    def put_back(self) -> None:
        """As it was at first, known to Winnow; at once where nothing has changed."""
        if differing(self.first, self.states()):
            self.server.call("shopping_list", "complete_all")
            super().put_back()
            time.sleep(REBUILT)


@contextmanager
def arranged(folder: Path, fallback: str) -> Iterator[WithWinnow]:
    """A server whose demo home is arranged, with nothing else exposed than that, the weather and the list."""
    server = WithWinnow(folder)
    server.start()
    try:
        server.add("shopping_list")
        server.expose(*server.states(), shown=False)
        left = arrange(server, yaml.safe_load((FOLDER / "demo_setup.yaml").read_text("utf-8")))
        server.until(lambda: LIST in server.states())
        server.expose(LIST, WEATHER)
        server.add_winnow()
        settings = load_settings({}, folder / "winnow")
        known = run_blocking(open_store(settings).storage.homes.load_home(settings.scope.at("home")))
        for entity_id, override in left.items():
            save_override(settings, known, entity_id, override)
        server.options(**OPTIONS, **({"fallback": fallback} if fallback else {}))
        time.sleep(REBUILT)
        yield server
    finally:
        server.stop()


def said(home: Demo, language: str, case: Mapping[str, Any]) -> Came:
    """What came of the case, in the home as it was at first."""
    home.put_back()
    wanted = {
        known_as(home.first, entity_id): told if isinstance(told, dict) else {"state": told}
        for entity_id, told in case.get("then", {}).items()
    }
    spoken, yes = SPOKEN_IN[language]
    answer = home.server.say(case["say"], language=spoken)
    answers, asked = [home.server.speech(answer)], bool(answer["continue_conversation"])
    before_yes = differing(home.first, home.states())
    if case.get("confirmed") and asked and not before_yes:
        answer = home.server.say(yes, language=spoken, conversation_id=answer["conversation_id"])
        answers.append(home.server.speech(answer))
        asked = bool(answer["continue_conversation"])
    else:
        before_yes = before_yes if case.get("confirmed") else []
    acted = bool(differing(home.first, home.states())) or answer["response"]["response_type"] == "action_done"
    left = home.until(lambda now: not unlike(wanted, now), 15 if acted else 2) if wanted else None
    time.sleep(QUIET)
    now = home.states()
    changed = differing(home.first, now)
    unmet = unlike(wanted, left) if left else []
    also = [f"{i} is {now[i]['state']}" for i in changed if i not in wanted]
    bad = [text for text in unmet if text.partition(" ")[0] in changed]
    kind = "question" if "answer" in case else "order" if wanted else "none"
    why = "; ".join([*also, *unmet, *(f"before the yes: {i}" for i in before_yes)])
    answered = kind != "question" or re.search(case["answer"], answers[0], re.IGNORECASE)
    if also or bad or before_yes:
        came = "wrong"
    elif asked:
        came = "asked"
    else:
        came = "right" if answered and not unmet else "left"
    return Came(language, case["say"], kind, came, answers, why)


def totals(came: Sequence[Came]) -> dict[str, dict[str, int]]:
    """How often each thing came, of each language and kind."""
    every: dict[str, Counter[str]] = {}
    for one in came:
        for group in (one.kind, f"{one.kind} {one.language}", one.language, "all"):
            every.setdefault(group, Counter())[one.came] += 1
    order = ("right", "wrong", "asked", "left")
    return {
        group: {"n": sum(row.values()), **{k: row[k] for k in order}} for group, row in sorted(every.items())
    }


def run(path: Path, folder: Path, fallback: str = "", tokens: bool = False) -> dict[str, Any]:
    """What came of each case of a file, in one server for each language; and what prompts cost."""

    def spoken(language: str, rows: Sequence[Mapping[str, Any]]) -> tuple[list[Came], dict[str, Any]]:
        about: dict[str, Any] = {"fallback": fallback}
        with arranged(folder / language, fallback) as server:
            home = Demo(server)
            came = [said(home, language, case) for case in rows]
            about["home_assistant"] = server.ask("get_config")["version"]
            if tokens:
                found = prompt_tokens(server).items()
                about["tokens"] = {n: {"winnow": ours, "assist": theirs} for n, (ours, theirs) in found}
        return came, about

    cases = yaml.safe_load(path.read_text("utf-8"))
    with ThreadPoolExecutor() as pool:
        found = list(pool.map(spoken, cases.keys(), cases.values()))
    came = [one for rows, _ in found for one in rows]
    return {**found[0][1], "totals": totals(came), "cases": [asdict(one) for one in came]}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a file and print what came of it; 1 where something changed that should not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?", default=FILE)
    parser.add_argument("--json", type=Path, help="where to write all that came of each case")
    parser.add_argument("--fallback", default="", help="the agent that gets what is not for this home")
    parser.add_argument("--tokens", action="store_true", help="also what prompts cost, by exposed entities")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        told = run(given.file, Path(folder) / "config", given.fallback, given.tokens)
    if given.json:
        given.json.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", "utf-8")
    for one in told["cases"]:
        if one["came"] != "right":
            print(
                one["came"].ljust(6),
                one["kind"],
                one["say"],
                "|",
                " / ".join(one["answers"]),
                "|",
                one["why"],
            )
    for group, row in told["totals"].items():
        print(group.ljust(14), *(f"{name} {count}" for name, count in row.items()))
    for size, row in told.get("tokens", {}).items():
        print(f"{size} exposed entities, tokens of prompt and tools: {row['winnow']}, Assist {row['assist']}")
    return int(told["totals"]["all"]["wrong"] > 0)


if __name__ == "__main__":
    sys.exit(main())
