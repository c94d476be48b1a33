"""The outside as protocols: stored rows in ``stores``; models, sources and actuators in ``services``."""
