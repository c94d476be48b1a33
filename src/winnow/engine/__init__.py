"""What lies between two sentences.

Sessions, our own questions and replies, and what an answer to them means.
"""
