from dataclasses import replace

import pytest

from dcgen.analysis import analyse
from dcgen.analysis.model import Analysis
from dcgen.design.model import Design
from dcgen.diagnostics import in_order
from dcgen.render.markdown import columns_wide
from dcgen.render.model import Story
from dcgen.render.report import write_report
from tests.tables.example import dual_plane, management, rail_design


def _report(design: Design, analysis: Analysis | None = None) -> str:
    analysis = analysis or analyse(design)
    records = tuple(d.record() for d in in_order(analysis.findings))
    return next(iter(write_report(Story(analysis, records, "9.9")))).bytes.decode()


@pytest.mark.parametrize(
    "design", [rail_design(), rail_design(4, ("compute/tray[su=0,rack=5,tray=17]",)), dual_plane(), management()], ids=lambda d: d.name
)
def test_it_tells_the_whole_story(design: Design) -> None:
    text = _report(design)
    for heading in (
        "Summary",
        "Decisions",
        "Fabrics",
        "Findings",
        "Requirements",
        "Bill of materials",
        "Assumptions",
        "Unknown and estimated figures",
    ):
        assert f"## {heading}\n" in text
    assert "made by dcgen 9.9, design hash `" in text
    assert "None, " not in text


def test_figures_and_reasons_are_in_it() -> None:
    text = _report(rail_design())
    assert "| GPUs " in text
    assert "the fewest that divide 72 uplinks" in text
    assert "| backend/leaf  | main    |   144 |  144 |        0 |    0 |" in text


def test_a_design_of_nothing_has_a_report() -> None:
    text = _report(Design("empty", {}), Analysis(Design("empty", {}), (), ()))
    assert "No fabric is declared." in text
    assert "Nothing is bought." in text


def test_tables_are_aligned() -> None:
    lines = [line for line in _report(rail_design()).splitlines() if line.startswith("|")]
    runs: dict[int, set[int]] = {}
    for line in lines:
        runs.setdefault(line.count(" | "), set()).add(columns_wide(line))
    assert all(line.endswith("|") for line in lines)


def test_hostile_titles_make_no_markup_and_no_mention() -> None:
    text = _report(dual_plane("<img src=x> @team #12 a|b\n# no", "`x` <script>"))
    assert "<img" not in text
    assert "<script" not in text
    assert "@team" not in text
    assert "#12" not in text
    assert "\n# no" not in text


def test_broken_requirements_say_so() -> None:
    design = rail_design()
    wanted = replace(design.requirements[0], text="links(backend) == 7", bound=7.0)
    text = _report(replace(design, requirements=(wanted,)))
    assert "does not hold" in text
    assert "holds" in _report(design)


def test_same_bytes_every_time() -> None:
    assert _report(rail_design()) == _report(rail_design())


def test_the_bill_is_added_up_and_says_what_the_sum_lacks() -> None:
    text = _report(rail_design())
    assert "In total: maximum power 1.239 MW; price at least 33.195 M USD (2 lines unpriced); 1 price estimated." in text


def test_a_bill_with_every_price_is_no_lower_bound() -> None:
    design = rail_design()
    priced = {
        name: type(part).model_validate({**part.model_dump(by_alias=True), "price": {"value": 10}}) for name, part in design.parts.items()
    }
    text = _report(replace(design, parts=priced))
    assert "; price " in text
    assert "unpriced" not in text
