"""What Winnow itself says to a person, in both languages."""
