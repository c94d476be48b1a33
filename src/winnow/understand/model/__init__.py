"""What a language model is asked, and what is made of its answer. Pure: who asks it, and when, is the business of ``winnow.chain``."""

from winnow.understand.model.compiling import GUARDED, compile_ask, wants_help
from winnow.understand.model.deciding import doubtful, intent_ask
from winnow.understand.model.preparing import Prepared, prepare_ask
from winnow.understand.model.prompts import PROMPT_VERSION
from winnow.understand.model.rewriting import improvable, rewrite_ask

__all__ = [
    "GUARDED",
    "PROMPT_VERSION",
    "Prepared",
    "compile_ask",
    "doubtful",
    "improvable",
    "intent_ask",
    "prepare_ask",
    "rewrite_ask",
    "wants_help",
]
