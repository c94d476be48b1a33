"""Which adapter stands behind which port: the only folder that names adapters."""
