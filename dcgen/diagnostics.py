"""What is wrong, where, why, and how to mend it: found in every room, phrased only here."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Literal

Path = tuple[str | int, ...]
"""Keys and indexes that lead from the top of a blueprint or part file to a value."""

SHOWN_AT_MOST = 50

INPUT, RULE, DIFFERS = 2, 3, 4
"""Exit statuses: the text is wrong; it is well formed but a design rule is broken; two designs differ, and that was asked."""

CODES: dict[str, tuple[int, str]] = {
    # the file as text
    "cannot-read": (INPUT, "The file is missing, is a folder, or may not be read."),
    "empty-file": (INPUT, "The file holds nothing but blanks and comments."),
    "bad-encoding": (INPUT, "The file is not UTF-8."),
    "bad-yaml": (INPUT, "The text is not YAML."),
    "merge-conflict": (INPUT, "The markers of an unfinished merge stand in the file."),
    "tab-indent": (INPUT, "A tab character stands where YAML wants spaces."),
    "duplicate-key": (INPUT, "One mapping has the same key twice."),
    "bad-tag": (INPUT, "A `!tag` that dcgen does not read."),
    "bad-key": (INPUT, "A key is not plain text."),
    "endless-alias": (INPUT, "An alias contains itself."),
    "limit-exceeded": (INPUT, "The file is larger, deeper or more repetitive than dcgen reads."),
    "control-character": (INPUT, "A name or text holds a character that cannot be printed."),
    "include-outside": (INPUT, "An `include:` that leaves the blueprint's folder."),
    "include-cycle": (INPUT, "Files that include each other."),
    # where the text lies
    "no-git": (INPUT, "A revision was named, and the command `git` does not run."),
    "no-repository": (INPUT, "A revision was named outside any Git repository, or in one that Git refuses to read."),
    "unknown-revision": (INPUT, "A branch, tag or commit that the repository does not have."),
    "no-merge-base": (INPUT, "Two revisions that come from no common commit, as far as the history was fetched."),
    # what the text says
    "unknown-key": (INPUT, "A key that this place does not know."),
    "missing-key": (INPUT, "A key that must be written is not."),
    "no-value": (INPUT, "A key is written, and nothing after it."),
    "wrong-type": (INPUT, "A list, mapping, text or number stands where another of them belongs."),
    "bad-number": (INPUT, "Not a number of the kind that belongs here."),
    "bad-unit": (INPUT, "A quantity without a unit, or with one of another dimension."),
    "out-of-range": (INPUT, "A number outside the range that makes sense here."),
    "bad-choice": (INPUT, "Not one of the words that are known here."),
    "bad-name": (INPUT, "Not a name: letters, digits, `_` and `-`, beginning with a letter or digit."),
    "name-collision": (INPUT, "Two names that differ only in case, accents' spelling or punctuation."),
    "bad-reference": (INPUT, "A reference to something that is not declared."),
    "bad-selector": (INPUT, "An address or selector that does not parse or points at nothing."),
    "bad-per": (INPUT, "A `per:` entry that does not parse or names an axis that is not there."),
    "bad-requirement": (INPUT, "A requirement or expectation that does not parse."),
    "bad-parameter": (INPUT, "A parameter that is unknown, has no value, or lies outside its range."),
    "unknown-variant": (INPUT, "A variant that the blueprint does not declare."),
    "bad-variant": (INPUT, "A variant that sets something that is not written."),
    "unknown-part": (INPUT, "No part of that name in `parts/` or on the shelf."),
    "wrong-kind": (INPUT, "A part of another kind than this place wants."),
    "part-contradiction": (INPUT, "Figures of a part that cannot all be true."),
    "bad-label": (INPUT, "A pattern of labels that does not parse, or names a field that is not there."),
    "unknown-column": (INPUT, "A column that the table does not have."),
    "phase-overlap": (INPUT, "A device that comes in two phases."),
    "bad-moved": (INPUT, "A `moved:` line that does not parse, or that contradicts another one."),
    "unknown-moved": (INPUT, "A `moved:` line about something that is not there, or was not there before."),
    "bad-threshold": (INPUT, "An `--only-if` that does not parse, or names nothing that a comparison counts."),
    "map-not-bijective": (INPUT, "A port map that repeats or leaves out a port."),
    "length-mismatch": (INPUT, "Lists that belong together have different lengths."),
    "bad-endpoint": (INPUT, "The end of a link that is no port of one device."),
    "too-big": (INPUT, "Counts that multiply to more than the limit."),
    "bad-design": (INPUT, "A saved design that is none, that contradicts itself, or that another version saved."),
    "output-in-use": (INPUT, "Another run is writing into the same folder."),
    "cannot-write": (INPUT, "A file or folder that cannot be written, or something is in its place."),
    "output-differs": (RULE, "`--check` found files that are not what this version makes."),
    # what the design says
    "rate-mismatch": (RULE, "A switch port cannot run at the rate of its link."),
    "port-shortage": (RULE, "A switch needs more ports than it has."),
    "port-conflict": (RULE, "Two links claim the same port."),
    "uneven-spread": (RULE, "Uplinks that do not divide evenly over the switches above."),
    "too-many-below": (RULE, "More switches in a tier than one switch above has ports for."),
    "no-spine": (RULE, "Several leaves and nothing that joins them."),
    "oversubscribed": (RULE, "A tier with less capacity upward than the blueprint allows."),
    "duplicate-link": (RULE, "The same link is written twice."),
    "self-link": (RULE, "A link that ends on the device it begins on."),
    "same-tier-link": (RULE, "A link between two devices of one tier."),
    "tier-skip": (RULE, "A link that passes over a tier."),
    "odd-domain": (RULE, "Racks that do not make whole scale-up domains."),
    "missing-uplink": (RULE, "A switch lacks one of the links that its neighbours have."),
    "idle-switch": (RULE, "A switch without a single link."),
    "unserved-ports": (RULE, "Ports of nodes or switches that no fabric serves."),
    "separate-islands": (RULE, "Parts of a fabric that meet nowhere."),
    "requirement-broken": (RULE, "A `require:` line does not hold."),
    "expectation-broken": (RULE, "An `expect:` figure is not what the design gives."),
    "spine-not-minimal": (RULE, "More switches pinned than the spread rule asks for."),
    "no-optic": (RULE, "No transceiver or cable on the shelf fits both ends."),
    "optic-fit": (RULE, "A transceiver or cable that does not go into a cage."),
    "optic-rate": (RULE, "A transceiver or cable of another rate, or of other lanes, than the port."),
    "fibre-mismatch": (RULE, "Transceivers and a fibre that do not go together: class, mode, connector or polish."),
    "reach-exceeded": (RULE, "A way longer than anything allowed there reaches."),
    "length-not-stocked": (RULE, "A way longer than any length that can be ordered."),
    "length-unknown": (RULE, "Cables whose way leads through something of unknown length."),
    "half-used-cage": (RULE, "Transceivers with ports that no link uses."),
    "twin-mix": (RULE, "Plugs of two kinds in one cage."),
    "twin-skew": (RULE, "Cables of one cage whose lengths differ much."),
    "tile-taken": (RULE, "Two racks on one tile, or a rack on a blocked one."),
    "no-free-tile": (RULE, "Racks for which no tile, power or cooling is left."),
    "tray-island": (RULE, "Trays that no cable can get to or from."),
    "tray-full": (RULE, "A stretch of tray filled beyond its limit, and no way round."),
    "rack-too-full": (RULE, "More height than a rack has."),
    "unit-overlap": (RULE, "Two devices on one rack unit."),
    "rack-too-heavy": (RULE, "A rack heavier than racks of this hall may be."),
    "foot-overloaded": (RULE, "More weight on one foot of a rack than the floor carries."),
    "floor-overloaded": (RULE, "More weight on a square metre than the floor carries."),
    "rack-too-deep": (RULE, "A device deeper than its rack."),
    "cooling-missing": (RULE, "Racks that need liquid cooling where there is none."),
    "unknown-figure": (RULE, "A sum in which some parts have no figure."),
    "estimated-figure": (RULE, "A sum in which some figures are estimates."),
    "implausible-figure": (RULE, "A figure far outside what such a thing has."),
    "optics-counted-twice": (RULE, "A part's published maximum holds optics that are counted apart as well."),
    "power-figures-disagree": (RULE, "A rack's published power is less than the sum of what is in it."),
    "name-differs": (RULE, "The design is called otherwise than its file."),
    "look-alike": (RULE, "Two names that look the same on screen."),
    "collective-impossible": (RULE, "A declared collective that the fabrics or the parts cannot do."),
    "label-repeated": (RULE, "Two things would carry the same label."),
    "stock-surplus": (RULE, "More of a part is owned than the design needs."),
    "slice": (RULE, "Only a part of the design was asked for: what holds for the whole is not judged."),
    "keep-not-met": (RULE, "A share of bandwidth that no plan of the change can keep."),
    "keep-unproven": (RULE, "A stage of a plan keeps its share at every port, but that traffic can use it is not proven."),
    "moves-unproven": (RULE, "A plan that may not be the one with the fewest moves."),
    "cut-off": (RULE, "Devices that lose their only link to a fabric while a plan is carried out."),
    "drawing-skipped": (RULE, "A drawing could not be made; everything else was."),
}
"""Code -> (exit status when it is an error, what it means). A code is never used for anything else later."""


def one_line(text: str) -> str:
    """The text with its line breaks spelt out: a name can hold one, and no name may begin a line of its own in a log."""
    return text.replace("\r", "\\r").replace("\n", "\\n")


@dataclass(frozen=True, slots=True)
class Where:
    """A place in a file; line and column count from 1."""

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{one_line(self.file)}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing to say about the input or the design.

    `origin` is the path in the blueprint that caused it; `where` is that place in a file, once somebody knows the file.
    """

    code: str
    what: str
    why: str = ""
    fix: str = ""
    severity: Literal["error", "warning", "info"] = "error"
    subject: str = ""
    origin: Path = ()
    where: Where | None = None

    def __post_init__(self) -> None:
        assert self.code in CODES, self.code

    @property
    def status(self) -> int:
        """Exit status that this alone would cause."""
        return CODES[self.code][0] if self.severity == "error" else 0

    def record(self) -> dict[str, object]:
        """Flat form for JSON."""
        where = self.where or Where("", 0, 0)
        return {
            "code": self.code,
            "severity": self.severity,
            "subject": self.subject,
            "what": self.what,
            "why": self.why,
            "fix": self.fix,
            "file": where.file or None,
            "line": where.line or None,
            "column": where.column or None,
        }


class Rejected(Exception):
    """The author's mistakes, all that one stage found. Never raised for a bug of dcgen."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("; ".join(d.what for d in self.diagnostics))


def status(diagnostics: Iterable[Diagnostic]) -> int:
    """Exit status for a list: wrong input outranks a broken rule; 0 without errors."""
    found = {d.status for d in diagnostics}
    return INPUT if INPUT in found else RULE if RULE in found else 0


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Errors, then warnings, then information; within each by file, line and column."""
    rank = {"error": 0, "warning": 1, "info": 2}

    def key(d: Diagnostic) -> tuple[object, ...]:
        where = d.where or Where("", 0, 0)
        return (rank[d.severity], where.file, where.line, where.column, d.code, d.subject, d.what)

    return sorted(dict.fromkeys(diagnostics), key=key)


def phrase(d: Diagnostic) -> str:
    """One diagnostic as a person reads it."""
    lines = [f"{f'{d.where}: ' if d.where else ''}{d.severity}[{d.code}]: {one_line(d.what)}"]
    lines += [f"    because: {d.why}"] if d.why else []
    lines += [f"    fix: {d.fix}"] if d.fix else []
    return "\n".join(lines)


def phrase_all(diagnostics: Sequence[Diagnostic], at_most: int = SHOWN_AT_MOST) -> str:
    """All of them in order, at most so many, and how many are left."""
    ordered = in_order(diagnostics)
    text = [phrase(d) for d in ordered[:at_most]]
    if len(ordered) > at_most:
        text.append(f"... and {len(ordered) - at_most} more")
    return "\n".join(text)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that was probably meant, or None: the shortest that begins with it, else the one most alike.

    >>> nearest("uplink", ["downlinks", "uplinks"])
    'uplinks'
    >>> nearest("overs", ["ports", "oversubscription"])
    'oversubscription'
    """
    names, typed = {k.casefold(): k for k in known}, word.casefold()
    longer = sorted((n for n in names if len(typed) > 1 and n.startswith(typed)), key=len)
    found = longer or get_close_matches(typed, list(names), 1, 0.6)
    return names[found[0]] if found else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The `fix` for an unknown word: the nearest one, or the list of all.

    >>> did_you_mean("clso", ["clos", "torus"])
    'did you mean `clos`?'
    """
    names = list(known)
    near = nearest(word, names)
    if near:
        return f"did you mean `{near}`?"
    listed = ", ".join(f"`{n}`" for n in names[:20])
    return f"known here: {listed}{' ...' if len(names) > 20 else ''}" if names else "nothing of that kind is declared"


def placed(d: Diagnostic, where: Where | None) -> Diagnostic:
    """The same diagnostic with a place, unless it has one."""
    return d if d.where or not where else replace(d, where=where)
