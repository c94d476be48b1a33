"""Whether each promise of docs/faults.md and docs/threat-model.md is seen to break: ``make guards``.

``guards.yaml`` names for each test of each row what keeps the promise, and what stands there without it.
``table`` reads it, ``__main__`` takes the guards out, one after the other, in copies of the repository.
"""
