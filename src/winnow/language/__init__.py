"""The two languages, pure: words, numbers, sounds and spellings as data, and what is computed from them."""
