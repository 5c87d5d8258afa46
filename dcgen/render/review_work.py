"""What there is to do for a change: devices, cables, parts to buy and to take back, and what the rules say to it."""

from collections.abc import Iterator, Mapping, Sequence

from dcgen.diagnostics import Diagnostic, in_order
from dcgen.diff.model import BomLine, Cables, Change, Devices, Diff, Field
from dcgen.render.markdown import code, fenced, folded, prose, visible
from dcgen.render.room import Room
from dcgen.render.wording import count
from dcgen.units import rounded

_SIGNS = {"-": "-", "+": "+", "~": "!", ">": "!"}
"""What forges colour in a block of differences: the sign must stand in the first column."""
WORK = (("pulled", "pull"), ("removed", "remove"), ("repatched", "re-patch"), ("replaced", "replace"), ("lengthened", "change length"),
         ("relabelled", "relabel"))  # fmt: skip
"""What happens to cables, and what somebody has to do about it."""
_MEANT = {
    "pulled": "lay a new one",
    "removed": "take one out",
    "repatched": "plug an end of the same one into another port",
    "replaced": "another cable or transceiver in the same two ports",
    "lengthened": "the same two ports, another length",
    "relabelled": "print a label again",
}


def work_lists(diff: Diff, titles: Mapping[str, str], room: Room) -> list[str]:
    """All lists of what is done, each behind a sentence; `titles` says what parts are."""
    return [*_changes(diff, room), *_cables(diff, room), *_devices(diff, room), *_bom(diff, titles, room), *_findings(diff, room)]


def goods(diff: Diff, sign: int) -> list[str]:
    """How many of each kind are bought, or not needed any more; what comes inside a rack that is bought whole is not counted."""
    kinds: dict[str, float] = {}
    for line in diff.bom:
        n = line.order_after - line.order_before
        if n * sign > 0 and line.unit == "each" and not line.bought.startswith("in "):
            kinds[line.kind] = kinds.get(line.kind, 0) + abs(n)
    return [count(int(n), kind, "switches" if kind == "switch" else "") for kind, n in kinds.items()]


def finding(d: Diagnostic) -> str:
    """One finding, with its place."""
    where = f" at {code(str(d.where))}" if d.where else ""
    why = f" (because {prose(d.why)})" if d.why else ""
    return f"**{d.severity}** {d.code}{where}: {prose(d.what)}{why}"


def _changes(diff: Diff, room: Room) -> list[str]:
    told = [c for c in _grouped(diff.changes) if room.pieces or not c.within]
    if not told:
        return []
    n = {sign: sum(c.sign == sign and not c.within for c in diff.changes) for sign in _SIGNS}
    words = [f"{n[s]:,} {word}" for s, word in (("-", "removed"), ("+", "added"), ("~", "changed"), (">", "renamed")) if n[s]]
    first, left, last = room.cut(told)
    lines = [line for c in first for line in _change(c)]
    lines += [f"# {room.left_out(sum(map(_height, left)))}"] if left else []
    lines += [line for c in last for line in _change(c)]
    if pieces := sum(map(_height, diff.changes)) - sum(map(_height, told)):
        lines.append(f"# {room.left_out(pieces)} (parts of the above)")
    return [*folded(f"What changes: {', '.join(words) or 'parts of things'}", fenced(lines, "diff")), ""]


def _height(c: Change) -> int:
    """Lines that it takes."""
    return 1 + len(c.fields) if len(c.fields) > 1 else 1


def _grouped(changes: Sequence[Change]) -> Iterator[Change]:
    """Each change with its pieces after it."""
    heads = {c.subject for c in changes if not c.within}
    parts: dict[str, list[Change]] = {}
    for change in changes:
        parts.setdefault(change.within, []).append(change)
    for change in changes:
        if not change.within or change.within not in heads:
            yield change
            yield from parts.pop(change.subject, ()) if not change.within else ()


def _change(c: Change) -> list[str]:
    """One change, its sign in the first column; several fields stand below each other."""
    sign, indent = _SIGNS[c.sign], "  " if c.within else ""
    number = count(c.count, c.unit.removesuffix("s")) if c.count and c.unit else ""
    named = f"{visible(c.was)} → {visible(c.subject)}" if c.sign == ">" and c.was else visible(c.subject)
    fields = [_field(f) for f in c.fields]
    why = visible(c.why) if not c.written else ""
    notes = [number, "renamed" if c.sign == ">" else "", why or ("" if c.written else "follows"), visible(c.hint)]
    kind = "" if c.kind in ("devices", "bundle", "fabric", "racks", *(f.name for f in c.fields)) else f"{visible(c.kind)} "
    head = f"{sign} {indent}{kind}{named}"
    tail = f"  ({'; '.join(filter(None, notes))})" if any(notes) else ""
    if len(fields) == 1:
        return [f"{head}{'  ' if c.fields[0].name else ''}{fields[0]}{tail}"]
    return [head + tail, *(f"{sign} {indent}    {f}" for f in fields)]


def _field(f: Field) -> str:
    """`part: a → b`; how the ports of links are numbered is nobody's reading."""
    if f.name == "wiring":
        return "the ports are counted otherwise"
    return f"{visible(f.name)}: {visible(f.before) or '(nothing)'} → {visible(f.after) or '(nothing)'}"


def work_in_all(diff: Diff) -> list[tuple[str, int]]:
    """What is to be done to how many cables."""
    return [(word, n) for what, word in WORK if (n := sum(getattr(c, what) for c in diff.cables if not c.factory))]


def _cables(diff: Diff, room: Room) -> list[str]:
    """Work on cables, bundle by bundle; the total is never left out."""
    touched = [c for c in diff.cables if c.touched and not c.factory]
    work = work_in_all(diff)
    if not touched or not work:
        return []
    kinds = [(what, word) for what, word in WORK if word in dict(work)]
    total = ["**all cables**", f"{diff.total('before'):,}", f"{diff.total('after'):,}", *(f"{n:,}" for _, n in work)]
    said = ", ".join(f"{word} {n:,}" for word, n in work)
    columns = ["bundle", "before", "after", *(word for _, word in kinds)]

    def row(c: Cables) -> list[str]:
        return [code(c.bundle, cell=True), f"{c.before:,}", f"{c.after:,}", *(_number(getattr(c, what)) for what, _ in kinds)]

    shown = room.folded_rows(f"Cable work: {said}", columns, touched, row, range(1, len(columns)), total)
    told = "; ".join(f"{word}: {_MEANT[what]}" for what, word in kinds)
    return [*shown, f"<sub>{told}</sub>", ""] if shown else []


def _devices(diff: Diff, room: Room) -> list[str]:
    touched = [d for d in diff.devices if d.touched]
    columns = ["group", "part", "before", "after", "what happens"]
    return room.folded_rows(f"Devices: {count(len(touched), 'group')}", columns, touched, _device, [2, 3])


def _device(d: Devices) -> list[str]:
    return [code(d.group, cell=True), _parts(d), f"{d.before:,}", f"{d.after:,}", _doing(d)]


def _parts(d: Devices) -> str:
    names = dict.fromkeys(n for n in (d.part_before, d.part_after) if n)
    return " → ".join(code(n, cell=True) for n in names)


def _doing(d: Devices) -> str:
    words = (("removed", "take out"), ("added", "install"), ("replaced", "replace"), ("moved", "move"), ("relabelled", "relabel"))
    return ", ".join(f"{word} {n:,}" for what, word in words if (n := getattr(d, what)))


def _bom(diff: Diff, titles: Mapping[str, str], room: Room) -> list[str]:
    fewer, more = (sum((b.after - b.before) * s > 0 for b in diff.bom) for s in (-1, 1))
    told = sorted(diff.bom, key=lambda b: b.after > b.before)
    said = ", ".join(f"{n:,} {word}" for n, word in ((fewer, "with fewer"), (more, "with more")) if n)
    columns = ["part", "what it is", "part number", "length", "before", "after", "change", "to order", "comes"]
    summary = f"Bill of materials: {count(len(told), 'line')}{f', {said}' if said else ''}"
    return room.folded_rows(summary, columns, told, lambda b: _bought(b, titles.get(b.part, "")), range(3, 8))


def _bought(b: BomLine, title: str) -> list[str]:
    length = "" if b.length_m is None else f"{rounded(b.length_m, 3)} m"
    number = code(b.part_number, cell=True) if b.part_number else ""
    each = "" if b.unit == "each" else f" {b.unit}"
    order = rounded(b.order_after - b.order_before, 3)
    change = rounded(b.after - b.before, 3)
    figures = [*(f"{rounded(n, 3):,f}{each}" for n in (b.before, b.after)), f"{change:+,f}{each}", f"{order:+,f}{each}" if order else "0"]
    return [code(b.part, cell=True), prose(title or b.kind, cell=True), number, length, *figures, prose(b.bought, cell=True)]


def _findings(diff: Diff, room: Room) -> list[str]:
    out: list[str] = []
    for word, found in (("new", diff.new), ("gone", diff.gone), ("about the comparison", diff.notes)):
        told = in_order(d for d in found if not d.code.endswith("-broken"))
        counts = [count(n, s) for s in ("error", "warning") if (n := sum(d.severity == s for d in told))]
        if told:
            out += [*folded(f"Findings, {word}: {', '.join(counts) or len(told)}", room.items(told, finding)), ""]
    return out


def _number(n: int) -> str:
    return f"{n:,}" if n else ""
