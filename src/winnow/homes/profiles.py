"""Profiles for homes whose source has none: devices that can do and tell the same share one."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict

from winnow.types.catalog import Attribute, Command, Profile


def shared_profile(label: str, commands: tuple[Command, ...], attributes: tuple[Attribute, ...]) -> Profile:
    """A profile whose id is ``label`` and a digest of its content, so equal content has an equal id."""
    return Profile(f"{label}:{digest(commands, attributes)}", commands, attributes)


def digest(commands: tuple[Command, ...], attributes: tuple[Attribute, ...]) -> str:
    """Twelve letters that tell this content from any other."""
    content = json.dumps(
        [[asdict(c) for c in commands], [asdict(a) for a in attributes]], ensure_ascii=False, sort_keys=True
    )
    return hashlib.blake2b(content.encode(), digest_size=6).hexdigest()
