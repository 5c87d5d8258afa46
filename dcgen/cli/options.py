"""Arguments and options that several commands share, and the reading of what was typed after them."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from dcgen.cli import annotations, steps, terminal
from dcgen.diagnostics import INPUT, RULE, Diagnostic, Rejected, Where, in_order, status


class Form(StrEnum):
    """How the answer is written on standard output."""

    TEXT = "text"
    JSON = "json"


class Report(StrEnum):
    """How findings are written on standard output."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    GITLAB = "gitlab"


Blueprint = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="The blueprint: a file that ends in .yaml; FILE@VARIANT for one of its variants, FILE@* for all.",
        show_default=False,
    ),
]
Blueprints = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE…",
        help="Blueprints: files that end in .yaml; FILE@VARIANT for one of a file's variants, FILE@* for all.",
        show_default=False,
    ),
]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Give a parameter another value; may be repeated.", show_default=False),
]
Only = Annotated[
    str | None,
    typer.Option(
        "--only",
        metavar="SELECTOR",
        help="A slice: a fabric, a group and its neighbours, or coordinates of everything that has them (su=0).",
        show_default=False,
    ),
]
Format = Annotated[Form, typer.Option("--format", help="Tables for people, or one JSON object for programs.")]
Findings = Annotated[
    Report,
    typer.Option(
        "--format", help="Tables for people, one JSON object for programs, annotations for GitHub, or a Code Quality report for GitLab."
    ),
]
OwnParts = Annotated[Path, typer.Option("--parts", metavar="DIR", help="A folder of your own parts, which come before the shelf's.")]
Strict = Annotated[bool, typer.Option("--strict", help="Warnings count as errors.")]


def settings(words: Sequence[str] | None) -> dict[str, str]:
    """`["pods=4"]` as `{"pods": "4"}`.

    Raises:
        typer.BadParameter: no `=`, no name, or a name twice.
    """
    out: dict[str, str] = {}
    for word in words or ():
        name, equals, value = word.partition("=")
        name = name.strip()
        if not equals or not name:
            raise typer.BadParameter(f"`{word}` is not NAME=VALUE; write for example --set pods=4", param_hint="--set")
        if name in out:
            raise typer.BadParameter(f"`{name}` is set twice, to `{out[name]}` and to `{value}`", param_hint="--set")
        out[name] = value
    return out


def targets(asked: Path) -> list[tuple[Path, str | None]]:
    """`FILE` as [(file, None)], `FILE@VARIANT` as [(file, variant)], `FILE@*` as the plain version and every variant.

    Raises:
        Rejected: a file whose name does not end in `.yaml`, with the name that it should have.
    """
    name, at, variant = asked.name.partition(".yaml@")
    file = asked.with_name(f"{name}.yaml") if at else asked
    named_as_blueprint(file)
    if variant == "*":
        return [(file, None), *((file, v) for v in steps.variants(file))]
    return [(file, variant if at else None)]


def named_as_blueprint(file: Path) -> None:
    """Refuse a file whose name does not end in `.yaml`.

    Raises:
        Rejected: with the name that it should have.
    """
    if os.path.isdir(file):
        raise Rejected([Diagnostic("cannot-read", f"`{file}` is a folder", fix="name a file in it", where=Where(str(file)))])
    if file.suffix != ".yaml":
        fix = f"rename it to `{file.with_suffix('.yaml').name}`" if file.stem and file.name else "name a file such as `my-site.yaml`"
        why = "a blueprint's name ends in `.yaml`, so that every tool knows it"
        raise Rejected([Diagnostic("cannot-read", f"`{file}` is not named as a blueprint", why, fix, where=Where(str(file)))])


def verdict(findings: Sequence[Diagnostic], strict: bool) -> int:
    """Exit status for findings; with `strict` a warning breaks a rule."""
    warned = strict and any(d.severity == "warning" for d in findings)
    return status(findings) or (RULE if warned else 0)


def answer(found: int, findings: Sequence[Diagnostic], **more: object) -> None:
    """The one JSON object of a command on standard output."""
    terminal.json({"status": found, "findings": [d.record() for d in in_order(findings)], **more})


def annotated(found: int, findings: Sequence[Diagnostic], form: Report) -> None:
    """Findings on standard output as a forge reads them."""
    if form is Report.GITLAB:
        terminal.json(annotations.gitlab(findings))
    else:
        terminal.out(annotations.github(findings) or f"dcgen: nothing was found, exit status {found}")


def tables(found: Sequence[steps.Section], form: Form) -> None:
    """Sections on standard output: tables with a blank line between them, or one JSON object."""
    if form is Form.JSON:
        answer(0, (), sections=[{"title": title, "columns": columns, "rows": rows} for title, columns, rows in found])
        return
    for number, (title, columns, rows) in enumerate(found):
        if number:
            terminal.out("")
        terminal.table(title, columns, rows)


@contextmanager
def answered(form: Form | Report, **empty: object) -> Iterator[None]:
    """A rejection is an answer too, in every form but text: of JSON the same object, with `empty` for what could not be made."""
    try:
        yield
    except Rejected as rejected:
        if form in (Form.TEXT, Report.TEXT):
            raise
        found = status(rejected.diagnostics) or INPUT
        if isinstance(form, Report) and form is not Report.JSON:
            annotated(found, rejected.diagnostics, form)
            raise typer.Exit(found) from None
        answer(found, rejected.diagnostics, **empty)
        raise typer.Exit(found) from None
