"""Whose rows are touched."""

from __future__ import annotations

from dataclasses import dataclass

from winnow.errors import ArgumentError

DEFAULT = "default"
"""The tenant where nobody names one."""
AS_TEXT = "Ids are text: str(user_id) makes one of a number."


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose rows a store may touch: the first argument of every port over stored rows.

    ``tenant`` is never empty and begins every key, so nothing of another tenant can be reached. What is
    asked decides which of the others count: homes are listed by the tenant alone, a home's words go by
    tenant and home, a person's use by ``user`` too, a talk by ``user`` and ``session`` too.
    """

    tenant: str = DEFAULT
    user: str = ""
    home: str = ""
    session: str = ""

    def __post_init__(self) -> None:
        for name in ("tenant", "user", "home", "session"):
            if not isinstance(value := getattr(self, name), str):
                raise ArgumentError(name, "must be a string", value, hint=AS_TEXT)
        if not self.tenant:
            raise ValueError("a scope needs a tenant")

    def at(self, home: str) -> Scope:
        """The same scope in that home."""
        return Scope(self.tenant, self.user, home, self.session)
