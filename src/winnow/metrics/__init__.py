"""How well a turn was served, in figures: pure, over what the turn left behind."""

from winnow.metrics.account import account, figures
from winnow.metrics.ranking import tuned
from winnow.metrics.turn import measured, of_turn

__all__ = ["account", "figures", "measured", "of_turn", "tuned"]
