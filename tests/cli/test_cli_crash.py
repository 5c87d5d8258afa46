"""Killed, interrupted and started twice: the folder is always that of one whole run."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from dcgen.cli import lock, output
from dcgen.cli import run as run_words
from dcgen.diagnostics import Rejected
from tests.cli.conftest import names, tree, whole

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs signals and processes as POSIX has them")

DEMO = Path("output/demo")
LOCK = Path("output/.dcgen-demo.lock")
OLD = {f"old-{n}.csv": "old\n" for n in range(3)} | {"same.csv": "old\n"}
NEW = {f"new-{n}.csv": "new\n" * 1000 for n in range(6)} | {"same.csv": "new\n"}


def prepared(run, blueprint) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """An old output with a foreign file, and what the new one will be."""
    run("build", blueprint("new.yaml", files=NEW))
    new = tree(DEMO)
    run("build", blueprint("old.yaml", files=OLD))
    old = tree(DEMO)
    (DEMO / "deep").mkdir()
    (DEMO / "deep/notes.md").write_text("mine")
    mine = {"deep/notes.md": b"mine"}
    return old | mine, new | mine


def waited(for_: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not for_():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_kill_at_random_moments(run, blueprint, command):
    old, new = prepared(run, blueprint)
    dice, seen = random.Random(18), set()
    for _ in range(15):
        started = command("build", blueprint("new.yaml", files=NEW, pause_s=0.01), stdout=subprocess.DEVNULL)
        waited(lambda started=started: LOCK.exists() or started.poll() is not None)
        time.sleep(dice.uniform(0, 0.2))
        started.kill()
        started.communicate()
        now = tree(DEMO)
        assert now in (old, new)
        seen.add(now == new)
        run("build", "old.yaml")
        assert tree(DEMO) == old
        assert names("output") == ["demo"]
    assert False in seen


@pytest.mark.parametrize("exchange", [True, False])
def test_kill_before_every_single_operation_on_the_disk(run, blueprint, exchange, monkeypatch):
    if not exchange:
        monkeypatch.setattr(output, "_exchange", lambda one, other: False)
    old, new = prepared(run, blueprint)
    step, ended, without = 0, 9, 0
    while ended == 9:
        step += 1
        ended = in_a_child_killed_at(step)
        without += not DEMO.exists()
        if not DEMO.exists():
            assert not exchange
            assert tree(Path("output/.dcgen-demo-old")) == old
        else:
            assert tree(DEMO) in (old, new)
        run("build", "old.yaml")
        assert tree(DEMO) == old
        assert names("output") == ["demo"]
    assert ended == 0
    assert step > 20
    assert without == (0 if exchange else 1)


def in_a_child_killed_at(step: int) -> int:
    """Build in a fork that dies just before its n-th operation on the output folder; the signal that ended it, or 0."""
    child = os.fork()
    if child == 0:
        left = [step]

        def count(event: str, arguments: tuple[object, ...]) -> None:
            if (event.startswith(("os.", "shutil.")) or event == "open") and ".dcgen-demo" in str(arguments):
                left[0] -= 1
                if left[0] == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(count)
        os._exit(run_words(["build", "new.yaml"]))
    return os.waitpid(child, 0)[1]


def test_an_interrupt_while_the_lock_is_taken_leaves_none(tmp_path, monkeypatch):
    locked = lock._lock

    def interrupted(handle: int) -> bool:
        signal.raise_signal(signal.SIGINT)
        return locked(handle)

    monkeypatch.setattr(lock, "_lock", interrupted)
    with pytest.raises(KeyboardInterrupt), lock.held(tmp_path / "lock"):
        raise AssertionError("the lock must not be given after an interrupt")
    assert names(str(tmp_path)) == []
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("before", [True, False])
def test_an_interrupt_leaves_the_old_folder_and_nothing_else(run, blueprint, command, before):
    if before:
        run("build", blueprint("old.yaml", files=OLD))
    was = tree(Path("output"))
    started = command("build", blueprint("new.yaml", files=NEW, pause_s=0.05))
    waited(LOCK.exists)
    started.send_signal(signal.SIGINT)
    out, err = started.communicate()
    assert (started.returncode, out, err) == (130, "", "dcgen: interrupted\n")
    assert tree(Path("output")) == was
    assert not before or names("output") == ["demo"]


def test_the_second_run_is_told_who_holds_the_folder(run, blueprint, command):
    started = command("build", blueprint("new.yaml", files=NEW, pause_s=0.1))
    waited(lambda: LOCK.exists() and LOCK.read_text() != "")
    ended = run("build", blueprint("old.yaml", files=OLD))
    assert ended.status == 2
    assert f"error[output-in-use]: `output` is in use by pid {started.pid}" in ended.err
    assert run("build", "old.yaml", "--format", "json").json["findings"][0]["code"] == "output-in-use"
    assert run("check", "old.yaml").status == 0
    assert run("build", blueprint("other.yaml", name="other")).status == 0
    started.communicate()
    assert started.returncode == 0
    assert whole(DEMO)
    assert run("build", "old.yaml").status == 0


def test_many_at_once_never_mix(run, blueprint, command):
    sides = [set(OLD), set(NEW)]
    blueprint("old.yaml", files=OLD, pause_s=0.005)
    blueprint("new.yaml", files=NEW, pause_s=0.005)
    for _ in range(3):
        started = [command("build", file) for file in ("old.yaml", "new.yaml") * 2]
        said = [one.communicate()[1] for one in started]
        assert {one.returncode for one in started} <= {0, 2}
        assert any(one.returncode == 0 for one in started)
        assert all("output-in-use" in err for one, err in zip(started, said, strict=True) if one.returncode)
        assert whole(DEMO)
        assert set(tree(DEMO)) - {"manifest.json", "findings.json"} in sides
        assert names("output") == ["demo"]


def test_the_lock_of_a_dead_run_is_taken_over_with_a_note(run, blueprint, command):
    started = command("build", blueprint("new.yaml", files=NEW, pause_s=0.1))
    waited(lambda: LOCK.exists() and LOCK.read_text() != "")
    started.kill()
    waited(lambda: os.waitid(os.P_PID, started.pid, os.WEXITED | os.WNOWAIT) is not None)
    assert LOCK.exists()
    blueprint("new.yaml", files=NEW)
    ended = run("build", "new.yaml")  # the dead process is still listed: nobody has asked yet how it ended
    started.communicate()
    assert ended.status == 0
    assert ended.err == f"dcgen: note: pid {started.pid} died while it wrote output/demo; this run took over\n"
    assert run("build", "new.yaml").err == ""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs the start times of processes")
def test_the_name_in_the_lock_counts_where_the_system_gives_no_locks(run, blueprint):
    Path("output").mkdir()
    start = Path(f"/proc/{os.getpid()}/stat").read_text().rpartition(")")[2].split()[19]
    LOCK.write_text(f"{os.getpid()} {start}\n")
    assert "in use by pid" in run("build", blueprint()).err
    LOCK.write_text(f"{os.getpid()} 1\n")  # the number was given to another process since
    assert run("build", "demo.yaml").status == 0


@pytest.mark.parametrize("text", ["", "rubbish", "-1 5\n", "²\n", "9" * 90])
def test_a_strange_lock_is_no_obstacle(run, blueprint, text):
    Path("output").mkdir()
    LOCK.write_text(text)
    assert run("build", blueprint()).status == 0
    assert not LOCK.exists()


@pytest.mark.parametrize("exists", [True, False])
def test_a_lock_that_is_a_link_is_not_followed(run, blueprint, exists):
    Path("output").mkdir()
    if exists:
        Path("victim").write_text("mine")
    LOCK.symlink_to("../victim")
    assert run("build", blueprint()).status == 2
    assert Path("victim").exists() is exists
    assert not exists or Path("victim").read_text() == "mine"


def test_the_system_refuses_where_it_tells_no_start_times(tmp_path, monkeypatch):
    monkeypatch.setattr(lock, "_started", lambda pid: "")
    with lock.held(tmp_path / "lock") as before, pytest.raises(Rejected, match=f"pid {os.getpid()}"), lock.held(tmp_path / "lock"):
        pass
    assert before is None
    assert not (tmp_path / "lock").exists()


def test_a_lock_that_is_removed_while_it_is_taken_is_taken_again(tmp_path, monkeypatch):
    path, locked = tmp_path / "lock", lock._lock

    def late(handle: int) -> bool:
        monkeypatch.setattr(lock, "_lock", locked)
        path.unlink()  # its last holder has just gone
        return locked(handle)

    monkeypatch.setattr(lock, "_lock", late)
    with lock.held(path):
        assert path.read_text().startswith(f"{os.getpid()} ")


def test_reading_needs_no_lock(run, blueprint):
    run("build", blueprint())
    before = set(Path().rglob("*"))
    for words in (("check",), ("show",), ("build", "--check")):
        run(words[0], "demo.yaml", *words[1:])
    assert set(Path().rglob("*")) == before
