"""What happens to a home, as lines for a person or data for a program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from winnow.assemble.view import name_of, room_of
from winnow.say.messages import message
from winnow.say.wording import worded
from winnow.surfaces.report import report_lines
from winnow.text.encode import encode
from winnow.types.catalog import Scalar
from winnow.types.dialogue import Language
from winnow.types.imports import ImportReport
from winnow.types.live import Changed, Joined, Lost, News
from winnow.types.view import HomeView

LONGEST = 60
"""Characters of a value."""
Paint = Callable[[str, str], str]
"""A text in a colour: ``green``, ``yellow`` ..."""


def plain(text: str, colour: str) -> str:
    """The text as it is, for what shows no colours."""
    return text


@dataclass
class Seen:
    """What was seen since the beginning."""

    changes: int = 0
    devices: set[str] = field(default_factory=set)
    lost: int = 0
    imports: int = 0

    def count(self, news: News | ImportReport) -> None:
        """Count one more."""
        if isinstance(news, Changed):
            self.changes += 1
            self.devices.add(news.device_id)
        self.lost += isinstance(news, Lost)
        self.imports += isinstance(news, ImportReport)

    def line(self, language: Language) -> str:
        """All of it in a line."""
        counts = {"changes": self.changes, "devices": len(self.devices)}
        return message("watch_seen", language, **counts, lost=self.lost, imports=self.imports)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a home, and when it was heard of (seconds since the epoch)."""

    news: News | ImportReport
    at: float

    @property
    def moment(self) -> datetime:
        """When it happened, in local time."""
        told = self.news.at if isinstance(self.news, Changed) else None
        return datetime.fromtimestamp(self.at if told is None else told).astimezone()

    def lines(self, view: HomeView, language: Language, paint: Paint) -> list[str]:
        """What happened, for a person; nothing for what is only the sign to look again."""
        news = self.news
        match news:
            case Changed():
                room, name = room_of(view, news.device_id), name_of(view, news.device_id)
                before, after = _value(news.before), paint(_value(news.after), "yellow")
                placed = (encode(part) for part in (room, name) if part)
                lines = ["  ".join([*placed, encode(news.attribute_id), f"{before} -> {after}"])]
            case Joined():
                code = "watch_again" if news.again else "watch_joined"
                lines = [paint(message(code, language, things=news.things), "green")]
            case Lost():
                why, seconds = worded(news.why, language), round(news.pause, 1)
                lines = [paint(message("watch_lost", language, why=why, seconds=seconds), "red")]
            case ImportReport():
                lines = report_lines(replace(news, notes=()), language)
            case _:
                return []
        clock = paint(f"{self.moment:%H:%M:%S}", "bright_black")
        return [f"{clock}  {line}" for line in lines]

    def data(self, view: HomeView) -> dict[str, object]:
        """What happened, for a program; empty for what is only the sign to look again."""
        news, about = self.news, dict[str, object]()
        match news:
            case Changed():
                about = {"event": "changed", "room": room_of(view, news.device_id)}
                about |= {"name": name_of(view, news.device_id), "id": news.device_id}
                about |= {"attribute": news.attribute_id, "before": news.before, "after": news.after}
            case Joined():
                about = {"event": "joined", "things": news.things, "again": news.again}
            case Lost():
                about = {"event": "lost", "why": news.why, "pause": news.pause}
            case ImportReport():
                about = {"event": "imported", "report": news}
            case _:
                return {}
        return {"at": self.moment.isoformat(timespec="milliseconds"), **about}


def _value(value: Scalar) -> str:
    """A value on one line; a dash where there is none."""
    return "-" if value is None else encode(str(value), LONGEST)
