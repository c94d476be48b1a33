"""Settings: environment variables, then ``config.toml`` in the data folder, then offline defaults."""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from winnow.app.config import checks
from winnow.app.config.checks import FASTEMBED, KEYS
from winnow.errors import ConfigError, Phrase, Problem
from winnow.types.context import Part, Preference, WindowKind
from winnow.types.scope import DEFAULT_TENANT, Scope
from winnow.types.utterance import LanguageCode

# The environment besides settings: folders, the terminal, secrets.


def secrets(name: str, env: Mapping[str, str] | None = None) -> Mapping[str, str]:
    """What the variable ``name`` holds, and those of its kin (``NAME_REFRESH`` ...), as far as they are set.

    Nothing keeps them: they are read where they are used.
    """
    env = os.environ if env is None else env
    kin = (f"{name}{end}" for end in ("", "_REFRESH", "_CLIENT_ID", "_CLIENT_SECRET"))
    return {kind: env[kind].strip() for kind in kin if env.get(kind, "").strip()}


def can_use_colours(env: Mapping[str, str] | None = None) -> bool:
    """Whether a terminal may be written to in colours: not with ``NO_COLOR`` or ``TERM=dumb``."""
    env = os.environ if env is None else env
    return not env.get("NO_COLOR") and env.get("TERM") != "dumb"


def locale_language(env: Mapping[str, str] | None = None) -> LanguageCode:
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


CONFIG_FILE = "config.toml"
STORE_FILE = "winnow.db"
ENVIRONMENT_ONLY = {"model_key", "audit_key"}
SECRET_SETTINGS = frozenset(ENVIRONMENT_ONLY)
"""Settings whose value is never shown."""
NOT_IN_A_FILE = "belongs into the environment, not into a file"
VARIABLE_PREFIX = "WINNOW_"
MIN_KEY_CHARS = 16
"""Characters of a key that entries are sealed with."""
MISSPELLING_CUTOFF = 0.9
"""How alike two names of variables are when one is a slip: WINNOW_BUDGE and WINNOW_BUDGET."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What can be set: each field by a key of ``config.toml`` or a variable ``WINNOW_<FIELD>``."""

    data: Path
    """Folder of the store and ``config.toml``: ``WINNOW_HOME``, else the platform's folder of user data."""
    store: str = field(default="", repr=False)
    """Where homes and messages are kept: a file, or ``postgresql://USER@HOST/DATABASE``. A password belongs
    into the environment, or into libpq's own places. Default: ``winnow.db`` in the data folder."""
    tenant: str = DEFAULT_TENANT
    """Whose homes are meant: homes of other tenants in the same store do not exist for this one. Default:
    ``default``."""
    home: str = ""
    """Id of the home spoken to when a sentence names none. Default: the only one stored."""
    language: LanguageCode | None = None
    """Language of messages and of replies. Default: that of the sentence; for the command line, that of
    ``LANG``."""
    budget: int = 250
    """Most tokens a briefing may have. At least 32."""
    context: int = 4000
    """Most tokens all messages of a turn and the schemas of tools together may have. At least 32."""
    shares: Mapping[Part, float] | None = None
    """Parts of them for ``history``, ``knowledge``, ``system`` and ``reserve``. Default: 0.3, 0.5, 0.15 and
    0.05."""
    prefer: Preference | None = None
    """What persons want more of: ``history`` or ``knowledge``. Default: neither."""
    trim: bool = False
    """Whether instructions that leave no room for the question are cut; else that is an error. Default:
    no."""
    window: WindowKind = "mixed"
    """Which turns stay word for word: the last ones (``fixed``), those that matter (``importance``), or both
    (``mixed``). Default: ``mixed``."""
    window_turns: int = 8
    """Turns of a ``fixed`` window that stay wherever they fit. At least 1."""
    window_high: float = 0.85
    """Part of its share that a dialogue fills before it is built anew. 0 to 1."""
    window_low: float = 0.5
    """Part of its share that it fills then at most. 0 to 1."""
    window_long: int = 40
    """Turns after which it is built anew even where it fits. At least 1."""
    window_summary: float = 0.3
    """Part of its share that the summary of earlier turns may have. 0 to 1."""
    window_shift: float = 0.2
    """A new topic builds it anew only where it fills more than this part of its share. 0 to 1."""
    tokenizer: str = ""
    """What counts the tokens of a context: ``o200k``, ``cl100k``, ``estimate``, ``estimate-cl100k``,
    ``seed``, or the path of a ``tokenizer.json``. Default: ``o200k``; without rs-bpe ``estimate``."""
    wait: float = 5.0
    """Seconds to wait for another process that is writing the store. Default 5."""
    confirm_seconds: float = 60.0
    """Seconds a question about a dangerous act stays open. Default 60."""
    max_targets: int = 100
    """Most devices of one set that are acted on without asking. At least 1."""
    max_groups: int = 10
    """Most groups of alike commands of one set that are acted on without asking. At least 1."""
    max_everywhere: int = 10
    """Most devices acted on without asking when the whole home is meant and nobody said ``all``, or when
    everything is switched. At least 1."""
    max_options: int = 3
    """Most answers offered when it is unclear what a set is to do. At least 2."""
    batch_size: int = 20
    """Most calls of one batch. At least 1."""
    top1_ratio: float = 0.4
    """Share of the evidence from which on the likeliest act of a set is done unasked. 0 to 1."""
    top1_margin: float = 0.1
    """Lead over the second likeliest from which on it is done unasked. 0 to 1."""
    evidence_window: int = 100
    """Pieces of evidence, best first, that tell which act of a set is likeliest. At least 1."""
    bulk_arbitration: bool = False
    """Whether a language model, where there is one, may choose between the acts a set may be meant for.
    Default: no."""
    learn: bool = False
    """Whether words that were not understood are collected in the store, to be suggested as names. Default:
    no."""
    metrics: bool = False
    """Whether turns are counted in the store, and accounts of each person's last 50 kept there. Default:
    no."""
    audit_key: str = field(default="", repr=False)
    """What entries of the audit log are sealed with, so that nobody without it can forge any: at least 16
    characters; from the environment only. Default: none."""
    audit_keep: int = 100_000
    """Entries of a home's audit log from which on the older half is archived by itself, in ``audit`` of the
    data folder; 0: never. Default 100000."""
    tuned: str = ""
    """File of settings that ``training/knowledge/tune.py`` proposed from feedback. Default: none."""
    model_server: str = ""
    """Server of language models: a preset (docs/models.md) or the URL of an API. Default: no model is
    asked."""
    model_fast: str = ""
    """Name of the model that helps to prepare a turn. Default: ``model_normal``."""
    model_normal: str = ""
    """Name of the model for harder questions. Default: ``model_fast``."""
    model_embedding: str = ""
    """Model that turns texts into vectors: its name at the server, or ``fastembed:`` and its name there.
    Default: the built-in embedder."""
    model_folder: str = ""
    """Folder that holds the files of the ``fastembed:`` model. Default: they are fetched once, into
    ``models`` of the data folder."""
    model_key_env: str = ""
    """Name of the environment variable that holds the server's key. Default: ``WINNOW_MODEL_KEY``, else the
    customary one of the server."""
    model_key: str = field(default="", repr=False)
    """The server's key; from the environment only."""
    model_seconds: float = 8.0
    """Seconds one question to a model may take, retries included. Default 8."""
    model_retries: int = 2
    """Further requests when the server is busy, failing or out of reach. Default 2."""
    model_combined: bool = False
    """Whether a model is asked for intent and standalone query in one call. Default: no."""
    extract_facts: bool = False
    """Whether what named persons tell of themselves in talk is kept as facts. Default: no."""
    written: bool = False
    """Whether standalone queries are put into written language: spoken words give way to those that documents
    hold. Default: no."""
    taxonomy: str = "general"
    """The classes turns fall into: the name of one that comes along, or the path of a file. Default:
    ``general``."""
    model_concurrency: int = 4
    """Requests to a model at one time. At least 1."""
    vector_memory: int = 256
    """Megabytes of vectors of messages that are kept in memory. At least 1."""
    history: str = ""
    """File that says where persons' messages are and how they are searched. Default: ``history.yaml`` in the
    data folder, if it is there."""
    knowledge: str = ""
    """File that says how documents are searched. Default: ``knowledge.yaml`` in the data folder, if it is
    there."""
    acting: str = ""
    """File that says what wants a yes and what is never done. Default: ``acting.yaml`` in the data folder, if
    it is there."""

    @property
    def file(self) -> Path:
        """Where settings are kept, if anything is set there."""
        return self.data / CONFIG_FILE

    @property
    def store_location(self) -> Path | str:
        """The store's file, or its URL."""
        if "://" in self.store:
            return self.store
        return Path(self.store).expanduser() if self.store else self.data / STORE_FILE

    @property
    def scope(self) -> Scope:
        """The scope of the tenant."""
        return Scope(self.tenant)

    @property
    def local_model(self) -> str:
        """The model of ``model_embedding``, when it is one for this process."""
        if not self.model_embedding.startswith(FASTEMBED):
            return ""
        return self.model_embedding.removeprefix(FASTEMBED)


def load_settings(env: Mapping[str, str] | None = None, data: Path | None = None) -> Settings:
    """The settings in force. ``data`` overrides the folder. Raises ConfigError with every problem at once."""
    env = os.environ if env is None else env
    folder = data or data_folder(env)
    problems: list[Problem] = []
    # The environment wins over the file: a container changes a setting without editing it.
    raw = {**_from_file(folder / CONFIG_FILE, problems), **_from_env(env)}
    problems += _misspellings(env)
    values = {name: _value_in_type(name, origin, value, problems) for name, (origin, value) in raw.items()}
    problems += _model_problems(values) + _folder_problems(values) + _password_problems(raw)
    # The server's key: of the variable the settings name, else of ours, else of the customary one.
    customary = KEYS.get(values.get("model_server") or "", "")
    named = values.get("model_key_env")
    ours = env.get("WINNOW_MODEL_KEY") or env.get(customary, "")
    values["model_key"] = env.get(named, "") if named else ours
    values["audit_key"] = _audit_key(env, problems)
    if problems:
        raise ConfigError(problems)
    return Settings(data=folder, **values)


def setting_origins(env: Mapping[str, str] | None = None, data: Path | None = None) -> Mapping[str, str]:
    """Name of each setting that is set -> the variable or the file it comes from."""
    env = os.environ if env is None else env
    path = (data or data_folder(env)) / CONFIG_FILE
    filed = {name: origin.file for name, (origin, _) in _from_file(path, []).items()}
    return filed | {name: origin.path for name, (origin, _) in _from_env(env).items()}


def _variables() -> dict[str, str]:
    """Each setting's variable."""
    named = {name: f"{VARIABLE_PREFIX}{name.upper()}" for name in _CHECKS}
    return named | {"home": "WINNOW_DEFAULT_HOME", "bulk_arbitration": "ENABLE_BULK_ARBITRATION_LLM"}


def _from_env(env: Mapping[str, str]) -> dict[str, tuple[Problem, Any]]:
    named = _variables()
    return {name: (Problem("environment", key, ""), env[key]) for name, key in named.items() if env.get(key)}


def _misspellings(env: Mapping[str, str]) -> Iterator[Problem]:
    """Variables that are nearly one of ours.

    Others that begin like ours are left alone: a cluster sets ``WINNOW_PORT`` for a service of that name.
    """
    known = {
        *_variables().values(),
        "WINNOW_HOME",
        "WINNOW_MODEL_KEY",
        "WINNOW_MESSAGES_URL",
        "WINNOW_AUDIT_KEY",
    }
    for name in env:
        # Kubernetes sets WINNOW_PORT and the like for a service of that name: only near misses are reported.
        ours = name.startswith(VARIABLE_PREFIX) and name not in known
        for near in get_close_matches(name, known, n=1, cutoff=MISSPELLING_CUTOFF) if ours else ():
            yield Problem("environment", name, Phrase("unknown setting; {near} is one", near=near))


def _from_file(path: Path, problems: list[Problem]) -> dict[str, tuple[Problem, Any]]:
    if not path.is_file():
        return {}
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, RecursionError, tomllib.TOMLDecodeError) as error:
        problems.append(Problem(str(path), "", Phrase("not readable as TOML: {why}", why=error)))
        return {}
    strange = {key: checks.unknown_setting(key, _CHECKS) for key in table if key not in _CHECKS}
    strange |= dict.fromkeys(table.keys() & ENVIRONMENT_ONLY, NOT_IN_A_FILE)
    problems += [Problem(str(path), key, why) for key, why in strange.items()]
    return {key: (Problem(str(path), key, ""), value) for key, value in table.items() if key in _CHECKS}


def _value_in_type(name: str, origin: Problem, value: Any, problems: list[Problem]) -> Any:
    """The value in its type; a problem is noted when it has none."""
    try:
        return _CHECKS[name](value)
    except (TypeError, ValueError) as error:
        why: str = error.args[0]
        # A URL or a variable name may hold the secret by mistake.
        if name not in ("model_server", "store", "model_key_env"):  # each may hold a secret
            why = Phrase("{why}, not {value}", why=why, value=repr(value))
        problems.append(Problem(origin.file, origin.path, why))
        return None


def _model_problems(values: Mapping[str, Any]) -> list[Problem]:
    """A server without the name of any model, or the other way round."""
    models = (values.get(name) or "" for name in ("model_fast", "model_normal", "model_embedding"))
    named = any(name and not name.startswith(FASTEMBED) for name in models)
    server = bool(values.get("model_server"))
    if server == named:
        return []
    nameless = "needs the name of a model too: model_fast, model_normal or model_embedding"
    alone = "is missing; the name of a model alone is not enough"
    return [Problem("", "model_server", nameless if server else alone)]


def _folder_problems(values: Mapping[str, Any]) -> list[Problem]:
    """A folder without the model that it is for."""
    if not values.get("model_folder") or (values.get("model_embedding") or "").startswith(FASTEMBED):
        return []
    why = "holds the files of a model that model_embedding names as fastembed:MODEL; it names none"
    return [Problem("", "model_folder", why)]


def _password_problems(raw: Mapping[str, tuple[Problem, Any]]) -> list[Problem]:
    """A password that stands in a file which others may read."""
    origin, store = raw.get("store", (Problem("", "", ""), ""))
    if origin.path == "WINNOW_STORE" or not (isinstance(store, str) and checks.holds_password(store)):
        return []
    why = "holds a password; put the URL into WINNOW_STORE, or the password into PGPASSWORD or a .pgpass file"
    return [Problem(origin.file, origin.path, why)]


def _audit_key(env: Mapping[str, str], problems: list[Problem]) -> str:
    """What entries are sealed with; a problem is noted when it could be found by trying."""
    key = env.get("WINNOW_AUDIT_KEY", "")
    if key and len(key) < MIN_KEY_CHARS:
        why = Phrase("must have at least {least} characters", least=MIN_KEY_CHARS)
        problems.append(Problem("environment", "WINNOW_AUDIT_KEY", why))
    return key


_CHECKS: dict[str, Callable[[Any], Any]] = {
    "store": checks.text,
    "tenant": checks.non_empty_text,
    "home": checks.text,
    "language": checks.language,
    "budget": checks.tokens,
    "context": checks.tokens,
    "tokenizer": checks.tokenizer,
    "shares": checks.shares,
    "prefer": checks.preference,
    "trim": checks.boolean,
    "window": checks.window,
    "window_turns": checks.count,
    "window_high": checks.share,
    "window_low": checks.share,
    "window_long": checks.count,
    "window_summary": checks.share,
    "window_shift": checks.share,
    "wait": checks.seconds,
    "confirm_seconds": checks.seconds,
    "max_targets": checks.count,
    "max_groups": checks.count,
    "max_everywhere": checks.count,
    "max_options": checks.at_least_two,
    "batch_size": checks.count,
    "top1_ratio": checks.share,
    "top1_margin": checks.share,
    "evidence_window": checks.count,
    "bulk_arbitration": checks.boolean,
    "learn": checks.boolean,
    "metrics": checks.boolean,
    "audit_keep": checks.whole_number,
    "tuned": checks.text,
    "model_server": checks.server,
    "model_fast": checks.text,
    "model_normal": checks.text,
    "model_embedding": checks.embedding,
    "model_folder": checks.text,
    "model_key_env": checks.variable,
    "model_seconds": checks.positive_seconds,
    "model_retries": checks.whole_number,
    "model_concurrency": checks.count,
    "model_combined": checks.boolean,
    "extract_facts": checks.boolean,
    "written": checks.boolean,
    "taxonomy": checks.text,
    "vector_memory": checks.count,
    "history": checks.text,
    "knowledge": checks.text,
    "acting": checks.text,
}
