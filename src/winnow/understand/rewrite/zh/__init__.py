"""How Chinese follow-ups are made to stand alone.

Lists, topics and repeated questions by rule, the rest by a small network.
"""
