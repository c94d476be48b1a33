"""The message table a host application already has, read in place: its rows, its vectors, what it lacks.

Nothing but ``SELECT`` is ever sent to it, in transactions that cannot write.
"""
