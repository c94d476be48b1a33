"""What a language model is asked, and what is made of its answer.

Pure: ``winnow.understand.turn`` tells when.
"""

from winnow.understand.asks.compiling import GUARDED, compile_ask, wants_help
from winnow.understand.asks.deciding import doubtful, intent_ask
from winnow.understand.asks.preparing import Prepared, prepare_ask
from winnow.understand.asks.prompts import PROMPT_VERSION
from winnow.understand.asks.rewriting import improvable, rewrite_ask

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
