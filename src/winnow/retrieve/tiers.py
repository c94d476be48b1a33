"""Private sources first; the public one only where they do not suffice (seed 004, section 1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from time import perf_counter
from typing import cast

from winnow.errors import Phrase
from winnow.language.content_words import content_terms
from winnow.ports.services import RefreshableSource, Source, run_aside
from winnow.retrieve.bearing import anything_bears, best_bearing
from winnow.retrieve.documents import PRIVATE_DOCUMENTS, PUBLIC_DOCUMENTS
from winnow.retrieve.facts import FACTS
from winnow.retrieve.history import HISTORY
from winnow.types.candidate import Candidate, Dropped, Ref, Search, Shortlist, SourceRow, Step
from winnow.types.context import RecentResult
from winnow.types.document import KnowledgeSettings, Sufficiency
from winnow.types.query import Intent
from winnow.types.retrieval import Stage
from winnow.types.scope import Scope

# What was found in an earlier turn, held against its source before it is given again.


async def missing_refs(
    sources: Mapping[str, Source], scope: Scope, given: Sequence[RecentResult]
) -> frozenset[Ref]:
    """What is not there any more as it was found, or cannot be asked about. Raises StoreError."""
    by_source: dict[str, list[RecentResult]] = {}
    for one in given:
        by_source.setdefault(one.source, []).append(one)
    away: set[Ref] = set()
    for name, some in by_source.items():
        source = sources.get(name)
        refs = [one.candidate.ref for one in some]
        if not hasattr(source, "current"):
            away.update(refs)
            continue
        now = await cast("RefreshableSource", source).current(scope, [ref.id for ref in refs])
        away.update(
            [one.candidate.ref for one in some if not _is_as_found(one, now.get(one.candidate.ref.id))]
        )
    return frozenset(away)


def _is_as_found(given: RecentResult, now: Mapping[str, object] | None) -> bool:
    """Whether all that is known of it now was known then; what was told beside it may be more."""
    then = given.candidate.data
    return now is not None and isinstance(then, Mapping) and now.items() <= then.items()


# Which sources beside the home a turn is worth asking, and why.

ASKED, SPARED, IF_NEEDED = "asked", "not asked", "if needed"
OWN_SOURCES = {row.name: row for row in (HISTORY, FACTS, PRIVATE_DOCUMENTS, PUBLIC_DOCUMENTS)}
"""By name; a host that gives another source under one of these names is asked as ours would be."""


def source_row(name: str, source: Source) -> SourceRow:
    """The row that a source bears, else ours of that name; of any other nothing is known but its name."""
    row: SourceRow = getattr(source, "row", None) or OWN_SOURCES.get(name) or SourceRow(name)
    return row if row.name == name else replace(row, name=name)


def gate_sources(intent: Intent, sources: Sequence[SourceRow], user: str) -> tuple[Step, ...]:
    """Of each source whether it is asked; that of the intent comes first, public ones last."""
    # Every question that is not for devices goes to all private sources: whatever is looked up may hang on
    # what the person said before (what they eat, whom they know), and that may stand in a note of theirs.
    rows = {**OWN_SOURCES, **{row.name: row for row in sources}}
    is_private = intent.source in rows and rows[intent.source].tier == "private"
    first = sorted(sources, key=lambda row: (row.tier == "public", row.name != intent.source))
    return tuple(_gate_step(row, intent, user, is_private) for row in first)


def _gate_step(row: SourceRow, intent: Intent, user: str, is_private: bool) -> Step:
    """Whether a source is asked; ``is_private``: what the turn is about is private."""
    if not intent.need_retrieval:
        return Step(row.name, SPARED, Phrase("nothing is to be looked up: {label}", label=intent.label))
    about = Phrase("it is about {source}: {label}", source=intent.source, label=intent.label)
    if row.tier is None:
        return Step(row.name, ASKED if row.name == intent.source else SPARED, about)
    if not is_private:
        return Step(row.name, SPARED, about)
    if row.is_personal and not user:
        return Step(row.name, SPARED, row.nobody)
    return Step(row.name, IF_NEEDED if row.tier == "public" else ASKED, about)


# What was found in several tiers, put together: private first, the newer before the older, nothing twice.

MIN_DUPLICATE_OVERLAP = 0.9
"""Share of the terms of two texts that are in both, from which on they say the same."""
NOT_RELEVANT = "hardly about the question"
LEAST_BEARING = 0.002
"""Probability of bearing on a question that a message has at least to be given beside a better one: of the
messages of MemDaily that answer, one in a hundred has less, of those that do not, one in six."""
IN_DIALOGUE = "says the same as what is private"
OTHER_DOMAIN = "of another domain than the question"
DAY_SECONDS = 86_400


def merge_tiers(
    search: Search, private: Sequence[Shortlist], public: Sequence[Shortlist], settings: KnowledgeSettings
) -> tuple[Shortlist, ...]:
    """All of them, each candidate with its tier, weighed by its age and in that order; empty ones stand last.

    Of documents what is hardly relevant is left out; of the public ones those of other domains too, and those
    that say what a private one says.
    """
    likely = None if _is_open(search, private) else anything_bears([*private, *public])
    if likely is not None and likely < settings.nothing_at_all_below:
        return tuple(_nothing_left(one) if one.candidates else one for one in (*private, *public))
    private, public = _bearing(private, settings, likely is not None), _bearing(public, settings)
    near = [_relevant(one, settings.private_least, settings.private_limit, settings) for one in private]
    own = [_with_tier(one, "private", search, settings) for one in near]
    domains = relevant_domains(search.text, own, settings)
    far = [
        _relevant(_within(one, domains), settings.public_least, settings.public_limit, settings)
        for one in public
    ]
    said = [_text(one, "text") for one in _candidates(own)]
    theirs = [_without_repeated(_with_tier(one, "public", search, settings), said) for one in far]
    return tuple(sorted([*own, *theirs], key=lambda one: not one.candidates))


def _is_open(search: Search, private: Sequence[Shortlist]) -> bool:
    """Whether what covers the words of a question tells little of whether anything answers it.

    A follow-up rarely says what it is about, a wish rarely what is known of whoever has it; and an allergy
    bears on what to eat, though no word of it does.
    """
    from winnow.retrieve.facts.source import bears_on  # most orders for a home ask no source

    told = [_text(one, "text") for one in _candidates(private) if one.ref.kind != "passage"]
    return bool(search.context or search.wish or any(bears_on(search.text, text) for text in told))


def relevant_domains(
    question: str, private: Sequence[Shortlist], settings: KnowledgeSettings
) -> frozenset[str]:
    """The domains a question is about: those it names, else that of the best relevant private document.

    Empty: nobody can tell, and any may be.
    """
    own = [(one, _text(one, "domain")) for one in _candidates(private)]
    words = {**{domain: () for _, domain in own if domain}, **settings.domains}
    asked = frozenset(content_terms(question))
    named = frozenset(name for name, others in words.items() if _names_domain(asked, (name, *others)))
    return named or _of_the_best(own, settings.private_least)


def _of_the_best(domains: Sequence[tuple[Candidate, str]], least: float) -> frozenset[str]:
    relevant = [(-one.score, domain) for one, domain in domains if domain and one.score >= least]
    return frozenset(domain for _, domain in sorted(relevant)[:1])


def _candidates(found: Sequence[Shortlist]) -> Iterator[Candidate]:
    return (one for shortlist in found for one in shortlist.candidates)


def _names_domain(asked: frozenset[str], words: Iterable[str]) -> bool:
    terms = (content_terms(word) for word in words)
    return any(part and asked.issuperset(part) for part in terms)


def _relevant(shortlist: Shortlist, least: float, limit: float, settings: KnowledgeSettings) -> Shortlist:
    """Documents of that relevance or a share of the best one's, none below the limit.

    Scores of others are no relevance.
    """
    scores = {one.ref.id: one.score for one in shortlist.candidates if one.ref.kind == "passage"}
    floor = max(limit, min(least, settings.least_share * max(scores.values(), default=0.0)))
    return _without(shortlist, [id_ for id_, score in scores.items() if score < floor], NOT_RELEVANT)


def _bearing(
    found: Sequence[Shortlist], settings: KnowledgeSettings, without_idle: bool = False
) -> list[Shortlist]:
    """The same; of a source whose best result is hardly likely to bear on the question, nothing."""
    told = [(one, best_bearing(one)) for one in found]
    least = settings.nothing_below
    left = [_nothing_left(one) if best is not None and best < least else one for one, best in told]
    if not without_idle:
        return left
    return [_without(one, [c.ref.id for c in one.candidates if _is_idle(c)], NOT_RELEVANT) for one in left]


def _is_idle(found: Candidate) -> bool:
    """Whether it is a message that would be found whatever is asked; not what follows a question like it."""
    bears = found.ref.kind != "message" or found.bearing is None or found.bearing >= LEAST_BEARING
    return not bears and all(reason.lane != "before" for reason in found.evidence)


def _nothing_left(shortlist: Shortlist) -> Shortlist:
    told = Phrase("the best of {count} hardly bears on the question", count=len(shortlist.candidates))
    step = Step("bearing", "nothing", told)
    left = _without(shortlist, [one.ref.id for one in shortlist.candidates], NOT_RELEVANT)
    return replace(left, steps=(*shortlist.steps, step))


def _with_tier(shortlist: Shortlist, tier: str, search: Search, settings: KnowledgeSettings) -> Shortlist:
    """Each with where it comes from; documents also weighed by their age and in that order."""
    found = [_from(one, shortlist.source, tier) for one in shortlist.candidates]
    if settings.half_life_days and search.at and any(one.ref.kind == "passage" for one in found):
        found = [_aged(one, search.at, settings.half_life_days) for one in found]
        found.sort(key=lambda candidate: -candidate.score)
    return replace(shortlist, candidates=tuple(found))


def _from(candidate: Candidate, source: str, tier: str) -> Candidate:
    if not isinstance(candidate.data, Mapping):
        return candidate
    return replace(candidate, data={"source": source, **candidate.data, "tier": tier})


def _aged(candidate: Candidate, now: datetime, half_life: float) -> Candidate:
    """Half as relevant after the half-life; what has no time is as if it were new."""
    told = _text(candidate, "at")
    if not told:
        return candidate
    days = max(0.0, (now - datetime.fromisoformat(told).replace(tzinfo=None)).total_seconds() / DAY_SECONDS)
    return replace(candidate, score=candidate.score * 0.5 ** (days / half_life))


def _without_repeated(shortlist: Shortlist, said: Sequence[str]) -> Shortlist:
    told = ((one.ref.id, _text(one, "text")) for one in shortlist.candidates)
    again = [id_ for id_, text in told if any(_alike(text, own) for own in said)]
    return _without(shortlist, again, IN_DIALOGUE)


def _within(shortlist: Shortlist, domains: frozenset[str]) -> Shortlist:
    """Those of these domains and of none; all where none is of them: rather another domain than nothing."""
    told = {one.ref.id: _text(one, "domain") for one in shortlist.candidates}
    outside = [id_ for id_, domain in told.items() if domain and domain not in domains]
    if not domains or len(outside) == len(told):
        return shortlist
    step = Step("domains", ", ".join(sorted(domains)), Phrase("{count} of other domains", count=len(outside)))
    return replace(_without(shortlist, outside, OTHER_DOMAIN), steps=(*shortlist.steps, step))


def _without(shortlist: Shortlist, ids: Sequence[str], reason: str) -> Shortlist:
    kept = tuple(one for one in shortlist.candidates if one.ref.id not in ids)
    dropped = (Dropped(id_, shortlist.source, reason) for id_ in ids)
    return replace(shortlist, candidates=kept, dropped=(*shortlist.dropped, *dropped))


@lru_cache(maxsize=2048)  # each text is held against all others
def _terms(text: str) -> frozenset[str]:
    return frozenset(content_terms(text))


def _alike(one: str, other: str) -> bool:
    """Whether two texts say the same: nearly all terms are in both, and nothing of them contradicts."""
    terms, others = _terms(one), _terms(other)
    if not terms or len(terms & others) < MIN_DUPLICATE_OVERLAP * len(terms | others):
        return False
    from winnow.retrieve.facts.novelty import conflicting_sentences

    return not conflicting_sentences(one, other)


def _text(candidate: Candidate, name: str) -> str:
    data = candidate.data
    return str(cast("Mapping[str, object]", data).get(name) or "") if isinstance(data, Mapping) else ""


@dataclass(frozen=True, slots=True)
class TierResult:
    """What the sources offer that were asked, in the order they were asked, and why each was."""

    found: tuple[Shortlist, ...] = ()
    gate: tuple[Step, ...] = ()
    sufficiency: Sufficiency | None = None
    """None: nothing private was asked, so nothing was judged."""
    stages: tuple[Stage, ...] = field(default=(), compare=False)
    """How long each source took."""


async def search_tiers(
    query: Search,
    intent: Intent,
    sources: Mapping[str, Source],
    scope: Scope,
    limits: Mapping[str, int],
    settings: KnowledgeSettings | None = None,
) -> TierResult:
    """Search the sources that are worth asking, public ones only where private ones do not suffice.

    ``limits``: candidates asked of each source, at most. Raises what a source raises.
    """
    settings, stages = settings or KnowledgeSettings(), list[Stage]()
    route = gate_sources(intent, list(map(source_row, sources, sources.values())), scope.user)
    asked, last = _gated_steps(route, ASKED, sources), _gated_steps(route, IF_NEEDED, sources)
    if not asked and not last:
        return TierResult(gate=route)
    from winnow.retrieve.documents.conflicts import reconcile  # most orders for a home ask no source

    private = await _search(query, asked, scope, limits, stages)
    judged = await _judge_private(query, private, settings, sources if last else {}, scope)
    # Asked after the private ones, not beside them: what public search costs is paid only where it is needed.
    public = [] if judged and judged.enough else await _search(query, last, scope, limits, stages)
    steps = tuple(_resolve_last_resort(step, judged) if step.what in last else step for step in route)
    found = await run_aside(lambda: reconcile(query, merge_tiers(query, private, public, settings)))
    return TierResult(found, steps, judged, tuple(stages))


def _gated_steps(route: Sequence[Step], chosen: str, sources: Mapping[str, Source]) -> dict[str, Source]:
    return {step.what: sources[step.what] for step in route if step.chosen == chosen}


async def _search(
    query: Search,
    asked: Mapping[str, Source],
    scope: Scope,
    limits: Mapping[str, int],
    stages: list[Stage],
) -> list[Shortlist]:
    """What these sources offer, one after the other; ``stages`` tells how long each took."""
    found = []
    for name, source in asked.items():
        start = perf_counter()
        found.append(await source(query, scope, limits[name]))
        stages.append(Stage(name, (perf_counter() - start) * 1000))
    return found


async def _judge_private(
    query: Search,
    found: Sequence[Shortlist],
    settings: KnowledgeSettings,
    sources: Mapping[str, Source],
    scope: Scope,
) -> Sufficiency | None:
    """Whether what is private suffices, by what it holds and by how far the public index would reach."""
    if not found:
        return None
    from winnow.retrieve.documents.source import index_gap
    from winnow.retrieve.sufficiency import judge_sufficiency, weights_of

    weights = weights_of(found)
    gap = await index_gap(sources, scope, weights) if sources and settings.glance and weights else None
    judged = await run_aside(lambda: judge_sufficiency(query, found, settings, gap))
    if sources and judged.enough and not any(_candidates(merge_tiers(query, found, (), settings))):
        # What seemed to answer would not be given: below a limit that is set, or hardly about the question
        return replace(judged, enough=False, reason="nothing private was found")
    return judged


def _resolve_last_resort(step: Step, judged: Sufficiency | None) -> Step:
    """A source of last resort, asked or not."""
    if judged is None:
        return replace(step, chosen=ASKED, reason="there is nothing private to be searched")
    return replace(step, chosen=SPARED if judged.enough else ASKED, reason=judged.reason)
