"""What a turn takes from the turns before it: things, acts, answers to our questions."""
