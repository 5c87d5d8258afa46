"""Reads `labels:`: what is printed on devices and cables; two things that would be printed alike are refused."""

import re
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema

from dcgen.design import DeviceGroup, Labels
from dcgen.design.colours import COLOURS
from dcgen.design.patterns import OF_A_CABLE, STYLES, device_labels, fields, pattern_of, said
from dcgen.diagnostics import Path, did_you_mean
from dcgen.fabric import Site
from dcgen.naming import address
from dcgen.parts.base import coordinates
from dcgen.parts.fields import Name, Strict, Text, fault


def _pattern(value: Any) -> str:
    text = str(value)
    try:
        found = fields(text)
    except ValueError as e:
        raise fault(
            "bad-label", f"`{text[:60]}` is no pattern", "write text with fields in braces, for example `{group}-{su:02}`", str(e)
        ) from None
    if not any(name for _, name, _ in found) and text not in STYLES:
        raise fault("bad-label", f"`{text[:60]}` has no field: everything would carry one label", "write for example `{group}-{su:02}`")
    return text


def _colour(value: Any) -> str:
    if not isinstance(value, str) or value not in COLOURS:
        raise fault("bad-choice", f"`{value}` is no colour", did_you_mean(str(value), COLOURS))
    return str(value)


def _for_all(value: Any) -> Any:
    return value if isinstance(value, dict) else {"": value}


_APART = re.compile(r"[^\w-]")
_DEVICE = {"anyOf": [{"type": "string"}, {"type": "object", "additionalProperties": {"type": "string"}}]}
Pattern = Annotated[str, BeforeValidator(_pattern), WithJsonSchema({"type": "string", "examples": ["{group}-{su:02}"]})]
Colour = Annotated[str, BeforeValidator(_colour), WithJsonSchema({"enum": list(COLOURS)})]


class Printed(Strict):
    """What is printed. `device` is a pattern, or one for each group, entry or fabric; devices of others keep their names.

    A device's pattern has its coordinates as fields (`{su:02}`), and `{group}`, `{fabric}`, `{role}`, `{name}`. A cable's has those
    of both ends, as it is printed twice: `{near_device}` and `{far_device}`, likewise `rack`, `unit`, `port` and `label`; `{near}`
    and `{far}` are rack, unit and port where the unit is known, else device and port.
    """

    device: Annotated[dict[Text, Pattern], BeforeValidator(_for_all), WithJsonSchema(_DEVICE)] = {}
    cable: Pattern = "tia-606"
    colours: dict[Name, Colour] = {}


def labels(written: Printed, site: Site) -> Labels:
    """The labels as the design carries them; patterns that do not tell things apart are said."""
    fabrics = dict.fromkeys(g.fabric for g in site.groups.values() if g.fabric)
    for name in written.colours:
        if name not in fabrics:
            site.say("bad-reference", f"there is no fabric `{name}`", fix=did_you_mean(name, fabrics), origin=("labels", "colours", name))
    names = ["", *dict.fromkeys(g.split("/")[0] for g in site.groups), *site.groups]
    for name in written.device:
        if name not in names:
            site.say("bad-reference", f"`{name}` is no entry, fabric or group", fix=did_you_mean(name, names[1:]), origin=_at(name))
    made = Labels(dict(written.device), STYLES.get(written.cable, written.cable), dict(written.colours))
    _says_which_cable(made.cable, site)
    if made.device and all([_has_fields(made, g, site) for g in site.groups.values()]):
        _tells_devices_apart(made, site)
    return made


def _at(name: str) -> Path:
    return ("labels", "device", name) if name else ("labels", "device")


def _has_fields(made: Labels, group: DeviceGroup, site: Site) -> bool:
    """Whether a group has every field that its pattern names; a number takes a width, a word does not."""
    known = {**said(group), "name": "", **group.sizes}
    at = _at(next((k for k in (group.name, group.name.split("/")[0]) if k in made.device), ""))
    for _, name, width in fields(pattern_of(made, group)):
        if name and name not in known:
            why = f"the fields of `{group.name}` are {', '.join(f'`{{{k}}}`' for k in known)}"
            fix = f"write a pattern of its own for `{group.name}`, or leave the field out"
            site.say("bad-label", f"`{group.name}` has no `{name}`", why, fix, group.name, at)
            return False
        if width and not isinstance(known[name], int):
            site.say("bad-label", f"`{{{name}:{width}}}` is no number", fix=f"write `{{{name}}}`", origin=at)
            return False
    return True


def _says_which_cable(pattern: str, site: Site) -> None:
    """A cable is told apart by an end's device and port, or by its name; fields that touch could be read in two ways."""
    at: Path = ("labels", "cable")
    found = [(before, name, width) for before, name, width in fields(pattern) if name]
    for n, (before, name, width) in enumerate(found):
        if name not in OF_A_CABLE:
            site.say("bad-label", f"a cable has no `{name}`", fix=did_you_mean(name, OF_A_CABLE), origin=at)
        elif width:
            site.say("bad-label", f"`{{{name}:{width}}}` is no number", fix=f"write `{{{name}}}`", origin=at)
        elif n and not _APART.search(before):
            why = "names end and begin with letters and digits, and may hold `-`"
            site.say(
                "bad-label", f"nothing parts `{{{name}}}` from the field before it", why, "put a blank, `:` or `/` between them", origin=at
            )
        else:
            continue
        return
    names = {name for _, name, _ in found}
    whole = [{"cable"}, {"near"}, {"far"}]
    whole += [{f"{side}_{device}", f"{side}_port"} for side in ("near", "far") for device in ("device", "label")]
    if not any(one <= names for one in whole):
        fix = "name device and port of an end, `{near_device}:{near_port}`, or `{cable}`"
        site.say("label-repeated", f"`{pattern}` would print one label on several cables", fix=fix, origin=at)


def _tells_devices_apart(made: Labels, site: Site) -> None:
    """Say the first two devices that would carry one label."""
    seen: dict[str, str] = {}
    for text, group, at in _printed(made, site.groups.values()):
        if text in seen:
            what = f"`{seen[text]}` and `{address(group.name, at)}` would both be called `{text}`"
            fix = "add `{group}`, or the coordinates that tell them apart"
            site.say("label-repeated", what, f"the pattern is `{pattern_of(made, group)}`", fix, group.name, ("labels", "device"))
            return
        seen[text] = address(group.name, at)


def _printed(made: Labels, groups: Iterable[DeviceGroup]) -> Iterator[tuple[str, DeviceGroup, dict[str, int]]]:
    for group in groups:
        for text, at in zip(device_labels(pattern_of(made, group), group), coordinates(group.sizes), strict=True):
            yield text, group, at
