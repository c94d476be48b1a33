"""A home in memory whose devices do what they are told, or fail at it as they were made to."""

from winnow.homes.simulated.faults import KINDS, NO_FAULTS, Fault, Faults
from winnow.homes.simulated.home import SimulatedHome

__all__ = ["KINDS", "NO_FAULTS", "Fault", "Faults", "SimulatedHome"]
