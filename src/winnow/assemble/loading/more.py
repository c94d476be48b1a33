"""More on demand: a model that says it lacks something, in words or by a call; a person who wants detail."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from winnow.text.tables import table
from winnow.types.context import ChatMessage

NAME = "winnow_more"
MORE: Mapping[str, object] = {
    "type": "function",
    "function": {
        "name": NAME,
        "description": "Look up more of what the user's documents, notes and earlier talks say. Call it when"
        " the data you were given does not answer the question.",
        "parameters": {
            "type": "object",
            "properties": {"query": {"type": "string", "description": "What is lacking, as a question."}},
            "required": ["query"],
            "additionalProperties": False,
        },
    },
}
"""The schema of the tool that a model calls for more, in the form of OpenAI's tools. It is sent beside the
messages and counted through ``Parts.tools``."""
READ = 1500
"""Characters of a text that are read: who lacks something says so early."""


@dataclass(frozen=True, slots=True)
class Lack:
    """What somebody lacks."""

    query: str
    """What to look up; empty: the question that was asked, deeper."""
    by: Literal["call", "words"]
    call: str = ""
    """Id of the call, which wants a reply."""


def lacking(reply: ChatMessage | str) -> Lack | None:
    """What a model's reply says it lacks, by a call or in words; None: it says nothing of the kind."""
    if isinstance(reply, str):
        return _in_words(reply)
    calls = reply.get("tool_calls")
    for call in calls if isinstance(calls, Sequence) else ():
        function = call.get("function") if isinstance(call, Mapping) else None
        if isinstance(function, Mapping) and function.get("name") == NAME:
            return Lack(_query(function.get("arguments")), "call", str(call.get("id") or ""))
    content = reply.get("content")
    return _in_words(content) if isinstance(content, str) else None


def _query(arguments: object) -> str:
    """The query among a call's arguments, whatever else they are; empty where they are none."""
    try:
        told = json.loads(arguments) if isinstance(arguments, str) else arguments
    except json.JSONDecodeError:
        return ""
    query = told.get("query") if isinstance(told, Mapping) else None
    return query.strip() if isinstance(query, str) else ""


def wants_detail(text: str) -> bool:
    """Whether a person asks for more of it than was told."""
    said = text[:READ]
    return bool(_pattern("detail").search(said)) and not _pattern("but").search(said)


def _in_words(text: str) -> Lack | None:
    found = _pattern("lacking").search(text[:READ])
    if found is None:
        return None
    told = (said for name, said in found.groupdict().items() if name.startswith("what") and said)
    return Lack(next(told, "").strip(), "words")


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    """All patterns of that kind, of both languages; groups of one name get a number each."""
    said = table("winnow.assemble.loading", "loading.yaml")[kind]
    every = [one for language in said.values() for one in language]
    numbered = (one.replace("(?P<what>", f"(?P<what{n}>") for n, one in enumerate(every))
    return re.compile("|".join(f"(?:{one})" for one in numbered), re.IGNORECASE)
