"""Winnow as a server of the Model Context Protocol: tools, resources and prompts over stdio or HTTP."""
