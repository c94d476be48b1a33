"""What is sent to a model has a form in UTF-8, whatever it held."""

from __future__ import annotations

import json

from winnow.context.build import build_context
from winnow.context.parts import ContextParts
from winnow.language.encode import sendable


def test_halves_of_pairs_are_replaced_wherever_they_stand() -> None:
    held = {"content": [{"text": "a\ud800b", "n": 1}], "\udc00": None}
    assert sendable(held) == {"content": [{"text": "a?b", "n": 1}], "?": None}
    assert sendable("完整🙂") == "完整🙂"


def test_a_context_of_broken_text_can_be_sent() -> None:
    history = [{"role": "user", "content": "hi \ud800"}, {"role": "assistant", "content": "hello"}]
    context = build_context(ContextParts("what \udfff now?", system="be \ud812 kind", history=history))
    assert json.dumps(context.messages, ensure_ascii=False).encode()
    assert [m["content"] for m in context.messages] == ["be ? kind", "hi ?", "hello", "what ? now?"]
