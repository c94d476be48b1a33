"""Write the character tables of ``winnow/language/zh`` from their public sources.

    .venv/bin/python scripts/build_text_data.py

``t2s.txt``: two lines of equal length, the traditional characters and their simplified form (OpenCC,
Apache-2.0).
``pinyin.txt``: one line per syllable, ``syllable characters`` (pypinyin, MIT), commonest reading without
tone.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "src" / "winnow" / "language" / "zh"
REGIONAL = ("TWVariantsRev", "HKVariantsRev")
OURS = dict(
    zip("臥枱檯臺裏裡妳牠祂祕喫纔羣峯麽麼傢臉瞭著", "卧台台台里里你它他秘吃才群峰么么家脸了着", strict=True)
)
"""What OpenCC leaves apart because it matters in print and not in speech."""


HOME_READINGS = {"调": "tiao", "长": "chang", "嗯": "en"}
"""Characters whose commonest reading at home is not the commonest reading in print; words that differ again
are in pinyin_words.txt."""


def traditional_to_simplified() -> dict[str, str]:
    """One character -> one character, closed under itself: no value is again a key."""
    table = _opencc("TSCharacters")
    for name in REGIONAL:
        for key, standard in _opencc(name).items():
            table.setdefault(key, table.get(standard, standard))
    table |= OURS
    simplified = (set(_opencc("TSCharacters").values()) | set(OURS.values())) - OURS.keys()
    return {
        k: v
        for k, v in sorted(table.items())
        if k not in simplified and v in simplified and unicodedata.normalize("NFKC", v) == v
    }


def _opencc(name: str) -> dict[str, str]:
    import opencc

    lines = (Path(opencc.__file__).parent / "dictionary" / f"{name}.txt").read_text("utf-8").splitlines()
    pairs = ((key, values.split()[0]) for key, _, values in (line.partition("\t") for line in lines))
    return {k: v for k, v in pairs if k != v and len(k) == len(v) == 1}


def readings() -> dict[str, str]:
    """Syllable -> its characters, in code order."""
    from pypinyin import Style, pinyin
    from pypinyin.constants import PINYIN_DICT

    lines: defaultdict[str, list[str]] = defaultdict(list)
    for code in sorted(PINYIN_DICT):
        if 0x4E00 <= code <= 0x9FFF or code == 0x3007:
            syllable = (
                HOME_READINGS.get(chr(code)) or pinyin(chr(code), style=Style.NORMAL, v_to_u=False)[0][0]
            )
            lines[syllable].append(chr(code))
    return {syllable: "".join(chars) for syllable, chars in sorted(lines.items()) if syllable.isascii()}


def main() -> None:
    """Write both files."""
    table = traditional_to_simplified()
    (DATA / "t2s.txt").write_text(f"{''.join(table)}\n{''.join(table.values())}\n", "utf-8")
    lines = [f"{syllable} {chars}" for syllable, chars in readings().items()]
    (DATA / "pinyin.txt").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
