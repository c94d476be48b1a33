"""What a language model is asked, and what is made of its answer. Pure: who asks it, and when, is the engine's business."""

from winnow.understand.model.compiling import compile_messages, compile_schema, compiled, wants_help
from winnow.understand.model.prompts import PROMPT_VERSION

__all__ = ["PROMPT_VERSION", "compile_messages", "compile_schema", "compiled", "wants_help"]
