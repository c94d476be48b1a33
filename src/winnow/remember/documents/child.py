"""The process that converts: one request after the other from its input, answers to its output.

A request is a line of JSON (``kind``, ``size``, ``limits``) and so many bytes; an answer is a line of JSON
(``size``, ``title``, or ``why`` with ``facts``) and so many bytes of text.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import IO, Any

from winnow.remember.documents.convert import converted
from winnow.remember.documents.limits import Limits, Unfit


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer until nothing is asked any more."""
    for line in requests:
        head = json.loads(line)
        raw, limits = requests.read(head["size"]), Limits(**head["limits"])
        told, text = answer(head["kind"], raw, limits)
        answers.write(json.dumps({**told, "size": len(text)}).encode() + b"\n" + text)
        answers.flush()


def answer(kind: str, raw: bytes, limits: Limits) -> tuple[dict[str, Any], bytes]:
    """What is told of a file, and its text."""
    _limit_memory(limits.memory)
    try:
        found = converted(kind, raw, limits)
    except Unfit as error:
        return {"why": error.why.template, "facts": dict(error.why.facts)}, b""
    return {"title": found.title}, found.text.encode("utf-8", "replace")


def request(kind: str, raw: bytes, limits: Limits) -> bytes:
    """What is sent to have a file converted."""
    return json.dumps({"kind": kind, "size": len(raw), "limits": asdict(limits)}).encode() + b"\n" + raw


def _limit_memory(most: int) -> None:
    """Where the system can: let this process take no more."""
    try:
        import resource
    except ImportError:  # Windows has none
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(
        resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard)
    )


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
