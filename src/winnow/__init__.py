"""Winnow finds the smallest sufficient context for an agent: broad in, strict out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from winnow.engine import Engine

__all__ = ["Engine", "__version__"]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """``winnow.Engine``, loaded on first use so that importing the package costs nothing."""
    if name == "Engine":
        from winnow.engine import Engine

        return Engine
    raise AttributeError(f"module 'winnow' has no attribute {name!r}")
