"""English follow-ups: what a query leans on, what the history offers, and which phrase takes which place."""
