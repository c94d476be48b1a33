"""Bytes -> text, where nobody says which encoding it is: Unicode, else what Chinese editors save."""

from __future__ import annotations

import codecs

from winnow.errors import Phrase

_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""In the order they are looked for: one of UTF-32 begins like one of UTF-16."""
LOOKED_AT = 4096
"""Bytes that tell the encoding of a text without a mark."""


class NotText(ValueError):  # noqa: N818 - reads as the sentence it is
    """The bytes are no text in any encoding that is tried; ``why`` is told to a person."""

    def __init__(self, why: Phrase) -> None:
        super().__init__(why)
        self.why = why


def encoding_of(raw: bytes) -> str:
    """The Unicode encoding that the first bytes tell of; ``utf-8`` where they tell nothing."""
    for mark, name in _MARKS.items():
        if raw.startswith(mark):
            return name
    even, odd = raw[:LOOKED_AT:2].count(0), raw[1:LOOKED_AT:2].count(0)
    half = min(len(raw), LOOKED_AT) // 2
    if max(even, odd) > half // 4 and min(even, odd) <= max(even, odd) // 8:  # a letter has a zero beside it
        return "utf-16-be" if even > odd else "utf-16-le"
    return "utf-8"


def decode_text(raw: bytes, encoding: str = "utf-8", common: float = 0.5) -> tuple[str, str]:
    """The text, and its encoding where that had to be guessed.

    ``common``: the least share of common characters in what is taken for Chinese. Raises NotText.
    """
    try:
        return raw.decode(encoding), ""
    except UnicodeDecodeError as error:
        facts = {"byte": error.start, "encoding": error.encoding.upper()}
        why = Phrase("byte {byte} is no {encoding}; save it as UTF-8", **facts)
    try:
        text = raw.decode("gb18030")
    except UnicodeDecodeError:
        raise NotText(why) from None
    # Western text read as GBK gives rare characters: most of what is not ASCII has to be common.
    foreign = [character for character in text if not character.isascii()]
    if sum(bool(character.encode("gb2312", "ignore")) for character in foreign) <= common * len(foreign):
        raise NotText(why)
    return text, "GBK"
