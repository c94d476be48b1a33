"""Does this turn need something looked up, where, and of what class is it?"""
