"""Exit statuses, what is said, and on which stream."""

import json
import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import pytest

import dcgen
from dcgen.cli import terminal
from tests.cli.conftest import ROOT

BOXES = set("│─╭╮╰╯┏┓━┃")


@pytest.mark.parametrize(
    ("data", "words", "status"),
    [
        ({}, (), 0),
        ({"findings": [["estimated-figure", "warning"]]}, (), 0),
        ({"findings": [["estimated-figure", "warning"]]}, ("--strict",), 3),
        ({"findings": [["look-alike", "info"]]}, ("--strict",), 0),
        ({"findings": [["port-shortage", "error"]]}, (), 3),
        ({"findings": [["port-shortage", "error"]]}, ("--exit-zero",), 0),
        ({"findings": [["requirement-broken", "error"]]}, (), 3),
        ({"findings": [["port-shortage", "error"], ["bad-unit", "error"]]}, (), 2),
        ({"reject": "unknown-key"}, (), 2),
        ({"reject": "unknown-key"}, ("--exit-zero",), 2),
        ({"no_layout": "rate-mismatch"}, (), 3),
        ({"crash": "oops"}, (), 1),
    ],
)
@pytest.mark.parametrize("form", ["text", "json"])
def test_check_says_by_its_status_what_it_found(run, blueprint, data, words, status, form):
    ended = run("check", blueprint(**data), "--format", form, *words)
    assert ended.status == status
    assert not (form == "json" and status != 1) or ended.json["status"] == (3 if "--exit-zero" in words and status == 0 else status)
    assert "Traceback" not in ended.err


def test_check_shows_findings_apart_from_the_summary(run, blueprint):
    ended = run("check", blueprint(measures={"power_max": 1, "gpus": 1152, "other": 5}, findings=[["no-optic", "error"]]))
    assert ended.out == "demo\nGPUs        1,152\npower, max      1\n"
    assert ended.err == "demo.yaml:1:1: error[no-optic]: no-optic here\n"


def test_a_lower_bound_and_estimates_are_marked(run, blueprint, monkeypatch):
    fake = dcgen.analyse
    marked = [{"unit": "w", "unknown": 3, "estimates": 2}]

    def analyse(design, quick=False):
        found = fake(design)
        found.measures = tuple(type(m)(m.measure, m.subject, m.value, **marked[0]) for m in found.measures)
        return found

    monkeypatch.setattr(dcgen, "analyse", analyse)
    assert "142 kW  at least: 3 without a figure, 2 estimated" in run("check", blueprint(measures={"power_max": 142000})).out
    (measure,) = run("check", "demo.yaml", "--format", "json").json["measures"]
    assert (measure["at_least"], measure["value"], measure["unit"]) == (True, 142000, "w")


def test_json_of_a_rejected_blueprint_is_one_object_and_nothing_else(run, blueprint):
    ended = run("check", blueprint(reject="bad-unit"), "--format", "json")
    assert ended.err == ""
    assert ended.json["measures"] == []
    assert [(f["code"], f["line"], f["column"]) for f in ended.json["findings"]] == [("bad-unit", 3, 7)]


def test_json_numbers_have_no_binary_noise(run, blueprint):
    ended = run("check", blueprint(measures={"gpus": 0.1 + 0.2, "nodes": 3.0}), "--format", "json")
    assert [m["value"] for m in ended.json["measures"]] == [0.3, 3]
    assert '"value": 3,' in ended.out


def test_settings_reach_the_blueprint(run, blueprint, monkeypatch):
    seen = {}
    fake = dcgen.parse
    monkeypatch.setattr(dcgen, "parse", lambda source, settings, variant=None: seen.update(settings) or fake(source, settings))
    run("check", blueprint(), "--set", "pods=4", "--set", "note=a=b", "--set", "empty=")
    assert seen == {"pods": "4", "note": "a=b", "empty": ""}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("biuld", "demo.yaml"), "Did you mean 'build'?"),
        (("check",), "missing argument 'FILE…'"),
        (("check", "demo.yaml", "--frmt", "json"), "--format"),
        (("check", "demo.yaml", "--set", "pods"), "`pods` is not NAME=VALUE"),
        (("check", "demo.yaml", "--set", "a=1", "--set", "a=2"), "`a` is set twice"),
        (("check", "demo.yaml", "--format", "xml"), "'xml' is not one of 'text', 'json'"),
        (("schema", "part", "more"), "more"),
        (("--frob",), "--frob"),
    ],
)
def test_a_usage_error_is_one_line_and_a_hint(run, blueprint, words, said):
    blueprint()
    ended = run(*words)
    first, hint = ended.err.splitlines()
    assert (ended.status, ended.out) == (2, "")
    assert first.startswith("dcgen: ")
    assert said in first
    assert hint.startswith("hint: `dcgen ")
    assert not BOXES & set(ended.err)


@pytest.mark.parametrize(("file", "fix"), [("site.yml", "site.yaml"), ("site", "site.yaml"), ("site.json", "site.yaml")])
@pytest.mark.parametrize("verb", ["check", "build", "show"])
def test_another_extension_is_refused_with_the_right_name(run, blueprint, file, fix, verb):
    ended = run(verb, blueprint(file))
    assert ended.status == 2
    assert f"fix: rename it to `{fix}`" in ended.err


def test_a_missing_file(run):
    ended = run("check", "none.yaml")
    assert (ended.status, ended.err) == (2, "none.yaml:1:1: error[cannot-read]: `none.yaml` does not exist\n")


def test_a_bug_is_one_line_and_a_traceback_only_on_request(run, blueprint):
    ended = run("check", blueprint(crash="two\nlines"))
    expected = "dcgen: internal error: RuntimeError: two lines; please report this, with the blueprint; --debug shows where\n"
    assert (ended.status, ended.out, ended.err) == (1, "", expected)
    for words in (("--debug", "check", "demo.yaml"), ("check", "demo.yaml", "--debug")):
        ended = run(*words)
        assert ended.status == 1
        assert ended.err.startswith("Traceback")


def test_alone_it_prints_help_with_examples(run):
    assert run().out == run("--help").out
    assert run().status == 0
    for command in ("check", "build", "show", "schema"):
        assert command in run().out
        assert f"  dcgen {command}" in run(command, "--help").out
        assert not BOXES & set(run(command, "--help").out)


def test_version(run):
    assert run("--version").out == run("--debug", "--version").out == f"dcgen {dcgen.__version__}\n"


def test_version_imports_no_library():
    heavy = ["typer", "rich", "click", "pydantic", "yaml", "numpy", "polars", "networkx", "jinja2", "graphviz", "json"]
    code = f"import sys; from dcgen.cli import run; run(['--version']); print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == f"dcgen {dcgen.__version__}\n[]\n"


def test_plain_answers_do_not_load_the_table_library(command, blueprint):
    started = command("check", blueprint(), env={"PYTHONPROFILEIMPORTTIME": "1"})
    assert " rich" not in started.communicate()[1]


def test_schema(run):
    assert run("schema").json == run("schema", "blueprint").json == {"title": "blueprint"}
    assert run("schema", "part").json == {"title": "part"}


def test_show(run, blueprint):
    assert run("show", blueprint()).out == (
        "groups\ngroup               count\ncompute/tray[su=0]     18\nleaf                1,152\n\nmore\na\nall\n"
    )
    more = run("show", "demo.yaml", "backend", "--format", "json").json["sections"][1]
    assert more == {"title": "more", "columns": ["a"], "rows": [["backend"]]}
    ended = run("show", "demo.yaml", "nowhere")
    assert (ended.status, ended.out) == (2, "")
    assert run("show", "demo.yaml", "nowhere", "--format", "json").json["sections"] == []


def test_what_was_typed_cannot_steer_the_terminal(run, blueprint):
    ended = run("check", blueprint(), "--set", "x\x1b[2J\u202e")
    assert "\x1b" not in ended.err
    assert "\\u001b[2J\\u202e" in ended.err


def test_a_reader_that_leaves_changes_nothing(command, blueprint):
    started = command("check", blueprint(findings=[["no-optic", "error"]], pause_s=0.1), "--format", "json")
    started.stdout.close()
    assert started.stderr.read() == ""
    assert started.wait() == 3


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_an_answer_that_cannot_be_written(command, blueprint):
    with Path("/dev/full").open("w") as full:
        started = command("check", blueprint(), stdout=full)
        assert "cannot-write" in started.communicate()[1]
    assert started.returncode == 2


def test_any_locale_will_do(command, blueprint):
    started = command("check", blueprint(name="Zürich→数"), env={"PYTHONIOENCODING": "ascii", "LC_ALL": "C"})
    out, err = started.communicate()
    assert (started.returncode, err) == (0, "")
    assert out.startswith("Z\\xfcrich")


def on_terminal(tmp_path: Path, *words: str, module: str = "tests.cli.fake_front", **env: str) -> str:
    """What a person sees: both streams are one terminal."""
    ours, theirs = pty.openpty()
    environment = (
        {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")} | {"PYTHONPATH": str(ROOT), "TERM": "xterm"} | env
    )
    line = [sys.executable, "-m", module, *words]
    with subprocess.Popen(line, cwd=tmp_path, env=environment, stdout=theirs, stderr=theirs, stdin=theirs) as started:
        os.close(theirs)
        seen = b""
        try:
            while piece := os.read(ours, 4096):
                seen += piece
        except OSError:  # how Linux says that the other side has closed
            pass
        started.wait()
    os.close(ours)
    return seen.decode()


def test_colour_only_where_it_is_wanted(tmp_path, blueprint):
    file = blueprint(findings=[["no-optic", "error"]])
    assert "\x1b[1;31merror\x1b[0m[no-optic]" in on_terminal(tmp_path, "check", file)
    for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert "error[no-optic]" in on_terminal(tmp_path, "check", file, **env)
        assert "\x1b[1;31m" not in on_terminal(tmp_path, "check", file, **env)
    assert "\x1b" not in on_terminal(tmp_path, "check", file, TERM="dumb")


def test_brackets_in_cells_are_text_on_a_terminal(tmp_path, blueprint):
    assert "compute/tray[su=0]" in on_terminal(tmp_path, "show", blueprint())


def test_long_work_says_what_it_does_on_a_terminal(tmp_path, blueprint):
    assert "writing drawings/site.svg" in on_terminal(tmp_path, "build", blueprint(pause_s=0.45))
    assert "writing" not in on_terminal(tmp_path, "build", blueprint(pause_s=0))
    assert "writing" not in on_terminal(tmp_path, "build", blueprint(pause_s=0.45), TERM="dumb")


def test_short_work_never_shows_later(capsys, monkeypatch):
    monkeypatch.setattr(terminal, "PATIENCE_S", 0.01)
    monkeypatch.setattr(terminal, "lively", lambda _: True)
    with terminal.Work():
        pass
    time.sleep(0.05)
    assert capsys.readouterr().err == ""


def test_a_table_is_aligned_text_in_a_pipe(capsys):
    terminal.table("t", ["name", "n"], [["a", "1"], ["bbbbb", "1,000"]])
    assert capsys.readouterr().out == "t\nname       n\na          1\nbbbbb  1,000\n"


def test_json_is_ascii(run, blueprint):
    ended = run("show", blueprint(), "Zürich", "--format", "json")
    assert ended.out.isascii()
    assert json.loads(ended.out)["sections"][1]["rows"] == [["Zürich"]]
