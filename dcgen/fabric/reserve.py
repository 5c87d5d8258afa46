"""Growth that is planned for: how large an axis will be, and whether the switches above are all built today."""

from dataclasses import replace
from typing import Any, Literal

from pydantic import model_validator

from dcgen.diagnostics import Path, did_you_mean
from dcgen.fabric.base import Endpoint, Site
from dcgen.parts.fields import Positive, Strict


class GrowthReserve(Strict):
    """Final sizes of axes (`{su: 4, spines: now}`).

    `now` builds today the switches above that the final size needs: nothing that is cabled ever moves. `follow` builds what
    today's size needs, and says what the final size will need; growing then re-patches part of the links between switches.
    """

    axes: dict[str, Positive]
    spines: Literal["now", "follow"] = "now"

    @model_validator(mode="before")
    @classmethod
    def _flat(cls, value: Any) -> Any:
        if isinstance(value, dict) and "axes" not in value:
            return {"axes": {k: v for k, v in value.items() if k != "spines"}, **({"spines": value["spines"]} if "spines" in value else {})}
        return value


def with_room(reserve: GrowthReserve, endpoints: list[Endpoint], site: Site, origin: Path) -> list[Endpoint] | None:
    """The endpoints with room on their axes if everything is built now; None after saying which axis is unknown or too small."""
    out, wrong = [], False
    for e in endpoints:
        axes = []
        for axis in e.group.axes:
            final = reserve.axes.get(axis.name, axis.ruler)
            if final < axis.size:
                what = f"`{axis.name}` has {axis.size} coordinates, {final} are reserved"
                site.say("out-of-range", what, fix="reserve at least as many as there are", origin=(*origin, axis.name))
                wrong = True
            axes.append(replace(axis, room=max(final, axis.size)) if reserve.spines == "now" else axis)
        group = site.groups[e.group.name] = replace(site.groups[e.group.name], axes=tuple(axes))
        out.append(replace(e, group=group))
    known = dict.fromkeys(a.name for e in endpoints for a in e.group.axes)
    for axis_name in reserve.axes:
        if axis_name not in known:
            site.say(
                "bad-reference",
                f"nothing that is served has an axis `{axis_name}`",
                fix=did_you_mean(axis_name, known),
                origin=(*origin, axis_name),
            )
            wrong = True
    return None if wrong else out
