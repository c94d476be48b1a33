"""``python -m winnow`` is ``winnow``."""

from __future__ import annotations

from winnow.app.cli.program import main

if __name__ == "__main__":
    main()
