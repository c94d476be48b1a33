"""Text -> words: which stretches of a turn are names, kinds, places, acts, and which are only talk."""
