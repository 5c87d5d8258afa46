"""Reads `extras:` and `spares:`: what is ordered beyond what the design itself is made of."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, Field, WithJsonSchema

from dcgen.design import Added, Spares
from dcgen.diagnostics import Path, did_you_mean
from dcgen.fabric import Site
from dcgen.parts import KINDS, Extra
from dcgen.parts.fields import AxisName, Count, PartId, Positive, Strict, Text, listed, one_or_many, quantity
from dcgen.units import Plain, parse


def _exactly(value: Any) -> str:
    quantity("share", 0, 10, "a store is not ten times what is in use")(value)
    return str(parse(value, "share")) if isinstance(value, Plain) else str(value)


Percent = Annotated[str, BeforeValidator(_exactly), WithJsonSchema({"type": "string", "examples": ["10 %"]})]
"""A share that stays exact, as a fraction in text."""
Names = Annotated[list[Text], BeforeValidator(listed), WithJsonSchema(one_or_many({"type": "string"}))]


class ExtraWanted(Strict):
    """A licence, a support contract or an accessory, and what it is for; a yearly one for so many years."""

    part: PartId
    among: Names = Field([], alias="for")
    years: Positive | None = None


class Store(Strict):
    """Spares by class: a kind of part such as `optic`, or one part, which comes first.

    Of what is needed, `share` is added and rounded up once, then `fixed`; `at_least` so many are kept of whatever is needed at all.
    With `policy: poisson` failure rates decide: as many as last the lead time of the part (else that of `reliability:`), with the
    probability `level` of `reliability:`.
    """

    policy: Literal["percent", "poisson"] = "percent"
    share: dict[Text, Percent] = {}
    fixed: dict[Text, Count] = {}
    at_least: dict[Text, Count] = {}
    per: AxisName | None = None


def extras(written: list[ExtraWanted], site: Site) -> Iterator[Added]:
    """Every extra whose part is known and which is for something that is there."""
    names = [*dict.fromkeys(g.split("/")[0] for g in site.groups), *site.groups]
    for i, one in enumerate(written):
        at: Path = ("extras", i)
        part = site.part(one.part, (*at, "part"), (Extra,))
        unknown = [(n, word) for n, word in enumerate(one.among) if word not in names]
        for n, word in unknown:
            site.say("bad-reference", f"`{word}` is no entry, fabric or group", fix=did_you_mean(word, names), origin=(*at, "for", n))
        if part is None or unknown:
            continue
        assert isinstance(part, Extra)
        if part.yearly and one.years is None:
            site.say("missing-key", f"`{part.part}` is paid by the year: for how many?", fix="write for example `years: 3`", origin=at)
        elif one.years is not None and not part.yearly:
            site.say("unknown-key", f"`{part.part}` is bought once", fix="remove `years`", origin=(*at, "years"))
        else:
            yield Added(part.part, tuple(one.among), one.years or 1)


def spares(written: Store, site: Site) -> Spares:
    """The store as the design carries it; classes that nothing is of, and an axis that nothing has, are said."""
    kinds = list(dict.fromkeys(word for kind in KINDS for word in get_args(kind.model_fields["kind"].annotation)))
    known = [*kinds, *site.used]
    by_class: dict[str, Mapping[str, object]] = {"share": written.share, "fixed": written.fixed, "at_least": written.at_least}
    for key, entries in by_class.items():
        for word in entries:
            if word not in known:
                what, fix = f"`{word}` is no kind of part, and no part of this design", did_you_mean(word, known)
                site.say("bad-reference", what, fix=fix, origin=("spares", key, word))
    if written.policy == "poisson" and written.share:
        why, fix = "with `policy: poisson` failure rates and lead times decide", "remove `share`, or the policy"
        site.say("unknown-key", "`share` is of no use here", why, fix, origin=("spares", "share"))
    axes = dict.fromkeys(a.name for g in site.groups.values() for a in g.axes)
    if written.per and written.per not in axes:
        site.say("bad-reference", f"nothing has an axis `{written.per}`", fix=did_you_mean(written.per, axes), origin=("spares", "per"))
    return Spares(written.policy, written.share, written.fixed, written.at_least, written.per or "")
