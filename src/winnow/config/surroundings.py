"""What the environment says besides settings: folders, the terminal, secrets."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from winnow.types.dialogue import Language


def secrets(name: str, env: Mapping[str, str] | None = None) -> Mapping[str, str]:
    """What the variable ``name`` holds, and those of its kin (``NAME_REFRESH`` ...), as far as they are set.

    Nothing keeps them: they are read where they are used.
    """
    env = os.environ if env is None else env
    kin = (f"{name}{end}" for end in ("", "_REFRESH", "_CLIENT_ID", "_CLIENT_SECRET"))
    return {kind: env[kind].strip() for kind in kin if env.get(kind, "").strip()}


def coloured(env: Mapping[str, str] | None = None) -> bool:
    """Whether a terminal may be written to in colours: not with ``NO_COLOR`` or ``TERM=dumb``."""
    env = os.environ if env is None else env
    return not env.get("NO_COLOR") and env.get("TERM") != "dumb"


def locale_language(env: Mapping[str, str] | None = None) -> Language:
    """What the terminal's locale speaks: ``zh`` for any Chinese one, else ``en``."""
    env = os.environ if env is None else env
    locale = env.get("LC_ALL") or env.get("LC_MESSAGES") or env.get("LANG") or ""
    return "zh" if locale.lower().startswith("zh") else "en"


def data_folder(env: Mapping[str, str] | None = None) -> Path:
    """``WINNOW_HOME``, else where the platform keeps a user's data."""
    env = os.environ if env is None else env
    if chosen := env.get("WINNOW_HOME"):
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        return Path(env.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "winnow"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "winnow"
    return Path(env.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "winnow"
