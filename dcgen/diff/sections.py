"""Changes of everything that is neither a device nor a bundle: parts, fabrics, requirements, and whatever else a design saves.

Sections are read from the saved form, so that what a design may say tomorrow is compared tomorrow.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from dcgen.diff.model import Change, Field, Sign, Verdict
from dcgen.diff.patch import Body
from dcgen.diff.things import Sides

OWN = ("groups", "bundles", "parts", "fabrics", "requirements", "remarks", "decisions", "name", "order", "written", "moved", "dcgen_design")
"""Sections that are told elsewhere, follow from others, or say nothing about what is built."""
_OF_TIERS = ("name", "tiers", "origin", "kind", "oversubscription")
"""What of a fabric is told with its devices, or has names in it that may be other ones now."""


def of_parts(sides: Sides, before: Body, after: Body) -> Iterator[Change]:
    """Parts that both designs use and whose data differ: a corrected data sheet, a new price."""
    for part in sorted(sides.texts.parts):
        fields = tuple(_fields(before["parts"][part], after["parts"][part]))
        count = sum(g.count for g in sides.after.groups.values() if g.part == part)
        yield Change("~", "part", part, count, "devices" if count else "", fields)


def of_fabrics(sides: Sides, before: Body, after: Body) -> Iterator[Change]:
    """What differs of a fabric besides its tiers; one that is new, gone or another kind is told with its devices."""
    for name in sides.after.fabrics:
        old, new = sides.before.fabrics.get(name), sides.after.fabrics[name]
        if old is None or old.kind != new.kind:
            continue
        a, b = (
            {k: v for k, v in s.items() if k not in _OF_TIERS}
            for s in (before["fabrics"][sides.was.get(name, name)], after["fabrics"][name])
        )
        fields = (*_fields(a, b), *_fields({"oversubscription": old.oversubscription}, {"oversubscription": new.oversubscription}))
        if fields:
            written = sides.texts.written(new.origin)
            why = "" if written else sides.texts.why(name, new.origin)
            yield Change("~", "fabric", name, 0, "", fields, written, "", new.origin, why, sides.folded(name))


def of_verdicts(verdicts: tuple[Verdict, ...]) -> Iterator[Change]:
    """Requirements that are asked, not asked any more, or asked otherwise."""
    for v in verdicts:
        if not v.before or not v.after:
            yield Change("+" if v.after else "-", "requirement", v.text, origin=v.origin)
        elif v.was:
            yield Change("~", "requirement", v.text, fields=(Field("", v.was, v.text),), origin=v.origin)


def of_the_rest(sides: Sides, before: Body, after: Body) -> Iterator[Change]:
    """One change for each entry of any other section."""
    for section in (s for s in sorted({*before, *after}) if s not in OWN):
        old, new = (_entries(b.get(section)) for b in (before, after))
        said = any(_covers(section, path) for d in (sides.original, sides.after) for path in d.written)
        written = not said or sides.texts.written((section,))
        why = "" if written else sides.texts.why(section, (section,))
        for key in dict.fromkeys([*new, *old]):
            origin = (section, key) if key else (section,)
            sign: Sign = "~" if key in old and key in new else "+" if key in new else "-"
            if fields := tuple(_fields(old.get(key), new.get(key))):
                yield Change(sign, section, key or section, 0, "", fields, written, "", origin, why)


def _covers(section: str, path: str) -> bool:
    """Whether a dotted path lies in a section of the blueprint."""
    return path == section or path.startswith((f"{section}.", f"{section}["))


def of_tiles(sides: Sides) -> Iterator[Change]:
    """Racks that stay and stand on another tile of the hall."""
    halls = sides.before.hall, sides.after.hall
    if not halls[0] or not halls[1] or halls[0].runs == halls[1].runs:
        return
    old, new = ({(group, rack): (row, at) for row, at, group, rack in hall.tiles()} for hall in halls if hall)
    moved = Counter(group for (group, rack), tile in new.items() if old.get((group, rack), tile) != tile)
    for group, count in moved.items():
        origin = sides.after.groups[group].origin if group in sides.after.groups else ("hall",)
        yield Change("~", "placement", group, count, "racks", (), False, "", origin, sides.texts.why(group, origin))


def _entries(section: Any) -> dict[str, Any]:
    """A section by the names of its entries; a list by the names in it, or by what stands there: never by position."""
    if isinstance(section, dict):
        nested = [isinstance(v, dict | list) for v in section.values()]
        return section if all(nested) or not any(nested) else {"": section}
    if isinstance(section, list):
        return {_name(item): item for item in section}
    return {} if section in (None, "") else {"": section}


def _name(item: Any) -> str:
    if isinstance(item, dict):
        part = " ".join(str(item[k]) for k in ("part", "length_m") if k in item)
        return str(item.get("name", "")) or part or json.dumps(item, sort_keys=True)
    return str(item[0]) if isinstance(item, list) and item and isinstance(item[0], str) else json.dumps(item)


def _fields(before: Any, after: Any, path: str = "") -> Iterator[Field]:
    """The leaves that differ, by dotted path; where something came from in the file is no property of it."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in sorted({*before, *after} - {"origin"}):
            yield from _fields(before.get(key), after.get(key), f"{path}.{key}" if path else str(key))
    elif isinstance(before, Mapping) or isinstance(after, Mapping):
        empty: dict[str, Any] = {}
        yield from _fields(before if isinstance(before, Mapping) else empty, after if isinstance(after, Mapping) else empty, path)
    elif before != after:
        yield Field(path, _told(before), _told(after))


def _told(value: Any) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else f"{text[:200]}..."
