"""Texts made smaller by measured rules, and by a model whose words are checked (seed 004, section 3)."""
