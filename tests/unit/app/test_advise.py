"""``winnow advise``: what it saw, what it would choose and why, and a file that can be read again."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from winnow.app.cli.advise import advice_lines, file_data
from winnow.app.cli.program import app
from winnow.app.config.files import history_of, load_history
from winnow.app.config.settings import Settings
from winnow.retrieve.table_advice import advise_table
from winnow.types.message import HistorySettings, HostColumns, HostTable, TableSurvey

POSTGRES = HostTable("postgresql://app:secret-word@db/app", columns=HostColumns(vector="embedding"))


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["--language", "en", "advise", *arguments])
    return done.exit_code, f"{done.output}{done.exception or ''}"


@pytest.fixture
def url(tmp_path: Path) -> str:
    """Three persons with 12, 300 and 1500 messages, in a table whose columns nobody mapped."""
    path = tmp_path / "app.db"
    with sqlite3.connect(path) as db:
        db.execute(
            "CREATE TABLE chat_messages"
            " (id INTEGER PRIMARY KEY, owner_id TEXT, role TEXT, body TEXT, sent_at TEXT)"
        )
        for user, count in (("nina", 12), ("otto", 300), ("piet", 1500)):
            rows = [(user, "user", f"number {n}", "2025-03-03 09:00:00") for n in range(count)]
            db.executemany(
                "INSERT INTO chat_messages (owner_id, role, body, sent_at) VALUES (?, ?, ?, ?)", rows
            )
    db.close()
    return f"sqlite:///{path}"


def chosen(plan_of: TableSurvey, user: str = "") -> dict[str, str]:
    return {step.what: step.chosen for step in advise_table(plan_of, user).steps}


def test_a_table_is_looked_at_and_the_tree_walked(url: str) -> None:
    code, said = run("--url", url)
    assert code == 0
    assert "chat_messages has no column of vectors" in said
    assert "messages: 1812 - of 3 persons; half of them have 300 or fewer, 95 % 1500 or fewer" in said
    assert "lazy 1, hybrid 1, batch 1" in said
    assert "CREATE INDEX" in said


@pytest.mark.parametrize(("user", "strategy"), [("nina", "lazy"), ("otto", "hybrid"), ("piet", "batch")])
def test_one_person_gets_what_their_number_says(url: str, user: str, strategy: str) -> None:
    assert f"strategy: {strategy} - " in run("--url", url, "--user", user)[1]


def test_what_is_printed_can_be_pasted_and_works(url: str) -> None:
    said = run("--url", url)[1]
    pasted = yaml.safe_load(said[said.index("vector_search:") :])
    found = history_of(pasted, Settings(Path("nowhere")), {})
    assert found.host is not None
    assert (found.host.table, found.host.columns.content) == ("chat_messages", "body")


def test_it_is_saved_once(url: str) -> None:
    assert run("--url", url, "--save")[0] == 0
    from winnow.app.config.settings import load_settings

    found = load_history(load_settings(), {})
    assert found is not None
    assert found.host is not None
    again, said = run("--url", url, "--save")
    assert again == 1
    assert "left as it is" in said


def test_a_table_that_is_not_there_is_told_with_those_that_are(url: str) -> None:
    code, said = run("--url", url, "--table", "nope")
    assert code == 1
    assert "  ! messages." in said
    assert "nope" in said
    assert "chat_messages" in said


def test_without_anything_the_store_is_looked_at() -> None:
    code, said = run()
    assert code == 0
    assert "Winnow's own store" in said


def test_vectors_of_postgresql_are_taken_and_no_password_is_told() -> None:
    survey = TableSurvey(HistorySettings(host=POSTGRES), {"nina": 5000}, "vector(1536)")
    plan = advise_table(survey)
    assert chosen(survey)["strategy"] == "pgvector"
    assert (plan.settings.embedding_field, plan.settings.embedding_dim) == ("embedding", 1536)
    assert any("embedding_model" in advice.text for advice in plan.advice)
    data = file_data(plan.settings)
    assert data["messages"]["url"] == "${WINNOW_MESSAGES_URL}"
    for language in ("en", "zh"):
        assert "secret-word" not in "\n".join(advice_lines(survey, plan, language))  # type: ignore[arg-type]
    env = {"WINNOW_MESSAGES_URL": POSTGRES.url}
    assert history_of(data, Settings(Path("nowhere")), env) == plan.settings


def test_a_threshold_made_for_another_embedder_and_a_key_in_the_file_are_advised_against() -> None:
    set_to = HistorySettings(similarity_threshold=0.5, api_key="sk-hidden", literals=("a.api_key",))
    texts = [advice.text for advice in advise_table(TableSurvey(set_to, {})).advice]
    assert any("0.5" in text and "built-in table" in text for text in texts)
    assert any("a.api_key" in text for text in texts)
    assert "sk-hidden" not in str(texts) + str(file_data(set_to))
    served = HistorySettings(similarity_threshold=0.5, embedding_model="m", api_url="http://a.b/v1")
    assert not any("cosine" in advice.text for advice in advise_table(TableSurvey(served, {})).advice)


def test_many_messages_and_a_server_want_vectors_beforehand() -> None:
    served = HistorySettings(embedding_model="m", api_url="http://a.b/v1")
    few, many = (advise_table(TableSurvey(served, {"nina": count})).advice for count in (900, 1100))
    assert not any("precompute" in advice.text for advice in few)
    assert any("precompute" in advice.text for advice in many)


PG, LITE = POSTGRES, HostTable("sqlite:///app.db", columns=HostColumns(vector="embedding"))


@pytest.mark.parametrize(
    ("host", "vectors", "chosen_", "why"),
    [
        (None, "vector(8)", "no", "Winnow's own store"),
        (PG, "", "no", "has no column of vectors"),
        (LITE, "vector(8)", "no", "only PostgreSQL"),
        (PG, "vector(8)", "yes", "embedding is vector(8)"),
    ],
)
def test_vectors_are_taken_where_there_are_some_and_they_can_be_searched(
    host: HostTable | None, vectors: str, chosen_: str, why: str
) -> None:
    first = advise_table(TableSurvey(HistorySettings(host=host), {}, vectors)).steps[0]
    assert first.chosen == chosen_
    assert why in str(first.reason)


def test_a_column_that_tells_no_length_keeps_the_length_that_was_set() -> None:
    plan = advise_table(TableSurvey(HistorySettings(host=PG, embedding_dim=64), {}, "vector"))
    assert (plan.settings.type, plan.settings.embedding_dim) == ("pgvector", 64)


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ([], "of 0 persons; half of them have 0 or fewer, 95 % 0 or fewer, one 0"),
        ([7], "of 1 persons; half of them have 7 or fewer, 95 % 7 or fewer, one 7"),
        ([1, 2, 3, 40], "of 4 persons; half of them have 2 or fewer, 95 % 40 or fewer, one 40"),
        (list(range(1, 101)), "of 100 persons; half of them have 50 or fewer, 95 % 95 or fewer, one 100"),
    ],
)
def test_how_many_messages_persons_have_is_told_by_shares(counts: list[int], told: str) -> None:
    survey = TableSurvey(HistorySettings(), {f"u{n}": count for n, count in enumerate(counts)})
    messages = advise_table(survey).steps[1]
    assert (messages.chosen, str(messages.reason)) == (str(sum(counts)), told)


def test_what_computes_vectors_is_told_and_who_has_to_make_those_of_questions() -> None:
    named = HistorySettings(embedding_model="m", api_url="http://a.b/v1")
    plain, theirs = HistorySettings(), HistorySettings(type="pgvector", host=PG)
    told = [chosen(TableSurvey(one, {}))["embedder"] for one in (named, plain, theirs)]
    assert told == ["m", "built-in table", "?"]
    silent = TableSurvey(
        HistorySettings(type="pgvector", host=PG, embedding_model="m", api_url="http://a.b"), {}
    )
    assert not any("set embedding_model" in advice.text for advice in advise_table(silent).advice)


@pytest.mark.parametrize(("threshold", "warned"), [(0.5, True), (0.9, True), (0.49, False), (0.0, False)])
def test_a_high_threshold_is_warned_of(threshold: float, warned: bool) -> None:
    texts = [
        a.text for a in advise_table(TableSurvey(HistorySettings(similarity_threshold=threshold), {})).advice
    ]
    assert any(f"similarity_threshold {threshold}" in str(text) for text in texts) is warned
