"""``winnow messages``: what persons said in earlier talks."""

from __future__ import annotations

from winnow.surfaces.cli.options import group
from winnow.surfaces.cli.precompute import precompute

commands = group(help="Messages of earlier talks.")

commands.command("precompute", epilog="Example: winnow messages precompute --all --dry-run")(precompute)
