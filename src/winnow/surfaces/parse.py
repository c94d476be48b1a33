"""How a sentence was parsed, as lines for a terminal: the tree, the runner-up, what was passed over."""

from __future__ import annotations

from collections.abc import Iterator

from winnow.text.encode import encode
from winnow.types.dialogue import Language
from winnow.understand.drawing import Drawing, Node, Word, label

PLAIN = "merge"
"""The operation that does nothing but keep the parts together."""


def drawing_lines(drawing: Drawing) -> Iterator[str]:
    """The tree, one line a node, what it does in brackets; or the stretches of a sentence that has none."""
    if drawing.tree is None:
        yield "parse  none of the whole sentence, so nothing of it is done"
        yield from (f"  parses: {_brief(piece, drawing.language)}" for piece in drawing.stretches)
        yield from (f"  in the way: {_word(word)}" for word in drawing.blocking)
        return
    yield f"parse  {label(drawing.mood, drawing.language)}, cost {drawing.cost:.2f}"
    yield from _tree(drawing.tree, drawing.language, "  ")
    if drawing.rival:
        rival, language = drawing.rival, drawing.language
        same = ", which says the same" if rival.same else ""
        yield f"  next  {label(rival.mood, language)}, cost {rival.cost:.2f}{same}"
        if not rival.same:  # where it differs
            yield f"    here  {_taken(rival.here, language)}"
            yield f"    there {_taken(rival.there, language)}"
    yield from (f"  passed over  {encode(p.text)} ({p.kind}, {p.price:.2f})" for p in drawing.passed)


def _tree(node: Node | Word, language: Language, indent: str) -> Iterator[str]:
    if isinstance(node, Word):
        yield f"{indent}{_word(node)}"
        return
    names, last = _chain(node, language)
    if isinstance(last, Word):
        yield f"{indent}{names}  {_word(last)}"
        return
    yield f"{indent}{names}"
    for part in last.parts:
        yield from _tree(part, language, indent + "  ")


def _chain(node: Node, language: Language) -> tuple[str, Node | Word]:
    """What a node is called, with those inside that say more of the same words; and the last of them."""
    names, last = [_name(node, language)], node
    while len(last.parts) == 1:
        inner = last.parts[0]
        if isinstance(inner, Word):
            return " > ".join(names), inner
        if inner.operation != PLAIN:
            names.append(_name(inner, language))
        last = inner
    return " > ".join(names), last


def _name(node: Node, language: Language) -> str:
    done = "" if node.operation == PLAIN else f" [{label(node.operation, language, 'operations')}]"
    return f"{label(node.left, language)}{done}"


def _brief(node: Node | Word, language: Language) -> str:
    """A node on one line."""
    if isinstance(node, Word):
        return _word(node)
    names, last = _chain(node, language)
    return f"{names}  {_word(last) if isinstance(last, Word) else encode(node.text)}"


def _taken(node: Node | Word, language: Language) -> str:
    """A node on one line, with what each of its words is taken for."""
    if isinstance(node, Word):
        return _word(node)
    return f"{_chain(node, language)[0]}  {'  '.join(map(_word, _words(node)))}"


def _words(node: Node | Word) -> Iterator[Word]:
    if isinstance(node, Word):
        yield node
    else:
        for part in node.parts:
            yield from _words(part)


def _word(word: Word) -> str:
    """``turn off/verb off``."""
    kind = "unknown" if word.kind == "word" else word.kind
    return f"{encode(word.text)}/{kind} {word.meaning}".rstrip()
