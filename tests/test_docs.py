"""The docs point to what exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/*.md")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    text = page.read_text()
    targets = re.findall(r"\]\(([^)#]+)\)", text)
    for target in targets:
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target
    assert not re.search(r"\b[A-Z]+_TABLE\b|TODO", text)


def test_there_are_pages():
    assert len(PAGES) >= 8
