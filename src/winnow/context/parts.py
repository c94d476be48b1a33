"""What a context is assembled from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

from winnow.language.encode import compact_json
from winnow.language.scope_words import beginning
from winnow.language.tokens import Counter
from winnow.ports.services import Embedder
from winnow.types.candidate import Candidate, Ref, Shortlist
from winnow.types.context import NO_TUNING, ChatMessage, Part, Preference, Tool, Tuning, WindowSettings
from winnow.types.fact import Fact
from winnow.types.retrieval import Briefing
from winnow.types.utterance import LanguageCode

if TYPE_CHECKING:
    from winnow.context.compress.features import WordEmbedder

NO_BRIEFING = Briefing("", 0, "")


@dataclass(frozen=True, slots=True)
class ContextParts:
    """All that may go before a language model for one turn. Only ``question`` is needed."""

    question: str
    """What the person says now, word for word. Empty: the dialogue goes on with the reply of a tool."""
    system: str = ""
    """The host's own instructions: the same for all turns, rooms and users, or nothing can be shared."""
    history: Sequence[ChatMessage] = ()
    """The dialogue before the question, oldest first, in OpenAI's shape. Instructions in it are left out."""
    home: Briefing = NO_BRIEFING
    """What was found and decided of a home."""
    found: Sequence[Shortlist] = ()
    """What the sources offer, the most trusted source first, each one's best first."""
    facts: Sequence[Fact] = ()
    """What is held to be true of the person; what matters most is put before the dialogue when it is built
    anew."""
    query: str = ""
    """The standalone query, where it is another than the question."""
    context: Mapping[str, float] = field(default_factory=dict)
    """Terms that the talk turns on and the query lacks, and what each counts for (``Search.context``)."""
    language: LanguageCode | None = None
    """Of the few words that Winnow adds itself; None lets the question decide."""
    tools: Sequence[Tool] = ()
    """Schemas of tools that are sent along; they stand in the instructions' share."""
    summary: str = ""
    """What was said before ``history``, in short, where the caller compresses it. It is taken over when the
    dialogue is built anew."""
    detail: bool = False
    """Whether all that was found is wanted, and not only the most relevant of it. A question that asks for
    detail wants it."""
    trim: bool = False
    """Whether instructions that leave no room for the question may be cut; else that is an error."""
    now: float = 0.0
    """Seconds since the epoch, by the clock of whoever calls."""
    prefer: Preference | None = None
    """What the person wants more of."""
    tuning: Tuning = NO_TUNING
    """What feedback taught about what is given at first, and about what is made smaller."""
    window: WindowSettings = field(default_factory=WindowSettings)
    embedder: Embedder | None = None
    """Tells whether the topic changed by meaning too; None: by words alone."""
    meaning: WordEmbedder | None = None
    """Knows what single words mean, so that what answers in other words is kept; None: by words alone."""

    tokens: int | None = None
    """Tokens of all messages and tools together; None: the default."""
    shares: Mapping[Part, float] | None = None
    """Which part of them is whose; None: the default."""
    counted_by: Counter | str = ""
    """What counts them, or its name; empty: the exact counter that is installed, else the estimate."""

    @property
    def refs(self) -> frozenset[Ref]:
        """What was looked up for this turn."""
        return frozenset(candidate.ref for shortlist in self.found for candidate in shortlist.candidates)


MAX_QUOTED_CHARS = 6000
"""Characters of a text that are quoted."""
DEFAULT_IMPORTANCE = 0.5
"""How important a text is of which nobody says so."""


@dataclass(frozen=True, slots=True)
class Quote:
    """One candidate as it is quoted."""

    source: str
    candidate: Candidate
    text: str
    about: Mapping[str, object] = field(default_factory=dict)
    """Where it comes from, when, and whether it holds."""

    @property
    def id(self) -> str:
        """Of what is quoted."""
        return self.candidate.ref.id

    @property
    def importance(self) -> float:
        """0..1, as its source tells."""
        told = self.candidate.data.get("importance") if isinstance(self.candidate.data, Mapping) else None
        return told if isinstance(told, float) else DEFAULT_IMPORTANCE

    @property
    def title(self) -> str:
        """What stands over it, a line each."""
        over = [self.about.get("title", ""), *cast("Sequence[object]", self.about.get("headings", ()))]
        return "\n".join(str(one) for one in over if one)

    @property
    def newer(self) -> str:
        """Id of what replaced it, surely or likely; empty where it holds, as far as anybody knows."""
        told = (self.about.get(name) for name in ("superseded_by", "replaced_by", "updated_by"))
        return str(next(filter(None, told), ""))

    def with_text(self, text: str) -> Quote:
        """The same with what is left of its text."""
        return replace(self, text=text)

    @property
    def line(self) -> str:
        """As it stands in the message."""
        return compact_json({**self.about, "text": beginning(self.text, MAX_QUOTED_CHARS)}, MAX_QUOTED_CHARS)
