"""What a home makes of a turn before anything else is asked."""

from __future__ import annotations

from dataclasses import dataclass, replace

from winnow.types.home_shortlist import DeviceCandidate, HomeShortlist
from winnow.types.query import Reading
from winnow.types.state import UNREAD, Snapshot
from winnow.types.verdict import Act, Verdict, named_calls, named_reads


@dataclass(frozen=True, slots=True)
class Attempt:
    """One reading of a turn, and what follows from it in this home: understood, recalled and decided."""

    reading: Reading
    shortlists: tuple[HomeShortlist, ...]
    """One per query of the reading, in order."""
    verdict: Verdict
    snapshot: Snapshot = UNREAD
    """What the devices reported when it was decided."""
    rivals: tuple[Attempt, ...] = ()
    """What each of several readings comes to, in the order of the options, where the verdict asks which."""
    mentioned: tuple[DeviceCandidate, ...] = ()
    """What the words point to where nothing follows from them, best first: to be told, never acted on."""

    @property
    def mentioned_ids(self) -> tuple[str, ...]:
        """Ids of what is mentioned, best first."""
        return tuple(one.device_id for one in self.mentioned)

    def rival(self, number: str) -> Attempt | None:
        """What the reading of that option comes to; None where the question was another one."""
        at = int(number) if number.isdigit() else len(self.rivals)
        return self.rivals[at] if at < len(self.rivals) else None

    @property
    def concise(self) -> Attempt:
        """The same, with what only those devices reported that it acts on, leaves out or was judged by."""
        acted = {call.device_id for call in named_calls(self.verdict)}
        read = {read.device_id for read in named_reads(self.verdict)}
        bulk = self.verdict.bulk if isinstance(self.verdict, Act) else None
        told_of = acted | read | set(bulk.uncovered if bulk else ())
        return replace(self, snapshot=self.snapshot.about(told_of))
