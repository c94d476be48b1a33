"""Asking a language model, and believing only what passes."""
