"""PDF, Word documents and web pages -> Markdown, by libraries that are imported where they are used.

Runs in a process of its own (``winnow.remember.documents.child``), so that no file can harm more than itself.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from winnow.errors import Phrase
from winnow.remember.documents.limits import Limits, Unfit, check_size

if TYPE_CHECKING:
    from pypdf import PdfReader

UNSEEN = ("script", "style", "noscript", "template", "svg", "head", "nav", "iframe", "object")
"""Elements of a web page that nobody reads."""
_WRAPPED = re.compile(r"(?<![.!?:;。！？：；\n])\n(?=[a-z(])")
_WRAPPED_HAN = re.compile(r"(?<=[\u3400-\u9fff，、])\n(?=[\u3400-\u9fff])")
_HYPHEN = re.compile(r"(?<=[a-z])-\n(?=[a-z])")


@dataclass(frozen=True, slots=True)
class Converted:
    """What a file says."""

    text: str
    title: str = ""


def converted(kind: str, raw: bytes, limits: Limits) -> Converted:
    """The text of a file of that kind. Raises Unfit."""
    try:
        return CONVERTERS[kind](raw, limits)
    except ImportError as error:
        raise Unfit(missing(str(error.name))) from error
    except RecursionError:
        raise Unfit(Phrase("is nested too deep")) from None
    except MemoryError:
        raise Unfit(Phrase("takes too much memory to be converted")) from None


def missing(library: str) -> Phrase:
    """What is said where a library is not installed."""
    library = library.partition(".")[0]
    return Phrase("needs {library}: pip install 'winnow-context[documents]'", library=library)


def of_html(raw: bytes, limits: Limits) -> Converted:
    """A web page, without what is not read."""
    from bs4 import BeautifulSoup
    from markdownify import MarkdownConverter

    soup = BeautifulSoup(raw.decode("utf-8", "replace"), "html.parser")
    title = soup.title.get_text(" ", strip=True) if soup.title else ""
    for element in soup(UNSEEN):
        element.decompose()
    markdown = MarkdownConverter(heading_style="ATX", strip=["a", "img"]).convert_soup(soup)
    return Converted(str(markdown), title)


def of_docx(raw: bytes, limits: Limits) -> Converted:
    """A Word document, its headings, lists and tables kept."""
    from xml.parsers.expat import ExpatError

    import mammoth

    _check_archive(raw, limits)
    try:
        ignored = mammoth.images.img_element(lambda image: {})
        page = mammoth.convert_to_html(io.BytesIO(raw), convert_image=ignored).value
    except (OSError, ValueError, KeyError, AttributeError, ExpatError, zipfile.BadZipFile) as error:
        raise Unfit(Phrase("is no Word document that can be read: {why}", why=str(error)[:100])) from error
    return of_html(page.encode(), limits)


def _check_archive(raw: bytes, limits: Limits) -> None:
    """Raises Unfit where unpacking would take more than a document may."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            held = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise Unfit(Phrase("is no Word document that can be read: {why}", why=str(error))) from error
    if len(held) > limits.entries:
        raise Unfit(
            Phrase("holds {count} files; at most {most} are read", count=len(held), most=limits.entries)
        )
    check_size(sum(one.file_size for one in held), limits.unpacked)


def of_pdf(raw: bytes, limits: Limits) -> Converted:
    """The text of a PDF, its lines joined to paragraphs."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(io.BytesIO(raw))
        if reader.is_encrypted and not reader.decrypt(""):
            raise Unfit(Phrase("needs a password"))
        if len(reader.pages) > limits.pages:
            facts = {"count": len(reader.pages), "most": limits.pages}
            raise Unfit(Phrase("has {count} pages; at most {most} are read", **facts))
        text = "\n\n".join(_pages(reader, limits))
        title = str(reader.metadata.title or "") if reader.metadata else ""
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, OSError) as error:
        raise Unfit(Phrase("is no PDF that can be read: {why}", why=str(error)[:100])) from error
    if not text.strip():
        raise Unfit(Phrase("holds no text; if its pages are pictures, have them recognised first"))
    return Converted(text, title)


def _pages(reader: PdfReader, limits: Limits) -> Iterator[str]:
    """The text of each page, until there is more than is kept."""
    length = 0
    for page in reader.pages:
        text = flowing(page.extract_text())
        length += len(text)
        yield text
        if length > limits.text:
            return


def flowing(text: str) -> str:
    """The text without the ends of lines that only the width of the page made."""
    return _WRAPPED_HAN.sub("", _WRAPPED.sub(" ", _HYPHEN.sub("", text)))


CONVERTERS: Mapping[str, Callable[[bytes, Limits], Converted]] = {
    "html": of_html,
    "docx": of_docx,
    "pdf": of_pdf,
}
