"""Findings in the words of a forge: commands that GitHub's runner turns into annotations, and GitLab's Code Quality report."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

from dcgen.diagnostics import Diagnostic, Where, in_order, phrase, phrase_all

AT_MOST = 10
"""Annotations of one level that GitHub shows per step; what it gets beyond them it drops without a word."""
_LEVELS = {"error": "error", "warning": "warning", "info": "notice"}
_SEVERITY = {"error": "critical", "warning": "minor", "info": "info"}
_COMMAND = re.compile(r"(?m)^(\s*)::|##\[")
"""What the runner takes for a command: `::` at the beginning of a line, `##[` anywhere."""


def github(findings: Sequence[Diagnostic]) -> str:
    """Annotations of the most severe findings; those that would be dropped follow as plain text."""
    lines: list[str] = []
    left: list[Diagnostic] = []
    for severity, level in _LEVELS.items():
        found = [d for d in in_order(findings) if d.severity == severity]
        lines += [_command(level, d) for d in found[:AT_MOST]]
        left += found[AT_MOST:]
    if left:
        lines += [f"{len(left):,} more, which have no annotation: GitHub shows {AT_MOST} of each severity", harmless(phrase_all(left))]
    return "\n".join(lines)


def harmless(text: str) -> str:
    """The text with whatever the runner would obey taken apart by a backslash.

    >>> harmless("a\\n::error::x ##[add-mask]y")
    'a\\n\\\\::error::x #\\\\#[add-mask]y'
    """
    return _COMMAND.sub(lambda m: "#\\#[" if m[0] == "##[" else f"{m[1]}\\::", text)


def gitlab(findings: Sequence[Diagnostic]) -> list[dict[str, object]]:
    """A Code Quality report. A fingerprint stays the same when the finding only moves to another line."""
    out: list[dict[str, object]] = []
    seen: Counter[str] = Counter()
    for d in in_order(findings):
        where = d.where or Where(".")
        said = "\0".join((d.code, d.subject, d.what, where.file))
        seen[said] += 1  # the report wants every fingerprint once
        out.append(
            {
                "description": phrase(replace(d, where=None)),
                "check_name": d.code,
                "fingerprint": sha256(f"{said}\0{seen[said]}".encode("utf-8", "backslashreplace")).hexdigest(),
                "severity": _SEVERITY[d.severity],
                "location": {"path": where.file, "lines": {"begin": where.line}},
            }
        )
    return out


def _command(level: str, d: Diagnostic) -> str:
    """`::error file=pod.yaml,line=14,col=9,title=port-shortage::what`."""
    place = {"file": d.where.file, "line": d.where.line, "col": d.where.column} if d.where else {}
    marks = ",".join(f"{key}={_property(str(value))}" for key, value in {**place, "title": f"dcgen: {d.code}"}.items())
    text = "\n".join(filter(None, (d.what, f"because: {d.why}" if d.why else "", f"fix: {d.fix}" if d.fix else "")))
    return f"::{level} {marks}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
