"""Earlier messages of a person: indexed, ranked for a question, marked where they are superseded."""
