"""What turns text into vectors, and who answers prompts: adapters of the ports ``Embedder`` and ``Chat``."""
