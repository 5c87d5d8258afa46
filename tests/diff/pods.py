"""A small pod, and edits of its text."""

from pathlib import Path

import dcgen
from dcgen.analysis import Analysis
from dcgen.diff import Cables, Change, Devices, Diff, Effect, compare
from dcgen.source import parse_text

ROOT = Path(__file__).parents[2]
POD = """\
dcgen: 1
name: pod
params: {su: {default: 2, range: [1, 16]}}
racks:
  compute: {part: gb300-nvl72, axes: {su: $su, rack: 8}}
fabrics:
  backend:
    kind: clos
    serves: compute.fabric
    leaf: {part: q3400-ra, per: [su, rail, half=rack/4]}
    spine: {part: q3400-ra}
require: [oversubscription(backend) <= 1]
"""


def analysed(text: str, quick: bool = True, **settings: object) -> Analysis:
    source = parse_text(text, str(ROOT / "blueprints" / "pod.yaml"))
    return dcgen.analyse(dcgen.lay_out(dcgen.parse(source, {k: str(v) for k, v in settings.items()})), quick)


def edited(*edits: tuple[str, str], text: str = POD) -> str:
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    return text


def diff(*edits: tuple[str, str], text: str = POD) -> Diff:
    """What edits of a text change; each edit must do something."""
    return compare(analysed(text), analysed(edited(*edits, text=text)))


def changes(found: Diff, kind: str = "", whole: bool = False) -> list[tuple[str, str, int]]:
    """(sign, subject, count) of the changes of a kind; those that are pieces of others only as a whole."""
    return [(c.sign, c.subject, c.count) for c in found.changes if kind in ("", c.kind) and (whole or not c.within)]


def change(found: Diff, subject: str, sign: str = "") -> Change:
    (one,) = [c for c in found.changes if c.subject == subject and sign in ("", c.sign)]
    return one


def cables(found: Diff, bundle: str) -> Cables:
    (one,) = [c for c in found.cables if c.bundle == bundle]
    return one


def devices(found: Diff, group: str) -> Devices:
    (one,) = [d for d in found.devices if d.group == group]
    return one


def effect(found: Diff, measure: str, subject: str = "site") -> Effect:
    (one,) = [e for e in found.effects if (e.measure, e.subject) == (measure, subject)]
    return one


def moved(was: str, now: str) -> tuple[str, str]:
    """The edit that adds a `moved:` line."""
    return "name: pod\n", f"name: pod\nmoved: [{{from: '{was}', to: '{now}'}}]\n"
