"""Every code has a case: a blueprint, and the very text that a person reads. `pytest --regold` rewrites the texts."""

from pathlib import Path

import pytest

import dcgen
from dcgen.diagnostics import CODES, Diagnostic, Rejected, phrase_all, status

HERE = Path(__file__).parent / "errors"
CASES = sorted(p for p in HERE.rglob("*.yaml") if p.parent.name not in ("parts", "inner"))
ELSEWHERE = {
    "cannot-read",
    "bad-encoding",
    "output-in-use",
    "cannot-write",
    "output-differs",
    "drawing-skipped",
    "slice",
    "port-conflict",
    "unknown-variant",
    "bad-threshold",
    "no-git",
    "no-repository",
    "unknown-revision",
    "no-merge-base",
    "unknown-column",
    "bad-design",
    "keep-not-met",
    "keep-unproven",
    "moves-unproven",
    "cut-off",
}
"""Codes whose case needs more than a blueprint: tests of `source`, `cli` and `render` hold them."""


def code_of(case: Path) -> str:
    """A case is called after its code, perhaps with a word behind it."""
    return next(c for c in sorted(CODES, key=len, reverse=True) if case.stem == c or case.stem.startswith(f"{c}-"))


def said(path: Path) -> tuple[str, list[Diagnostic]]:
    try:
        blueprint = dcgen.parse(dcgen.read(path))
        found = list(dcgen.place(blueprint, dcgen.analyse(dcgen.lay_out(blueprint)).findings))
    except Rejected as e:
        found = list(e.diagnostics)
    text = f"{phrase_all(found)}\nexit status {status(found)}\n"
    return text.replace(f"{path.parent.as_posix()}/", ""), found


@pytest.mark.parametrize("case", CASES, ids=lambda p: p.stem)
def test_text_is_as_reviewed(case: Path, regold: bool) -> None:
    text, found = said(case)
    golden = case.with_suffix(".txt")
    if regold:
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")
    code = code_of(case)
    assert code in {d.code for d in found}
    assert all(d.where for d in found), "every message says where"


def test_every_code_has_a_case() -> None:
    covered = {code_of(p) for p in CASES}
    assert set(CODES) - covered - ELSEWHERE == set()
