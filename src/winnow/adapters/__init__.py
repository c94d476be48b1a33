"""The outside behind the ports: stores, models, platforms of homes, and what tests put in their place."""
