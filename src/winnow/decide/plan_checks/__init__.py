"""What a plan must keep before anything of it is done, whatever the words were."""

from winnow.decide.plan_checks.check import checked
from winnow.decide.plan_checks.plan import Flaw, Step

__all__ = ["Flaw", "Step", "checked"]
