"""Addresses, selectors and labels: parse and format; natural order. Knows words and brackets, not what they point at."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

NAME = re.compile(r"\w(?:[\w-]*\w)?")
"""A key: letters, digits, `_` and `-`; `NO`, `08` and `12E3` are names."""
_SELECTOR = re.compile(r"(?P<group>[\w-]+(?:[./][\w-]+)*)(?:\[(?P<inside>[^\[\]]*)\])?(?::(?P<port>[^\s:\[\],]+))?")
_RANGE = re.compile(r"(?P<axis>[\w-]+)\s*=\s*(?P<low>[0-9]{1,9})(?:\.\.(?P<high>[0-9]{1,9}))?")
_LOOKS = str.maketrans("асеорхуіјѕԁһԛԝАВЕКМНОРСТХаοαρνιΑΒΕΖΗΙΚΜΝΟΡΤΧ", "aceopxyijsdhqwABEKMHOPCTXaoapviABEZHIKMNOPTX")


class SelectorError(ValueError):
    """A text that is not an address or selector; `fix` says what would be."""

    def __init__(self, what: str, fix: str) -> None:
        self.what, self.fix = what, fix
        super().__init__(what)


@dataclass(frozen=True, slots=True)
class Selector:
    """`backend/leaf[su=0..3,rail=5]:12`: a group, inclusive ranges of coordinates, perhaps a port.

    An axis that is not named is open. With every axis a single coordinate it is an address.
    """

    group: str
    ranges: tuple[tuple[str, int, int], ...] = ()
    port: str = ""

    def __str__(self) -> str:
        inside = ",".join(f"{axis}={low}" if low == high else f"{axis}={low}..{high}" for axis, low, high in self.ranges)
        return self.group + (f"[{inside}]" if inside else "") + (f":{self.port}" if self.port else "")

    @property
    def box(self) -> dict[str, range]:
        """Axis -> half-open range."""
        return {axis: range(low, high + 1) for axis, low, high in self.ranges}


def parse_selector(text: str) -> Selector:
    """Read a selector; `backend.leaf` and `backend/leaf` name the same group.

    Raises:
        SelectorError: with what is wrong and how to write it.

    >>> str(parse_selector("compute/tray[su=0, rack=5..7]"))
    'compute/tray[su=0,rack=5..7]'
    """
    example = "write for example `compute/tray[su=0,rack=5..7]`"
    found = _SELECTOR.fullmatch(text.strip()) if len(text) <= 500 else None
    if not found:
        raise SelectorError(f"`{text[:80]}` is not an address or selector", example)
    ranges: dict[str, tuple[str, int, int]] = {}
    for item in (found["inside"] or "").split(",") if found["inside"] is not None else []:
        one = _RANGE.fullmatch(item.strip())
        if not one:
            raise SelectorError(f"`{item.strip()}` in `{text}` is not `axis=n` or `axis=n..m`", example)
        low, high = int(one["low"]), int(one["high"] or one["low"])
        if high < low:
            raise SelectorError(f"`{item.strip()}` in `{text}` runs backward", f"write `{one['axis']}={high}..{low}`")
        if one["axis"] in ranges:
            raise SelectorError(f"`{text}` names the axis `{one['axis']}` twice", "write one range per axis, or two selectors")
        ranges[one["axis"]] = (one["axis"], low, high)
    return Selector(found["group"].replace(".", "/"), tuple(ranges.values()), found["port"] or "")


def address(group: str, coordinates: Mapping[str, int]) -> str:
    """`backend/leaf[su=3,rail=5]`; a group without axes is its name."""
    return str(Selector(group, tuple((axis, x, x) for axis, x in coordinates.items())))


def label(group: str, coordinates: Mapping[str, int]) -> str:
    """What is printed on the device: the address without brackets.

    >>> label("backend/leaf", {"su": 3, "rail": 5})
    'backend-leaf-su3-rail5'
    """
    return "-".join([group.replace("/", "-"), *(f"{axis}{x}" for axis, x in coordinates.items())])


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key: numbers by value, the rest by text; two different texts never compare equal.

    >>> sorted(["rack10", "rack2", "1/49/1", "1/50", "1/49"], key=natural)
    ['1/49', '1/49/1', '1/50', 'rack2', 'rack10']
    """
    parts = re.findall(r"\d+|\D+", text)
    return tuple((0, int(p), p) if p.isdecimal() else (1, 0, p) for p in parts)


def name_fault(text: str) -> str:
    """Why this text is not a name, or an empty string."""
    for sign in text:
        if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co", "Cn"):
            return f"it holds the invisible character U+{ord(sign):04X}"
    if not text:
        return "it is empty"
    if len(text.encode()) > 100:
        return "it is longer than 100 bytes"
    if not NAME.fullmatch(text):
        return "names are letters, digits, `_` and `-`, and begin and end with a letter or digit"
    return ""


def folded(text: str) -> str:
    """What two names must not share: composed, without case, `_` and `-` alike (they meet in labels and file names)."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold()).replace("_", "-")


def collisions(names: Iterable[str]) -> list[tuple[str, str]]:
    """Pairs of different names that fold to one."""
    first: dict[str, str] = {}
    return [(first[folded(n)], n) for n in names if first.setdefault(folded(n), n) != n]


def look_alikes(names: Iterable[str]) -> list[tuple[str, str]]:
    """Pairs of different names that read the same, such as Latin and Cyrillic `a`."""
    first: dict[str, str] = {}
    return [
        (first[seen], n)
        for n in names
        if first.setdefault(seen := folded(n.translate(_LOOKS)), n) != n and folded(n) != folded(first[seen])
    ]
