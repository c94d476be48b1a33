"""What a language model may call, checked against what it was told: act, confirm, answer."""

from winnow.tools.tools import ToolResult, Tools

__all__ = ["ToolResult", "Tools"]
