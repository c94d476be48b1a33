"""Scored devices and queries made by hand, for what is asked of them alone."""

from __future__ import annotations

from typing import Any

from winnow.decide.fit import CommandFit
from winnow.decide.score import ScoredDevice
from winnow.types.home import Command, Device, Home, HomeView, Profile, Room
from winnow.types.query import Mention, QueryIR, SetExpr, Token
from winnow.types.verdict import Call, Refusal

FEATURES = ["named", "exact", "area", "able", "trait", "registered", "kin", "loose", "preferred"]


def row(
    name: str,
    kind: str = "light",
    room: str | None = None,
    *,
    score: float = 1.0,
    trait: str = "Switch.On",
    able: bool = True,
    online: bool = True,
    rank: int = 0,
    **features: float,
) -> ScoredDevice:
    """A device that may be meant. It is able to do ``trait`` unless said otherwise."""
    device = Device(name, name, "p", (kind,), (), room)
    command = Command("c", trait)
    fit = (
        CommandFit(Call(name, "c"), command, None, rank)
        if able
        else CommandFit(refusal=Refusal("no_ability", {"name": name}))
    )
    known = {**dict.fromkeys(FEATURES, 0.0), "registered": 1.0, "able": float(able), **features}
    return ScoredDevice(device, score, fit, known, (), online)


def token(text: str, kind: str, *refs: str, **data: object) -> Token:
    return Token(text, kind, 0, len(text), data, refs)


def query(*target: Token, said: tuple[Token, ...] = (), **fields: Any) -> QueryIR:
    """An order about ``target``, in those words and the others that were ``said``."""
    return QueryIR("", things=SetExpr(Mention(target)), tokens=(*target, *said), **fields)


def view(*ids: str) -> HomeView:
    """A home with these devices, each with one command."""
    devices = tuple(Device(i, i, "p", ("light",), (), "room") for i in ids)
    profile = Profile("p", (Command("c", "Switch.On"),))
    return HomeView.of(Home("h", "h", "neutral", (), (Room("room", "客厅"),), (profile,), devices))
