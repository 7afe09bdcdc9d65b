"""What was counted with the networks' weights belongs to the weights that are there."""

import json
import shutil
import sys
from pathlib import Path

import pytest

import jigsolve
from jigsolve.measures.calibration import COUNTED, Calibration

DATA = Path(jigsolve.__file__).parent / "data"
TRAINING = Path(__file__).parents[2] / "training"


@pytest.fixture
def counted(monkeypatch):
    monkeypatch.syspath_prepend(str(TRAINING))
    import counted

    yield counted
    del sys.modules["counted"]


@pytest.fixture
def copy(tmp_path):
    for path in (*DATA.glob("*.npz"), DATA / "calibration.json"):
        shutil.copy(path, tmp_path)
    return tmp_path


def change_a_byte(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def test_weights_and_what_was_counted_belong_together(counted):
    assert counted.faults(DATA) == []


def test_every_file_of_weights_is_named():
    named = json.loads((DATA / "calibration.json").read_text("utf-8"))["weights"]
    assert {path.name for path in DATA.glob("*.npz")} == named.keys()


@pytest.mark.parametrize("name", ["seam-network.npz", "damaged-network.npz"])
def test_a_changed_byte_is_found(counted, copy, name):
    assert counted.faults(copy) == []
    change_a_byte(copy / name)
    assert counted.faults(copy) == [f"{name} is not the file that calibration.json names"]


def test_what_was_counted_with_other_weights_is_found(counted, copy):
    path = copy / "calibration.json"
    content = json.loads(path.read_text("utf-8"))
    content["groups"]["confidence_damaged"]["counted_with"] = "0" * 64
    path.write_text(json.dumps(content), "utf-8")
    (fault,) = counted.faults(copy)
    assert "confidence_damaged" in fault


def test_new_weights_leave_what_was_counted_with_the_old_ones_out_of_date(counted, copy):
    change_a_byte(copy / "damaged-network.npz")
    out_of_date = counted.note_weights(copy)
    assert "confidence_damaged" in out_of_date
    assert "confidence_whole" not in out_of_date
    assert counted.faults(copy) == []
    counted.note("confidence_damaged", copy, weights=[1.0, 0.0, 0.0, -1.0, -2.0])
    assert "confidence_damaged" not in counted.note_weights(copy)
    groups = json.loads((copy / "calibration.json").read_text("utf-8"))["groups"]
    assert Calibration.from_groups(groups).confidence_damaged == (1.0, 0.0, 0.0, -1.0, -2.0)


def test_every_group_says_how_it_was_counted():
    content = json.loads((DATA / "calibration.json").read_text("utf-8"))
    for group in content["groups"].values():
        assert group.keys() == {"what", "network", "counted_with", "command", "values"}
        assert group["command"]
    assert Calibration.from_groups(content["groups"]) == COUNTED
