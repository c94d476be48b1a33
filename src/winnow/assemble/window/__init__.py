"""Which turns of a dialogue stay word for word, and when that is decided anew."""
