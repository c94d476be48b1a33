"""A tree -> what it orders: each production does with its parts what its operation says."""

from __future__ import annotations

from winnow.types.query import Token
from winnow.understand.grammar.trees import Tree
from winnow.understand.sentence.drafts import Operation, Part, together
from winnow.understand.sentence.lists import included, leading, listed, members, namely, narrow, placed
from winnow.understand.sentence.orders import (
    aside,
    condition,
    cut_off,
    doubtful,
    excepted,
    forbidden,
    held,
    lifted_order,
    made_so,
    mood,
    only,
    order,
    otherwise,
    paused,
    readmit,
    reversed_,
    reversed_order,
    sequence,
    under,
    undo,
    union,
    void,
    which,
    withdrawn,
)
from winnow.understand.sentence.repeats import (
    about,
    again,
    begun,
    by_means,
    corrected,
    described,
    instead,
    lacking,
    likewise,
    paired,
    retargeted,
)


def said(tree: Tree | Token) -> Part:
    """What a tree says."""
    if isinstance(tree, Token):
        return Part(words=(tree,))
    parts = [said(part) for part in tree.parts]
    return _OPERATIONS[tree.rule.operation](parts, tree)


_OPERATIONS: dict[str, Operation] = {
    "merge": together,
    "order": order,
    "forbid": forbidden,
    "reversed": reversed_,
    "reversed_order": reversed_order,
    "held": held,
    "lifted": lifted_order,
    "except": excepted,
    "only": only,
    "readmit": readmit,
    "union": union,
    "undo": undo,
    "made_so": made_so,
    "namely": namely,
    "leading": leading,
    "cut_off": cut_off,
    "paused": paused,
    "doubtful": doubtful,
    "void": void,
    "condition": condition,
    "which": which,
    "under": under,
    "otherwise": otherwise,
    "seq": sequence,
    "about": about,
    "begun": begun,
    "aside": aside,
    "correct": corrected,
    "retarget": retargeted,
    "placed": placed,
    "members": members,
    "narrow": narrow,
    "included": included,
    "listed": listed,
    "lacking": lacking,
    "described": described,
    "again": again,
    "pair": paired,
    "likewise": likewise,
    "instead": instead,
    "means": by_means,
    "told": mood("told"),
    "ask": mood("asked"),
    "able": mood("able"),
    "talk": mood("chat"),
    "report": mood("reported"),
    "elsewhere": mood("elsewhere"),
    "retract": mood("withdrawn"),
    "revert": mood("undo"),
    "withdraw": withdrawn,
    "wish": mood("wish"),
}


OPERATIONS = frozenset(_OPERATIONS)
"""What a production may do with its parts."""
