"""A document of sections, tables and plots, and its two forms."""

from __future__ import annotations

import html
import textwrap
from dataclasses import dataclass
from pathlib import PurePosixPath


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    words: str


@dataclass(frozen=True)
class Code:
    """Lines to type."""

    lines: list[str]


@dataclass(frozen=True)
class Table:
    """A table; the first columns, as many as said, hold names, the others numbers."""

    columns: list[str]
    rows: list[list[str]]
    names: int = 1
    caption: str = ""
    folded: bool = False
    """Whether a page shows it only when asked."""


@dataclass(frozen=True)
class Plot:
    """A drawing, as SVG."""

    name: str
    svg: str
    caption: str


Block = Text | Code | Table | Plot


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it."""

    title: str
    blocks: list[Block]


WIDTH = 100
"""Characters to a line of Markdown."""

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 75em; margin: 2em auto; padding: 0 1em;
  color: #222; background: #fff }
table { border-collapse: collapse; margin: 1em 0; font-size: 90%; display: block;
  overflow-x: auto }
th, td { padding: .2em .7em; border-bottom: 1px solid #ddd; text-align: right;
  white-space: nowrap }
th { border-bottom: 2px solid #888 } .name { text-align: left }
caption, figcaption { text-align: left; color: #555; padding: .3em 0 }
pre { background: #f4f4f4; padding: .7em; overflow-x: auto } figure { margin: 1.5em 0 }
svg { max-width: 100%; height: auto } summary { cursor: pointer }
"""


def as_markdown(title: str, sections: list[Section], plots: PurePosixPath) -> str:
    """Return the document as Markdown; drawings are files in the folder `plots`."""
    parts = [f"# {title}"]
    for section in sections:
        parts.append(f"## {section.title}")
        parts.extend(_markdown(block, plots) for block in section.blocks)
    return "\n\n".join(parts) + "\n"


def _markdown(block: Block, plots: PurePosixPath) -> str:
    match block:
        case Text(words):
            return textwrap.fill(words, WIDTH, break_long_words=False, break_on_hyphens=False)
        case Code(lines):
            return "\n".join(["```console", *(f"$ {line}" for line in lines), "```"])
        case Plot(name, _, caption):
            return f"![{caption}]({plots / name}.svg)"
        case Table(caption=caption) as table:
            return (f"{caption}\n\n" if caption else "") + table_as_markdown(table)


def table_as_markdown(table: Table) -> str:
    """Return the rows of a table as Markdown, without its caption."""
    rule = [":--"] * table.names + ["--:"] * (len(table.columns) - table.names)
    rows = [table.columns, rule, *table.rows]
    cells = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in cells)


def as_html(title: str, sections: list[Section]) -> str:
    """Return the document as one HTML page that needs no other file."""
    parts = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>{html.escape(title)}</title><style>{STYLE}</style></head><body>",
        f"<h1>{html.escape(title)}</h1>",
    ]
    for section in sections:
        parts.append(f"<h2>{html.escape(section.title)}</h2>")
        parts.extend(_html(block) for block in section.blocks)
    parts.append("</body></html>")
    return "\n".join(parts) + "\n"


def _html(block: Block) -> str:
    match block:
        case Text(words):
            return f"<p>{html.escape(words)}</p>"
        case Code(lines):
            return "<pre>" + "\n".join(html.escape(line) for line in lines) + "</pre>"
        case Plot(_, svg, caption):
            drawing = svg[svg.index("<svg") :]
            return f"<figure>{drawing}<figcaption>{html.escape(caption)}</figcaption></figure>"
        case Table() as table:
            return _html_table(table)


def _html_table(table: Table) -> str:
    def row(cells: list[str], tag: str) -> str:
        shown = (
            f"<{tag}{' class=name' if place < table.names else ''}>{html.escape(cell)}</{tag}>"
            for place, cell in enumerate(cells)
        )
        return "<tr>" + "".join(shown) + "</tr>"

    lines = [row(table.columns, "th"), *(row(cells, "td") for cells in table.rows)]
    if table.folded:
        body = "\n".join(["<table>", *lines, "</table>"])
        return f"<details><summary>{html.escape(table.caption)}</summary>{body}</details>"
    caption = f"<caption>{html.escape(table.caption)}</caption>" if table.caption else ""
    return "\n".join([f"<table>{caption}", *lines, "</table>"])
