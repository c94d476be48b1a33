"""What is searched for where a turn wants something and does not say what: vague stays vague (seed 002)."""

from __future__ import annotations

from winnow.language.content import content_terms
from winnow.language.normalise import language_of, normalise
from winnow.types.intent import Intent, IntentClass, Taxonomy
from winnow.understand.intent.cues import cue
from winnow.understand.intent.label import words_of


def general(text: str, intent: Intent, taxonomy: Taxonomy) -> str:
    """The request that the turn's class stands for; empty where it has none, or the turn says more."""
    found = next((c for c in taxonomy.classes if c.id == intent.label), None)
    if found is None or _says_more(text, found):
        return ""
    return next(iter(found.request.zh if language_of(text) == "zh" else found.request.en), "")


def _says_more(text: str, found: IntentClass) -> bool:
    """Whether a turn holds a content word beside those that put it into the class."""
    rest = normalise(text)
    for words in (found.implied, found.cues):
        rest = words_of(words).sub(" ", rest)
    return bool(content_terms(cue("whatever").sub(" ", rest)))
