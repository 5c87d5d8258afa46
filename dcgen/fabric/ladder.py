"""What every bundle is made of: one length where it is stated or assumed, and with a hall a ladder of lengths that its ways need."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dcgen.design import Design, Join, Media
from dcgen.diagnostics import Path
from dcgen.fabric.base import Site
from dcgen.fabric.fit import Parts, fitting
from dcgen.fabric.media import Option, Plug, lacking, options
from dcgen.fabric.policy import UNWRITTEN, MediaPolicy, allowed, failure_rate_fit, power_w, preferred, price_usd
from dcgen.parts.fields import LengthM
from dcgen.units import spoken

if TYPE_CHECKING:
    from dcgen.design.ladder import Survey

NO_OPTIC = "add one to `parts/`, or state `medium:` or `length:`"


@dataclass(frozen=True, slots=True)
class Asked:
    """What was written about the cables of a bundle, and what it plugs into."""

    plugs: tuple[Plug, Plug]
    rate_gbps: float
    medium: str | None
    stated_m: LengthM | None
    assumed_m: LengthM
    origin: Path
    policy: MediaPolicy | None = None
    parts: Parts | None = None
    fix: str = NO_OPTIC

    @property
    def splits(self) -> tuple[int, int]:
        """Ports in a cage at both ends."""
        return self.plugs[0].split, self.plugs[1].split


def furnished(join: Join, asked: Asked, site: Site) -> Join:
    """The bundle with what it is made of; left to the hall where that will measure it. A remark where nothing fits."""
    if site.hall and asked.stated_m is None:
        site.asked[join.name] = asked
        return join
    length_m = asked.assumed_m if asked.stated_m is None else asked.stated_m
    basis = "assumed" if asked.stated_m is None else "stated"
    found = [o for o in _options(join, asked, site) if o.per_cable == 1 and o.sold(length_m)]
    if not found:
        why = lacking(site.shelf, *asked.plugs, asked.rate_gbps, length_m, asked.medium)
        site.remark("no-optic", f"{join.name}: no transceiver and cable found", why, asked.fix, join.name, asked.origin)
        return replace(join, media=(Media("unknown", length_m=length_m, basis=basis, why=why),))
    best, because = preferred(found, _policy(asked, site), asked.splits)
    why = f"{best.said}: {because.replace('covers it', f'covers {length_m:g} m')}" if best.said else f"{best.medium} for {length_m:g} m"
    site.used.update({p.part: p for p in best.parts})
    return replace(join, media=(best.media(best.sold(length_m), basis, why),))


def _policy(asked: Asked, site: Site) -> MediaPolicy:
    return asked.policy or site.policy or UNWRITTEN


def _options(join: Join, asked: Asked, site: Site) -> list[Option]:
    """What the bundle may be made of: the parts that are named, the medium that is, or what the policy allows."""
    a, b = asked.plugs
    if asked.parts:
        named = fitting(join.name, asked.parts, a, b, asked.rate_gbps, site, asked.origin)
        return [named] if named else []
    if asked.medium:
        return [o for o in options(site.shelf, a, b, asked.rate_gbps, asked.medium) if not any(x and x.linear for x in o.optics)]
    return allowed(site.shelf, a, b, asked.rate_gbps, _policy(asked, site))


def measured(design: Design, site: Site) -> Design:
    """The design with a ladder in place of every length that nobody stated; what no cable reaches is said."""
    from dcgen.design.ladder import Survey

    bundles = []
    for join in design.bundles:
        asked = site.asked.get(join.name)
        if asked is None:
            bundles.append(join)
            continue
        survey = Survey(design, join)
        media = _climbed(design, join, asked, survey, site) if survey.links else ()
        bundles.append(replace(join, media=media))
    return replace(
        design,
        bundles=tuple(bundles),
        parts=dict(sorted(site.used.items())),
        decisions=tuple(site.decisions),
        remarks=tuple(site.remarks),
    )


def _climbed(design: Design, join: Join, asked: Asked, survey: "Survey", site: Site) -> tuple[Media, ...]:
    """The rungs that a bundle needs."""
    assert design.hall is not None
    stocked = design.hall.stocked_m
    found = [o for o in _options(join, asked, site) if _usable(o, survey) and o.stock(stocked)]
    basis = "routed" if _placed(design, join) else "routed (U assumed)"
    if not found:
        why = lacking(site.shelf, *asked.plugs, asked.rate_gbps, survey.longest_m, asked.medium)
        if not asked.parts:
            site.remark("no-optic", f"{join.name}: no transceiver and cable found", why, asked.fix, join.name, asked.origin)
        chosen: list[tuple[Option | None, str, float, tuple[float, ...]]] = [(None, why, stocked[-1], stocked)]
    else:
        found = _reaching(join, found, asked, survey, stocked, site)
        chosen = [*_steps(found, stocked, survey, _policy(asked, site), asked.splits)]
    media = _rungs(chosen, survey, basis)
    _unmeasured(join, survey, asked, site)
    for option in {id(o): o for o, *_ in chosen if o}.values():
        if any(m.cable == option.cable.part and m.optics == option.names for m in media):
            site.used.update({p.part: p for p in option.parts})
    if found:
        _compare(join, found, asked, survey, stocked, media, site)
    return media


def _usable(option: Option, survey: "Survey") -> bool:
    """Whether a cable of several links finds them where it needs them."""
    if option.cable.legs > 1:
        return option.cable.ports == 1
    return option.cable.ports == 1 or survey.side_by_side


def _placed(design: Design, join: Join) -> bool:
    """Whether the rack units at both ends are known."""
    assert design.hall is not None
    said = dict(design.hall.units)
    return all(end.group in said for end in join.ends)


def _reaching(join: Join, found: list[Option], asked: Asked, survey: "Survey", stocked: tuple[float, ...], site: Site) -> list[Option]:
    """The same, after saying it if none is long enough for the longest way."""
    most, need = max(o.stock(stocked)[-1] for o in found), survey.longest_m
    if need <= most:
        return found
    longest = f"the longest that can be ordered has {spoken(most, 'm')}, short by {spoken(need - most, 'm')}"
    what, at = f"{join.name}: a cable of {spoken(need, 'm')} is needed, {longest}", asked.origin
    reach = max(o.reach_m for o in found)
    if need <= reach:
        why = f"lengths up to {most:g} m are stocked, the reach is {reach:g} m"
        fix = "add a longer one to `lengths:` of the hall or of the part, or move the racks together"
        site.say("length-not-stocked", what, why, fix, join.name, at)
    else:
        site.say("reach-exceeded", what, _reaches(found), _farther(asked, survey, stocked, site), join.name, at)
    return found


def _reaches(found: list[Option]) -> str:
    best = max(found, key=lambda o: o.reach_m)
    return f"{best.said or best.medium} with {best.cable.part} reaches {best.reach_m:g} m"


def _farther(asked: Asked, survey: "Survey", stocked: tuple[float, ...], site: Site) -> str:
    """Names what would reach, if anything does."""
    every = allowed(site.shelf, *asked.plugs, asked.rate_gbps, MediaPolicy())
    far = [o for o in every if _usable(o, survey) and o.stock(stocked) and o.stock(stocked)[-1] >= survey.longest_m]
    if not far:
        return "move the racks together"
    names = ", ".join(f"`{p}`" for p in dict.fromkeys(p.part for p in far[0].parts))
    return f"{names} would reach {far[0].stock(stocked)[-1]:g} m: allow {'fibre' if far[0].medium == 'fibre' else far[0].medium}"


def _steps(
    found: Sequence[Option], stocked: tuple[float, ...], survey: "Survey", policy: MediaPolicy, splits: tuple[int, int]
) -> list[tuple[Option, str, float, tuple[float, ...]]]:
    """(what, why, up to which length, the lengths it is ordered in), each for longer ways than the one before."""
    limit = {id(o): o.stock(stocked)[-1] for o in found}
    top = max(limit.values())
    if policy.policy == "fewest-kinds":
        all_of_it = [o for o in found if limit[id(o)] >= min(survey.longest_m, top)]
        best = all_of_it[0]
        return [(best, "one kind for the whole bundle", limit[id(best)], best.stock(stocked))]
    out: list[tuple[Option, str, float, tuple[float, ...]]] = []
    for bound in sorted(set(limit.values())):
        best, why = preferred([o for o in found if limit[id(o)] >= bound], policy, splits)
        if out and out[-1][0] is best:
            out.pop()
        out.append((best, why, bound, best.stock(stocked)))
        if bound >= survey.longest_m:
            break
    return out


def _rungs(chosen: Sequence[tuple[Option | None, str, float, tuple[float, ...]]], survey: "Survey", basis: str) -> tuple[Media, ...]:
    from dcgen.design.ladder import TO_MEASURE, Step

    steps = [Step(limit, stock, option.per_cable if option else 1) for option, _, limit, stock in chosen]
    media = []
    for (option, why, limit, _), lengths in zip(chosen, survey.lengths_m(steps), strict=True):
        for length_m in lengths:
            if option is None:
                media.append(Media("unknown", length_m=length_m, basis=basis, why=why))
            else:
                said = f"{option.said or option.medium} up to {limit:g} m: {why.replace('that covers it', 'that covers the way')}"
                media.append(option.media(length_m, basis, said))
    if survey.unmeasured:
        said = f"{survey.unmeasured:,} links lead through something of unknown length"
        media.append(Media("unknown", basis=TO_MEASURE, why=said))
    return tuple(media)


def _unmeasured(join: Join, survey: "Survey", asked: Asked, site: Site) -> None:
    """Cables that have to be measured are said, for no part of them is in the bill."""
    if survey.unmeasured:
        what = f"{join.name}: {survey.unmeasured:,} of {survey.links:,} cables are still to be measured, they are in no sum"
        why = "their way leads through a duct of unknown length"
        site.remark("length-unknown", what, why, "give the duct its `length:`", join.name, asked.origin)


def _compare(
    join: Join, found: list[Option], asked: Asked, survey: "Survey", stocked: tuple[float, ...], media: tuple[Media, ...], site: Site
) -> None:
    """Keep as a decision what the bundle is made of, and what each other medium would reach, cost, draw and break."""
    best: dict[str, Option] = {}
    for option in allowed(site.shelf, *asked.plugs, asked.rate_gbps, MediaPolicy()):
        if _usable(option, survey) and option.stock(stocked):
            best[option.medium] = option  # the one of a medium that reaches farthest comes last
    taken = {m.medium for m in media}
    others = [o for m, o in best.items() if m not in taken and survey.covered(o.stock(stocked)[-1])]
    said = [_weighed(o, survey, stocked, asked.splits) for o in others]
    kinds = dict.fromkeys((m.medium, m.cable) for m in media)
    what = ", ".join(f"{medium}" for medium, _ in kinds) + f" for {survey.shortest_m:g} to {survey.longest_m:g} m"
    why = "; ".join(dict.fromkeys(m.why for m in media))
    site.decide(join.name, what, why + (f". Instead: {'; '.join(said)}" if said else ""))


def _weighed(option: Option, survey: "Survey", stocked: tuple[float, ...], splits: tuple[int, int]) -> str:
    n = survey.covered(option.stock(stocked)[-1])
    figures = [
        f"price {spoken(round(p * n, 2), 'usd')}" if (p := price_usd(option, splits)) is not None else "price unknown",
        f"power {spoken(round(w * n, 3), 'w')}" if (w := power_w(option, splits)) is not None else "power unknown",
        f"failures {spoken(round(f * n, 3), 'fit')}" if (f := failure_rate_fit(option, splits)) is not None else "failures unknown",
    ]
    return f"{option.medium} reaches {n:,} of {survey.links:,} links, {', '.join(figures)}"
