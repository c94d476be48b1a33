"""Every order of the scenario files, changed: what must no longer act, and what must still be the same.

``python -m tests.scenarios.transform`` prints the figures. The patterns are data, ``frames.zh.yaml`` and
``frames.en.yaml``; what the figures may be is in ``limits.yaml``.
"""
