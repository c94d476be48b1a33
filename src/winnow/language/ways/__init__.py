"""Ways of saying an act: constructions with holes for the thing, the place, the value or the scene, as data."""
