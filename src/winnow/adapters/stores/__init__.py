"""Where homes are kept: ``Store`` on disk (SQLite), ``memory_storage`` for one process."""
