"""One shape for whatever goes wrong: ``{"error": {"code", "message", "hint"}}``, and its HTTP status."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from winnow.app.output import json_text
from winnow.errors import (
    UNAUTHENTICATED,
    AccessError,
    ConfigError,
    FeedbackError,
    HomeNotFound,
    LinkError,
    ModelError,
    NoOpenQuestion,
    NoSuchFact,
    NoSuchState,
    NoSuchThing,
    Phrase,
    StoreBusy,
    StoreError,
    WinnowError,
)
from winnow.language.messages import translate_text
from winnow.types.utterance import LanguageCode

STATUS_OF: Mapping[type[WinnowError], int] = {
    HomeNotFound: 404,
    NoSuchState: 404,
    NoSuchThing: 404,
    NoSuchFact: 404,
    FeedbackError: 404,
    NoOpenQuestion: 409,
    StoreBusy: 503,
    StoreError: 503,
    ConfigError: 500,
    ModelError: 502,
    LinkError: 502,
}
"""What is not here is the fault of the request: 400."""
CODES = {
    400: "bad_request",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    415: "unsupported_media_type",
    422: "invalid_request",
}
"""Status of the framework's own -> code."""
SEND_JSON = "Send JSON, with the header Content-Type: application/json."
SEE_OPENAPI = "GET /openapi.json describes every request, with examples."
MAX_PROBLEMS = 5
"""Problems of one request that are told."""


class RequestError(WinnowError):
    """A request that is turned away here, with its own HTTP status."""

    def __init__(self, status: int, code: str, message: str, *, hint: str, retry_after: float = 0.0) -> None:
        super().__init__(message, hint=hint)
        self.status, self.code, self.retry_after = status, code, retry_after


class DataResponse(Response):
    """JSON of any of Winnow's values; half a surrogate pair stands as an escape, which is valid JSON."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """The body."""
        return json_text(content).encode("utf-8", "backslashreplace")


def fault_of(error: WinnowError) -> tuple[int, str]:
    """Status and code of an error."""
    if isinstance(error, RequestError):
        return error.status, error.code
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(error).__name__).lower()
    if isinstance(error, AccessError):
        if error.code in UNAUTHENTICATED:
            return 401, error.code
        return (400, error.code) if error.code.startswith("which_") else (403, f"not_for_this_{error.code}")
    status = next((STATUS_OF[kind] for kind in type(error).__mro__ if kind in STATUS_OF), 400)
    kind = getattr(error, "code", "")
    return status, f"{name.removesuffix('_error')}_{kind}" if kind else name


def error_data(code: str, message: str, hint: str, language: LanguageCode) -> dict[str, Any]:
    """The one shape, in that language."""
    told = {"message": translate_text(message, language), "hint": translate_text(hint, language)}
    return {"error": {"code": code, **told}}


def error_response(error: WinnowError, language: LanguageCode) -> DataResponse:
    """The error as it is sent."""
    status, code = fault_of(error)
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    if (seconds := getattr(error, "retry_after", 0.0)) or error.retryable:
        headers["Retry-After"] = str(max(1, round(seconds)))
    return DataResponse(error_data(code, error.message, error.hint, language), status, headers)


def language_of(request: Request) -> LanguageCode:
    """Of errors: Chinese where the client prefers it."""
    return "zh" if request.headers.get("accept-language", "").lower().startswith("zh") else "en"


def add_handlers(app: FastAPI) -> None:
    """Let the application tell every error in the one shape."""
    for kind, handler in HANDLERS.items():
        app.add_exception_handler(kind, handler)


async def _own(request: Request, error: Any) -> Response:
    homes = getattr(request.state, "homes", ())
    if isinstance(error, HomeNotFound) and homes:
        # Which other homes there are is nothing to somebody whose key is for some.
        error = HomeNotFound(error.home_id, [home for home in error.known if home in homes])
    if isinstance(error, HomeNotFound) and not error.home_id and error.known:
        hint = Phrase("Name one: {allowed}.", allowed=error.known)  # of a request, not of a command line
        error = RequestError(400, "which_home", error.message, hint=hint)
    return error_response(error, language_of(request))


async def _invalid(request: Request, error: Any) -> Response:
    # What was sent is not told again: it may hold a secret, and it may be long.
    found = [f"{'.'.join(map(str, one['loc'][1:])) or one['loc'][0]}: {one['msg']}" for one in error.errors()]
    why = Phrase("The request cannot be read: {problems}", problems="; ".join(found[:MAX_PROBLEMS]))
    is_json = "json" in request.headers.get("content-type", "")
    hint = SEE_OPENAPI if is_json or error.errors()[0]["loc"][0] != "body" else SEND_JSON
    return error_response(RequestError(422, CODES[422], why, hint=hint), language_of(request))


async def _refused(request: Request, error: Any) -> Response:
    code = CODES.get(error.status_code, "refused")
    fault = RequestError(error.status_code, code, str(error.detail), hint=SEE_OPENAPI)
    response = error_response(fault, language_of(request))
    response.headers.update(error.headers or {})
    return response


async def _broken(request: Request, error: Any) -> Response:
    # The server's log has the traceback; a client gets nothing of it.
    fault = RequestError(
        500, "internal", "Something went wrong inside.", hint="The server's log says more. Try again."
    )
    return error_response(fault, language_of(request))


HANDLERS: Mapping[type[Exception], Callable[[Request, Any], Coroutine[Any, Any, Response]]] = {
    WinnowError: _own,
    RequestValidationError: _invalid,
    HTTPException: _refused,
    Exception: _broken,
}
