"""Homes of every platform, imported into one catalog, read live and acted on.

Nothing after this package speaks a vendor's dialect.
"""
