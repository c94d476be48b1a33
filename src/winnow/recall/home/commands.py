"""Which commands of a profile a query may mean.

Its action cluster, the value's fit, the words of the documents.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import numpy as np

from winnow.recall.home.index import CommandIndex, HomeIndex
from winnow.text.tables import table
from winnow.types.catalog import Command, Parameter
from winnow.types.query import QueryIR
from winnow.types.shortlist import Evidence


def weights() -> Mapping[str, float]:
    """Lane -> what it counts for in the order of commands, and ``misfit``, of ``recall/weights.yaml``."""
    return cast("Mapping[str, float]", table("winnow.recall.home", "weights.yaml"))


@dataclass(frozen=True, slots=True)
class CommandMatch:
    """One command and the reasons for it."""

    command: Command
    score: float
    evidence: tuple[Evidence, ...]


class CommandLanes:
    """The lexical and the vector lane over the command documents, run once a query."""

    def __init__(self, query: QueryIR, index: HomeIndex) -> None:
        self.query = query
        self.weights = weights()
        self.index: CommandIndex = index.commands
        self.words = _words(query)
        text = " ".join(self.words)
        self.lexical = self.index.lexical.scores(text)
        top = float(self.lexical.max()) if self.lexical.size else 0.0
        if top > 0:
            self.lexical = self.lexical / np.float32(top)
        self.vector = self.index.vectors.scores(index.embedder.embed([text])[0])
        self._by_profile: dict[str, tuple[CommandMatch, ...]] = {}

    def of(self, profile_id: str) -> tuple[CommandMatch, ...]:
        """The commands of a profile, best first."""
        known = self._by_profile.get(profile_id)
        if known is None:
            rows = self.index.rows.get(profile_id, ())
            found = sorted((self._match(c, n) for c, n in rows), key=lambda m: -m.score)
            known = self._by_profile[profile_id] = tuple(found)
        return known

    def _match(self, command: Command, number: int) -> CommandMatch:
        evidence = self.evidence(command, number)
        score = sum(self.weights[e.lane] * e.score for e in evidence)
        return CommandMatch(command, score - self.weights["misfit"] * misfit(command, self.query), evidence)

    def evidence(self, command: Command, number: int) -> tuple[Evidence, ...]:
        """What each lane says of a command; ``number`` is that of its document."""
        evidence: list[Evidence] = []
        rank = (
            self.query.action_cluster.index(command.trait)
            if command.trait in self.query.action_cluster
            else -1
        )
        if rank >= 0:
            evidence.append(Evidence("trait", 1.0 - min(rank, 15) * 0.04, command.trait))
        held = [w for w in self.words if len(w) > 1 and w in self.index.documents[number]]
        if held:
            evidence.append(
                Evidence(
                    "text",
                    min(1.0, sum(len(w) for w in held) / max(1, sum(len(w) for w in self.words))),
                    " ".join(held),
                )
            )
        evidence.append(Evidence("lexical", round(float(self.lexical[number]), 3)))
        evidence.append(Evidence("vector", round(max(0.0, float(self.vector[number])), 3)))
        return tuple(evidence)


def _words(query: QueryIR) -> list[str]:
    """The words that may describe a command: act, property, value, and what nothing else explains."""
    kinds = {"verb", "step", "property", "mode", "choice", "white", "color", "word"}
    return [
        t.text for t in query.tokens if (t.kind in kinds and t not in query.target.tokens) or t.kind == "word"
    ]


def misfit(command: Command, query: QueryIR) -> bool:
    """Whether a value was said that no parameter of the command could carry."""
    return query.value is not None and not any(holds(p, query) for p in command.parameters)


def holds(parameter: Parameter, query: QueryIR) -> bool:
    """Whether a parameter could carry the query's value at all (limits are checked when deciding)."""
    value = query.value
    if value is None:
        return not parameter.required
    if value.text and value.number is None:
        return parameter.kind in {"choice", "color", "text", "boolean"}
    return parameter.kind in {"number", "choice", "text"}
