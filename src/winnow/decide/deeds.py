"""What an instruction comes to when it is carried out: its calls, and who gets none."""

from __future__ import annotations

from collections.abc import Sequence

from winnow.decide.bulk import Settled
from winnow.decide.gate import Gated
from winnow.decide.outcome import Deed, Outcome, Sentence, danger_of
from winnow.decide.score import Scored
from winnow.types.query import Quantifier, QueryIR
from winnow.types.verdict import Call, Refusal
from winnow.types.view import HomeView


def scene_run(scene_id: str, view: HomeView) -> Outcome:
    """A scene is one call, whatever it moves."""
    return Outcome((Deed(Call(scene_id, view.scenes[scene_id].command_id, {})),))


def carried_out(query: QueryIR, gated: Gated, what: Settled, before: Sentence) -> Outcome:
    """The calls, and what is to be told of the members that get none."""
    # a set goes on without those that cannot be reached; a single thing was chosen because it can
    away = [s for s in what.chosen if not s.online] if gated.bulk else []
    present = [s for s in what.chosen if s.online] if gated.bulk else what.chosen
    left_out = (*gated.uncovered, *gated.spared, *what.uncovered, *away)
    return Outcome(
        _new([_deed(query, s) for s in present], before.deeds),
        _partly_refused(query, gated, [] if present else away),
        done=query.tokens,
        bulk=gated.bulk,
        excluded=_excluded(query),
        uncovered=tuple(s.device.id for s in left_out),
    )


def _excluded(query: QueryIR) -> tuple[str, ...]:
    """The exceptions in the words they were said in."""
    if query.quantifier is not Quantifier.EXCEPT:
        return ()
    return tuple(m.text for m in query.excluded)


def _new(deeds: Sequence[Deed], done: Sequence[Deed]) -> tuple[Deed, ...]:
    """Those that an earlier instruction does not do already."""
    return tuple(d for d in deeds if not any(d.is_again(other) for other in done))


def _deed(query: QueryIR, row: Scored) -> Deed:
    assert row.fit.call is not None
    return Deed(row.fit.call, row.fit.command, " ".join(t.text for t in query.tokens), danger_of(row, query))


def _partly_refused(query: QueryIR, gated: Gated, away: Sequence[Scored]) -> tuple[Refusal, ...]:
    """A set of which nobody is there, and a value that some members do not take: one speaks for all."""
    refused = [Refusal("unavailable", {"name": s.device.name}, (s.device.id,)) for s in away[:1]]
    if gated.uncovered and query.value is not None:
        refused.append(gated.uncovered[0].fit.refusal or Refusal("no_ability"))
    return tuple(refused)
