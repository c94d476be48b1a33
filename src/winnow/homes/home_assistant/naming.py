"""What an entity is called, and which part of that is its own beside its device's name."""

from __future__ import annotations

from winnow.homes.fields import Row

_BETWEEN = " -_·:：/"


def device_name(device: Row) -> str:
    """What its owner calls the device, else its maker; empty when neither does."""
    return device.text("name_by_user") or device.text("name")


def full_name(entity_id: str, entry: Row, device: Row, friendly: str) -> str:
    """The name a person sees: the state's, else what Home Assistant would make of the registries."""
    named = entry.text("name")
    if friendly or named:
        return friendly or named
    original, of_device = entry.text("original_name"), device_name(device)
    if entry.data.get("has_entity_name") and of_device:
        return f"{of_device} {original}".strip()
    return original or entity_id.partition(".")[2].replace("_", " ")


def own_name(name: str, entry: Row, device: Row) -> str:
    """What the name says beyond the device's; empty for the entity that the device is known as."""
    unnamed = "original_name" in entry.data and not entry.text("original_name")
    if entry.data.get("has_entity_name") and unnamed:
        return ""
    of_device = device_name(device)
    if not of_device or not name.casefold().startswith(of_device.casefold()):
        return name
    rest = name[len(of_device) :]
    # Lampshade is no part of a Lamp.
    return name if rest[:1].isascii() and rest[:1].isalnum() else rest.strip(_BETWEEN)
