"""Which homes are linked to a server: a small file beside the store, without any token."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from winnow.errors import Phrase, StoreError
from winnow.types.live import Link
from winnow.types.scope import Scope

FILE = "links.json"
_FIELDS = {"url", "platform", "token_env"}


class LinkFile:
    """Tenant -> home -> its link, as JSON in the data folder. Raises StoreError."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE

    def link(self, scope: Scope) -> Link | None:
        """The link of the scope's home; None when it was imported from files."""
        told = self._all().get(scope.tenant, {}).get(scope.home)
        return Link(**told) if isinstance(told, dict) and told.keys() == _FIELDS else None

    def keep(self, scope: Scope, link: Link) -> None:
        """Remember the link of the scope's home."""
        links = self._all()
        self._write({**links, scope.tenant: {**links.get(scope.tenant, {}), scope.home: asdict(link)}})

    def forget(self, scope: Scope) -> None:
        """The scope's home is linked to nothing any more."""
        links = self._all()
        if links.get(scope.tenant, {}).pop(scope.home, None):
            self._write(links)

    def _all(self) -> dict[str, dict[str, Any]]:
        try:
            links = json.loads(self.path.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise self._fault(error) from None
        if isinstance(links, dict) and all(isinstance(homes, dict) for homes in links.values()):
            return links
        raise self._fault(ValueError("not what Winnow writes there"))

    def _write(self, links: dict[str, dict[str, Any]]) -> None:
        """In the place of the old file as a whole, so that nobody reads half of it."""
        fresh = self.path.with_suffix(".new")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_text(json.dumps(links, ensure_ascii=False, indent=1) + "\n", "utf-8")
            fresh.replace(self.path)
        except OSError as error:
            raise self._fault(error) from None

    def _fault(self, error: Exception) -> StoreError:
        why = getattr(error, "strerror", None) or error
        return StoreError(
            Phrase("{path}: {why}", path=self.path, why=why),
            hint="Check its permissions; deleting it forgets only which servers homes are read from.",
        )
