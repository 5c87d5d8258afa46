"""What happens to the devices of each group, counted on boxes of coordinates; devices are listed nowhere."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from dcgen.design import Design, DeviceGroup
from dcgen.design.kept import Shift, comparable
from dcgen.design.placement import racks
from dcgen.design.region import Box, carve, meet, volume
from dcgen.diff.labels import same_labels
from dcgen.diff.model import Devices
from dcgen.diff.moved import Before
from dcgen.naming import Selector

_MOST_REGIONS = 12
"""More boxes than this are not told one by one."""


@dataclass(frozen=True)
class Piece:
    """A box of devices before, in the axes of both designs, and how far each coordinate moves."""

    box: Box
    by: Mapping[str, int] = field(default_factory=dict)

    @property
    def there(self) -> Box:
        """Where these devices stand after."""
        return {axis: range(r.start + self.by.get(axis, 0), r.stop + self.by.get(axis, 0)) for axis, r in self.box.items()}


def devices(before: Before, original: Design, after: Design) -> Iterator[Devices]:
    """One entry for each group of either design, those after first; `original` is the design before in its own names."""
    here, was = before.analysis.design, before.was
    for name in dict.fromkeys([*after.groups, *here.groups]):
        old, new = here.groups.get(name), after.groups.get(name)
        if old and new:
            labels = same_labels(original, original.groups[was.get(name, name)], after, new)
            found = _both(here, after, old, new, was.get(name, ""), before.shifts.get(name, ()))
            yield found if labels else replace(found, relabelled=found.kept)
        elif new:
            yield Devices(name, "", "", new.part, 0, new.count, 0, 0, 0, 0, _regions(new, new.boxes))
        elif old:
            yield Devices(name, was.get(name, ""), old.part, "", old.count, 0, 0, 0, 0, 0, (), _regions(old, old.boxes))


def _both(before: Design, after: Design, old: DeviceGroup, new: DeviceGroup, was: str, shifts: tuple[Shift, ...]) -> Devices:
    stay, added, removed, away = _by_shifts(old, new, shifts) if shifts and comparable(old, new) else _in_place(old, new)
    kept = sum(map(volume, stay))
    return Devices(
        new.name,
        was,
        old.part,
        new.part,
        old.count,
        new.count,
        kept,
        kept if old.part != new.part else 0,
        away,
        _reracked(before, after, old, new, stay) if not shifts else 0,
        _regions(new, added),
        _regions(old, removed),
    )


def _in_place(old: DeviceGroup, new: DeviceGroup) -> tuple[list[Box], list[Box], list[Box], int]:
    """(devices of both, new ones, those that are gone, none with other coordinates), as boxes in the axes of both."""
    if old.sizes == new.sizes and {s.ranges for s in old.absent} == {s.ranges for s in new.absent}:
        return new.boxes, [], [], 0
    gone, missing = [s.box for s in old.absent], [s.box for s in new.absent]
    full, here = _padded(old.full, new.sizes), _padded(new.full, old.sizes)
    both = meet(full, here) if comparable(old, new) else None
    stay = carve(both, [*gone, *missing]) if both else []
    kept = sum(map(volume, stay))
    added = carve(here, [*missing, *stay]) if kept != new.count else []
    removed = carve(full, [*gone, *stay]) if kept != old.count else []
    return stay, added, removed, 0


def _by_shifts(old: DeviceGroup, new: DeviceGroup, shifts: tuple[Shift, ...]) -> tuple[list[Box], list[Box], list[Box], int]:
    """The same where devices have other coordinates now: (devices of both, new ones, gone ones in old coordinates, moved ones)."""
    pieces, here = _pieces(old, new, shifts), [_padded(b, old.sizes) for b in new.boxes]
    stay = [(b, any(p.by.values())) for p in pieces for r in here if (b := meet(p.there, r)) is not None]
    added = [b for r in here for b in carve(r, [p.there for p in pieces])]
    removed = [_back(b, p) for p in pieces for b in carve(p.there, here)]
    return [b for b, _ in stay], added, removed, sum(volume(b) for b, moved in stay if moved)


def _padded(box: Box, axes: Iterable[str]) -> Box:
    """The box with axes that it lacks at coordinate 0."""
    return box | {axis: range(1) for axis in axes if axis not in box}


def _pieces(old: DeviceGroup, new: DeviceGroup, shifts: tuple[Shift, ...]) -> list[Piece]:
    gone = [s.box for s in old.absent]
    stay = [Piece(_padded(b, new.sizes)) for b in (carve(old.full, [*gone, *(s.box for s, _ in shifts)]) if shifts else old.boxes)]
    moved = [(box, by) for s, by in shifts if (from_ := meet(old.full, s.box)) is not None for box in carve(from_, gone)]
    return [*stay, *(Piece(_padded(box, new.sizes), by) for box, by in moved)]


def _back(box: Box, piece: Piece) -> Box:
    return {axis: range(r.start - piece.by.get(axis, 0), r.stop - piece.by.get(axis, 0)) for axis, r in box.items()}


def _regions(group: DeviceGroup, boxes: list[Box]) -> tuple[str, ...]:
    """Boxes as selectors; the whole group where they are too many to be told."""
    if len(boxes) > _MOST_REGIONS:
        return (group.name,)
    return tuple(
        str(Selector(group.name, tuple((a, b[a].start, b[a].stop - 1) for a in group.sizes if b[a] != group.full[a]))) for b in boxes
    )


def _reracked(before: Design, after: Design, old: DeviceGroup, new: DeviceGroup, stay: list[Box]) -> int:
    """Devices that fill another place in the order in which racks are filled, and so stand in another rack."""
    if old.inside or new.inside or "rack" in (old.role, new.role) or not stay:
        return 0
    fill = racks(before, old).per_rack, racks(after, new).per_rack
    if fill[0] == fill[1] and list(old.sizes) == list(new.sizes) and list(old.sizes.values())[1:] == list(new.sizes.values())[1:]:
        return 0
    from dcgen.design.matched import reracked

    return reracked(old, new, fill, stay)
