"""The ``winnow`` command."""

from winnow.surfaces.cli.program import app, main

__all__ = ["app", "main"]
