"""Passages of documents: ingested, indexed, ranked by words, feedback and meaning."""
