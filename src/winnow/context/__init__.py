"""Everything a language model is sent for one turn, within one budget of tokens."""
