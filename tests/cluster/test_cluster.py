"""Workers of a cluster: the same records, whatever becomes of a worker, and only from our like."""

import os
import signal
import zlib

import pytest
from helpers import in_this_process, texture

pytest.importorskip("distributed")

import numpy as np
from PIL import Image

from jigsolve import Settings
from jigsolve.cluster.connection import Cluster
from jigsolve.errors import InputError
from jigsolve.lab.conduct import conduct
from jigsolve.lab.experiment import plan
from jigsolve.lab.records import Bench, Runs
from jigsolve.lab.sets import find_images
from jigsolve.lab.spread import conduct_on

OF_THE_MOMENT = ("cpu", "wall", "stages", "memory", "finished", "threads")
QUICK = Settings.preset("default", measure="dissimilarity", generations=3)


@pytest.fixture
def tasks(tmp_path, monkeypatch, request):
    """Plan runs of pictures whose names lead somewhere here, but nowhere for workers."""
    rng = np.random.default_rng(zlib.crc32(request.node.name.encode()))  # workers keep pictures
    (tmp_path / "photos").mkdir()
    for number in (1, 2):
        picture = Image.fromarray(texture(rng, 112, 140))
        picture.save(tmp_path / "photos" / f"{number}.png")
    monkeypatch.chdir(tmp_path)
    images = find_images("photos")
    return plan(images, "default", [QUICK], 4)


def lasting(folder):
    """Return what is kept of runs, by their keys, without what differs each time."""
    records = Runs(folder).records
    kept = {
        record["key"]: {n: v for n, v in record.items() if n not in OF_THE_MOMENT}
        for record in records
    }
    assert len(kept) == len(records), "a run is there twice"
    return kept


def test_records_are_those_of_one_machine_though_a_worker_is_killed(cluster, tasks, tmp_path):
    with Bench(tmp_path / "alone") as bench:
        assert len(list(conduct(tasks, bench, "a command", 1))) == len(tasks) == 8
    with Bench(tmp_path / "spread") as bench:
        for number, _ in enumerate(conduct_on(cluster, tasks, bench, "a command")):
            if number == 1:  # the other worker is at work then
                processes = cluster.client.run(os.getpid)
                os.kill(next(iter(processes.values())), signal.SIGKILL)
    assert lasting(tmp_path / "spread") == lasting(tmp_path / "alone")


def test_a_picture_that_changed_meanwhile_is_not_solved(cluster, tasks, tmp_path):
    Image.new("RGB", (140, 112)).save(tmp_path / "photos" / "2.png")
    with (
        Bench(tmp_path / "spread") as bench,
        pytest.raises(InputError, match=r"4 of the runs failed, .* expected the pixels"),
    ):
        list(conduct_on(cluster, tasks, bench, "a command"))
    assert {record["file"] for record in Runs(tmp_path / "spread").records} == {"1.png"}


def test_workers_of_other_sources_are_refused(cluster, monkeypatch):
    monkeypatch.setattr("jigsolve.cluster.identity.sources_hash", lambda: "f" * 64)
    with pytest.raises(InputError, match=r"^cluster: worker tcp.*expected sources f{12}, found"):
        Cluster(cluster.client, "local")


@pytest.mark.parametrize(
    ("address", "code", "complaint"),
    [
        ("node-1", 2, "expected local, HOST:PORT"),
        ("ucx://node-1:8786", 2, "expected local, HOST:PORT"),
        ("node-1:65536", 2, "expected local, HOST:PORT"),
        ("127.0.0.1:1", 1, "expected a Dask scheduler at 127.0.0.1:1, found none"),
        ("tls://127.0.0.1:1", 1, "TLS"),
    ],
)
def test_addresses_that_lead_nowhere(address, code, complaint, tasks, tmp_path, monkeypatch):
    monkeypatch.setattr("jigsolve.cluster.connection.LONGEST_CONNECTING", 0.3)
    command = ["lab", "run", "--sets", "photos", "--out", "out", "--quiet", "--cluster", address]
    found, said = in_this_process(command, tmp_path)
    assert found == code, said
    assert complaint in said
    assert said.startswith("jigsolve: --cluster") or said.startswith("jigsolve: cluster"), said
    assert "Traceback" not in said
    if code == 1:
        assert said.count("\n") == 1, said


def test_jobs_are_for_workers_of_this_machine(tasks, tmp_path):
    command = ["lab", "run", "--sets", "photos", "--out", "out", "--jobs", 2]
    code, said = in_this_process([*command, "--cluster", "node-1:8786"], tmp_path)
    assert code == 2, said
    assert "jobs: expected none" in said
