"""What runs in the process of one peer."""

from __future__ import annotations

import os
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.peers_of_history.histories import history
from benchmarks.peers_of_history.peers import DEPTH, PEERS


def serve(pipe: Any, name: str, size: int, data: Path) -> None:
    """Build one peer, then answer slices of questions: (processor seconds, ids) of each."""
    messages = history(data, size)
    PEERS[name]().build(messages[-2 * DEPTH :])  # what is imported at first use is not counted
    peer = PEERS[name]()
    start = process_time()
    peer.build(messages)
    built = process_time() - start
    peer.search("what is loaded at the first question is not counted", DEPTH)
    pipe.send((built, _resident()))
    for texts in iter(pipe.recv, None):
        answers = []
        for text in texts:
            start = process_time()
            ids = peer.search(text, DEPTH)
            answers.append((process_time() - start, ids))
        pipe.send(answers)


def _resident() -> float:
    """Megabytes of this process that are in memory."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
