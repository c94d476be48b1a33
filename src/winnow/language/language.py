"""What a language is to Winnow: the record whose fields take the place of asking for its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from winnow.types.utterance import LanguageCode

Forms = Callable[[str], tuple[str, ...]]
"""A phrase -> the same in another form of its first word; none where that word is no verb."""


@dataclass(frozen=True, slots=True)
class Language:
    """One language: a row of the registry. Its words, grammar and sentences are tables of its folder."""

    code: LanguageCode
    """As callers name it: ``en``."""
    package: str
    """Where its tables lie: ``winnow.language.en``."""
    claims: Callable[[str], bool] | None = None
    """Whether a text is plainly of it; None for the language of what no other claims."""
    joiner: str = " "
    """What stands between two words, and between two sentences."""
    and_marks: tuple[str, str] = (", ", " and ")
    """Between things that all are meant, and before the last of them."""
    or_marks: tuple[str, str] = (", ", " or ")
    """The same of options."""
    act_mark: str = "; "
    """Between two things to be done."""
    plural: Callable[[str], str] | None = None
    """The plural of a word for a kind of things or rooms; None where it is the word itself."""
    gerunds: Forms | None = None
    """``turning on`` of ``turn on``; None where verbs have no such form."""
    pasts: Forms | None = None
    """``turned on`` of ``turn on``."""
    endings: Mapping[str, str] = field(default_factory=dict)
    """Section of the lexicon -> what its words may end in: 藏青色."""
    asks_first: bool = True
    """Whether a question begins as one. Else the question word stands where its answer would."""
    thing_first: bool = False
    """Whether an order behind a remark begins with its thing: 把灯关了."""
    mixes: bool = False
    """Whether its words are known in the sentences of the others that mix, and theirs in its own."""
    like: LanguageCode = ""
    """Whose rows stand for those it has none of: sentences, and what messages, facts and documents say."""

    @property
    def is_spaced(self) -> bool:
        """Whether spaces stand between its words."""
        return bool(self.joiner)
