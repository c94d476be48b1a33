"""Verdict or agent calls -> Receipt: planned, looked at anew, carried out, seen, and told as it was."""

from winnow.act.carry import Hands, carried_out
from winnow.act.plan import handle_of, plan_of
from winnow.act.undo import taking_back

__all__ = ["Hands", "carried_out", "handle_of", "plan_of", "taking_back"]
