"""What a sum with unknown parts can promise: nothing on the side to which it may still move."""

import pytest

from dcgen.analysis import Measure
from dcgen.analysis.requirements import judge
from dcgen.design import Design
from dcgen.design.model import Requirement


def verdict(op: str, bound: float, value: float, unknown: int = 0, falls: bool = False) -> str:
    measure = Measure("power_max", "site", value, "w", "sum", unknown, falls=falls)
    wanted = Requirement(f"power_max(site) {op} {bound}", "power_max", "site", op, bound, "w")
    found = [d.what for d in judge(Design("d", {}, requirements=(wanted,)), (measure,))]
    return "holds" if not found else "open" if "cannot be promised" in found[0] else "broken"


@pytest.mark.parametrize(
    ("op", "below", "equal", "above"),
    [
        ("<", "open", "broken", "broken"),
        ("<=", "open", "open", "broken"),
        ("==", "open", "open", "broken"),
        (">=", "open", "holds", "holds"),
        (">", "open", "open", "holds"),
    ],
)
def test_a_lower_bound_is_broken_only_where_no_figure_could_mend_it(op: str, below: str, equal: str, above: str) -> None:
    assert [verdict(op, 100, value, unknown=3) for value in (90, 100, 110)] == [below, equal, above]
    mirrored = {"<": ">", "<=": ">=", "==": "==", ">=": "<=", ">": "<"}[op]
    assert [verdict(mirrored, 100, value, unknown=3, falls=True) for value in (110, 100, 90)] == [below, equal, above]


def test_figures_that_are_all_known_hold_or_do_not() -> None:
    assert [verdict("<=", 100, value) for value in (90, 100, 100 * (1 + 1e-12), 110)] == ["holds", "holds", "holds", "broken"]
    assert [verdict("<", 100, value) for value in (90, 100, 110)] == ["holds", "broken", "broken"]
    assert verdict("<=", 100, 100 * (1 + 1e-12), unknown=1) == "open", "equal within a billionth is equal"
