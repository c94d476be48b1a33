"""The ``winnow`` command."""
