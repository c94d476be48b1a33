"""Whatever a person is called and whatever is asked: nobody gets a message of another."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.unit.retrieve.people import TABLE, Counted

from winnow.adapters.stores.store import memory_storage
from winnow.adapters.testing.fakes import FrozenClock
from winnow.ports.services import run_blocking
from winnow.retrieve.history.dense import HistoryCache
from winnow.retrieve.history.source import HistorySource
from winnow.types.candidate import Search
from winnow.types.message import HistorySettings, Message
from winnow.types.scope import Scope

TENANTS = st.sampled_from(["a", "b", "a'--", "A"])
USERS = st.one_of(
    st.sampled_from(
        ["nina", "NINA", "nina ", "n%", "_ina", "' OR 1=1 --", "nina;otto", "\u202enina", "ｎｉｎａ"]
    ),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8),
)
SCOPES = st.builds(Scope, TENANTS, USERS)
SAID = st.sampled_from(
    ["The key lies under the mat.", "钥匙在门垫下面。", "Tea at four.", "nina otto key", "?"]
)
STRATEGIES = st.sampled_from(["lazy", "hybrid", "batch"])


@given(st.dictionaries(SCOPES, st.lists(SAID, min_size=1, max_size=4), min_size=2, max_size=5), st.data())
def test_nobody_gets_a_message_of_another(said: dict[Scope, list[str]], data: st.DataObject) -> None:
    messages = memory_storage(FrozenClock()).messages
    for number, (scope, texts) in enumerate(said.items()):
        theirs = [Message(f"{number}-{n}", "user", text) for n, text in enumerate(texts)]
        run_blocking(messages.add(scope, theirs))
    history = HistorySource(messages, TABLE, Counted(), HistorySettings(strategy=data.draw(STRATEGIES)))
    history.histories = HistoryCache(messages, TABLE, most=2)
    owners = list(said)
    for scope in data.draw(st.lists(st.one_of(st.sampled_from(owners), SCOPES), min_size=3, max_size=6)):
        found = run_blocking(history(Search(data.draw(SAID)), scope, 10))
        own = f"{owners.index(scope)}-" if scope in said else "nobody's"
        assert all(candidate.ref.id.startswith(own) for candidate in found.candidates)
    history.outside.warming.wait()  # type: ignore[attr-defined]
