"""One run of a bag: cut several images, mix, solve, then score."""

from __future__ import annotations

import time

from jigsolve.core.cut_bag import cut_bag
from jigsolve.execution.crew import available_threads
from jigsolve.execution.stop import Stop
from jigsolve.lab.bags import SetBag
from jigsolve.lab.experiment import Task, settings_record
from jigsolve.lab.machine import forget_peak, peak_memory, rounded, where_and_when
from jigsolve.lab.records import BAG_FORMAT, Record
from jigsolve.scores.bags import score_bag
from jigsolve.solvers.bags import solve_bag
from jigsolve.solvers.kernels import load_kernels


def carry_out_bag(task: Task, threads: int | None, command: str, stop: Stop | None) -> Record:
    """Solve a bag as a task says, its boards and the number of pictures unknown."""
    drawn = task.image
    assert isinstance(drawn, SetBag)
    paths = [image.path for image in drawn.images]
    cut = cut_bag(paths, drawn.piece, seed=drawn.number, turned=task.turned)
    settings = task.settings.changed(threads=threads)
    load_kernels()
    forget_peak()
    wall, cpu = time.perf_counter(), time.process_time()
    found = solve_bag(cut.bag, settings, stop=stop)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    memory = peak_memory()
    scores = score_bag([picture.placement for picture in found.pictures], cut.truth, cut.bag)
    return {
        "format": BAG_FORMAT,
        "key": task.key,
        "set": drawn.set_name,
        "image": drawn.number,
        "file": f"bag {drawn.number:02}",
        "pieces": drawn.pieces,
        "piece": {"width": drawn.piece.width, "height": drawn.piece.height},
        "mixed": len(drawn.images),
        "turned": task.turned,
        "images": [
            {"set": image.set_name, "image": image.number, "pieces": image.pieces}
            for image in drawn.images
        ],
        "preset": task.preset,
        "maker": task.maker,
        "solver": task.settings.solver,
        "changes": task.changes,
        "run": task.run,
        "settings": settings_record(task.settings),
        "scores": rounded(scores.as_dict()),
        "strays": len(found.strays),
        "cpu": round(cpu, 3),
        "wall": round(wall, 3),
        "threads": threads or available_threads(),
        "memory": memory,
        **where_and_when(command),
    }
