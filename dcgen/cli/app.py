"""The commands, under their names, and what is said when a command line makes no sense."""

from typing import Annotated

import typer
from typer.main import get_command

import dcgen
from dcgen.cli import terminal
from dcgen.cli.build import build
from dcgen.cli.check import check
from dcgen.cli.diff import diff
from dcgen.cli.explain import explain
from dcgen.cli.init import init
from dcgen.cli.normalize import normalize
from dcgen.cli.parts import parts
from dcgen.cli.plan import plan
from dcgen.cli.schema import schema
from dcgen.cli.show import show
from dcgen.cli.table import table
from dcgen.diagnostics import INPUT

HELP = """A blueprint becomes a checked design, a bill of materials, a cabling plan and diagrams.

\b
  dcgen init my-site.yaml             a blueprint to begin with
  dcgen check my-site.yaml            what is wrong with it, and how large it is
  dcgen build my-site.yaml            everything about it, into output/my-site/
  dcgen show my-site.yaml backend     one fabric, as tables
  dcgen diff old.yaml new.yaml        what a change adds, removes, re-patches, improves and breaks
  dcgen plan old.yaml new.yaml        a change in stages that keep the bandwidth, with work lists
  dcgen table my-site.yaml labels     one table: bill, cabling plan, labels, work sheets
  dcgen explain port-shortage         what a message, a measure, a family or a part means
  dcgen parts 800G leaf               parts of the shelf that these words describe
  dcgen schema > blueprint.json       for the editor: completion and checks while you type

\b
Exit status: 0 fine, 2 the blueprint or the command line is wrong, 3 a design rule, requirement
or expectation is broken, 4 two designs differ (diff --exit-code), 1 a bug in dcgen, 130 interrupted.
"""

# plain help: it is the same on every terminal and in a pipe, and needs no library that takes a while to load
app = typer.Typer(name="dcgen", help=HELP, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
for one in (init, check, build, show, diff, plan, table, explain, parts, schema, normalize):
    app.command()(one)


def _version(wanted: bool) -> None:
    if wanted:
        terminal.out(f"dcgen {dcgen.__version__}")
        raise typer.Exit


@app.callback()
def _dcgen(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="After an internal error, show where; may stand anywhere.")] = False,
) -> None:
    """Options of dcgen itself; both are dealt with before a command runs."""


def obey(words: list[str]) -> int:
    """Run one command; the exit status.

    Raises:
        Rejected, KeyboardInterrupt, BrokenPipeError, or whatever a bug causes.
    """
    command = get_command(app)
    try:
        with command.make_context("dcgen", words) as context:
            command.invoke(context)
    except typer.Exit as exit_:
        return exit_.exit_code
    except Exception as error:
        # The parser's own errors have no public class in common over the releases of typer; this method they all have.
        if not hasattr(error, "format_message"):
            raise
        _usage(error.format_message(), getattr(error, "ctx", None))
        return INPUT
    return 0


def _usage(message: str, context: typer.Context | None) -> None:
    message = message.replace("Value error, ", "")  # said by some releases of typer, about nothing a person typed
    asked = f"{context.command_path} --help" if context else "dcgen --help"
    terminal.err(f"dcgen: {message[:1].lower()}{message[1:]}\nhint: `{asked}` shows how it is used")
