"""What-if versions and included files: values take their places, errors keep theirs."""

from pathlib import Path

import pytest

import dcgen
from dcgen.design import Design
from dcgen.diagnostics import Diagnostic, Rejected

MAIN = """dcgen: 1
name: pod
include: [parts-of-it/fabric.yaml]
racks: {compute: {part: gb300-nvl72, axes: {rack: 8}}}
variants:
  cpo: {fabrics.backend.spine.part: q3450-ld}
  flat: {fabrics.backend.spine: ~}
  typo: {fabrics.backend.spine.part: q3450}
  nowhere: {fabrics.backnd.spine.part: q3450-ld}
"""
FABRIC = """fabrics:
  backend:
    kind: clos
    serves: compute.fabric
    leaf: {part: q3400-ra, per: [rail, half=rack/4]}
    spine: {part: q3400-ra}
require: [oversubscription(backend) <= 1]
"""


def lay_out(folder: Path, variant: str | None = None, main: str = MAIN, fabric: str = FABRIC) -> Design:
    (folder / "parts-of-it").mkdir(exist_ok=True)
    (folder / "pod.yaml").write_text(main, encoding="utf-8")
    (folder / "parts-of-it" / "fabric.yaml").write_text(fabric, encoding="utf-8")
    return dcgen.lay_out(dcgen.parse(dcgen.read(folder / "pod.yaml"), {}, variant))


def refused(folder: Path, variant: str | None = None, main: str = MAIN, fabric: str = FABRIC) -> list[Diagnostic]:
    with pytest.raises(Rejected) as e:
        lay_out(folder, variant, main, fabric)
    return list(e.value.diagnostics)


def test_a_variant_sets_values_and_names_the_design(tmp_path: Path) -> None:
    plain, cpo, flat = (lay_out(tmp_path, v) for v in (None, "cpo", "flat"))
    assert (plain.name, cpo.name) == ("pod", "pod@cpo")
    assert (plain.groups["backend/spine"].part, cpo.groups["backend/spine"].part) == ("q3400-ra", "q3450-ld")
    assert "backend/spine" not in flat.groups


def test_errors_of_a_variant_stand_at_its_own_lines(tmp_path: Path) -> None:
    (typo,) = refused(tmp_path, "typo")
    assert (typo.code, typo.where and typo.where.line) == ("unknown-part", 8)
    assert [(d.code, d.where and d.where.line) for d in refused(tmp_path, "nowhere")] == [("bad-variant", 9)]
    (unknown,) = refused(tmp_path, "cpo2")
    assert unknown.code == "unknown-variant"
    assert unknown.fix == "did you mean `cpo`?"


@pytest.mark.parametrize("key", ["include", "dcgen", "name", "params.su", "variants.cpo"])
def test_what_no_variant_sets_is_refused_whether_it_is_chosen_or_not(tmp_path: Path, key: str) -> None:
    main = MAIN.replace("  typo: {fabrics.backend.spine.part: q3450}\n", f"  typo: {{{key}: x}}\n")
    for chosen in (None, "typo"):
        (found,) = refused(tmp_path, chosen, main)
        assert (found.code, found.where and found.where.line) == ("bad-variant", 8)
        assert "did you mean" not in found.fix


def test_a_variant_adds_no_axis_that_is_called_as_a_number(tmp_path: Path) -> None:
    (found,) = refused(tmp_path, "typo", MAIN.replace("fabrics.backend.spine.part: q3450}", "racks.compute.axes.0: 1}"))
    assert found.code == "bad-name"


def test_errors_of_an_included_file_name_it(tmp_path: Path) -> None:
    (wrong,) = refused(tmp_path, fabric=FABRIC.replace("clos", "clso"))
    assert str(wrong.where).endswith("parts-of-it/fabric.yaml:3:11")
    (broken,) = refused(tmp_path, fabric=FABRIC + "  - [\n")
    assert broken.where
    assert broken.where.file.endswith("fabric.yaml")
    assert "included at" in broken.why
    assert "pod.yaml:3:11" in broken.why


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../x.yaml", "parts-of-it/../../x.yaml", "https://x/y.yaml", "/proc/self/environ", "x.txt", "-"]
)
def test_includes_stay_below_the_blueprint(tmp_path: Path, path: str) -> None:
    (found,) = refused(tmp_path, main=MAIN.replace("parts-of-it/fabric.yaml", path))
    assert found.code == "include-outside"


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out.yaml").write_text("title: secret\n", encoding="utf-8")
    (tmp_path / "in" / "link.yaml").symlink_to(tmp_path / "out.yaml")
    (found,) = refused(tmp_path / "in", main=MAIN.replace("parts-of-it/fabric.yaml", "link.yaml"))
    assert found.code == "include-outside"
    assert "secret" not in found.what + found.why + found.fix


def test_one_file_twice_is_read_once_and_keys_twice_are_refused(tmp_path: Path) -> None:
    both = MAIN.replace("[parts-of-it/fabric.yaml]", "[parts-of-it/fabric.yaml, parts-of-it/fabric.yaml]")
    assert len(lay_out(tmp_path, main=both).bundles) == 3
    (twice,) = refused(tmp_path, fabric=FABRIC + "racks: {compute: {part: dgx-h100}}\n")
    assert twice.code == "duplicate-key"
