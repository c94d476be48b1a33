"""Adapters to frameworks of agents, a module each: LangChain, LlamaIndex, Haystack (docs/integrations.md)."""
