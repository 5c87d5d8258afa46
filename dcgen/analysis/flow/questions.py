"""Requirements about throughput: `throughput(backend, traffic=ep, scale_up=relay, when=lost(backend/spine, 1)) >= 75%`."""

import re
from dataclasses import dataclass, replace
from typing import Any

from dcgen.analysis.flow.answer import Question, Throughput
from dcgen.analysis.flow.picks import Unanswerable
from dcgen.analysis.flow.wording import said
from dcgen.analysis.model import Measure
from dcgen.design.model import Design, Requirement, Traffic
from dcgen.diagnostics import Diagnostic, did_you_mean
from dcgen.units import UnitError, parse, spoken

_LOST = re.compile(r"lost\((?P<inside>.*)\)")
_WORDS = ("traffic", "scale_up", "routing", "queue_pairs", "efficiency", "when")
_ROUTING = ("adaptive", "spray", "hashed")
_SCALE_UP = ("unused", "direct", "relay")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a requirement asks: which fabric, which traffic, how it is carried, what is lost (all of it, or any `k`)."""

    fabric: str
    traffic: str = ""
    how: tuple[tuple[str, str | int | float], ...] = ()
    lost: tuple[str, ...] = ()
    k: int | None = None


def read(subject: str) -> Asked:
    """A requirement's subject in its parts.

    Raises:
        Unanswerable: a word that is not known, or written twice.
    """
    first, *rest = _split(subject, ",")
    found: dict[str, str] = {}
    for item in rest:
        word, sign, value = (x.strip() for x in item.partition("="))
        if not sign or word not in _WORDS:
            raise Unanswerable(f"`{item.strip()}` is not something that throughput asks for", did_you_mean(word, _WORDS))
        if word in found:
            raise Unanswerable(f"`{word}` is written twice", "write it once")
        found[word] = value
    how: list[tuple[str, str | int | float]] = []
    for word, known in (("scale_up", _SCALE_UP), ("routing", _ROUTING)):
        if word in found:
            if found[word] not in known:
                raise Unanswerable(f"`{word}={found[word]}` is not known", did_you_mean(found[word], known))
            how.append((word, found[word]))
    if "queue_pairs" in found:
        how.append(("queue_pairs", _number(found["queue_pairs"], "count", "queue_pairs=4", 1, 1000)))
    if "efficiency" in found:
        how.append(("share", _number(found["efficiency"], "share", "efficiency=94%", 0.01, 1)))
    lost, k = _lost(found["when"]) if "when" in found else ((), None)
    return Asked(first.strip(), found.get("traffic", ""), tuple(how), lost, k)


def _number(text: str, dimension: str, example: str, low: float, high: float) -> int | float:
    try:
        value = parse(text, dimension)
    except UnitError as e:
        raise Unanswerable(e.what, e.fix) from None
    if not low <= value <= high or (dimension == "count" and value.denominator != 1):
        raise Unanswerable(f"`{text}` is out of range here", f"write for example `{example}`")
    return int(value) if dimension == "count" else float(value)


def _lost(text: str) -> tuple[tuple[str, ...], int | None]:
    inside = _LOST.fullmatch(text)
    if not inside:
        raise Unanswerable(f"`when={text}` is not `when=lost(selector)`", "write for example `when=lost(backend/spine, 1)`")
    items = [x.strip() for x in _split(inside["inside"], ",")]
    k = int(items.pop()) if len(items) > 1 and items[-1].isdecimal() else None
    if not all(items) or k == 0:
        raise Unanswerable(f"`when={text}` loses nothing", "write for example `when=lost(backend/spine, 1)`")
    return tuple(items), k


def _split(text: str, sign: str) -> list[str]:
    """At a sign that stands in no bracket."""
    out, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == sign and not depth:
            out.append("")
        else:
            out[-1] += letter
    return out


def named(design: Design, name: str) -> Traffic:
    """The traffic of that name. Raises Unanswerable."""
    found = next((t for t in design.traffic if t.name == name), None)
    if found is None:
        raise Unanswerable(f"there is no traffic `{name}`", did_you_mean(name, [t.name for t in design.traffic]))
    return found


def question(design: Design, asked: Asked) -> Question:
    """The question that a requirement asks, settled. Raises Unanswerable."""
    traffic = named(design, asked.traffic) if asked.traffic else Traffic("all-to-all", "all-to-all")
    how: dict[str, Any] = dict(asked.how)
    return Question(design, asked.fabric, replace(traffic, **how))


def answer(design: Design, wanted: Requirement) -> list[Measure] | Diagnostic:
    """The measure that a requirement is judged by; a share of the intact fabric where the bound is a share."""
    try:
        asked = read(wanted.subject)
        here = question(design, asked)
        found = _after(here, asked) if asked.lost else here.ask()
    except Unanswerable as e:
        return Diagnostic("bad-requirement", f"`{wanted.text}`: {e.what}", fix=e.fix, origin=wanted.origin)
    value = _judged(found, wanted.op)
    if value is None:
        why = found.why or f"the answer is {found.status}: {found.method}"
        what = f"`{wanted.text}` cannot be answered"
        return Diagnostic("requirement-broken", what, why, "ask of a slice of the design", subject=asked.fabric, origin=wanted.origin)
    unit, method = found.unit, said(found)
    if wanted.unit == "1" and unit != "1":
        best = replace(here.traffic, routing="adaptive", share=1.0)
        whole = _judged(Question(design, asked.fabric, best).ask(), "<=" if ">" in wanted.op else ">=")
        if not whole:
            what = f"`{wanted.text}`: nothing gets through the intact fabric"
            return Diagnostic("bad-requirement", what, found.why, origin=wanted.origin)
        value, unit, method = value / whole, "1", f"{method}; {spoken(value, unit)} of {spoken(whole, unit)} when intact"
    return [Measure("throughput", asked.fabric, value, unit, method, estimates=found.status == "expected")]


def _after(here: Question, asked: Asked) -> Throughput:
    picks = [p for text in asked.lost for p in here.picks(text)]
    names = ", ".join(asked.lost)
    return here.ask(picks, names) if asked.k is None else here.worst(picks, asked.k, f"any {asked.k} of {names}")


def _judged(found: Throughput, op: str) -> float | None:
    """The side of a bracket that a bound has to hold for."""
    if found.status in ("exact", "expected", "cut off"):
        return found.value
    return found.low if ">" in op else found.high
