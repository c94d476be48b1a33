"""What is only near a command in meaning is never done."""

from __future__ import annotations

import pytest

from winnow import Engine
from winnow.adapters.platforms import bundle as examples
from winnow.app.wiring.engine import open_embedder, open_engine
from winnow.language.lexicon import surfaces
from winnow.types.utterance import Utterance
from winnow.types.verdict import Act

HOMES = examples.EXAMPLES_FOLDER
NEAR = {
    "illuminate": "light",
    "extinguish": "off",
    "vivify": "start",
    "obfuscate": "dim",
    "reignite": "on",
    "beautify": "clean",
}


@pytest.fixture(scope="module")
def engine() -> Engine:
    return open_engine(HOMES / "cottage")


def test_the_engine_has_the_embedder_that_knows_meaning(engine: Engine) -> None:
    assert engine.embedder.name == open_embedder().name == "static-zh-en"


@pytest.mark.parametrize("verb", [verb for verb in NEAR if verb not in surfaces("verb")])
@pytest.mark.parametrize("target", ["the kitchen", "all the lights", "everything upstairs", "the front door"])
def test_a_verb_that_is_only_near_one_that_is_known_does_nothing(
    engine: Engine, verb: str, target: str
) -> None:
    verdict = engine.sync.retrieve(Utterance(f"{verb} {target}", language="en")).verdict
    assert not isinstance(verdict, Act)
