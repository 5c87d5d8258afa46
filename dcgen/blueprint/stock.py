"""Reads `have:`: pieces that are owned already, so that they need not be ordered."""

from collections.abc import Iterator

from pydantic import Field

from dcgen.design import Stock
from dcgen.diagnostics import Path
from dcgen.fabric import Site
from dcgen.parts import Cable, Part
from dcgen.parts.fields import Count, LengthM, PartId, Strict


class Owned(Strict):
    """Pieces of one part that are owned already; of a cable, of one length."""

    part: PartId
    count: Count
    length_m: LengthM | None = Field(None, alias="length")


def stock(written: dict[str, int] | list[Owned], site: Site) -> Iterator[Stock]:
    """What is owned, entries of one part and length added up; parts that nobody knows are said."""
    entries: list[tuple[Path, Owned]]
    if isinstance(written, dict):
        entries = [(("have", part), Owned(part=part, count=count)) for part, count in written.items()]
    else:
        entries = [(("have", i), one) for i, one in enumerate(written)]
    total: dict[tuple[str, float | None], int] = {}
    for at, one in entries:
        part = site.part(one.part, at if isinstance(written, dict) else (*at, "part"), (Part,))
        if part is None or not _measured(one, part, site, at):
            continue
        total[part.part, one.length_m] = total.get((part.part, one.length_m), 0) + one.count
    for (name, length_m), count in total.items():
        yield Stock(name, count, length_m)


def _measured(one: Owned, part: Part, site: Site, at: Path) -> bool:
    """Whether cables, and only cables, have a length; says so if not."""
    if isinstance(part, Cable) == (one.length_m is not None):
        return True
    if isinstance(part, Cable):
        fix = f"write `have: [{{part: {one.part}, length: 10 m, count: {one.count}}}]`"
        site.say(
            "missing-key",
            f"`{one.part}` is a cable: how long are those that are owned?",
            "a cable is ordered by its length",
            fix,
            origin=at,
        )
    else:
        site.say("wrong-kind", f"`{one.part}` is a {part.kind}, only a cable has a length", fix="remove `length`", origin=(*at, "length"))
    return False
