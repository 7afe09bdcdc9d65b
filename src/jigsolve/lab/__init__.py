"""Experiments over sets of images: run them, keep every run, and report.

images (`sets`) -> tasks (`experiment`) -> runs (`conduct`, `trial`) -> `records` -> `report`.
"""

from jigsolve.lab.conduct import conduct
from jigsolve.lab.experiment import Task, plan
from jigsolve.lab.records import Bench, Runs
from jigsolve.lab.report import write_report
from jigsolve.lab.sets import KNOWN_SETS, find_images

__all__ = ["KNOWN_SETS", "Bench", "Runs", "Task", "conduct", "find_images", "plan", "write_report"]
