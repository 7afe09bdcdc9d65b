"""Runs of turned pieces and of mixed bags: tasks, records, and what reports say of them."""

import dataclasses
import hashlib
import json
import statistics
from types import SimpleNamespace

import numpy as np
import pytest
from helpers import a_run, in_this_process
from PIL import Image
from skimage import data
from test_report import report_of, rows_of

import jigsolve
from jigsolve import InputError, PieceSize, Settings
from jigsolve.core.turns import Placement
from jigsolve.execution.stop import Stop
from jigsolve.lab import find_images, plan, published
from jigsolve.lab.bag_trial import carry_out_bag
from jigsolve.lab.bags import draw_bags
from jigsolve.lab.experiment import settings_record
from jigsolve.lab.records import BAG_FORMAT, TURNED_FORMAT, Runs
from jigsolve.lab.report.embed import fill_tables
from jigsolve.lab.report.groups import group_runs
from jigsolve.lab.trial import carry_out


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    """Make a folder with three small photographs."""
    place = tmp_path_factory.mktemp("photos")
    for number, pixels in enumerate((data.chelsea(), data.astronaut(), data.coffee()), 1):
        Image.fromarray(pixels[:224, :280]).save(place / f"{number}.png")
    return place


def small():
    return Settings.preset("paper", population=12, generations=2)


def test_keys_of_unturned_tasks_are_as_they_were(photos):
    (task, *_) = plan(find_images(str(photos), piece=PieceSize(56, 56)), "paper", [small()], 1)
    described = {
        "set": task.image.set_name,
        "image": "1.png",
        "pixels": task.image.pixels,
        "shuffle": 1,
        "piece": [56, 56],
        "settings": settings_record(small()),
    }
    text = json.dumps(described, sort_keys=True)
    assert task.key.split(".")[0] == hashlib.sha256(text.encode()).hexdigest()[:20]


def test_turned_and_mixed_tasks_have_keys_of_their_own(photos):
    images = find_images(str(photos))
    bags = [*draw_bags(images, 2, 3), *draw_bags(images, 3, 3)]
    tasks = [
        *plan(images, "paper", [small()], 1),
        *plan(images, "paper", [small()], 1, turned=True),
        *plan(bags, "paper", [small()], 1),
        *plan(bags, "paper", [small()], 1, turned=True),
    ]
    assert len({task.key for task in tasks}) == len(tasks) == 18


def test_bags_are_drawn_alike_every_time(photos):
    image = find_images(str(photos))[0]
    images = [dataclasses.replace(image, number=n, pixels=str(n)) for n in range(1, 21)]
    bags = draw_bags(images, 5)
    assert bags == draw_bags(images, 5)
    assert [bag.number for bag in bags] == list(range(1, 11))
    for bag in bags:
        assert len({image.number for image in bag.images}) == 5
        assert bag.pieces == 5 * image.pieces
    assert len({tuple(i.number for i in bag.images) for bag in bags}) == 10
    assert draw_bags(images, 20, 1)[0].images == tuple(images)
    with pytest.raises(InputError, match="mixed: expected a whole number from 1 to 20, found 21"):
        draw_bags(images, 21)


def solved_by_truth(monkeypatch, spoil=lambda placement: placement):
    """Let a solver that knows the truth stand in for one that does not."""
    asked = []

    def solve_bag(bag, settings, *, pictures=None, on_event=None, stop=None):
        asked.append((bag, settings, pictures))
        found = [SimpleNamespace(placement=spoil(p)) for p in cut.truth]
        return SimpleNamespace(pictures=found, strays=[])

    cut = None

    def cutting(*arguments, **options):
        nonlocal cut
        cut = jigsolve.core.cut_bag.cut_bag(*arguments, **options)
        return cut

    monkeypatch.setattr("jigsolve.lab.bag_trial.cut_bag", cutting)
    monkeypatch.setattr("jigsolve.lab.bag_trial.solve_bag", solve_bag)
    return asked


@pytest.mark.parametrize("turned", [False, True])
def test_a_bag_is_cut_solved_and_scored(photos, monkeypatch, turned, tmp_path):
    asked = solved_by_truth(monkeypatch, lambda placement: placement.turned(2 * turned))
    bags = draw_bags(find_images(str(photos)), 2, 1)
    (task,) = plan(bags, "paper", [small()], 1, turned=turned)
    record = carry_out(task, 1, "a command")
    ((bag, settings, pictures),) = asked
    assert (bag.turns, pictures) == ("quarter" if turned else "none", None)
    assert settings.threads == 1
    assert len(bag) == record["pieces"] == 2 * 80
    assert record["scores"]["perfect"]
    assert record["scores"]["sedas"] == 1
    assert record["scores"]["turns"] == [2 * turned] * 2
    assert (record["mixed"], record["turned"], record["key"]) == (2, turned, task.key)
    assert [image["pieces"] for image in record["images"]] == [80, 80]
    (tmp_path / "runs.jsonl").write_text(json.dumps(record) + "\n")
    runs = Runs(tmp_path)
    assert (runs.records, runs.unreadable) == ([record], 0)


def test_a_bag_that_is_partly_wrong(photos, monkeypatch):
    def spoiled(placement):
        pieces = placement.pieces.copy()
        pieces[0, 0], pieces[1, 1] = pieces[1, 1], pieces[0, 0]
        return Placement(pieces, placement.turns)

    solved_by_truth(monkeypatch, spoiled)
    (task,) = plan(draw_bags(find_images(str(photos)), 3, 1), "paper", [small()], 1)
    record = carry_out_bag(task, 1, "a command", Stop())
    assert record["scores"]["direct"] == pytest.approx(1 - 6 / 240)
    assert not record["scores"]["perfect"]


def test_a_turned_run_is_recorded(photos, monkeypatch, tmp_path):
    """A solver that knows no turns: what it finds is scored all the same."""
    given = []

    def solve(puzzle, settings, stop):
        given.append(puzzle)
        return jigsolve.solve(dataclasses.replace(puzzle, turns="none"), settings, stop=stop)

    monkeypatch.setattr("jigsolve.lab.trial.solve", solve)
    images = find_images(str(photos), wanted="1", piece=PieceSize(56, 56))
    (task,) = plan(images, "paper", [small()], 1, turned=True)
    with pytest.raises(InputError, match="turns: expected 0, as pieces with turns 'none' have"):
        carry_out(task, 1, "a command")
    assert given[0].turns == "quarter"
    upright = jigsolve.Puzzle.cut(images[0].path, 56)
    assert sorted(map(np.sum, given[0].pieces)) == sorted(map(np.sum, upright.pieces))


def a_turned_run(image=1, run=0, neighbour=0.9, **more):
    record = a_run(image, run, neighbour, **more)
    del record["true_cost"], record["shift"]
    scores = record["scores"] | {"turn": 2}
    return record | {"format": TURNED_FORMAT, "key": f"turned {record['key']}", "scores": scores}


def a_bag_run(number=1, mixed=5, neighbour=0.9, found=5, turned=True, set_name="pomeranz_805"):
    record = a_run(number, 0, neighbour, preset="default", set_name=set_name)
    for name in ("board", "cost", "generations", "history", "ceiling", "true_cost", "shift"):
        del record[name]
    scores = record["scores"] | {"sedas": neighbour / 2, "pictures": mixed, "found": found}
    return record | {
        "format": BAG_FORMAT,
        "key": f"bag {number} {mixed} {turned}",
        "file": f"bag {number:02}",
        "mixed": mixed,
        "turned": turned,
        "scores": scores,
    }


def test_turned_runs_stand_beside_unturned_and_other_solvers(tmp_path):
    plain = [a_run(i, 0, 0.95, cpu=2.0, memory=100) for i in range(1, 21)]
    turned = [a_turned_run(i, 0, 0.9 + i / 1000, cpu=5.0, memory=150) for i in range(1, 21)]
    markdown = report_of(tmp_path, [*plain, *turned])
    names, (row,) = rows_of(markdown, "Turned pieces")
    found = dict(zip(names, row, strict=True))
    neighbour = 100 * statistics.mean(r["scores"]["neighbour"] for r in turned)
    aware = 100 * statistics.mean(r["scores"]["neighbour_aware"] for r in turned)
    assert found["neighbour, strict / aware"] == f"{neighbour:.2f} / {aware:.2f}"
    assert found["settings"] == "paper"
    assert (found["times the CPU"], found["times the memory"]) == ("2.50", "1.50")
    assert found["unturned: neighbour aware"] == "97.00"
    names, (row,) = rows_of(markdown, "Turned pieces: other solvers")
    others = dict(zip(names, row, strict=True))
    assert others["Yu 2016"] == "95.6 / 95.3 (14)"
    assert others["neighbour - highest"] == f"{neighbour - 95.3:+.1f}"
    names, rows = rows_of(markdown, "Neighbour accuracy")
    assert [row[1] for row in rows] == ["paper"], "turned runs are not compared with unturned ones"
    assert rows == rows_of(report_of(tmp_path, plain), "Neighbour accuracy")[1]


def test_turned_runs_alone_make_a_report(tmp_path):
    markdown = report_of(tmp_path, [a_turned_run()])
    names, (row,) = rows_of(markdown, "Turned pieces")
    assert row[names.index("times the CPU")] == ""
    assert "other solvers" not in markdown, "not the whole set"
    assert "At a glance" not in markdown


def test_bags_stand_beside_published_ones(tmp_path):
    runs = [a_bag_run(n, 5, 0.9 + n / 100, found=5 + (n == 3)) for n in range(1, 5)]
    runs += [a_bag_run(n, 5, 0.9, turned=False) for n in range(1, 3)]
    names, rows = rows_of(report_of(tmp_path, runs), "Mixed bags")
    first, second = (dict(zip(names, row, strict=True)) for row in rows)
    theirs = "SEDAS, Hammoudeh and Pollett 2016"
    assert (first["settings"], second["settings"]) == (
        "default, 5 mixed",
        "default, 5 mixed, turned",
    )
    assert (first[theirs], second[theirs]) == ("", "82.8")
    assert second["right number of pictures"] == "3 of 4"
    assert second["bags"] == "4 x 1"
    assert second["SEDAS"] == f"{50 * statistics.mean([0.91, 0.92, 0.93, 0.94]):.1f}"


def test_tables_of_both_can_be_embedded():
    groups = group_runs([a_run(), a_turned_run(), a_bag_run()])
    for name, words in (("turned", "times the CPU"), ("mixed", "SEDAS"), ("losses", "search")):
        assert words in fill_tables(f"<!-- table: {name} -->\n<!-- end of table -->", groups)
    text = "<!-- table: accuracy -->\n<!-- end of table -->"
    assert fill_tables(text, groups) == fill_tables(text, group_runs([a_run()]))


def test_records_that_lack_something_are_no_runs(tmp_path):
    lines = [a_turned_run(), a_bag_run(), a_bag_run()]
    del lines[1]["mixed"]
    lines[2]["scores"] = dict(lines[2]["scores"], sedas=None)
    lines.append({"format": ["jigsolve-run"]})
    (tmp_path / "runs.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    runs = Runs(tmp_path)
    assert (len(runs.records), runs.unreadable) == (1, 3)


def test_published_figures_have_sources_and_known_sets():
    content = published.read_published()
    for part in (
        content["turned"]["others"],
        content["turned"]["times"],
        content["mixed"]["others"],
    ):
        for row in part:
            assert row["source"] in published.SOURCES
            assert row["set"] in published.NEIGHBOUR


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--mixed", "0"], "mixed: expected a whole number from 1"),
        (["--bags", "3"], "bags: expected with --mixed K"),
        (["--mixed", "2", "--bags", "0"], "bags: expected a whole number from 1"),
    ],
)
def test_wrong_usage(photos, tmp_path, more, words):
    command = ["lab", "run", "--sets", photos, "--out", tmp_path, *more]
    code, said = in_this_process(command, tmp_path)
    assert (code, said.count("\n")) == (2, 1)
    assert words in said


def test_more_pictures_than_there_are(photos, tmp_path):
    command = ["lab", "run", "--sets", photos, "--out", tmp_path / "o", "--mixed", "4"]
    code, said = in_this_process(command, tmp_path)
    assert (code, said.count("\n")) == (1, 1)
    assert "mixed: expected a whole number from 1 to 3, found 4" in said


def test_runs_of_another_preset_are_not_averaged_together():
    """What a preset is may change from one version to the next; its name does not."""
    now, before = a_run(), a_run()
    before["key"] = "before"
    before["settings"] = before["settings"] | {"annealing": 6}
    labels = [group.label for group in group_runs([now, before])]
    assert labels == ["paper (annealing 0)", "paper (annealing 6)"]
