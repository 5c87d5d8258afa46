"""What stands, is plugged and is pulled in which room of the hall."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from dcgen.analysis.inventory import Item, inventory
from dcgen.design.model import Design, Join

if TYPE_CHECKING:
    from dcgen.design.columns import Ints

Counts = dict[tuple[str, str, float | None], "Ints"]
"""(where, part, length) -> how many in each room, the last being none."""


def by_room(design: Design) -> Iterator[tuple[str, list[Item]]]:
    """The inventory in shares, room by room; what has no place comes last, under an empty name. A cable is of its lower end's room."""
    hall = design.hall
    names = list(dict.fromkeys(row.room for row in hall.rows)) if hall else []
    found = _Rooms(design, names)
    items = list(inventory(design))
    for number, name in enumerate([*names, ""]):
        mine = [replace(i, quantity=int(found.counts[i.where, i.part, i.length_m][number])) for i in items]
        yield name, [i for i in mine if i.quantity]


class _Rooms:
    """Counts of devices, transceivers and cables by room."""

    def __init__(self, design: Design, names: list[str]) -> None:
        import numpy as np

        from dcgen.design.columns import device_ids

        self._design, self._rooms = design, len(names) + 1
        rooms = [names.index(design.hall.by_name[row].room) for row, *_ in design.hall.tiles()] if design.hall else []
        self._of_tile = np.array([*rooms, len(names)], np.int64)
        self.counts: Counts = {}
        self._plugged: dict[tuple[str, str, str], Ints] = {}
        for name, group in design.groups.items():
            self._add(name, group.part, None, self._room(name, device_ids(group)))
        for join in (b for b in design.bundles if b.field_cabled and b.media):
            self._pull(join)

    def _room(self, group: str, flat: "Ints") -> "Ints":
        import numpy as np

        floor = self._design.floor
        return self._of_tile[floor.racks(group)[flat]] if floor else np.full(len(flat), self._rooms - 1)

    def _add(self, where: str, part: str, length_m: float | None, rooms: "Ints") -> None:
        import numpy as np

        counted = np.bincount(rooms, minlength=self._rooms)
        key = (where, part, length_m)
        self.counts[key] = self.counts[key] + counted if key in self.counts else counted

    def _pull(self, join: Join) -> None:
        import numpy as np

        from dcgen.design.columns import cages, columns
        from dcgen.design.ladder import cable_ids, rungs

        c = columns(self._design, join)
        floor = self._design.floor
        rung = rungs(self._design, join, c, floor.routes(join, c) if floor else None)
        ids = cable_ids(self._design, join, c, rung)
        first = np.arange(len(c)) if ids is None else np.unique(ids, return_index=True)[1]
        for at, media in enumerate(join.media):
            if media.cable:
                self._add(join.name, media.cable, media.length_m, self._room(join.a.group, c.a[first[rung[first] == at]]))
        for side, (end, flat, port) in enumerate(((join.a, c.a, c.a_port), (join.b, c.b, c.b_port))):
            cage, _ = cages(end, port)
            for optic in dict.fromkeys(m.optics[side] for m in join.media if m.optics[side]):
                lit = np.isin(rung, [i for i, m in enumerate(join.media) if m.optics[side] == optic])
                self._plug((end.group, end.block.name, optic), f"{join.name}@{end.group}", flat[lit], cage[lit])

    def _plug(self, socket: tuple[str, str, str], where: str, flat: "Ints", cage: "Ints") -> None:
        """Transceivers beyond those of the bundles before, which may share cages."""
        import numpy as np

        before = self._plugged.get(socket, np.zeros(0, np.int64))
        new = np.setdiff1d(flat * _MOST_CAGES + cage, before)
        self._plugged[socket] = np.union1d(before, new)
        self._add(where, socket[2], None, self._room(socket[0], new // _MOST_CAGES))


_MOST_CAGES = 1 << 20
