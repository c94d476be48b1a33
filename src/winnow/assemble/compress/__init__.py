"""Texts made smaller by measured rules (seed 004, section 3)."""

from winnow.assemble.compress.compress import compress

__all__ = ["compress"]
