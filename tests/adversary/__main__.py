"""``python -m tests.adversary FILE [--json]``: which attempts of a file got through."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

from tests.adversary.runner import Result, results


def main(arguments: list[str]) -> int:
    """Play every attempt of the file; 1 where anything got through."""
    paths = [Path(a) for a in arguments if not a.startswith("-")]
    found = [result for path in paths for result in results(path)]
    failed = [result for result in found if result.why]
    if "--json" in arguments:
        rows = [{"id": r.attempt.id, "kind": r.attempt.kind, "ok": not r.why, "why": r.why} for r in found]
        print(json.dumps(rows, ensure_ascii=False, indent=1))
    else:
        _tell(found, failed)
    return 1 if failed else 0


def _tell(found: list[Result], failed: list[Result]) -> None:
    for result in failed:
        print(f"{result.attempt.id} ({result.attempt.kind}): {result.why}")
    for name, controls in (("attempts", False), ("controls", True)):
        of = [r for r in found if bool(r.attempt.required) is controls]
        bad = Counter(r.attempt.kind for r in of if r.why)
        print(f"{name}: {len(of) - bad.total()} of {len(of)} as they should be {dict(bad) or ''}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
