"""How a text tells what it tells: as news, as what ended, as what stays."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tone:
    """What can be heard of a text at once."""

    owners: frozenset[str]
    """The people it speaks of, and the owners it names."""
    names: frozenset[str]
    """Words written large inside a sentence."""
    words: frozenset[str]
    """All its words, to find a name by that is written small."""
    first: frozenset[str]
    """Whom its first words speak of, unless that is whoever speaks."""
    there: bool
    """It speaks of somebody by a pronoun."""
    changed: bool
    """It says that something is not as it was."""
    ended: bool
    """It says that something is gone, done with or begun."""
    asks: bool
    then: bool
    """As a question: it asks for what was or happened."""
    before: bool
    """It asks for what was before something else."""
