"""A reading and its candidates -> the verdict: what is done, asked about, or refused."""
