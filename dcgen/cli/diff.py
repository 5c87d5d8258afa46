"""`dcgen diff`: what a change does to a design."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

import dcgen
from dcgen.cli import summary, terminal
from dcgen.cli.options import Only, Set, answer, settings
from dcgen.cli.reviews import Form, Format, Job, Key, MaxBytes, Output, annotate, comment, keep, said_to
from dcgen.cli.sides import How, Pair, Place, Side, pairs
from dcgen.cli.steps import Section, Study
from dcgen.diagnostics import DIFFERS, INPUT, Diagnostic, Rejected, in_order, status

if TYPE_CHECKING:
    from dcgen import Analysis, Diff, Review

MARKS = {"-": "red", "+": "green", "worse": "bold red", "broken": "bold red", "better": "green", "mended": "green"}
"""Cells that a terminal shows in colour; the words say the same without."""

Before = Annotated[
    str,
    typer.Argument(
        metavar="BEFORE",
        help="A blueprint, FILE@VARIANT, a folder of blueprints, a saved design.json, COMMIT:FILE, or a range of commits: main...HEAD.",
        show_default=False,
    ),
]
After = Annotated[
    list[str] | None,
    typer.Argument(metavar="AFTER", help="The same, afterwards; after a range, files or folders to keep to.", show_default=False),
]
Sections = Annotated[
    list[str] | None,
    typer.Option(
        "--show",
        metavar="TABLE",
        help="Only this table: changes, cables, labels, requirements, effects, findings, bill or notes; may be repeated.",
        show_default=False,
    ),
]
OnlyIf = Annotated[
    list[str] | None,
    typer.Option(
        "--only-if",
        metavar="CONDITION",
        help="Say something only if the change is so large: 'pulled >= 10', 'power_max > 1 kW'; of several, one is enough.",
        show_default=False,
    ),
]
ExitCode = Annotated[bool, typer.Option("--exit-code", help=f"Exit {DIFFERS} if the designs differ.")]
Whole = Annotated[bool, typer.Option("--all", help="Leave out no piece and no measure.")]
Quick = Annotated[bool, typer.Option("--quick", help="Leave out the measures that take long, unless a requirement asks for them.")]


@dataclass(frozen=True)
class Told:
    """What came of one pair: a comparison, or what is wrong."""

    name: str
    diff: "Diff | None"
    problems: Sequence[Diagnostic] = ()
    known: Side | None = None
    sides: "tuple[Analysis | None, Analysis | None]" = (None, None)
    place: Place = tuple

    @property
    def findings(self) -> list[Diagnostic]:
        """What is wrong, or what is new and broken afterwards, at its line."""
        broken = [v for v in self.diff.verdicts if v.word == "broken"] if self.diff else []
        told = [Diagnostic("requirement-broken", v.what or f"`{v.text}` does not hold", origin=v.origin) for v in broken]
        return [*self.problems, *(self.diff.new if self.diff else ()), *self.place(told)]

    @property
    def review(self) -> "Review":
        """The same for a pull request."""
        return dcgen.review(self.name, self.diff, *self.sides, self.problems)


def diff(
    before: Before,
    after: After = None,
    set_: Set = None,
    only: Only = None,
    show: Sections = None,
    only_if: OnlyIf = None,
    all_: Whole = False,
    quick: Quick = False,
    exit_code: ExitCode = False,
    format_: Format = Form.TEXT,
    output: Output = None,
    key: Key = "pull-request",
    max_bytes: MaxBytes = 60_000,
) -> None:
    """Compare two designs: what is added, removed and changed, and what that does. Writes nothing, unless --output.

    Things are told apart by their names and coordinates; the order in a file says nothing. In folders, blueprints of one file name
    are compared; one that only one folder has is all added, or all removed. Measures that become worse are marked so.

    \b
    Examples:
      dcgen diff old.yaml new.yaml
      dcgen diff my-site.yaml my-site.yaml@cpo
      dcgen diff main:my-site.yaml my-site.yaml --exit-code
      dcgen diff main...HEAD blueprints/
      dcgen diff output/my-site/design.json my-site.yaml --format json
      dcgen diff old.yaml new.yaml --only-if 'pulled >= 10' --show cables
      dcgen diff main...HEAD --format markdown > comment.md     # for a pull request; empty when nothing changes
      dcgen diff main...HEAD --format github -o review          # annotations, and everything else in files
    """
    _understood(before, after, show)
    with said_to(format_), terminal.Work() as work:
        how = How(settings(set_), only, quick, work.doing)
        found = [_told(pair, how) for pair in pairs(before, after or [])]
        large = [t for t in found if t.diff is None or _large(t.diff, only_if)]
        job = Job(before, after or (), key, max_bytes)
        record = {"format": 1, "designs": [{"name": t.name, **dcgen.diff_record(t.diff)} for t in large if t.diff]}
        if output:
            keep(output, [t.review for t in large], record, job, work.doing)
    ended = _status(found, large, exit_code)
    if format_ is Form.JSON:
        answer(ended, [d for t in found for d in t.problems], **record)
    elif format_ is Form.MARKDOWN:
        comment([t.review for t in large], job)
    elif format_ is Form.TEXT:
        _say(found, large, show, all_)
    else:
        annotate([d for t in large for d in t.findings], job, format_ is Form.GITLAB)
    raise typer.Exit(ended)


def _understood(before: str, after: Sequence[str] | None, show: Sequence[str] | None) -> None:
    if not dcgen.is_range(before) and len(after or ()) != 1:
        said = "name what is afterwards too" if not after else "two are compared, not more"
        raise typer.BadParameter(f"{said}; only after a range such as main...HEAD there may be none, or several", param_hint="AFTER")
    known = ("changes", "cables", "labels", "requirements", "effects", "findings", "bill", "notes")
    for word in show or ():
        if word not in known:
            raise typer.BadParameter(f"`{word}` is not one of {', '.join(known)}", param_hint="--show")


def _told(pair: Pair, how: How) -> Told:
    before, after = (None if opener is None else opener(how) for opener in (pair.before, pair.after))
    if how.only and before and after:
        before, after = _both_or_nothing(before, after), _both_or_nothing(after, before)
    named = pair.name or next(s.name for s in (after, before) if s)
    wrong = [(word, s) for word, s in (("before", before), ("after", after)) if s and s.problems]
    if wrong:
        known = next((s for s in (before, after) if s and s.design), None)
        readable = (before.analysis if before else None, after.analysis if after else None)
        return Told(named, None, [d for _, s in wrong for d in s.problems], known, readable)
    if before and after and before.design == after.design:  # whatever follows from it is the same too
        return Told(named, dcgen.unchanged(after.design.name if after.design else named))
    sides = [s.analysis if s else None for s in (before, after)]
    old, new = (a or dcgen.nothing(next(b.design.name for b in sides if b)) for a in sides)
    how.doing(f"comparing {named}")
    try:
        return Told(named, dcgen.compare(old, new), sides=(old, new), place=after.place if after else tuple)
    except Rejected as rejected:
        place = after.place if after else tuple
        return Told(named, None, in_order(place(rejected.diagnostics)))


def _both_or_nothing(side: Side, other: Side) -> Side:
    """A slice that only one design has is new there, or gone."""
    if other.design and side.problems and all(d.code == "bad-selector" for d in side.problems):
        return Side(side.name, dcgen.nothing(other.design.name).design, side.place)
    return side


def _large(found: "Diff", conditions: Sequence[str] | None) -> bool:
    met = [dcgen.reaches(found, c) for c in conditions or ()]
    return any(met) if met else True


def _status(found: Sequence[Told], large: Sequence[Told], exit_code: bool) -> int:
    problems = [d for t in found for d in t.problems]
    if problems:
        return status(problems) or INPUT
    return DIFFERS if exit_code and any(t.diff and not t.diff.empty for t in large) else 0


def _say(found: Sequence[Told], large: Sequence[Told], show: Sequence[str] | None, whole: bool) -> None:
    terminal.findings([d for t in found for d in t.problems])
    told = [t for t in large if t.diff is None or not t.diff.empty]
    for number, t in enumerate(told):
        if number:
            terminal.out("")
        if t.diff is None:
            _say_known(t)
        else:
            _say_diff(t, t.diff, show, whole, len(found) > 1)
    same = sum(t.diff is not None and t.diff.empty for t in found)
    quiet = len(found) - len(told) - same
    if len(found) == 1 and same:
        terminal.out(dcgen.tell(found[0].diff)[0] if found[0].diff else "")
    elif same or quiet or not found:
        said = [f"{same:,} of {len(found):,} are the same" if same else "", f"{quiet:,} change less than was asked for" if quiet else ""]
        terminal.out("; ".join(filter(None, said)) or "nothing to compare")


def _say_known(t: Told) -> None:
    """Of two sides of which one cannot be read, the other one."""
    if t.known is None or t.known.analysis is None:
        terminal.err(f"dcgen: {t.name}: nothing could be compared")
        return
    terminal.err(f"dcgen: {t.name}: nothing could be compared; this is {t.known.name} alone")
    summary.show([Study(t.known.name, t.known.analysis.measures, (), tuple)])


def _say_diff(t: Told, found: "Diff", show: Sequence[str] | None, whole: bool, named: bool) -> None:
    sentence, tables = dcgen.tell(found, whole)
    terminal.out(f"{t.name}\n{sentence}" if named else sentence)
    for title, columns, rows in _chosen(tables, show):
        terminal.out("")
        terminal.table(title, columns, rows, MARKS)


def _chosen(tables: Sequence[Section], show: Sequence[str] | None) -> Iterator[Section]:
    return (t for t in tables if not show or t[0].split()[0].lower() in show)
