"""Where homes are kept: ``Store`` on disk (SQLite), ``MemoryCatalog`` for one process."""
