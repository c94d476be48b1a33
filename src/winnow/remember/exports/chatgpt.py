"""A conversation of a ChatGPT export: a tree of messages, of which one path is what was seen last."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def is_conversation(value: Any) -> bool:
    """Whether it is one: messages by id, each with its parent."""
    return isinstance(value, Mapping) and isinstance(value.get("mapping"), Mapping)


def seen(conversation: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The messages from the first to the one that was looked at last; those of other branches are not."""
    tree = conversation["mapping"]
    last = conversation.get("current_node")
    path = list(_path(tree, last if last in tree else _newest(tree)))
    return [node["message"] for node in reversed(path) if _holds(node)]


def unseen(conversation: Mapping[str, Any]) -> int:
    """How many messages with a text stand on other branches: answers made anew, questions put otherwise."""
    return sum(map(_holds, conversation["mapping"].values())) - len(seen(conversation))


def hidden(message: Mapping[str, Any]) -> bool:
    """Whether the application itself put it there and never showed it."""
    more = message.get("metadata")
    return isinstance(more, Mapping) and bool(more.get("is_visually_hidden_from_conversation"))


def _holds(node: Any) -> bool:
    return isinstance(node, Mapping) and isinstance(node.get("message"), Mapping)


def _path(tree: Mapping[str, Any], last: Any) -> Iterator[Mapping[str, Any]]:
    """From a node to the root; a tree that bites its tail ends where it begins again."""
    passed: set[str] = set()
    while isinstance(last, str) and last not in passed and isinstance(tree.get(last), Mapping):
        passed.add(last)
        yield tree[last]
        last = tree[last].get("parent")


def _newest(tree: Mapping[str, Any]) -> str | None:
    """Where nobody says what was looked at last: the leaf that was written last."""
    leaves = {}
    for name, node in tree.items():
        if _holds(node) and not node.get("children"):
            at = node["message"].get("create_time")
            leaves[name] = float(at) if isinstance(at, int | float) else 0.0
    return max(leaves, key=leaves.__getitem__, default=None)
