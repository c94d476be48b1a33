"""English follow-ups: slots of a query, phrases of the history, and which phrase takes which slot."""
