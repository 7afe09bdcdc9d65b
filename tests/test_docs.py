"""The docs point to what exists, show the kept runs, and have short lines."""

import re
from pathlib import Path

import pytest

from jigsolve.lab.records import Runs
from jigsolve.lab.report.embed import fill_tables
from jigsolve.lab.report.groups import group_runs

ROOT = Path(__file__).parents[1]
FOLDERS = ("", "docs/**/", "benchmarks/", "training/")
PAGES = [page for folder in FOLDERS for page in ROOT.glob(f"{folder}*.md")]
WIDTH = 100


def anchors(text):
    """Return what headings are called in links to them."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def name_of(page):
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    text = page.read_text()
    for target, anchor in re.findall(r"\]\(([^)#]*)#?([^)]*)\)", text):
        if target.startswith("http"):
            continue
        there = page.parent / target if target else page
        assert there.exists(), target
        if anchor:
            assert anchor in anchors(there.read_text()), f"{target}#{anchor}"
    assert not re.search(r"\b[A-Z]+_TABLE\b|TODO", text)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_lines_are_wrapped(page):
    """Tables, code and pictures may be longer, and so may a word."""
    text = re.sub(r"^ *```.*?^ *```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    free = ("|", "![", "    ")
    long = [line for line in text.splitlines() if len(line) > WIDTH and not line.startswith(free)]
    assert not [line for line in long if " " in line.strip()]


@pytest.mark.parametrize(
    ("name", "runs"),
    [
        ("README.md", "docs/results"),
        ("docs/results.md", "docs/results"),
        ("docs/notebook/ablation.md", "docs/results"),
        ("docs/field.md", "docs/results/field"),
    ],
)
def test_tables_are_those_of_the_kept_runs(name, runs):
    """Where this fails: `jigsolve lab report RUNS --into PAGE`."""
    text = (ROOT / name).read_text()
    assert text == fill_tables(text, group_runs(Runs(ROOT / runs).records))


def test_every_page_of_the_notebook_is_listed():
    folder = ROOT / "docs/notebook"
    listed = set(re.findall(r"\]\(([\w-]+\.md)\)", (folder / "README.md").read_text()))
    assert listed == {page.name for page in folder.glob("*.md")} - {"README.md"}


def test_there_are_pages():
    assert len(PAGES) >= 8
