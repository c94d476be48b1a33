"""A source of retrieval in one folder: birthdays that somebody wrote into a calendar."""
