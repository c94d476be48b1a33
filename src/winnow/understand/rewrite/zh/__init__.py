"""How Chinese follow-ups are made to stand alone: lists, topics and repeated questions by rule, the rest by a small network."""
