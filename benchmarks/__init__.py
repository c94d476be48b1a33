"""Measuring: decisions on committed cases, tokens by home size, speed."""
