"""The tools of an agent: what they are called, what they say of themselves, what they take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import voluptuous as vol


@dataclass(frozen=True, slots=True)
class Shape:
    """One tool, as a model is told of it."""

    description: str
    parameters: vol.Schema


TOOLS: Mapping[str, Shape] = {
    "find": Shape(
        "Look up what a request needs of the home: devices, what may be done, readings.",
        vol.Schema({vol.Required("request"): str}),
    ),
    "act": Shape(
        "Carry out a plan that a briefing named. Tells what was done and what was not.",
        vol.Schema({vol.Required("plan"): str}),
    ),
}
