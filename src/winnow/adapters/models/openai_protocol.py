"""The OpenAI protocol in values: bodies of requests, what answers say, and what each failure means."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from winnow.engine.llm.schema import is_strict
from winnow.errors import ModelError, ModelFault, Phrase
from winnow.language.encode import compact_json, encode_text
from winnow.types.context import Completion

ChatMessages = Sequence[Mapping[str, str]]
JsonSchema = Mapping[str, object]

FAULT_HINTS: Mapping[ModelFault, str] = {
    "unreachable": "Check model_server and that the server runs: winnow doctor --ask-model.",
    "rate_limited": (
        "The server takes no more requests for now; lower model_concurrency if this happens often."
    ),
    "server": "The server has trouble of its own; try again later.",
    "bad_answer": (
        "Check that model_server points to an OpenAI-compatible API (its path often ends in /v1),"
        " and the model's name."
    ),
    "refused": "Check the names of the models and the path of model_server.",
    "unauthorised": "Check the key: WINNOW_MODEL_KEY, or the variable that model_key_env names.",
}
SCHEMA_PROMPT = "Answer with one JSON object and nothing else. It must be valid under this JSON schema: "
FAULT_OF_STATUS: Mapping[int, ModelFault] = {
    401: "unauthorised",
    403: "unauthorised",
    408: "server",
    409: "server",  # the same request is still being answered: its first answer never came
    429: "rate_limited",
}
QUOTA_WORDS = ("insufficient_quota", "billing", "arrearage", "balance")
"""Words of a 429 that no waiting helps."""


def chat_body(
    model: str, messages: ChatMessages, schema: JsonSchema | None, form: str, fields: Mapping[str, Any]
) -> dict[str, Any]:
    """A chat request; unless ``form``, its ``response_format``, enforces the schema, the prompt tells it."""
    body: dict[str, Any] = {
        "model": model,
        "messages": [{k: without_surrogates(v) for k, v in m.items()} for m in messages],
        "stream": False,
        **fields,
    }
    if schema is None:
        return body
    if form == "json_schema":
        named = {"name": "answer", "schema": schema, "strict": is_strict(schema)}
        return {**body, "response_format": {"type": "json_schema", "json_schema": named}}
    body["messages"].insert(0, {"role": "system", "content": SCHEMA_PROMPT + compact_json(schema, 500)})
    return {**body, "response_format": {"type": "json_object"}} if form == "json_object" else body


def without_surrogates(text: str) -> str:
    """The text without lone surrogates, which no request can carry."""
    return text.encode("utf-8", "replace").decode()


def parse_completion(data: bytes, ms: float, attempts: int) -> Completion:
    """What a chat response says.

    Raises ModelError when it says nothing, was cut off, or wants something else than to answer.
    """
    answer = _parse_object(data)
    choices = answer.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise bad_answer_error("no choices in it")
    text = _choice_text(choices[0])
    model, usage = answer.get("model"), answer.get("usage")
    named = encode_text(model, 80) if isinstance(model, str) and model else ""
    spent = usage if isinstance(usage, dict) else {}
    tokens = _count(spent.get("prompt_tokens")), _count(spent.get("completion_tokens"))
    return Completion(text, named, *tokens, ms, attempts)


def _choice_text(choice: Mapping[str, Any]) -> str:
    """The text of a choice, whole and not empty. Raises ModelError."""
    message = choice.get("message")
    if not isinstance(message, dict):
        raise bad_answer_error("no message in it")
    finish = choice.get("finish_reason")
    if finish in ("length", "content_filter"):
        hint = "Raise the model's token limit, or switch its thinking off."
        raise bad_answer_error(Phrase("finish_reason {finish}", finish=finish), hint)
    text = _message_text(message.get("content"))
    if not text.strip():
        raise bad_answer_error("tool calls instead of text" if message.get("tool_calls") else "no text in it")
    return text


def parse_chunk(line: str) -> Mapping[str, Any] | None:
    """The chunk of a line of a stream; None: there is none in it. Raises ModelError for an error in it."""
    data = line.removeprefix("data:").strip()
    if not line.startswith("data:") or data in ("", "[DONE]"):
        return None
    found = _parse_object(data.encode())
    if "error" in found:
        raise bad_answer_error(encode_text(_error_message(data), 160))
    return found


def chunk_of_completion(data: bytes) -> Mapping[str, Any]:
    """A whole answer as one chunk, of a server that does not stream. Raises ModelError."""
    found = _parse_object(data)
    choices = found.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise bad_answer_error("no choices in it")
    message = choices[0].get("message")
    delta = dict(message) if isinstance(message, dict) else {}
    calls = delta.get("tool_calls") or []
    if calls:
        delta["tool_calls"] = [{"index": n, **call} for n, call in enumerate(calls)]
    choice = {"index": 0, "delta": delta, "finish_reason": choices[0].get("finish_reason")}
    return {**found, "choices": [choice]}


def parse_vectors(data: bytes, count: int) -> list[list[float]]:
    """The vectors of an embedding response in the order of their texts.

    Raises ModelError unless there are ``count`` of one length.
    """
    rows = _parse_object(data).get("data")
    if not isinstance(rows, list) or len(rows) != count or not all(isinstance(r, dict) for r in rows):
        raise bad_answer_error(Phrase("not the {count} vectors asked for", count=count))
    placed = {str(row.get("index", n)): row.get("embedding") for n, row in enumerate(rows)}
    found = [_vector(placed.get(str(n))) for n in range(count)]
    if [] in found or len({len(vector) for vector in found}) != 1:
        raise bad_answer_error("vectors of different lengths, or none")
    return found


def _vector(value: object) -> list[float]:
    """The value as a vector; empty when it is none."""
    if not isinstance(value, list):
        return []
    if not all(isinstance(v, int | float) and not isinstance(v, bool) and math.isfinite(v) for v in value):
        return []
    return list(map(float, value))


def status_error(status: int, data: bytes, key: str = "", retry_after: float = 0.0) -> ModelError:
    """What a response that is no success means. What the server says is quoted without the ``key``."""
    code = FAULT_OF_STATUS.get(status, "server" if status >= 500 else "refused")
    said = data[:4000].decode("utf-8", "replace")
    if status == 429 and any(word in said.casefold() for word in QUOTA_WORDS):
        code = "refused"
    told = Phrase("The model's server answered {status}", status=status)
    if code != "unauthorised":
        quoted = encode_text(_error_message(said).replace(key or chr(0), "***"), 160)
        told = Phrase("The model's server answered {status}: {quoted}", status=status, quoted=quoted)
    found = ModelError(code, told, hint=FAULT_HINTS[code])
    found.status, found.retry_after = status, retry_after
    return found


def bad_answer_error(what: str, hint: str = "") -> ModelError:
    """An answer that is of no use."""
    return ModelError(
        "bad_answer",
        Phrase("The model's server sent an answer that cannot be used: {what}.", what=what),
        hint=hint or FAULT_HINTS["bad_answer"],
    )


def dimension_error(model: str, before: int, now: int) -> ModelError:
    """A model's name stands for another model than before."""
    return ModelError(
        "bad_answer",
        Phrase(
            "{model} gives vectors of {now} numbers now, and gave vectors of {before} before.",
            model=model,
            now=now,
            before=before,
        ),
        hint="If it was changed on purpose: winnow messages precompute --afresh makes all vectors anew.",
    )


def unreachable_error(reason: str) -> ModelError:
    """A connection that did not come about, or broke."""
    return ModelError(
        "unreachable",
        Phrase("The model's server cannot be reached: {why}.", why=encode_text(reason, 120)),
        hint=FAULT_HINTS["unreachable"],
    )


def retry_after_seconds(header: str | None) -> float:
    """Seconds of a ``Retry-After`` header, which holds seconds or a date; 0 when it makes no sense."""
    if not header:
        return 0.0
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError):
            return 0.0
    return max(0.0, seconds) if math.isfinite(seconds) else 0.0


def _parse_object(data: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(data)
    except (ValueError, RecursionError):
        raise bad_answer_error("no JSON") from None
    if not isinstance(answer, dict):
        raise bad_answer_error("no JSON object")
    return answer


def _message_text(content: object) -> str:
    """The text of a message: as one, or in parts."""
    if isinstance(content, list):
        parts = (p.get("text") for p in content if isinstance(p, dict))
        return "".join(p for p in parts if isinstance(p, str))
    return content if isinstance(content, str) else ""


def _error_message(said: str) -> str:
    """The message inside of an error body, or the body itself."""
    try:
        body = json.loads(said)
    except (ValueError, RecursionError):
        return said
    error = body.get("error", body) if isinstance(body, dict) else body
    message = error.get("message", error) if isinstance(error, dict) else error
    return str(message)


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
