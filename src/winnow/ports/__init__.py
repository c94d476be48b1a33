"""The outside as protocols: stored rows (``stores``); models, sources, actuators, bridges (``services``)."""
