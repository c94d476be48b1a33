"""Homes as their vendors describe them, read into one catalog.

Nothing after this package speaks a vendor's dialect.
"""
