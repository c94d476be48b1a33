"""The page to look at: static files beside this module, which ask the other routes as any client does."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from fastapi import APIRouter
from fastapi.responses import Response

from winnow.app.server.faults import RequestError

MEDIA_TYPES: Final = {
    "index.html": "text/html; charset=utf-8",
    "app.css": "text/css; charset=utf-8",
    "app.js": "text/javascript; charset=utf-8",
    "funnel.js": "text/javascript; charset=utf-8",
    "house.js": "text/javascript; charset=utf-8",
    "library.js": "text/javascript; charset=utf-8",
    "parts.js": "text/javascript; charset=utf-8",
    "words.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
"""Every file of the page; nothing else of the package is served."""
POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",  # names are data: no text can become markup
    )
)
"""What a browser lets the page do: run and ask what comes from this server, and nothing else."""
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-cache",  # a newer release is seen at once
}
routes = APIRouter(include_in_schema=False)


@routes.get("/")
async def index() -> Response:
    """The page; it holds nothing of anybody, so it needs no key."""
    return await page_file("index.html")


@routes.get("/page/{name}")
async def page_file(name: str) -> Response:
    """One of its files. Raises RequestError."""
    if name not in MEDIA_TYPES:
        raise RequestError(404, "not_found", "The page has no such file.", hint="GET / is the page.")
    data = files("winnow.app.server").joinpath("page", name).read_bytes()
    return Response(data, media_type=MEDIA_TYPES[name], headers=HEADERS)
