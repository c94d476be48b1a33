"""Conversion in a process of its own: a file that hangs or takes all memory costs that process alone."""

from __future__ import annotations

import json
import subprocess
import sys
from threading import Timer
from types import TracebackType

from winnow.errors import Phrase
from winnow.remember.documents.child import request
from winnow.remember.documents.convert import Converted
from winnow.remember.documents.limits import Limits, Unfit


class Converter:
    """Converts files one after the other; its process starts with the first and ends with the ``with``."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Converter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def converted(self, kind: str, raw: bytes) -> Converted:
        """The text of a file of that kind. Raises Unfit."""
        process = self._process = self._process or _started()
        late = Timer(self._limits.seconds, process.kill)
        late.start()
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(request(kind, raw, self._limits))
            process.stdin.flush()
            told = json.loads(process.stdout.readline())
            text = process.stdout.read(told["size"])
            if "why" in told:
                raise Unfit(Phrase(told["why"], **told["facts"]))
            return Converted(text.decode(), told["title"])
        except (OSError, ValueError) as error:
            timed_out = not late.is_alive()
            self._end()
            raise Unfit(self._why(timed_out=timed_out)) from error
        finally:
            late.cancel()

    def _why(self, *, timed_out: bool) -> Phrase:
        if timed_out:
            return Phrase("takes more than {seconds} seconds to be converted", seconds=self._limits.seconds)
        return Phrase("broke the converter: it is damaged, or takes too much memory")

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def _started() -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - this very program
        [sys.executable, "-m", request.__module__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
