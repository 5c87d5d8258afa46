"""A set of coordinates of one axis as a few ranges: the rest of a million costs what the rest of ten costs."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """Sorted, disjoint, non-empty half-open ranges that do not touch, so equal sets are equal spans."""

    parts: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, what: "int | range | Span") -> "Span":
        """One coordinate, or a range."""
        if isinstance(what, Span):
            return what
        if isinstance(what, int):
            return cls(((what, what + 1),))
        return cls(((what.start, what.stop),) if what.stop > what.start else ())

    @classmethod
    def union(cls, parts: Iterable[tuple[int, int]]) -> "Span":
        """Of ranges in any order that may touch or overlap."""
        out: list[tuple[int, int]] = []
        for low, high in sorted(parts):
            if out and low <= out[-1][1]:
                out[-1] = (out[-1][0], max(high, out[-1][1]))
            elif low < high:
                out.append((low, high))
        return cls(tuple(out))

    @property
    def size(self) -> int:
        """How many coordinates."""
        return sum(high - low for low, high in self.parts)

    @property
    def first(self) -> int:
        """The least coordinate."""
        return self.parts[0][0]

    def __iter__(self) -> Iterator[int]:
        for low, high in self.parts:
            yield from range(low, high)

    def __contains__(self, x: int) -> bool:
        return any(low <= x < high for low, high in self.parts)

    def __bool__(self) -> bool:
        return bool(self.parts)

    def __and__(self, other: "Span") -> "Span":
        if self.parts == other.parts:
            return self
        both = ((max(a, c), min(b, d)) for a, b in self.parts for c, d in other.parts)
        return Span(tuple((low, high) for low, high in both if low < high))

    def __sub__(self, other: "Span") -> "Span":
        left = list(self.parts)
        for c, d in other.parts:
            left = [(low, high) for a, b in left for low, high in ((a, min(b, c)), (max(a, d), b)) if low < high]
        return Span(tuple(left))

    def __or__(self, other: "Span") -> "Span":
        return Span.union(self.parts + other.parts)

    def __le__(self, other: "Span") -> bool:
        return self.parts == other.parts or (self & other).parts == self.parts

    def said(self, full: "Span") -> str:
        """How a person says it beside the whole axis: `=3`, `=0..6`, `!=3`."""

        def words(parts: tuple[tuple[int, int], ...]) -> str:
            return "+".join(f"{low}" if high == low + 1 else f"{low}..{high - 1}" for low, high in parts)

        rest = full - self
        return f"={words(self.parts)}" if self.size == 1 or len(self.parts) <= len(rest.parts) else f"!={words(rest.parts)}"
