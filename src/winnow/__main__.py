"""``python -m winnow`` is ``winnow``."""

from winnow.surfaces.cli import main

if __name__ == "__main__":
    main()
