"""Which strategy fits a host's table of messages, and why (the decision tree of seed 003)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil

from winnow.errors import Phrase
from winnow.retrieve.history.dense import choose_strategy
from winnow.types.candidate import Step
from winnow.types.message import Advice, HistoryPlan, HistorySettings, TableSurvey

BUILT_IN_TABLE = "built-in table"
TABLE_REACH = "15 to 53 %"
"""Share of messages that answer a question whose cosine by the built-in table is 0.5: measured on English
talks and Chinese notes."""
HIGH_THRESHOLD = 0.5
_SIZE = re.compile(r"\((\d+)\)")


def advise_table(survey: TableSurvey, user: str = "") -> HistoryPlan:
    """What is best for all persons found, or for one; each step with its reason."""
    vectors = _vector_step(survey)
    settings = _vector_settings(survey) if vectors.chosen == "yes" else survey.settings
    if user:
        message_counts = Step(
            "messages", str(survey.counts.get(user, 0)), Phrase("those of {user}", user=user)
        )
    else:
        counts = sorted(survey.counts.values())
        told = "of {persons} persons; half of them have {half} or fewer, 95 % {most} or fewer, one {largest}"
        facts = {
            "half": _quantile(counts, 0.5),
            "most": _quantile(counts, 0.95),
            "largest": max(counts, default=0),
        }
        message_counts = Step("messages", str(sum(counts)), Phrase(told, persons=len(counts), **facts))
    if settings.embedding_model:
        embedder = Step("embedder", settings.embedding_model, "as configured")
    elif settings.type == "pgvector":
        embedder = Step(
            "embedder", "?", "the model that made your vectors has to make those of questions too"
        )
    else:
        embedder = Step("embedder", BUILT_IN_TABLE, "offline, nothing to install; a vector takes 0.07 ms")
    steps = (
        vectors,
        message_counts,
        *_strategies(settings, survey, user),
        embedder,
    )
    return HistoryPlan(settings, steps, (*survey.advice, *_settings_notes(settings, survey)))


def _vector_step(survey: TableSurvey) -> Step:
    host = survey.settings.host
    if host is None:
        return Step("vectors of yours", "no", "the messages are in Winnow's own store")
    if not survey.vectors:
        return Step("vectors of yours", "no", Phrase("{table} has no column of vectors", table=host.table))
    if not host.url.startswith("postgresql"):
        return Step("vectors of yours", "no", "only PostgreSQL has pgvector")
    known = Phrase("{column} is {kind}", column=host.columns.vector, kind=survey.vectors)
    return Step("vectors of yours", "yes", known)


def _vector_settings(survey: TableSurvey) -> HistorySettings:
    """Settings that search the host's own vectors."""
    host, size = survey.settings.host, _SIZE.search(survey.vectors)
    assert host is not None, "vectors stand in a table"
    dimension = int(size[1]) if size else survey.settings.embedding_dim
    column = host.columns.vector
    return replace(survey.settings, type="pgvector", embedding_field=column, embedding_dim=dimension)


def _quantile(counts: Sequence[int], share: float) -> int:
    """The least number that so many are not above; 0 of nothing."""
    return counts[max(0, ceil(share * len(counts)) - 1)] if counts else 0


def _strategies(settings: HistorySettings, survey: TableSurvey, user: str) -> Iterator[Step]:
    """What is chosen, and for how many persons."""
    counts = [survey.counts.get(user, 0)] if user else list(survey.counts.values())
    if user or settings.strategy != "auto" or settings.type != "dynamic":
        yield choose_strategy(settings, max(counts, default=0))
        return
    persons = Counter(choose_strategy(settings, count).chosen for count in counts)
    shares = [Phrase("{name} {count}", name=name, count=count) for name, count in persons.most_common()]
    told = "by the number of each person's messages: {shares}"
    yield Step("strategy", "auto", Phrase(told, shares=shares) if shares else "nobody has messages yet")


def _settings_notes(settings: HistorySettings, survey: TableSurvey) -> Iterator[Advice]:
    """What is worth saying of what is configured, for so many messages."""
    yield from settings_advice(settings)
    largest = max(survey.counts.values(), default=0)
    if settings.embedding_model and choose_strategy(settings, largest).chosen == "batch":
        yield Advice("make vectors beforehand: winnow messages precompute")


def settings_advice(settings: HistorySettings) -> Iterator[Advice]:
    """What is worth saying of settings whatever the messages are."""
    if settings.type == "pgvector" and not settings.embedding_model:
        yield Advice("set embedding_model to the model that made the vectors of the table")
    for place in settings.literals:
        yield Advice(Phrase("{place} holds a key: name a variable instead, ${{NAME}}", place=place))
    if settings.similarity_threshold >= HIGH_THRESHOLD and not settings.embedding_model:
        yield Advice(threshold_warning(settings.similarity_threshold))


def threshold_warning(threshold: float) -> Phrase:
    """What a threshold that was meant for another embedder does with the built-in table."""
    told = (
        "similarity_threshold {threshold} was made for another embedder: by the built-in table only {reach}"
        " of the messages that answer a question have a cosine of 0.5, and those that share no word with it"
        " were all below. They would not be found; 0 asks for none"
    )
    return Phrase(told, threshold=threshold, reach=TABLE_REACH)
