"""Questions about throughput as people ask them: in blueprints, after losses, and where there is no answer."""

import subprocess
import sys

import pytest

from dcgen.analysis import Analysis
from dcgen.analysis.flow import Question, Unanswerable, throughput
from dcgen.analysis.flow.questions import read
from dcgen.analysis.flow.surveys import surveys
from dcgen.analysis.flow.ways import shared_links, shortest_ways
from dcgen.design import Design, End, Join, Traffic
from dcgen.design.save import dump, load
from dcgen.render.losses import loss_view
from dcgen.tables import loss_table
from tests.cases.support import ROOT, analysed, errors
from tests.laws import pods
from tests.laws.pods import BLOCK

POD = """
racks: {compute: {part: gb300-nvl72, axes: {su: 2, rack: 8}}}
fabrics:
  backend: {kind: clos, serves: compute.fabric, leaf: {part: q3400-ra, per: [su, rail, half=rack/4]}, spine: {part: q3400-ra}}
traffic:
  ep: {kind: all-to-all, within: [su, rack], scale_up: relay}
  dp: {kind: ring, along: su}
  racks: {kind: ring, along: rack}
  tree: {kind: tree, along: rack}
  worst: {kind: worst-case}
  store: {kind: many-to-one, to: 'compute/tray[su=0,rack=0,tray=0]'}
  sites: {kind: gravity, among: ['compute[su=0]', 'compute[su=1]'], mass: [3, 1]}
  rates: {kind: matrix, rows: [{a: 'compute[su=0]', b: 'compute[su=1]', rate: 400G}, {a: 'compute[su=1]', b: 'compute[su=0]', rate: 100G}]}
"""


@pytest.fixture(scope="module")
def pod() -> Analysis:
    return analysed(POD)


@pytest.mark.parametrize(
    ("traffic", "expected"),
    [
        ("ep", 8000.0),  # 18 links of 400 inside the rack, and the NIC of 800 beside them
        ("dp", 800.0),
        ("racks", 800.0),
        ("tree", 800 / 3),  # the fullest of a binary tree hears its parent and two children
        ("worst", 800.0),
        ("store", 800 * 4 / 1152),  # four ports take what 1,152 send, themselves among them
        ("sites", 800.0),
        ("rates", 2.0),  # twice 400G of 800G
    ],
)
def test_declared_traffic(pod: Analysis, traffic: str, expected: float) -> None:
    found = pod.get("throughput", f"backend/{traffic}")
    assert found
    assert found.value == pytest.approx(expected, rel=1e-9)
    assert found.unit == ("1" if traffic == "rates" else "gbps")


def test_traffic_is_kept_in_a_saved_design(pod: Analysis) -> None:
    assert load(dump(pod.design)) == pod.design
    assert len(pod.design.traffic) == 8


def required(*lines: str, more: str = "") -> Analysis:
    return analysed(POD + more + "require:\n" + "".join(f"  - {line}\n" for line in lines))


HOLD = (
    "throughput(backend) >= 800G",
    "throughput(backend) >= 100%",
    "throughput(backend, scale_up=relay) >= 852G",
    "throughput(backend, when=lost(backend/spine, 1)) >= 93%",
    "throughput(backend, when=lost(backend/spine[spine=0])) >= 740G",
    "throughput(backend, when=lost(backend/spine[spine=0], backend/spine[spine=1])) >= 600G",
    "throughput(backend, scale_up=relay, when=lost(backend/leaf, 2)) >= 50%",
    "throughput(backend, traffic=dp, when=lost(compute/tray, 1)) >= 100%",
    "throughput(backend, traffic=racks, when=lost(compute/tray, 1)) >= 100%",
    "throughput(backend, traffic=rates) >= 200%",
    "throughput(backend, when=lost(backend/leaf-spine, 3)) >= 99%",
    "throughput(backend, routing=spray) >= 100%",
    "throughput(backend, routing=hashed, queue_pairs=16, efficiency=90%) >= 50%",
)


def test_requirements_that_hold() -> None:
    assert errors(required(*HOLD)) == {}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("throughput(backend) >= 801G", "throughput(backend) is 800 Gb/s"),
        ("throughput(backend, when=lost(backend/leaf, 1)) >= 1%", "cannot reach"),
        ("throughput(backend, when=lost(backend/spine, 1)) >= 94%", "binding: backend/leaf → backend/spine[spine=1..7], 1,008 links"),
        ("throughput(backend, routing=hashed) >= 50%", "for the slowest of 72 flows on 72 uplinks of backend/leaf"),
    ],
)
def test_requirements_that_do_not_hold_say_why(line: str, said: str) -> None:
    (found,) = (f for f in required(line).findings if f.severity == "error")
    assert found.code == "requirement-broken"
    assert said in f"{found.what} {found.why}"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("throughput(backend, traffic=pp) >= 50%", "there is no traffic `pp`"),
        ("throughput(backend, when=lost(backend/leafs, 1)) >= 50%", "there is no `backend/leafs`"),
        ("throughput(backend, when=lost(backend/leaf[su=7])) >= 50%", "from 0 to 1"),
        ("throughput(backend, when=lost(backend/leaf[rack=0])) >= 50%", "no axis `rack`"),
        ("throughput(backend, when=lost(compute/tray[su=0]:nic1)) >= 50%", "names a port"),
        ("throughput(backend, when=lost(backend/spine, 99)) >= 50%", "there are not 99 of them"),
        ("throughput(backend, when=lost(, 1)) >= 50%", "loses nothing"),
        ("throughput(backend, when=gone(backend/spine)) >= 50%", "is not `when=lost(selector)`"),
        ("throughput(backend, wen=lost(backend/spine)) >= 50%", "is not something that throughput asks for"),
        ("throughput(backend, traffic=dp, traffic=ep) >= 50%", "written twice"),
        ("throughput(backend, scale_up=sometimes) >= 50%", "is not known"),
        ("throughput(backend, queue_pairs=0.5) >= 50%", "out of range"),
        ("throughput(backend, efficiency=200%) >= 50%", "out of range"),
        ("throughput(backnd) >= 50%", "there is no fabric `backnd`"),
        ("throughput(backend) >= 3 m", "not in that unit"),
    ],
)
def test_questions_that_name_nothing(line: str, said: str) -> None:
    (found,) = (f for f in required(line).findings if f.severity == "error")
    assert found.code in ("bad-requirement", "bad-number")
    assert said in f"{found.what} {found.why} {found.fix}"


def test_a_subject_is_read_in_its_parts() -> None:
    found = read("backend, traffic=ep, when=lost(backend/spine[spine=0..1,plane=2], backend/leaf, 3)")
    assert (found.fabric, found.traffic, found.k) == ("backend", "ep", 3)
    assert found.lost == ("backend/spine[spine=0..1,plane=2]", "backend/leaf")


def chain() -> Design:
    """A - L1 - C - L2 - B: the host C stands between two leaves."""
    g: dict[str, dict[str, int]] = {"A": {}, "B": {}, "C": {}, "L1": {}, "L2": {}}
    made = []
    for a, b in (("A", "L1"), ("C", "L1"), ("C", "L2"), ("B", "L2")):
        made.append(Join(f"net/{a}-{b}", End(a, BLOCK), End(b, BLOCK), (), {"port": 1}, {}, 400.0, "net", f"{a}-{b}"))
    return pods.design(g, made, ("A", "B", "C"))


def test_a_host_between_two_leaves_carries_nothing() -> None:
    apart = Traffic("t", "many-to-one", among=("A",), to=("B",))
    found = throughput(chain(), "net", apart)
    assert (found.value, found.status) == (0, "cut off")
    assert found.why == "A cannot reach B"
    near = Traffic("t", "many-to-one", among=("C",), to=("B",))
    assert throughput(chain(), "net", near).value == 400
    assert throughput(chain(), "net").value == 0


def test_nobody_to_send_to() -> None:
    alone = Question(pods.leaf_spine(1, 1, 1), "net").ask()
    assert (alone.value, alone.status) == (None, "no demand")
    assert "nobody" in alone.why


def test_everything_lost_is_no_demand() -> None:
    question = Question(pods.leaf_spine(), "net")
    assert question.ask(question.picks("host")).status == "no demand"
    assert question.ask(question.picks("spine")).value == 0


@pytest.mark.parametrize("words", ["nothing", "net/leaf-spine[rack=0]", "host[leaf=9]", "host["])
def test_a_loss_that_names_nothing(words: str) -> None:
    with pytest.raises(Unanswerable):
        throughput(pods.leaf_spine(), "net", lost=[words])


def test_a_demand_that_names_nothing() -> None:
    for wrong in (
        Traffic("t", "ring", along="rack"),
        Traffic("t", "all-to-all", among=("server",)),
        Traffic("t", "all-to-all", within=("su",)),
    ):
        with pytest.raises(Unanswerable):
            throughput(pods.leaf_spine(), "net", wrong)


def test_a_link_inside_a_group_is_named_by_one_of_its_ends() -> None:
    """The three links of a router in its row of a 4 × 4 HyperX: what is left carries 45/16, by the full programme."""
    question = Question(pods.hyperx(4, 4), "net")
    assert question.ask(question.picks("net/x[x=0,y=0]")).value == pytest.approx(45 / 16)


def test_what_binds_is_named_in_the_words_of_the_design() -> None:
    found = throughput(pods.leaf_spine(), "net", lost=["net/leaf-spine[leaf=2,spine=1]"])
    (worst,) = found.binding
    assert worst.name in ("leaf[leaf=2] → spine[spine!=1]", "spine[spine!=1] → leaf[leaf=2]")
    assert (worst.links, worst.share) == (3, 1)


def test_spread_that_does_not_divide_is_answered_on_the_links() -> None:
    found = throughput(pods.dealt(4, 3, 2, 4), "net")
    assert found.exact
    assert "equitable partitions of the links" in found.method
    assert "a spread that does not divide" in found.method


def test_the_loss_table_and_its_drawings(pod: Analysis) -> None:
    rows = loss_table(pod.design).frame().to_dicts()
    spine = next(r for r in rows if r["lost"] == "backend/spine" and r["scale_up"] == "unused")
    assert spine["share"] == pytest.approx(1151 / 1080 * 7 / 8, abs=1e-6)  # 72 accelerators share a leaf
    assert spine["count"] == 8
    leaf = next(r for r in rows if r["lost"] == "backend/leaf" and r["scale_up"] == "unused")
    assert (leaf["share"], leaf["others_share"], leaf["status"]) == (0, 1, "cut off")
    found = surveys(pod.design)
    assert [(s.fabric, s.scale_up) for s in found] == [("backend", "unused"), ("backend", "relay")]
    assert found[0].declines["backend/spine"][:3] == pytest.approx([1, spine["share"], spine["share"] * 6 / 7])
    drawing = loss_view(pod.design, found[0])
    assert drawing
    again = loss_view(pod.design, surveys(pod.design)[0])
    assert again
    assert drawing.source() == again.source()
    shown = [b for b in drawing.boxes if not b.frame]
    assert not any(a.overlaps(b) for i, a in enumerate(shown) for b in shown[i + 1 :])


def test_a_check_that_asks_nothing_of_flows_loads_no_solver() -> None:
    code = (
        "import sys; from pathlib import Path; import dcgen\n"
        "design = dcgen.lay_out(dcgen.parse(dcgen.read(Path('blueprints/gb300-superpod.yaml'))))\n"
        "dcgen.analyse(design, quick=True); print('highspy' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip().endswith("False")


def test_shortest_ways_between_the_farthest(pod: Analysis) -> None:
    """9 links from a leaf to each of 8 spines, and 9 from there: 8 × 9 × 9. A fat tree of k = 8 has (k/2)² = 16 ways."""
    found = pod.get("paths", "backend")
    assert found
    assert found.value == 8 * 9 * 9
    assert shortest_ways(Question(pods.fat_tree(8), "net")) == (6, 16)
    assert shortest_ways(Question(pods.stated(6, [(0, 1), (1, 2), (3, 4)]), "net")) is None


TWO = """
racks: {compute: {part: gb300-nvl72, axes: {su: 2, rack: 8}}, store: {part: storage-server-200g, axes: {node: 8}}}
fabrics:
  backend: {kind: clos, serves: compute.fabric, leaf: {part: q3400-ra, per: [su, rail, half=rack/4]}, spine: {part: q3400-ra}}
"""


def test_pools_are_apart_where_no_link_lies_on_ways_of_both() -> None:
    def found(line: str) -> list[str]:
        return [
            f"{f.what} {f.why}"
            for f in analysed(f"{TWO}require: ['{line}']\n").findings
            if f.code in ("requirement-broken", "bad-requirement")
        ]

    (said,) = found("shared_links(compute[su=0], compute[su=1]) <= 0")
    assert "is 1,152" in said
    assert "backend/leaf-spine" in said
    (said,) = found("shared_links(compute, nothing) <= 0")
    assert "`nothing` is nothing that backend serves" in said
    (said,) = found("shared_links(compute) <= 0")
    assert "does not name two sets" in said
    assert shared_links(pods.rail(own=True), "net", ["gpu[rail=0]"], ["gpu[rail=1]"]) == (0, [])
    assert shared_links(pods.rail(), "net", ["gpu[rail=0]"], ["gpu[rail=1]"]) == (16, ["net/leaf-spine"])
