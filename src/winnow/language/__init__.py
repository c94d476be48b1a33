"""The two languages, pure: their words, numbers, sounds and spellings as data, and what is computed from them."""
