"""A real Home Assistant with Winnow's integration in it, and an agent without a model that asks for tools."""

from __future__ import annotations

import json
import shutil
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from scripts import home_assistant_zip
from tests.homeassistant.server import HomeAssistant

from winnow.language.encode import compact_json
from winnow.language.tokens import count_tokens

ASKING = Path(__file__).parent / "custom_components"
MORE = "conversation:\nasking:\ndiagnostics:\nrepairs:\n"
AGENT = "conversation.winnow"
OTHER_AGENT = "conversation.asking"
"""The one that uses Winnow's API."""
ENOUGH = 20.0
"""Seconds after which something that must happen has not."""
SIZES = (20, 100, 300, 1000)
TURNS = ("turn off room 1 lamp 12", "turn off all lights", "open the blind", "how warm is it?", "hello")


class WithWinnow(HomeAssistant):
    """The same installation, with Winnow as its zip installs it: no package of that name is there."""

    entry = ""

    def _configure(self) -> None:
        super()._configure()
        components, archive = self.folder / "custom_components", self.folder / "winnow.zip"
        home_assistant_zip.write(archive)
        shutil.unpack_archive(archive, components / "winnow")
        shutil.copytree(ASKING, components, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        with (self.folder / "configuration.yaml").open("a") as file:
            file.write(MORE)

    def answer(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """Status and JSON of an answer of the REST API."""
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def add_winnow(self) -> dict[str, Any]:
        """Add the integration, as a person would; the entry that it makes."""
        made = self.add("winnow")
        self.entry = made["result"]["entry_id"]
        return made

    def add(self, integration: str) -> dict[str, Any]:
        """Add an integration that asks for nothing; what became of it."""
        status, form = self.answer("POST", "/api/config/config_entries/flow", {"handler": integration})
        assert status == 200, form
        status, made = self.answer("POST", f"/api/config/config_entries/flow/{form['flow_id']}", {})
        assert status == 200, made
        return dict(made)

    def say(self, text: str, **more: str) -> dict[str, Any]:
        """What the agent answers to a sentence."""
        status, said = self.process(text, **more)
        assert status == 200, said
        return dict(said)

    def process(self, text: str, **more: str) -> tuple[int, Any]:
        """The same, and what else the server may say to it."""
        return self.answer("POST", "/api/conversation/process", {"text": text, "agent_id": AGENT, **more})

    def reload(self) -> None:
        """Load the integration anew, as a person would."""
        status, came = self.answer("POST", f"/api/config/config_entries/entry/{self.entry}/reload")
        assert status == 200, came

    def about(self) -> dict[str, Any]:
        """What Home Assistant tells of the entry."""
        listed = self.ask("config_entries/get", domain="winnow")
        return dict(next(entry for entry in listed if entry["entry_id"] == self.entry))

    def speech(self, said: dict[str, Any]) -> str:
        """What is heard of an answer."""
        return str(said["response"]["speech"]["plain"]["speech"])

    def state(self, entity_id: str) -> str:
        """How it is now."""
        return str(self.answer("GET", f"/api/states/{entity_id}")[1]["state"])

    def expose(self, *entity_ids: str, shown: bool = True) -> None:
        """Show these to Assist, or hide them."""
        which = {"assistants": ["conversation"], "entity_ids": list(entity_ids)}
        self.ask("homeassistant/expose_entity", **which, should_expose=shown)

    def register(self, entity_id: str, **changes: object) -> None:
        """Change what the registry says of the entity."""
        self.ask("config/entity_registry/update", entity_id=entity_id, **changes)

    def options(self, **chosen: object) -> tuple[int, Any]:
        """Fill in the options page; what became of it, once it counts."""
        before = self.ask("asking/engine")
        _, form = self.answer("POST", "/api/config/config_entries/options/flow", {"handler": self.entry})
        path = f"/api/config/config_entries/options/flow/{form['flow_id']}"
        status, made = self.answer("POST", path, chosen)
        if made["type"] == "create_entry":
            self.until(lambda: self.ask("asking/engine") not in (None, before))
        return status, made

    def issues(self) -> set[str]:
        """What repairs show of Winnow."""
        listed = self.ask("repairs/list_issues")["issues"]
        return {issue["issue_id"] for issue in listed if issue["domain"] == "winnow"}

    def until(self, happened: Callable[[], bool]) -> None:
        """Wait until it happened."""
        ends = time.monotonic() + ENOUGH
        while not happened():
            assert time.monotonic() < ends, "it did not happen"
            time.sleep(0.05)


def prompt_tokens(home: WithWinnow) -> Mapping[int, tuple[int, int]]:
    """Exposed entities -> tokens (o200k) of prompt and tools of Winnow, of the largest turn, and of Assist.

    The home has made entities afterwards.
    """
    found = {}
    for size in SIZES:
        home.ask("asking/populate", count=size)
        home.until(lambda: "Room 1" in home.speech(home.say("turn on the room 1 lamp 18")))
        found[size] = max(_tokens(home, "winnow", turn) for turn in TURNS), _tokens(home, "assist", TURNS[0])
    return found


def _tokens(home: WithWinnow, api: str, prompt: str) -> int:
    """Tokens of what a model is sent before the talk: the prompt, and the tools as OpenAI takes them."""
    given = home.ask("asking/given", api=api, prompt=prompt)
    return count_tokens(given["prompt"]) + count_tokens(compact_json(given["tools"]))
