"""Who may come in: keys of programs, and whose rows a request with a key may touch.

A key decides the tenant, and the persons and homes where it has any; a request chooses among those and never
beyond. A secret is shown once, when it is made; what is stored is its SHA-256.
"""

from __future__ import annotations

import hashlib
from base64 import b32decode, b32encode
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from secrets import token_hex

from winnow.errors import AccessError, Phrase
from winnow.ports.stores import Storage
from winnow.types.scope import AccessKey, Scope

SECRET_PREFIX = "wk_"  # noqa: S105 - the beginning of every secret, so that scanners of code know one
SECRET_BYTES = 32
"""Random bytes of a secret: nobody finds one by trying, so that its hash needs no salt."""
SECONDS_PER_DAY, SECONDS_PER_HOUR = 86_400.0, 3_600.0


@dataclass(frozen=True, slots=True)
class IssuedKey:
    """A new key, with the secret that nobody can show a second time."""

    key: AccessKey
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Access:
    """The keys of a storage.

    ``open_tenant``: whose rows may be touched without a key, as long as that tenant has none, not even one
    that ended; empty: nobody's. Only for a door that no other machine can reach.
    """

    storage: Storage
    open_tenant: str = ""

    async def caller(self, secret: str) -> AccessKey:
        """The key of that secret, read from the store each time: one that was revoked ends at once.

        Raises AccessError, StoreError.
        """
        if not secret:
            if self.open_tenant and not await self.storage.access.keys(Scope(self.open_tenant)):
                return AccessKey("", self.open_tenant)
            raise AccessError(
                "no_key",
                "This needs a key.",
                hint="Send one: Authorization: Bearer wk_... (winnow keys add NAME makes it).",
            )
        tenant = tenant_of(secret)
        found = await self.storage.access.key(Scope(tenant), secret_digest(secret)) if tenant else None
        if found is None:
            raise AccessError(
                "bad_key", "There is no such key.", hint="winnow keys add NAME makes one, and shows it once."
            )
        if found.has_ended(self.storage.clock.now()):
            told = Phrase("The key {id} ended.", id=found.id)
            raise AccessError("ended_key", told, hint="winnow keys add NAME makes another.")
        return found

    async def add(
        self,
        tenant: str,
        name: str,
        users: Sequence[str] = (),
        homes: Sequence[str] = (),
        days: float | None = None,
    ) -> IssuedKey:
        """A new key of the tenant; ``days``: after which it ends by itself. Raises StoreError."""
        now = self.storage.clock.now()
        ends = None if days is None else now + days * SECONDS_PER_DAY
        return await self._issue(AccessKey("", tenant, name, tuple(users), tuple(homes), now, ends))

    async def rotate(self, tenant: str, key_id: str, hours: float = 0.0) -> IssuedKey:
        """Another secret for the same; the old one opens for ``hours`` more. Raises AccessError, StoreError.

        One that was to end by itself lives as long again as it was made for.
        """
        old, now = await self._key(tenant, key_id), self.storage.clock.now()
        grace = now + hours * SECONDS_PER_HOUR
        until = grace if old.ends_at is None else min(grace, old.ends_at)
        # The old one is ended first: two who rotate it at one time get one new key, not two.
        if old.has_ended(now) or not (until == old.ends_at or await self._end(old, until)):
            raise AccessError(
                "ended_key",
                Phrase("The key {id} ended.", id=old.id),
                hint="winnow keys add NAME makes another.",
            )
        ends = None if old.ends_at is None else now + old.ends_at - old.made_at
        return await self._issue(AccessKey("", tenant, old.name, old.users, old.homes, now, ends))

    async def revoke(self, tenant: str, key_id: str) -> AccessKey:
        """The key of that id, which opens nothing any more. Raises AccessError, StoreError."""
        found = await self._key(tenant, key_id)
        await self._end(found, self.storage.clock.now())
        return found

    async def _issue(self, key: AccessKey) -> IssuedKey:
        tenant = b32encode(key.tenant.encode("utf-8", "surrogatepass")).decode().rstrip("=").lower()
        secret = f"{SECRET_PREFIX}{tenant}_{token_hex(SECRET_BYTES)}"
        made = AccessKey(
            secret_digest(secret), key.tenant, key.name, key.users, key.homes, key.made_at, key.ends_at
        )
        await self.storage.access.add(Scope(key.tenant), made)
        return IssuedKey(made, secret)

    async def _end(self, key: AccessKey, at: float) -> bool:
        return await self.storage.access.end(Scope(key.tenant), key.digest, at)

    async def _key(self, tenant: str, key_id: str) -> AccessKey:
        known = await self.storage.access.keys(Scope(tenant))
        if (found := next((key for key in known if key.id == key_id), None)) is None:
            raise AccessError(
                "no_such_key",
                Phrase("No key has the id {id!r}.", id=key_id),
                hint="winnow keys list shows the ids.",
            )
        return found


def key_scope(key: AccessKey, user: str = "", home: str = "", session: str = "") -> Scope:
    """Whose rows a request with that key touches; what it leaves out is the only one the key has.

    Without a home, and with a key of all homes, it is left to the engine which one is meant. Raises
    AccessError.
    """
    user = _one_of(key.users, user, "user", key.name)
    return Scope(key.tenant, user, _one_of(key.homes, home, "home", key.name), session)


def person_scope(key: AccessKey, user: str = "") -> Scope:
    """The same for what belongs to a person and to no home. Raises AccessError."""
    return key_scope(replace(key, homes=()), user)


def expect_shared(key: AccessKey) -> None:
    """Whether the key may change what belongs to everybody of the tenant. Raises AccessError."""
    if key.users:
        raise AccessError(
            "shared",
            Phrase("The key {name!r} is for some persons, and this belongs to everybody.", name=key.name),
            hint="Use a key that names no user.",
        )


def secret_digest(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _one_of(allowed: Sequence[str], wanted: str, kind: str, name: str) -> str:
    if not allowed or wanted in allowed:
        return wanted
    if wanted:
        raise AccessError(
            "user" if kind == "user" else "home",
            Phrase("The key {name!r} is not for {wanted!r}.", name=name, wanted=wanted),
            hint=Phrase("It is for {allowed}.", allowed=tuple(allowed)),
        )
    if len(allowed) == 1:
        return allowed[0]
    raise AccessError(
        "which_user" if kind == "user" else "which_home",
        Phrase("The key {name!r} is for several, and none was named.", name=name),
        hint=Phrase("Name one: {allowed}.", allowed=tuple(allowed)),
    )


def tenant_of(secret: str) -> str:
    """The tenant that a secret says it is of; empty: none. It counts only where the digest is its own."""
    head, _, _ = secret.removeprefix(SECRET_PREFIX).partition("_")
    if not secret.startswith(SECRET_PREFIX) or not secret.isascii():
        return ""
    try:
        return b32decode(head.upper() + "=" * (-len(head) % 8)).decode("utf-8", "surrogatepass")
    except ValueError:
        return ""
