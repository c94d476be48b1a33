"""PDF, Word documents and web pages as Markdown, converted in a process of its own.

A file that hangs or takes all memory costs that process alone. Libraries are imported where they are used.
"""

from __future__ import annotations

import io
import json
import re
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from threading import Timer
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any

from winnow.errors import Phrase, install_command

if TYPE_CHECKING:
    from pypdf import PdfReader

# Limits: enough for books, too little for decompression bombs.


MEGABYTE = 1024 * 1024


class UnreadableDocument(Exception):  # noqa: N818 - reads as the sentence it is
    """Something is no document that can be kept; ``why`` is told to a person."""

    def __init__(self, why: Phrase) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, slots=True)
class IngestLimits:
    """What one document may take."""

    file: int = 64 * MEGABYTE
    """Bytes of a file. What is longer is refused before it is read."""
    line: int = 4 * MEGABYTE
    """Bytes of one record among lines of JSON."""
    text: int = 8_000_000
    """Characters of a document, once it is text."""
    unpacked: int = 256 * MEGABYTE
    """Bytes of all that a Word document holds, unpacked."""
    entries: int = 10_000
    """Files within a Word document."""
    pages: int = 5_000
    """Of a PDF."""
    seconds: float = 60.0
    """For the conversion of one file."""
    memory: int = 1024 * MEGABYTE
    """Bytes of the process that converts, where the system can limit it."""


def check_size(size: int, most: int) -> None:
    """Raises Unfit where something has more bytes than it may."""
    if size > most:
        facts = {"size": size // MEGABYTE, "most": most // MEGABYTE}
        raise UnreadableDocument(Phrase("is of {size} MB; at most {most} MB are read", **facts))


def check_text(text: str, most: int) -> str:
    """The text itself. Raises Unfit where it is too long, empty, or what no text holds."""
    if len(text) > most:
        raise UnreadableDocument(
            Phrase("holds {count} characters; at most {most} are kept", count=len(text), most=most)
        )
    if not text.strip():
        raise UnreadableDocument(Phrase("holds no text"))
    return text


HIDDEN_ELEMENTS = ("script", "style", "noscript", "template", "svg", "head", "nav", "iframe", "object")
"""Elements of a web page that nobody reads."""
_WRAPPED = re.compile(r"(?<![.!?:;。！？：；\n])\n(?=[a-z(])")
_WRAPPED_HAN = re.compile(r"(?<=[\u3400-\u9fff，、])\n(?=[\u3400-\u9fff])")
_HYPHEN = re.compile(r"(?<=[a-z])-\n(?=[a-z])")


@dataclass(frozen=True, slots=True)
class ConvertedText:
    """What a file says."""

    text: str
    title: str = ""


DAMAGE = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    EOFError,
    LookupError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)
"""What libraries raise, besides errors of their own, over files that are damaged or made to harm."""


def convert_file(kind: str, raw: bytes, limits: IngestLimits) -> ConvertedText:
    """The text of a file of that kind. Raises Unfit."""
    try:
        return CONVERTERS[kind](raw, limits)
    except ImportError as error:
        raise UnreadableDocument(missing_library(str(error.name))) from error
    except RecursionError:
        raise UnreadableDocument(Phrase("is nested too deep")) from None
    except MemoryError:
        raise UnreadableDocument(Phrase("takes too much memory to be converted")) from None


def missing_library(library: str) -> Phrase:
    """What is said where a library is not installed."""
    library = library.partition(".")[0]
    return Phrase("needs {library}; {command}", library=library, command=install_command("documents"))


def html_text(raw: bytes, limits: IngestLimits) -> ConvertedText:
    """A web page, without what is not read."""
    from bs4 import BeautifulSoup
    from markdownify import MarkdownConverter

    soup = BeautifulSoup(raw.decode("utf-8", "replace"), "html.parser")
    title = soup.title.get_text(" ", strip=True) if soup.title else ""
    # Navigation and scripts would be found instead of the text.
    for element in soup(HIDDEN_ELEMENTS):
        element.decompose()
    markdown = MarkdownConverter(heading_style="ATX", strip=["a", "img"]).convert_soup(soup)
    return ConvertedText(str(markdown), title)


def docx_text(raw: bytes, limits: IngestLimits) -> ConvertedText:
    """A Word document, its headings, lists and tables kept."""
    from xml.parsers.expat import ExpatError

    import mammoth

    _check_archive(raw, limits)
    try:
        # Pictures hold no text, and inlined they are most of the bytes.
        ignored = mammoth.images.img_element(lambda image: {})
        page = mammoth.convert_to_html(io.BytesIO(raw), convert_image=ignored).value
    except (*DAMAGE, ExpatError, zipfile.BadZipFile) as error:
        raise UnreadableDocument(
            Phrase("is no Word document that can be read: {why}", why=str(error)[:100])
        ) from error
    return html_text(page.encode(), limits)


def _check_archive(raw: bytes, limits: IngestLimits) -> None:
    """Raises Unfit where unpacking would take more than a document may."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            held = archive.infolist()
    except (*DAMAGE, zipfile.BadZipFile) as error:
        raise UnreadableDocument(
            Phrase("is no Word document that can be read: {why}", why=str(error))
        ) from error
    if len(held) > limits.entries:
        raise UnreadableDocument(
            Phrase("holds {count} files; at most {most} are read", count=len(held), most=limits.entries)
        )
    check_size(sum(one.file_size for one in held), limits.unpacked)


def pdf_text(raw: bytes, limits: IngestLimits) -> ConvertedText:
    """The text of a PDF, its lines joined to paragraphs."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(io.BytesIO(raw))
        # Many files are encrypted with an empty password, only to forbid printing.
        if reader.is_encrypted and not reader.decrypt(""):
            raise UnreadableDocument(Phrase("needs a password"))
        if len(reader.pages) > limits.pages:
            facts = {"count": len(reader.pages), "most": limits.pages}
            raise UnreadableDocument(Phrase("has {count} pages; at most {most} are read", **facts))
        text = "\n\n".join(_pages(reader, limits))
        title = str(reader.metadata.title or "") if reader.metadata else ""
    except (PyPdfError, *DAMAGE) as error:
        raise UnreadableDocument(Phrase("is no PDF that can be read: {why}", why=str(error)[:100])) from error
    if not text.strip():
        raise UnreadableDocument(
            Phrase("holds no text; if its pages are pictures, have them recognised first")
        )
    return ConvertedText(text, title)


def _pages(reader: PdfReader, limits: IngestLimits) -> Iterator[str]:
    """The text of each page, until there is more than is kept."""
    length = 0
    for page in reader.pages:
        text = unwrapped_text(page.extract_text())
        length += len(text)
        yield text
        if length > limits.text:
            return


def unwrapped_text(text: str) -> str:
    """The text without the ends of lines that only the width of the page made."""
    return _WRAPPED_HAN.sub("", _WRAPPED.sub(" ", _HYPHEN.sub("", text)))


CONVERTERS: Mapping[str, Callable[[bytes, IngestLimits], ConvertedText]] = {
    "html": html_text,
    "docx": docx_text,
    "pdf": pdf_text,
}


# The converter process: requests on its standard input, answers on its standard output.


def serve_conversions(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer until nothing is asked any more."""
    for line in requests:
        head = json.loads(line)
        raw, limits = requests.read(head["size"]), IngestLimits(**head["limits"])
        told, text = conversion_answer(head["kind"], raw, limits)
        answers.write(json.dumps({**told, "size": len(text)}).encode() + b"\n" + text)
        answers.flush()


def conversion_answer(kind: str, raw: bytes, limits: IngestLimits) -> tuple[dict[str, Any], bytes]:
    """What is told of a file, and its text."""
    _limit_memory(limits.memory)
    try:
        found = convert_file(kind, raw, limits)
    except UnreadableDocument as error:
        return {"why": error.why.template, "facts": dict(error.why.facts)}, b""
    return {"title": found.title}, found.text.encode("utf-8", "replace")


def conversion_request(kind: str, raw: bytes, limits: IngestLimits) -> bytes:
    """What is sent to have a file converted."""
    return json.dumps({"kind": kind, "size": len(raw), "limits": asdict(limits)}).encode() + b"\n" + raw


def _limit_memory(most: int) -> None:
    """Where the system can: let this process take no more."""
    try:
        import resource
    except ImportError:  # Windows has none
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(
        resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard)
    )


if __name__ == "__main__":
    serve_conversions(sys.stdin.buffer, sys.stdout.buffer)


# The side that starts the process, sends requests and kills it when it takes too long.


class Converter:
    """Converts files one after the other; its process starts with the first and ends with the ``with``."""

    def __init__(self, limits: IngestLimits) -> None:
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Converter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def convert(self, kind: str, raw: bytes) -> ConvertedText:
        """The text of a file of that kind. Raises Unfit."""
        process = self._process = self._process or _start_process()
        # Reading from a hung process would block for ever: the timer kills it, which ends the read.
        late = Timer(self._limits.seconds, process.kill)
        late.start()
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(conversion_request(kind, raw, self._limits))
            process.stdin.flush()
            told = json.loads(process.stdout.readline())
            text = process.stdout.read(told["size"])
            if "why" in told:
                raise UnreadableDocument(Phrase(told["why"], **told["facts"]))
            return ConvertedText(text.decode(), told["title"])
        except (OSError, ValueError) as error:
            timed_out = not late.is_alive()
            self._end()
            if timed_out:
                why = Phrase(
                    "takes more than {seconds} seconds to be converted", seconds=self._limits.seconds
                )
            else:
                why = Phrase("broke the converter: it is damaged, or takes too much memory")
            raise UnreadableDocument(why) from error
        finally:
            late.cancel()

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def _start_process() -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - this very program
        [sys.executable, "-m", conversion_request.__module__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
