"""Small fabrics made of groups and joins directly: leaf-spine, fat tree, rails, planes, three tiers, HyperX, torus."""

from collections.abc import Mapping

from dcgen.design import Axis, Block, Deal, Design, DeviceGroup, End, Fabric, Join, Line, Mesh, Table
from dcgen.naming import parse_selector
from dcgen.parts import Node, Switch, SwitchTray

BLOCK = Block("p", 0, 1, 1)
_MADE = {"maker": "nobody", "sources": {"sheet": {"title": "made up"}}}
_PORT = {"cages": 1, "cage": "osfp", "modes": [(1, 1.0)], "lanes": 1}


def node(accelerators: int = 1, axes: Mapping[str, int] | None = None) -> Node:
    """A node whose NIC ports have these axes."""
    axes = dict(axes or {"port": 1})
    cages = 1
    for n in axes.values():
        cages *= n
    ports = {"p": {**_PORT, "cages": cages, "axes": axes}}
    return Node.model_validate({"part": "node", "kind": "node", "title": "Node", "accelerators": accelerators, "ports": ports, **_MADE})


def design(
    groups: Mapping[str, Mapping[str, int]],
    joins: list[Join],
    hosts: tuple[str, ...],
    part: Node | None = None,
    absent: tuple[str, ...] = (),
) -> Design:
    """`groups` is name -> axis -> size; what is no host is a switch of the fabric `net`, or of the domain `up` if it begins with nv."""
    holes = [parse_selector(s) for s in absent]
    made = {}
    for name, axes in groups.items():
        role, fabric = ("node", "") if name in hosts else ("scale-up", "up") if name.startswith("nv") else ("leaf", "net")
        own = tuple(h for h in holes if h.group == name)
        kind = {"node": "node", "leaf": "switch", "scale-up": "switch-tray"}[role]
        made[name] = DeviceGroup(name, kind, tuple(Axis(a, n) for a, n in axes.items()), own, role, fabric, 0 if role == "node" else 1)
    parts = {
        "node": part or node(),
        "switch": Switch.model_validate(
            {"part": "switch", "kind": "switch", "title": "Switch", "fabric": "ethernet", "ports": {"p": _PORT}, **_MADE}
        ),
        "switch-tray": SwitchTray.model_validate(
            {"part": "switch-tray", "kind": "switch-tray", "title": "Tray", "chips": 1, "ports_per_chip": 1, "port_rate": 1.0, **_MADE}
        ),
    }
    tiers = {f: tuple(g.name for g in made.values() if g.fabric == f) for f in ("net", "up")}
    fabrics = {"net": Fabric("net", "clos", tiers["net"]), "up": Fabric("up", "scale-up", tiers["up"], field_cabled=False)}
    return Design("pod", made, tuple(joins), parts, {f: v for f, v in fabrics.items() if v.tiers or f == "net"})


def join(a: str, b: str, groups: Mapping[str, Mapping[str, int]], gbps: float = 1.0, times: int = 1, fabric: str = "net") -> Join:
    """All devices that agree on the axes both have."""
    on = tuple(x for x in groups[a] if x in groups[b])
    return Join(f"{fabric}/{a}-{b}", End(a, BLOCK), End(b, BLOCK), on, {"way": times}, {}, gbps, fabric, f"{a}-{b}")


def leaf_spine(leaves: int = 6, spines: int = 4, hosts: int = 4, up: float = 1.0, absent: tuple[str, ...] = ()) -> Design:
    g = {"host": {"leaf": leaves, "host": hosts}, "leaf": {"leaf": leaves}, "spine": {"spine": spines}}
    return design(g, [join("host", "leaf", g), join("leaf", "spine", g, up)], ("host",), absent=absent)


def dealt(leaves: int, spines: int, hosts: int, uplinks: int, absent: tuple[str, ...] = ()) -> Design:
    """Uplinks dealt over spines that do not divide them."""
    g = {"host": {"leaf": leaves, "host": hosts}, "leaf": {"leaf": leaves}, "spine": {"spine": spines}}
    up = Join(
        "net/leaf-spine", End("leaf", BLOCK), End("spine", BLOCK, order=("leaf", "way"), spread=Deal("spine")), (), {"way": uplinks}, {}, 1.0,
        "net", "leaf-spine",
    )  # fmt: skip
    return design(g, [join("host", "leaf", g), up], ("host",), absent=absent)


def fat_tree(k: int = 4) -> Design:
    r = k // 2
    g = {
        "host": {"pod": k, "edge": r, "host": r},
        "edge": {"pod": k, "edge": r},
        "agg": {"pod": k, "agg": r},
        "core": {"agg": r, "core": r},
    }
    return design(g, [join("host", "edge", g), join("edge", "agg", g), join("agg", "core", g)], ("host",))


def rail(
    sus: int = 2, domains: int = 4, gpus: int = 4, spines: int = 2, nvlink: float = 9.0, nic: float = 1.0, up: float | None = None,
    own: bool = False,
) -> Design:  # fmt: skip
    """One rail for each GPU of a domain; `own` gives each rail spines of its own."""
    g = {"gpu": {"su": sus, "dom": domains, "rail": gpus}, "nvsw": {"su": sus, "dom": domains}, "leaf": {"su": sus, "rail": gpus}}
    g["spine"] = {"rail": gpus, "spine": spines} if own else {"spine": spines}
    each = domains * nic / spines if up is None else up
    return design(g, [join("gpu", "nvsw", g, nvlink, fabric="up"), join("gpu", "leaf", g, nic), join("leaf", "spine", g, each)], ("gpu",))


def dual_plane(segments: int = 2, hosts: int = 3, rails: int = 2, aggs: int = 2) -> Design:
    g = {"gpu": {"seg": segments, "host": hosts, "rail": rails}, "nvsw": {"seg": segments, "host": hosts},
         "tor": {"seg": segments, "rail": rails, "plane": 2}, "agg": {"plane": 2, "agg": aggs}}  # fmt: skip
    joins = [join("gpu", "nvsw", g, 4.5, fabric="up"), join("gpu", "tor", g, 0.5), join("tor", "agg", g, hosts * 0.5 / aggs)]
    return design(g, joins, ("gpu",))


def hyperx(*dims: int) -> Design:
    """Routers in a grid, each joined to all others of its row and of its column; routers send themselves."""
    axes = dict(zip("xyzw", dims, strict=False))
    joins = []
    for a in axes:
        others = tuple(x for x in axes if x != a)
        ends = End("router", BLOCK), End("router", BLOCK, {a: (f"{a}~",)})
        joins.append(Join(f"net/{a}", *ends, others, {}, {}, 1.0, "net", a, pairs=Mesh(a, f"{a}~")))
    return design({"router": axes}, joins, ("router",))


def torus(*dims: int) -> Design:
    """Routers in a grid whose rows and columns are rings; routers send themselves."""
    axes = dict(zip("xyzw", dims, strict=False))
    joins = []
    for a in axes:
        others = tuple(x for x in axes if x != a)
        ends = End("router", BLOCK), End("router", BLOCK, {a: (f"{a}~",)})
        joins.append(Join(f"net/{a}", *ends, others, {}, {}, 1.0, "net", a, pairs=Line(a, f"{a}~", True)))
    return design({"router": axes}, joins, ("router",))


def stated(n: int, edges: list[tuple[int, int]]) -> Design:
    """Routers joined as a list of pairs says."""
    rows = tuple(((x,), (y,), 1) for x, y in edges)
    ends = End("router", BLOCK), End("router", BLOCK, {"r": ("r~",)})
    return design(
        {"router": {"r": n}}, [Join("net/r", *ends, (), {}, {}, 1.0, "net", "r", pairs=Table(("r",), ("r~",), rows))], ("router",)
    )


def trays(
    sus: int = 2, racks: int = 2, trays: int = 2, rails: int = 2, planes: int = 1, spines: int = 2, halves: int = 1, nvlink: float = 0.0,
    absent: tuple[str, ...] = (),
) -> Design:  # fmt: skip
    """Trays of several accelerators, each with NIC ports on `planes`; leaves per unit, rail, plane and block of racks."""
    axes = {"rail": rails, **({"plane": planes} if planes > 1 else {})}
    g: dict[str, dict[str, int]] = {
        "tray": {"su": sus, "rack": racks, "tray": trays},
        "leaf": {"su": sus, **axes},
        "spine": {"spine": spines},
    }
    sizes, view, on = {}, {}, ("su",)
    if halves > 1:
        g["leaf"]["half"] = halves
        view, sizes, on = {"rack": ("half", "rack.half")}, {"half": halves, "rack.half": racks // halves}, ("su", "half")
    if planes > 1:
        g["spine"] = {"plane": planes, "spine": spines}
    lower = Join("net/tray-leaf", End("tray", BLOCK, view, tuple(axes)), End("leaf", BLOCK), on, {}, sizes, 1.0, "net", "node-leaf")
    joins = [lower, join("leaf", "spine", g)]
    if nvlink:
        g["nvsw"] = {"su": sus, "rack": racks}
        ways = {"accelerator": rails}
        joins.append(
            Join("up/links", End("tray", BLOCK), End("nvsw", BLOCK), ("su", "rack"), ways, {}, nvlink, "up", "up", field_cabled=False)
        )
    return design(g, joins, ("tray",), node(rails, axes), absent)
