"""Candidates of a home: the devices, commands, scenes and sensors a sentence may mean."""
