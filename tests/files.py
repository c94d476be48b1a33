"""Word documents and PDFs, as small as they may be, with the text that is wanted."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence

_RELATIONS = (
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/'
    'officeDocument" Target="word/document.xml"/></Relationships>'
)
_TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/word/document.xml" ContentType="application/'
    'vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_WORDS = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def docx(paragraphs: Sequence[str], document: str = "") -> bytes:
    """A Word document of these paragraphs, or with that ``document`` inside."""
    said = "".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in paragraphs)
    document = document or f'<w:document xmlns:w="{_WORDS}"><w:body>{said}</w:body></w:document>'
    return zipped({"[Content_Types].xml": _TYPES, "_rels/.rels": _RELATIONS, "word/document.xml": document})


def zipped(files: dict[str, str | bytes]) -> bytes:
    """A ZIP of these files, packed as tight as it goes."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, held in files.items():
            archive.writestr(name, held)
    return made.getvalue()


def pdf(lines: Sequence[str], pages: int = 1) -> bytes:
    """A PDF whose every page shows these lines; they are ASCII."""
    shown = " T* ".join(f"({line}) Tj" for line in lines)
    drawn = f"BT /F1 11 Tf 14 TL 50 780 Td {shown} ET".encode("ascii")
    kids = " ".join(f"{5 + n} 0 R" for n in range(pages))
    fonts = b"/Resources << /Font << /F1 3 0 R >> >>"
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R %s >>" % fonts
    return _pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            f"<< /Type /Pages /Kids [{kids}] /Count {pages} >>".encode(),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn),
            *[page] * pages,
        ]
    )


def _pdf(objects: Sequence[bytes]) -> bytes:
    """The file of these objects, with their places."""
    made, places = bytearray(b"%PDF-1.4\n"), []
    for number, held in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, held)
    begun = len(made)
    made += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for place in places:
        made += b"%010d 00000 n \n" % place
    made += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, begun)
    return bytes(made)
