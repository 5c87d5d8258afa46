"""A design as canonical JSON and back: sorted, indented, small; it carries the parts it uses."""

import json
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, get_args

from dcgen.design.hall import Detour, Duct, Hall, Row, Run, Tray, Zone
from dcgen.design.model import (
    Axis,
    Block,
    Collective,
    Deal,
    Decision,
    Design,
    DeviceGroup,
    End,
    Fabric,
    Join,
    Line,
    Media,
    Mesh,
    Moved,
    Pack,
    Requirement,
    Stock,
    Table,
    Traffic,
    Upkeep,
)
from dcgen.design.procurement import Added, Labels, Spares
from dcgen.diagnostics import Diagnostic
from dcgen.naming import Selector, parse_selector
from dcgen.parts import KINDS, Part

FORMAT = 1
_TAGGED = {t.__name__: t for t in (Deal, Line, Mesh, Pack, Table)}
"""Types that stand where one of several may: their records say which."""


class NotADesign(ValueError):
    """A file that is no design of this version."""


def dump(design: Design) -> str:
    """Canonical text of a design, one trailing newline; equal designs give equal bytes."""
    body: dict[str, Any] = {
        "dcgen_design": FORMAT,
        "name": design.name,
        "title": design.title,
        "parameters": design.parameters,
        "groups": {k: _plain(g) for k, g in design.groups.items()},
        "bundles": {b.name: _plain(b) for b in design.bundles},
        "order": {"groups": list(design.groups), "bundles": [b.name for b in design.bundles], "fabrics": list(design.fabrics)},
        "fabrics": {k: _plain(f) for k, f in design.fabrics.items()},
        "decisions": [_plain(d) for d in design.decisions],
        "requirements": [_plain(r) for r in design.requirements],
        "remarks": [_plain(r) for r in design.remarks],
        "parts": {k: json.loads(p.model_dump_json(by_alias=True, exclude_defaults=True)) for k, p in design.parts.items()},
    }
    if design.have:
        body["have"] = [_plain(s) for s in design.have]
    if design.phases:
        body["phases"] = [[name, _plain(selectors)] for name, selectors in design.phases.items()]
    if design.collectives:
        body["collectives"] = [_plain(c) for c in design.collectives]
    if upkeep := _plain(design.upkeep):
        body["upkeep"] = upkeep
    for name in ("spares", "labels"):
        if said := _plain(getattr(design, name)):
            body[name] = said
    if design.extras:
        body["extras"] = [_plain(e) for e in design.extras]
    if design.traffic:
        body["traffic"] = [_plain(t) for t in design.traffic]
    if design.moved:
        body["moved"] = [_plain(m) for m in design.moved]
    if design.hall:
        body["hall"] = _plain(design.hall)
    if design.written:
        body["written"] = design.written
    return json.dumps(body, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    """Dataclasses as mappings without what is at its default; ranges as [start, stop]; selectors as text."""
    if isinstance(value, Selector):
        return str(value)
    if is_dataclass(value) and not isinstance(value, type):
        out = {f.name: _plain(v) for f in fields(value) if (v := getattr(value, f.name)) != _default(f)}
        if isinstance(value, Join) and len(value.media) == 1:
            out["media"] = _plain(value.media[0])
        return {"is": type(value).__name__, **out} if type(value).__name__ in _TAGGED else out
    if isinstance(value, range):
        return [value.start, value.stop]
    if isinstance(value, tuple | list):
        return [_plain(v) for v in value]
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    return value


def _default(f: Any) -> Any:
    return f.default if f.default is not MISSING else f.default_factory() if f.default_factory is not MISSING else MISSING


def load(text: str) -> Design:
    """Inverse of `dump`.

    Raises:
        NotADesign: not JSON, not a design, or of another version.
    """
    try:
        body = json.loads(text)
        if not isinstance(body, dict) or body.get("dcgen_design") != FORMAT:
            raise NotADesign(f"not a design of format {FORMAT}")
        order = body["order"]
        return Design(
            name=body["name"],
            title=body["title"],
            parameters=body["parameters"],
            groups={k: _group(body["groups"][k]) for k in order["groups"]},
            bundles=tuple(_join(body["bundles"][k]) for k in order["bundles"]),
            fabrics={k: Fabric(**_tuples(body["fabrics"][k])) for k in order["fabrics"]},
            decisions=tuple(Decision(**d) for d in body["decisions"]),
            requirements=tuple(Requirement(**_tuples(r)) for r in body["requirements"]),
            remarks=tuple(Diagnostic(**_tuples(r)) for r in body["remarks"]),
            parts={k: _part(p) for k, p in body["parts"].items()},
            have=tuple(Stock(**s) for s in body.get("have", ())),
            phases={name: tuple(parse_selector(s) for s in selectors) for name, selectors in body.get("phases", ())},
            collectives=tuple(_collective(c) for c in body.get("collectives", ())),
            upkeep=Upkeep(**body.get("upkeep", {})),
            extras=tuple(Added(**_tuples(e)) for e in body.get("extras", ())),
            spares=Spares(**body.get("spares", {})),
            labels=Labels(**body.get("labels", {})),
            traffic=tuple(Traffic(**{k: _deep(v) for k, v in t.items()}) for t in body.get("traffic", ())),
            moved=tuple(Moved(**_tuples(m)) for m in body.get("moved", ())),
            written=body.get("written", {}),
            hall=_hall(body["hall"]) if body.get("hall") else None,
        )
    except (KeyError, TypeError, AttributeError, json.JSONDecodeError) as e:
        raise NotADesign(f"not a design: {e}") from e


def _tuples(record: dict[str, Any]) -> dict[str, Any]:
    return {k: tuple(v) if isinstance(v, list) else v for k, v in record.items()}


_IN_A_HALL = {"rows": Row, "trays": Tray, "ducts": Duct, "zones": Zone, "runs": Run, "detours": Detour}


def _hall(record: dict[str, Any]) -> Hall:
    r = {k: _deep(v) for k, v in record.items() if k not in _IN_A_HALL}
    inside: dict[str, Any] = {
        k: tuple(kind(**{f: _deep(v) for f, v in one.items()}) for one in record.get(k, ())) for k, kind in _IN_A_HALL.items()
    }
    return Hall(**r, **inside)


def _collective(record: dict[str, Any]) -> Collective:
    return Collective(**{**_tuples(record), "over": tuple(parse_selector(s) for s in record["over"])})


def _group(record: dict[str, Any]) -> DeviceGroup:
    r = _tuples(record)
    r["axes"] = tuple(Axis(**a) for a in r.get("axes", ()))
    r["absent"] = tuple(parse_selector(s) for s in r.get("absent", ()))
    return DeviceGroup(**r)


def _end(record: dict[str, Any]) -> End:
    r = _tuples(record)
    r["block"] = Block(**_tuples(r["block"]))
    r["view"] = {k: tuple(v) for k, v in r.get("view", {}).items()}
    r["where"] = {k: range(*v) for k, v in r.get("where", {}).items()}
    if spread := r.get("spread"):
        r["spread"] = _tagged(spread)
    return End(**r)


def _tagged(record: dict[str, Any]) -> Any:
    fields_ = {k: _deep(v) for k, v in record.items() if k != "is"}
    return _TAGGED[record["is"]](**fields_)


def _deep(value: Any) -> Any:
    return tuple(_deep(v) for v in value) if isinstance(value, list) else value


def _join(record: dict[str, Any]) -> Join:
    r = _tuples(record)
    r["a"], r["b"] = _end(r["a"]), _end(r["b"])
    if pairs := r.get("pairs"):
        r["pairs"] = _tagged(pairs)
    if media := r.get("media"):
        r["media"] = tuple(Media(**_tuples(m)) for m in (media if isinstance(media, tuple) else (media,)))
    return Join(**r)


def _part(record: dict[str, Any]) -> Part:
    model = next((k for k in KINDS if record.get("kind") in get_args(k.model_fields["kind"].annotation)), None)
    if model is None:
        raise NotADesign(f"unknown kind of part: {record.get('kind')}")
    return model.model_validate(record)
