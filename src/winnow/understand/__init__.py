"""Utterance -> Reading."""
