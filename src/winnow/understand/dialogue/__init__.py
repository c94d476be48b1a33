"""What a turn takes from the turns before it: devices, acts, answers to our questions."""
