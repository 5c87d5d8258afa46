"""Turns a command line into calls of the front door, text, files and an exit status; never decides anything about a design."""

import sys
from collections.abc import Sequence

import dcgen
from dcgen.diagnostics import INPUT, Rejected, status

BUG, INTERRUPTED = 1, 130
"""Exit statuses that no diagnostic causes."""


def main() -> None:
    """The `dcgen` command. Always ends in SystemExit."""
    sys.exit(run(sys.argv[1:]))


def run(words: Sequence[str]) -> int:
    """Do what the words of a command line say; the exit status."""
    if list(words) == ["--version"]:  # asked by every script before anything else: no library is imported for it
        print(f"dcgen {dcgen.__version__}")
        return 0
    debug = "--debug" in words
    try:
        # imported here, so that an interrupt during the import ends as quietly as one during the work
        from dcgen.cli import terminal
        from dcgen.cli.app import obey

        terminal.prepare()
        return obey([word for word in words if word != "--debug"] or ["--help"])
    except Rejected as rejected:
        return _rejection(rejected)
    except BrokenPipeError:
        return _deaf()
    except KeyboardInterrupt:
        print("dcgen: interrupted", file=sys.stderr)
        return INTERRUPTED
    except Exception as error:
        return _bug(error, debug)


def _rejection(rejected: Rejected) -> int:
    from dcgen.cli import terminal

    terminal.findings(rejected.diagnostics)
    return status(rejected.diagnostics) or INPUT


def _deaf() -> int:
    """Nobody reads the help any more: `dcgen --help | head -1`."""
    from dcgen.cli import terminal

    terminal.silence(sys.stdout)
    return 0


def _bug(error: Exception, debug: bool) -> int:
    from dcgen.cli import terminal

    if debug:
        import traceback

        terminal.err("".join(traceback.format_exception(error)).rstrip())
    said = " ".join(str(error).split())[:300]
    where = "" if debug else "; --debug shows where"
    terminal.err(f"dcgen: internal error: {type(error).__name__}: {said}; please report this, with the blueprint{where}")
    return BUG
