"""Verdict or agent calls -> Receipt: planned, looked at anew, carried out, seen, and told as it was."""

from winnow.act.account import Account, Order, Progress
from winnow.act.carry import carried_out
from winnow.act.check import Checked, Offer, as_proposed, checked
from winnow.act.fresh import Believed, agreed_to, explained, kept, waiting_for, with_moments, worth_a_look
from winnow.act.hands import Hands
from winnow.act.plan import handle, handle_of, plan_of
from winnow.act.records import Past, last_act, proposed_told, told
from winnow.act.turns import Held, Key, Turns
from winnow.act.undo import Back, taking_back
from winnow.act.within import within

__all__ = [
    "Account",
    "Back",
    "Believed",
    "Checked",
    "Hands",
    "Held",
    "Key",
    "Offer",
    "Order",
    "Past",
    "Progress",
    "Turns",
    "agreed_to",
    "as_proposed",
    "carried_out",
    "checked",
    "explained",
    "handle",
    "handle_of",
    "kept",
    "last_act",
    "plan_of",
    "proposed_told",
    "taking_back",
    "told",
    "waiting_for",
    "with_moments",
    "within",
    "worth_a_look",
]
