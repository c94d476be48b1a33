"""How well a turn was served, in figures: pure, over what the turn left behind."""

from winnow.metrics.turn import measured

__all__ = ["measured"]
