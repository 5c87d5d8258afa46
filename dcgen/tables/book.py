"""Rows and labels of one design, each made once: what several tables and drawings of one build read."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from dcgen.design.hall import tile
from dcgen.design.model import Design, Join

if TYPE_CHECKING:
    import polars as pl

    from dcgen.analysis.flow.surveys import Surveyed
    from dcgen.design.columns import Columns, Ints
    from dcgen.design.routes import Routes
    from dcgen.tables.labels import Devices


@dataclass
class Book:
    """A design and what was made of it so far; it lives as long as the build that holds it."""

    design: Design
    _columns: "dict[str, Columns]" = field(default_factory=dict)
    _devices: "dict[str, Devices]" = field(default_factory=dict)
    _routes: "dict[str, Routes | None]" = field(default_factory=dict)
    _rungs: "dict[str, Ints]" = field(default_factory=dict)

    def columns(self, join: Join) -> "Columns":
        """Every link of a bundle of the design."""
        from dcgen.design.columns import columns

        if join.name not in self._columns:
            self._columns[join.name] = columns(self.design, join)
        return self._columns[join.name]

    def routes(self, join: Join) -> "Routes | None":
        """The way of every link of a bundle; None without a hall."""
        if join.name not in self._routes:
            floor = self.design.floor
            self._routes[join.name] = floor.routes(join, self.columns(join)) if floor else None
        return self._routes[join.name]

    def rungs(self, join: Join) -> "Ints":
        """Which of its bundle's media each link is."""
        from dcgen.design.ladder import rungs

        if join.name not in self._rungs:
            self._rungs[join.name] = rungs(self.design, join, self.columns(join), self.routes(join))
        return self._rungs[join.name]

    def cables(self, join: Join) -> "Ints | None":
        """A number per link that those of one cable share; None where every link is a cable of its own."""
        from dcgen.design.ladder import cable_ids

        return cable_ids(self.design, join, self.columns(join), self.rungs(join))

    @cached_property
    def surveys(self) -> "list[Surveyed]":
        """What every single loss costs, fabric by fabric."""
        from dcgen.analysis.flow.surveys import surveys

        return surveys(self.design)

    @cached_property
    def tiles(self) -> "pl.Series":
        """How the tile of every rack is written, in the order of the hall; after the last one nothing, for racks without a tile."""
        import polars as pl

        hall = self.design.hall
        return pl.Series([*(tile(row, at) for row, at, _, _ in hall.tiles()), None] if hall else [None], dtype=pl.String)

    def devices(self, group: str) -> "Devices":
        """Labels, racks and phases of a group's devices."""
        from dcgen.tables.labels import devices

        if group not in self._devices:
            self._devices[group] = devices(self.design, self.design.groups[group])
        return self._devices[group]

    @cached_property
    def complete(self) -> "Book":
        """The same with nothing absent."""
        design = self.design
        if not any(g.absent for g in design.groups.values()) and not any(b.gone for b in design.bundles):
            return self
        groups = {name: replace(g, absent=()) for name, g in design.groups.items()}
        return Book(replace(design, groups=groups, bundles=tuple(replace(b, gone=()) for b in design.bundles)))


def book_of(design: Design | Book) -> Book:
    """The book that is given, or a new one for a design."""
    return design if isinstance(design, Book) else Book(design)
