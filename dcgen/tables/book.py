"""Rows and labels of one design, each made once: what several tables and drawings of one build read."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from dcgen.design.model import Design, Join

if TYPE_CHECKING:
    from dcgen.design.columns import Columns
    from dcgen.tables.labels import Devices


@dataclass
class Book:
    """A design and what was made of it so far; it lives as long as the build that holds it."""

    design: Design
    _columns: "dict[str, Columns]" = field(default_factory=dict)
    _devices: "dict[str, Devices]" = field(default_factory=dict)

    def columns(self, join: Join) -> "Columns":
        """Every link of a bundle of the design."""
        from dcgen.design.columns import columns

        if join.name not in self._columns:
            self._columns[join.name] = columns(self.design, join)
        return self._columns[join.name]

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
