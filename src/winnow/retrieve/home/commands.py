"""Which commands of a profile a query may mean.

Its action cluster, the value's fit, the words of the documents.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from winnow.language.tables import table
from winnow.retrieve.home.index import CommandIndex, HomeIndex
from winnow.types.candidate import Evidence
from winnow.types.home import Command
from winnow.types.query import QueryIR

CLUSTER_STEP, MAX_CLUSTER_PLACE = 0.04, 15
"""What each further place in the cluster takes off a trait, and the last place that takes off more."""
DESCRIBING_KINDS = frozenset({"verb", "step", "property", "mode", "choice", "white", "color", "word"})
"""Kinds of words that may describe a command."""


def command_weights() -> Mapping[str, float]:
    """Lane -> what it counts for in the order of commands, of ``weights.yaml``."""
    return cast("Mapping[str, float]", table("winnow.retrieve.home", "weights.yaml"))


@dataclass(frozen=True, slots=True)
class CommandMatch:
    """One command and the reasons for it."""

    command: Command
    score: float
    evidence: tuple[Evidence, ...]


class CommandScorer:
    """The lexical and the vector lane over the command documents, run once a query."""

    def __init__(self, query: QueryIR, index: HomeIndex) -> None:
        self.query = query
        self.weights = command_weights()
        self.index: CommandIndex = index.commands
        words = _words(query)
        text = " ".join(words)
        self.telling = [word for word in words if len(word) > 1]
        self.length = sum(map(len, words))
        scores = self.index.lexical.scores(text)
        top = scores.max() if scores.size else 0.0
        self.lexical: list[float] = (scores / top if top > 0 else scores).tolist()
        self.vector: list[float] = self.index.vectors.scores(index.embedder.embed([text])[0]).tolist()
        self._by_profile: dict[tuple[str, int], tuple[CommandMatch, ...]] = {}

    def matches(self, profile_id: str, most: int | None = None) -> tuple[CommandMatch, ...]:
        """The commands of a profile, best first; only the best ``most``, if given."""
        known = self._by_profile.get((profile_id, most or 0))
        if known is None:
            scored, weights = [], self.weights
            for command, number in self.index.rows.get(profile_id, ()):
                parts = self._evidence_parts(command, number)
                score = 0.0
                for lane, share, _ in parts:
                    score += weights[lane] * share
                scored.append((score, command, parts))
            scored.sort(key=lambda row: -row[0])
            # Reasons are written down only for the best
            best = ((c, score, tuple(Evidence(*part) for part in parts)) for score, c, parts in scored[:most])
            known = tuple(CommandMatch(*match) for match in best)
            self._by_profile[profile_id, most or 0] = known
        return known

    def evidence(self, command: Command, number: int) -> tuple[Evidence, ...]:
        """What each lane says of a command; ``number`` is that of its document."""
        return tuple(Evidence(*part) for part in self._evidence_parts(command, number))

    def _evidence_parts(self, command: Command, number: int) -> list[tuple[str, float, str]]:
        """What each lane says of a command, as the parts of its evidence.

        That the act means its trait, the more the further it stands to the front of the cluster; that the
        document holds words of the query as they were said; and how near the texts are.
        """
        said: list[tuple[str, float, str]] = []
        cluster, trait = self.query.action_cluster, command.trait
        if trait in cluster:
            said.append(("trait", 1.0 - min(cluster.index(trait), MAX_CLUSTER_PLACE) * CLUSTER_STEP, trait))
        # The words of the query that a document holds as they were said
        document = self.index.documents[number]
        if held := [word for word in self.telling if word in document]:
            said.append(("text", min(1.0, sum(map(len, held)) / self.length), " ".join(held)))
        lexical, vector = round(self.lexical[number], 3), round(max(0.0, self.vector[number]), 3)
        return [*said, ("lexical", lexical, ""), ("vector", vector, "")]


def _words(query: QueryIR) -> list[str]:
    """The words that may describe a command: act, property, value, and what nothing else explains."""
    named = query.target.tokens
    return [
        t.text for t in query.tokens if t.kind == "word" or (t.kind in DESCRIBING_KINDS and t not in named)
    ]
