import pytest

from dcgen.render.markdown import BREAK, columns_wide, md, table


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("<b>x</b>", "&lt;b&gt;x&lt;/b&gt;"),
        ("R&D &amp;", "R&amp;D &amp;amp;"),
        ("a|b", "a\\|b"),
        ("`x` *y* _z_", "\\`x\\` \\*y\\* \\_z\\_"),
        ("[a](b)", "\\[a\\](b)"),
        ("@ops-team", f"@{BREAK}ops-team"),
        ("#123 GH-45", f"#{BREAK}123 GH{BREAK}-45"),
        ("http://x www.y", f"http:{BREAK}//x www{BREAK}.y"),
        ("one\n\n# two\t", f"one #{BREAK} two"),
        ("DOM\\Name", "DOM\\\\Name"),
    ],
)
def test_text_stays_text(typed: str, shown: str) -> None:
    assert md(typed) == shown


def test_tables_are_aligned_also_with_wide_signs() -> None:
    lines = table(["name", "n"], [["東京", "1"], ["x", "1,000"]], right=[1]).splitlines()
    assert len({columns_wide(line) for line in lines}) == 1
    assert lines[1].rstrip("|").rstrip().endswith(":")
