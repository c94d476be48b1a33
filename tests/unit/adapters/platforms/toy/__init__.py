"""A vendor of the tests: lamps that are lit and put out. All that Winnow knows of it is in this folder."""
