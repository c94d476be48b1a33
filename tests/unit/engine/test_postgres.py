"""An engine over a store on a server answers as one over a file."""

from __future__ import annotations

from pathlib import Path

import winnow
from winnow.app.config.settings import Settings
from winnow.app.wiring.engine import import_path, open_engine, open_store
from winnow.types.verdict import Act


def test_an_engine_over_a_database_answers_as_over_a_file(postgres_store: str, tmp_path: Path) -> None:
    settings = [Settings(tmp_path), Settings(tmp_path, store=postgres_store)]
    for each in settings:
        import_path(each.scope, "example:cottage", open_store(each).storage.homes)
    file, server = (open_engine(settings=each).sync.retrieve("turn on the crane") for each in settings)
    assert isinstance(server.verdict, Act)
    assert (server.verdict, server.briefing) == (file.verdict, file.briefing)


def test_a_url_is_opened_as_a_path_is(postgres_store: str, tmp_path: Path) -> None:
    where = Settings(tmp_path, store=postgres_store)
    import_path(where.scope, "example:cottage", open_store(where).storage.homes)
    assert isinstance(winnow.open(postgres_store).sync.retrieve("turn on the crane").verdict, Act)
