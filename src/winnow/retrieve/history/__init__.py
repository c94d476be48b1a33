"""Earlier messages of a person: indexed, ranked for a question, marked where they are superseded."""

from winnow.types.candidate import SourceRow

HISTORY = SourceRow("history", "private", True, "nobody was named, so there are no messages to search")
