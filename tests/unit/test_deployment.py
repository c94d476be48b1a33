"""The container file, the compose file and the unit: what a linter of each would ask."""

from __future__ import annotations

import configparser
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from scripts.container.run import RELEASES, Failed, Stage, carry_out, context_files, instructions

ROOT = Path(__file__).parents[2]
PAGES = ("install.md", "install.zh.md")


INSTRUCTIONS = instructions((ROOT / "Dockerfile").read_text("utf-8"))


def values(name: str) -> list[str]:
    return [rest for found, rest in INSTRUCTIONS if found == name]


def compose() -> dict[str, Any]:
    return dict(yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"])


def test_the_container_runs_as_nobody_in_particular() -> None:
    assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", values("USER")[-1])
    names = [name for name, _ in INSTRUCTIONS]
    assert names.index("USER") < names.index("ENTRYPOINT")


@pytest.mark.parametrize(
    "image", [*values("FROM"), *[s["image"] for s in compose().values() if "image" in s]]
)
def test_every_image_has_a_tag_that_stays(image: str) -> None:
    _, _, tag = image.split(maxsplit=1)[0].partition(":")
    assert re.search(r"\d", tag)


def test_its_health_is_asked_at_a_door_that_the_server_has() -> None:
    assert "/health" in values("HEALTHCHECK")[-1]
    assert '"/health"' in (ROOT / "src/winnow/app/server/app.py").read_text("utf-8")


def test_nothing_is_copied_that_the_build_does_not_need() -> None:
    copied = {word.removeprefix("./") for line in values("COPY") for word in line.split() if "=" not in word}
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert ignored[0] == "*"
    allowed = {line[1:] for line in ignored if line.startswith("!")}
    assert allowed <= copied
    assert all((ROOT / name).exists() for name in allowed)


def test_what_is_tried_without_an_engine_is_what_the_file_says() -> None:
    assert {image.split()[0] for image in values("FROM")} <= set(RELEASES)
    assert context_files((ROOT / ".dockerignore").read_text("utf-8")) >= {"src", "pyproject.toml"}
    with pytest.raises(Failed):
        context_files("*\n!src\nsrc/**/*.yaml\n")
    stage = Stage(ROOT, ROOT, ROOT)
    carry_out("ENV", "PATH=/own/bin:$PATH A=1", stage, {}, set())
    assert (stage.env["PATH"][:9], stage.env["A"]) == ("/own/bin:", "1")
    for name, rest in (("ARG", "X=1"), ("COPY", "docs ./docs")):
        with pytest.raises(Failed):
            carry_out(name, rest, stage, {}, {"src"})


def test_its_extras_are_those_of_the_project() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    found = re.search(r'"\.\[([\w,]+)\]"', " ".join(values("RUN")))
    assert found
    assert set(found[1].split(",")) <= set(extras)


def test_the_composed_service_can_write_its_data_and_nothing_else() -> None:
    winnow = compose()["winnow"]
    assert winnow["read_only"] is True
    assert winnow["cap_drop"] == ["ALL"]
    assert winnow["security_opt"] == ["no-new-privileges:true"]
    assert winnow["volumes"] == ["data:/data"]
    assert values("VOLUME") == ["/data"]
    assert all(port.startswith("127.0.0.1:") for port in winnow["ports"])


def test_no_file_holds_a_password() -> None:
    text = (ROOT / "compose.yaml").read_text("utf-8")
    assert re.findall(r"PASSWORD: (.*)", text) == ["${POSTGRES_PASSWORD:?set it in .env}"] * 2


def test_the_unit_starts_the_server_as_nobody_in_particular() -> None:
    unit = configparser.ConfigParser(strict=True)
    unit.optionxform = str  # type: ignore[method-assign,assignment]
    unit.read(ROOT / "deploy" / "winnow.service", "utf-8")
    service = unit["Service"]
    assert service["ExecStart"].endswith("/bin/winnow serve")
    assert service["Environment"] == f"WINNOW_HOME=/var/lib/{service['StateDirectory']}"
    assert (service["DynamicUser"], service["ProtectSystem"]) == ("yes", "strict")


@pytest.mark.parametrize("page", PAGES)
def test_the_page_names_targets_and_extras_that_there_are(page: str) -> None:
    text = (ROOT / "docs" / page).read_text("utf-8")
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert set(re.findall(r"^make ([a-z-]+)", text, re.MULTILINE)) <= set(targets)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    named = re.findall(r"\.(?:whl)?\[([\w,]+)\]", text)
    assert {extra for names in named for extra in names.split(",")} <= set(extras)


def test_the_files_for_a_hosting_service_can_be_read_and_name_targets_and_pythons_that_there_are() -> None:
    files = [*(ROOT / ".github").rglob("*.yml"), ROOT / ".pre-commit-config.yaml"]
    read = {file.name: yaml.safe_load(file.read_text("utf-8")) for file in files}
    jobs = read["check.yml"]["jobs"]
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    steps = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    made = {word for step in steps if step.startswith("make ") for word in step.split()[1:]}
    assert made <= set(targets)
    assert jobs["tests"]["strategy"]["matrix"]["python"][0] == "3.11"
    for name in ("wrong-answer.yml", "fault.yml"):
        assert {part["type"] for part in read[name]["body"]} <= {"input", "textarea", "dropdown"}


def test_there_is_one_place_for_the_address_that_reports_go_to() -> None:
    text = (ROOT / "SECURITY.md").read_text("utf-8")
    assert text.count("<!-- security-contact -->") == 1
    assert not re.search(r"[\w.]+@[\w.]+\.\w+", text)
