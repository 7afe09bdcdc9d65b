"""From stored runs to tables and plots, in Markdown and as one HTML page."""

from jigsolve.lab.report.write import write_report

__all__ = ["write_report"]
