"""The outside as protocols: stored rows (``stores``), and models, sources, actuators and async bridges (``services``)."""
