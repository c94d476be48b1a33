"""One score a device, made of named features whose weights are data; and which calls are a risk (law 7)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from winnow.act.effects.danger import danger_of_command, danger_of_kinds, danger_of_thing, heats
from winnow.decide.fit import CommandFit, fit_command
from winnow.language.content_words import LOCKING, RESTING
from winnow.language.lexicon import clusters
from winnow.language.linear import weighted_sum
from winnow.language.normalize import normalise
from winnow.language.tables import table
from winnow.types.candidate import DeviceCandidate, Evidence, HomeShortlist
from winnow.types.home import Command, Device, HomeView, Parameter
from winnow.types.query import QueryIR
from winnow.types.state import Snapshot
from winnow.types.utterance import Usage
from winnow.types.verdict import Call

# Acts that need a yes first (law 7, docs/behaviour.md): by kind, name, what is known and what is said.

COOKING_KINDS = frozenset({"oven", "stove", "kettle"})
"""Kinds for which a temperature is an order to heat, not a preference."""
CARRIER_KINDS = frozenset({"plug", "switch"})
"""Kinds that say nothing of what hangs on them."""
HARMLESS_TRAITS = frozenset(
    {"Brightness", "ColorTemperature", "Color", "Lamp", "Volume", "FanSpeed", "Swing"}
)
SPARING_VALUES = frozenset({*RESTING, "pause", "eco"})
"""Values at which nothing heats."""
MOVING_TRAITS = frozenset({"Cover", "Door", "Switch", "Button"})
"""Traits that open what opens and sound what sounds; whatever starts heats."""
SAFE_ACTIONS = frozenset({"Off", "Stop", "Pause", "Down", "Close", "Lock"})
THING_DANGER = "thing"
"""The danger of what is dangerous only because a person said so."""
NO_DANGER = "none"
"""What a device is known to be where its owner says that it does no harm."""


def call_risk(command: Command, device: Device, call: Call, said: Collection[str] = ()) -> str:
    """The name of the risk of this call, or an empty string; ``said`` are the kinds that were named."""
    if known := danger_of_command(command.trait):
        return known
    trait, _, action = command.trait.partition(".")
    if device.danger == NO_DANGER or trait in HARMLESS_TRAITS or _is_safe(action, call):
        return ""
    danger = "open_valve" if trait == "Valve" else device.danger or _danger_of_device(device, trait, said)
    if danger == "heat" and not _heats_by_call(trait, call, device.kinds, command.parameters):
        return ""
    return danger


def _is_safe(action: str, call: Call) -> bool:
    """Whether it closes, stops or switches off, be it by a position."""
    is_open = any(isinstance(v, int | float) and v > 0 for v in call.arguments.values())
    shuts = action == "SetPosition" and not is_open
    return shuts or action in SAFE_ACTIONS


def _danger_of_device(device: Device, trait: str, said: Collection[str]) -> str:
    """What its kinds tell, else its names; of what says not what hangs on it also what was said."""
    danger = danger_of_kinds(device.kinds)
    # The name of a part is also that of the whole: of a part its source tells.
    if not danger and not device.part_of:
        danger = danger_of_thing(device.kinds, (device.name, *device.aliases))
        hangs_on = not danger and not CARRIER_KINDS.isdisjoint(device.kinds[:1])
        if hangs_on and any(danger_of_kinds((kind,)) == "heat" for kind in said):
            danger = "heat"
    return danger if danger == "heat" or trait in MOVING_TRAITS else ""


def _heats_by_call(trait: str, call: Call, kinds: tuple[str, ...], parameters: Sequence[Parameter]) -> bool:
    if trait == "Temperature" and not COOKING_KINDS & set(kinds):
        return any(p.maximum is not None and call.arguments.get(p.name) == p.maximum for p in parameters)
    values = [str(v).lower() for v in call.arguments.values()]
    return not any(v in SPARING_VALUES or not heats(v) for v in values)


APPLIANCE_LAMP_LANE, LAMP_TRAIT_PREFIX = "lamp", "Lamp."
"""The lane of the light inside an appliance, and what its traits begin with."""
LOOSE_TYPE_SCORE = 0.8
"""Score below which a word for a make is explained by the kind alone: any lamp by ``desk lamp``."""


def score_weights() -> Mapping[str, float]:
    """Feature -> weight, and ``epsilon``, of ``decide/weights.yaml``."""
    return cast("Mapping[str, float]", table("winnow.decide", "weights.yaml"))


@dataclass(frozen=True, slots=True)
class ScoredDevice:
    """One device that may be meant."""

    device: Device
    score: float
    fit: CommandFit
    features: Mapping[str, float] = field(default_factory=dict)
    unexplained: tuple[str, ...] = ()
    """Words of the mention that neither the device nor its command explains."""
    online: bool = True
    """Whether it can be reached."""
    lanes: frozenset[str] = frozenset()
    """By what it was found."""

    @property
    def able(self) -> bool:
        """Whether it can do what is asked."""
        return self.fit.call is not None


def score_devices(
    query: QueryIR, shortlist: HomeShortlist, view: HomeView, snapshot: Snapshot, habits: Usage | None = None
) -> list[ScoredDevice]:
    """Every device of a shortlist, best first; habits order what is equal and add nothing to a score.

    They order nothing dangerous: whoever answers in haste answers what stands first.
    """
    grouped: dict[str, list[DeviceCandidate]] = {}
    for candidate in shortlist.candidates:
        grouped.setdefault(candidate.device_id, []).append(candidate)
    rows = [
        _score_device(query, view.devices[i], found, view, snapshot)
        for i, found in grouped.items()
        if i in view.devices
    ]
    rows.sort(key=lambda s: s.device.id)
    if habits:
        fits = [(s.fit.command, s.device, s.fit.call) for s in rows]
        if not any(call_risk(command, device, call) for command, device, call in fits if command and call):
            rows.sort(key=lambda s: habits.order(s.device.id), reverse=True)
    return sorted(rows, key=lambda s: -s.score)


def _score_device(
    query: QueryIR, device: Device, found: Sequence[DeviceCandidate], view: HomeView, snapshot: Snapshot
) -> ScoredDevice:
    evidence = {e.lane: e for e in found[0].evidence}
    # Words of the mention that the device itself does not explain
    missing = tuple(filter(None, evidence["missing"].detail.split("\t"))) if "missing" in evidence else ()
    held = _words_by_command(query, found, missing)
    unexplained = _unexplained_words(query, missing, held.values()) if missing else ()
    # The commands that are named: by words their own text holds, or as those of the light inside
    profile = view.profile(device.id)
    if APPLIANCE_LAMP_LANE in evidence:
        told = [c.key for c in profile.commands if c.trait.startswith(LAMP_TRAIT_PREFIX)]
    else:
        told = [key for key, words in held.items() if words]
    fitted = fit_command(query, device, profile, snapshot.of(device.id), tuple(held), told)
    features = _device_features(query, device, evidence, fitted, completed=bool(missing) and not unexplained)
    online, lanes = snapshot.online(device.id), frozenset(evidence)
    return ScoredDevice(
        device, weighted_sum(features, score_weights()), fitted, features, unexplained, online, lanes
    )


def _words_by_command(
    query: QueryIR, found: Iterable[DeviceCandidate], missing: Sequence[str]
) -> dict[str, list[str]]:
    """Command -> the missing words its text holds; what a thing looks like is told by no command."""
    looks = {t.text for t in query.target.tokens if t.data.get("looks")} if missing else ()
    tellable = [word for word in missing if word not in looks]
    return {c.command_key: _words_in_command(c, tellable) for c in found if c.command_key}


def _words_in_command(candidate: DeviceCandidate, words: Sequence[str]) -> list[str]:
    """Those of the words that a command's own text holds."""
    if not words:
        return []
    texts = [normalise(e.detail) for e in candidate.evidence if e.lane == "text"]
    return [word for word in words if any(word in text for text in texts)]


def _unexplained_words(
    query: QueryIR, missing: Sequence[str], held: Iterable[Sequence[str]]
) -> tuple[str, ...]:
    """Those of the missing words that no command holds either.

    A word that was never said, but is implied by what was, is not explained by the text of a command.
    """
    implied = {t.text for t in query.target.tokens if t.data.get("implied")}
    explained = set[str]().union(*held) - implied
    return tuple(word for word in missing if word not in explained)


def _is_out_of_range(fitted: CommandFit) -> bool:
    """Whether it could do it but for the value: what is called so by name is meant, and is refused."""
    return fitted.refusal is not None and fitted.refusal.code == "out_of_range"


def _device_features(
    query: QueryIR, device: Device, evidence: Mapping[str, Evidence], fitted: CommandFit, *, completed: bool
) -> dict[str, float]:
    """What speaks for a device, 0..1 each. A mention that its commands complete is covered as a whole."""
    by_name = "name" in evidence
    # ``lock the lock``: of two devices in one door the one that is called so
    is_named_by_its_act = query.action in LOCKING and "lock" in normalise(device.name).split()
    # Whether it is the kind that is meant when only a property is said, as a lamp is by brightness
    kinds = clusters()["preferred"].get(query.property, ())
    is_preferred = bool(kinds) and not query.entity_mentions and not set(kinds).isdisjoint(device.kinds)
    return {
        "coverage": 1.0 if completed else _evidence_score(evidence, "coverage"),
        "named": float(by_name),
        "exact": _evidence_score(evidence, "exact"),
        "area": float("area" in evidence),
        "able": float(fitted.call is not None or (by_name and _is_out_of_range(fitted))),
        "trait": 1.0 - min(fitted.rank, 20) / 20,
        "acted": float(is_named_by_its_act),
        "registered": float(by_name or "room.name" not in evidence),
        "kin": float("type.like" in evidence),
        "loose": float("type" in evidence and evidence["type"].score < LOOSE_TYPE_SCORE),
        "preferred": float(is_preferred),
    }


def _evidence_score(evidence: Mapping[str, Evidence], lane: str) -> float:
    return evidence[lane].score if lane in evidence else 0.0
