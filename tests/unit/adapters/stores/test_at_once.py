"""Two processes of two threads each, acting at once: nothing is lost, forked or done twice."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.unit.adapters.stores.conftest import both

from winnow.adapters.stores.store import SqlStore
from winnow.adapters.testing.fakes import FrozenClock
from winnow.ports.services import run_blocking
from winnow.types.plan import Plan
from winnow.types.receipt import Record
from winnow.types.scope import Scope
from winnow.types.utterance import Utterance

HERE = Scope("anna", home="flat")
ACTS, TOKENS = 12, 10
WORK = f"""
import sys, threading
from winnow.ports.services import run_blocking
from winnow.adapters.stores.store import SqlStore
from winnow.adapters.testing.fakes import FrozenClock
from winnow.types.receipt import Record
from winnow.types.scope import Scope

store, here, won = SqlStore.open(sys.argv[1], FrozenClock(), wait=30.0), Scope("anna", home="flat"), []

def work(name):
    for n in range({ACTS}):
        act = f"{{name}}-{{n}}"
        records = [Record(1.0, name, kind, act, {{}}) for kind in ("begun", "ended")]
        run_blocking(store.storage.audit.append(here, records))
        if n < {TOKENS} and run_blocking(store.storage.plans.accept_token(here, f"{{n:064}}")):
            won.append(f"token{{n}}")
        if n < {TOKENS} and run_blocking(store.storage.plans.spend(here, f"p{{n}}", "asked")):
            won.append(f"token{{n}}")

sys.stdin.readline()
threads = [threading.Thread(target=work, args=(f"{{sys.argv[2]}}{{k}}",)) for k in "ab"]
[t.start() for t in threads]
[t.join() for t in threads]
print(*won)
"""


@pytest.mark.slow
@both
def test_two_processes_of_two_threads(where: Path | str) -> None:
    store = SqlStore.open(where, FrozenClock(), wait=30.0)
    for n in range(TOKENS):
        said = Utterance("open the garage", home="flat", tenant="anna")
        plan = Plan(
            f"p{n}", "flat", 1, said, (), "mark", 0.0, "asked", token_hash=f"{n:064}", expires_at=60.0
        )
        run_blocking(store.storage.plans.keep(HERE, plan))
    run_blocking(store.storage.audit.append(HERE, [Record(0.0, "", "refused", "first", {})]))
    command = [sys.executable, "-c", WORK, str(where)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    both_of = [
        subprocess.Popen([*command, name], env=env, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for name in ("one", "two")
    ]
    for each in both_of:
        assert each.stdin is not None
        each.stdin.write("go\n")
        each.stdin.flush()
    won = [token for each in both_of for token in each.communicate(timeout=60)[0].split()]
    assert [each.returncode for each in both_of] == [0, 0]
    assert sorted(won) == sorted(f"token{n}" for n in range(TOKENS))
    looked = run_blocking(store.storage.audit.verification(HERE))
    assert (looked.entries, looked.broken, looked.unknown) == (1 + 4 * 2 * ACTS, (), ())
    store.close()
