"""SQL stores: ``SqlStore`` in a SQLite file or on a PostgreSQL server, ``memory_storage`` for one process."""
