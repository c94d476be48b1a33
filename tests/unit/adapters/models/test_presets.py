from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from winnow.adapters.models.openai import ModelEndpoint, configured_endpoint, preset_names
from winnow.errors import ConfigError


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_is_whole(name: str) -> None:
    found = configured_endpoint(name, key="k", seconds=3.0)
    parts = urlsplit(found.url)
    assert parts.scheme == ("http" if parts.hostname == "localhost" else "https")
    assert not found.url.endswith("/")
    assert found.formats[-1] == "none"
    assert set(found.formats) <= {"json_schema", "json_object", "none"}
    assert found.batch >= 1
    assert (found.key, found.seconds) == ("k", 3.0)


def test_a_url_is_a_server_nobody_knows() -> None:
    assert configured_endpoint("http://box:9/v1/") == ModelEndpoint(
        "http://box:9/v1", ("json_schema", "json_object", "none"), 32
    )


@pytest.mark.parametrize("name", ["other", "", "opena", "ftp://x"])
def test_any_other_name_is_a_setting_that_makes_no_sense(name: str) -> None:
    with pytest.raises(ConfigError, match="model_server"):
        configured_endpoint(name)


def test_presets_differ_where_servers_do() -> None:
    assert configured_endpoint("dashscope").batch == 10
    assert configured_endpoint("dashscope").extra == {"enable_thinking": False}
    assert "json_object" not in configured_endpoint("lmstudio").formats
    assert configured_endpoint("openai").formats[0] == "json_schema"


def test_the_key_is_in_no_representation() -> None:
    assert "hidden" not in repr(configured_endpoint("openai", key="hidden"))
