"""What can be set, and where from: the environment, files of the data folder, defaults that work offline.

Nothing else reads the environment.
"""

from winnow.config.checks import KEYS, SERVERS
from winnow.config.settings import Settings, load_settings
from winnow.config.surroundings import coloured, data_folder, locale_language, secrets
from winnow.config.tuned import load_tuning

__all__ = [
    "KEYS",
    "SERVERS",
    "Settings",
    "coloured",
    "data_folder",
    "load_settings",
    "load_tuning",
    "locale_language",
    "secrets",
]
