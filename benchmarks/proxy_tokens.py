"""``python -m benchmarks.proxy_tokens``: tokens sent through the proxy, beside a list of the whole home.

For homes of 20, 100, 300 and 1,000 things: orders for one thing each go to a running server as an application
sends them, with instructions of its own; what then reaches a model that is played is counted in tokens of
o200k, messages and schemas of tools together. Beside it the instructions and the order with all things: their
names and rooms, and these with what they take and report.
"""

from __future__ import annotations

import json
from typing import Any

import httpx
from tests.model_server import model_server, said
from tests.unit.app.server.conftest import serving

from benchmarks import places
from benchmarks.peers import every_device
from benchmarks.scoring import percentile
from benchmarks.sentences import orders
from winnow.adapters.models.openai import ModelEndpoint, OpenAIChat
from winnow.adapters.testing.fakes import simulated_home
from winnow.app.access import Access
from winnow.app.server.app import create_app
from winnow.app.server.limits import ServerSettings
from winnow.app.wiring.engine import open_engine
from winnow.language.tokens import COUNTER, count_tokens

SIZES = (20, 100, 300, 1000)
SYSTEM = "You help the people of this home. Answer in one sentence."
MODELS = {"fast": "small", "normal": "big"}


def sent_tokens(body: dict[str, Any]) -> int:
    """Tokens of the messages and tools of a request."""
    tools = body.get("tools")
    texts = [str(one.get("content") or "") for one in body["messages"]]
    return sum(map(count_tokens, texts)) + (
        count_tokens(json.dumps(tools, ensure_ascii=False)) if tools else 0
    )


def of_size(size: int) -> dict[str, Any]:
    """Figures of a home of so many things."""
    imported = simulated_home(size, language="en")
    engine = open_engine(imported)
    words = [one.utterance.text for one in orders(imported.home, "en", draws=2) if not one.utterance.room]
    with model_server(said("Good.")) as model:
        engine.chat = OpenAIChat(ModelEndpoint(model.url, retries=0), MODELS)
        app = create_app(engine, Access(engine.storage, engine.policy.tenant), ServerSettings(rate=0))
        with serving(app) as url, httpx.Client(base_url=url, timeout=60) as client:
            for text in words:
                messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": text}]
                client.post("/v1/chat/completions", json={"messages": messages, "model": "winnow"})
        sent = [sent_tokens(one.body) for one in model.asked if one.body["model"] == MODELS["normal"]]
    always = count_tokens(SYSTEM) + round(sum(map(count_tokens, words)) / len(words))
    return {
        "things": len(imported.home.devices),
        "turns": len(words),
        "asked": len(sent),
        **{f"winnow_{name}": percentile(sent, p) for name, p in (("p50", 50), ("p95", 95), ("max", 100))},
        "names": always + every_device(imported, full=False),
        "whole": always + every_device(imported, full=True),
    }


def main() -> None:
    rows = [of_size(size) for size in SIZES]
    places.keep("proxy_tokens", {"counted_by": COUNTER, "homes": rows})
    for row in rows:
        print(row)


if __name__ == "__main__":
    main()
