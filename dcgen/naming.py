"""Addresses, selectors and labels: parse and format; natural order. Knows words and brackets, not what they point at."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

NAME = re.compile(r"\w(?:[\w-]*\w)?")
"""A key: letters, digits, `_` and `-`; `NO`, `08` and `12E3` are names."""
COUNTED = frozenset({"peer", "way"})
"""Words by which dcgen counts links between the same devices: no axis is called so."""
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


def labels_in_common(groups: Mapping[str, Mapping[str, int]]) -> Iterator[tuple[str, str, str]]:
    """Pairs of groups that would print one label, and the first such label (folded); `groups` is name -> sizes of its axes.

    Two labels are the same where the signs between their numbers are, and every number: so no device has to be looked at.

    >>> list(labels_in_common({"a/node": {"node-su": 2}, "a-node/node": {"su": 2}, "b/node": {"su": 2}}))
    [('a/node', 'a-node/node', 'a-node-node-su0')]
    >>> list(labels_in_common({"a/node": {"su": 3}, "a/node-su2": {}, "a/node-su3": {}}))
    [('a/node', 'a/node-su2', 'a-node-su2')]
    """
    alike: dict[tuple[str, ...], list[tuple[str, list[tuple[str, int]]]]] = {}
    for group, sizes in groups.items():
        signs, runs = _printed(group, sizes)
        alike.setdefault(signs, []).append((group, runs))
    for signs, found in alike.items():
        for (one, runs), (other, others) in combinations(found, 2):
            both = list(map(_run_in_common, runs, others))
            if None not in both:
                yield one, other, "".join(sign + (run or "") for sign, run in zip(signs, [*both, ""], strict=True))


def _printed(group: str, sizes: Mapping[str, int]) -> tuple[tuple[str, ...], list[tuple[str, int]]]:
    """What stands between the runs of digits in a label; of every run, the digits that are fixed and how many numbers may follow."""
    pattern = folded(label(group, {})) + "".join(f"-{folded(axis)}{{{size}}}" for axis, size in sizes.items())
    runs = list(re.finditer(r"([0-9]+)(?:\{([0-9]+)\})?|\{([0-9]+)\}", pattern))
    ends = [0, *(run.end() for run in runs)]
    signs = [pattern[end : run.start()] for end, run in zip(ends, runs, strict=False)]
    return (*signs, pattern[ends[-1] :]), [(run[1] or "", int(run[2] or run[3] or 0)) for run in runs]


def _run_in_common(one: tuple[str, int], other: tuple[str, int]) -> str | None:
    """The first text that both runs of digits can be."""
    (short, many), (long, few) = sorted((one, other), key=lambda run: len(run[0]))
    if not long.startswith(short):
        return None
    least = long + ("0" if few else "")
    number = least[len(short) :]
    if not many:
        return short if number == "" else None
    return least if number and str(int(number)) == number and int(number) < many else None


def in_full(text: str, groups: Collection[str]) -> str:
    """A selector in which the name of an entry of `racks:` alone, where a group belongs, is that of its racks or nodes.

    >>> in_full("compute[su=0]:nic1", ["compute/node"])
    'compute/node[su=0]:nic1'
    """
    word = re.split(r"[\s\[:]", text.strip(), maxsplit=1)[0]
    rest = text.strip()[len(word) :]
    return next((name + rest for name in (f"{word}/rack", f"{word}/node") if name in groups), text)


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
