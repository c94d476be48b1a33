"""Ways of saying an act, as data: constructions with holes for the thing, the place, the value, the scene."""
