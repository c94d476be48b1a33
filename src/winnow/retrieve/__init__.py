"""A query -> candidates: a folder for each source; beside them what sources share."""
