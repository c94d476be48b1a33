"""Numbers in a sentence, with the unit that says what they measure.

Works on normalised text (lower case, simplified characters).
"""
