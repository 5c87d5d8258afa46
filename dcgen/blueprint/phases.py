"""Reads `phases:`: which devices come when; no device comes twice."""

from collections.abc import Iterator, Mapping
from itertools import combinations

from dcgen.design.phases import overlap
from dcgen.diagnostics import Path, did_you_mean
from dcgen.fabric import Site, selected
from dcgen.naming import Selector, SelectorError, parse_selector


def phases(written: Mapping[str, list[str]], site: Site) -> dict[str, tuple[Selector, ...]]:
    """Phase -> selectors of single groups, in the order written; what names nothing, or a device twice, is said."""
    lines = [
        (name, ("phases", name, i), list(_expanded(text, site, ("phases", name, i))))
        for name, texts in written.items()
        for i, text in enumerate(texts)
    ]
    for (one, _, these), (other, at, those) in combinations(lines, 2):
        if one != other and (both := _both(these, those, site)):
            fix = "give the devices to one of them"
            site.say(
                "phase-overlap", f"`{both}` comes in phase `{one}` and in phase `{other}`", "a device is built once", fix, both.group, at
            )
    return {name: tuple(s for owner, _, found in lines if owner == name for s in found) for name in written}


def _both(these: list[Selector], those: list[Selector], site: Site) -> Selector | None:
    """The first devices that both name."""
    pairs = ((a, b) for a in these for b in those if a.group == b.group)
    return next((both for a, b in pairs if (both := overlap(site.groups[a.group], a, b))), None)


def _expanded(text: str, site: Site, origin: Path) -> Iterator[Selector]:
    """A selector of a group, or of every group of an entry or fabric that has its axes; a rack comes with all that is in it."""
    try:
        found = parse_selector(text)
    except SelectorError as e:
        site.say("bad-selector", e.what, fix=e.fix, origin=origin)
        return
    if found.port:
        site.say(
            "bad-selector", f"`{text}` names a port; a phase is of devices", fix=f"write `{text.split(':', maxsplit=1)[0]}`", origin=origin
        )
        return
    under = [g for n, g in site.groups.items() if n.startswith(f"{found.group}/")]
    if not under:
        if selected(text, site, origin):
            yield from (Selector(g.name, found.ranges) for g in site.groups.values() if found.group in (g.name, g.inside))
        return
    fitting = [g.name for g in under if all(high < g.sizes.get(axis, 0) for axis, _, high in found.ranges)]
    if not fitting:
        axes = {a: n for g in under for a, n in g.sizes.items()}
        wrong = next((axis for axis, _, _ in found.ranges if axis not in axes), "")
        fix = did_you_mean(wrong, axes) if wrong else ", ".join(f"`{a}` runs from 0 to {n - 1}" for a, n in axes.items())
        site.say("bad-selector", f"`{text}` names no device", fix=fix, origin=origin)
    yield from (Selector(name, found.ranges) for name in fitting)
