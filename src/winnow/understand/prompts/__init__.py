"""What a language model is asked, and what is made of its answer.

Pure: ``winnow.understand.turn`` tells when.
"""
