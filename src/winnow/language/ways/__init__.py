"""Paraphrase templates: how an act may be said, with holes for the thing, the place, the value, the scene."""
