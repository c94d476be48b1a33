"""Winnow over HTTP: an application of FastAPI over one engine. It needs the extra ``server``."""
