"""Passages of documents: which of them a question is about, found by words, spread and meaning."""
