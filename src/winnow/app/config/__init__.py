"""What can be set, and where from: the environment, files of the data folder, defaults that work offline.

Nothing else reads the environment.
"""
