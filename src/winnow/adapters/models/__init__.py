"""Embedding and chat models behind the ports ``Embedder`` and ``Chat``, and the cache of their vectors."""
