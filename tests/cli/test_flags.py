"""The library speaks of parameters, the command line of flags."""

import argparse
import ast
from pathlib import Path

import pytest

import jigsolve
from jigsolve.cli.command import parser
from jigsolve.cli.flags import FORMS, in_flags

PACKAGE = Path(jigsolve.__file__).parent
OF_COMMANDS = {"cli", "lab", "provenance.py"}
"""The lab's reports and hints are about its commands; provenance asks Git."""


def flags_of(verb):
    (verbs,) = (a for a in parser()._actions if isinstance(a, argparse._SubParsersAction))
    verbs.choices[verb].declare()
    return verbs.choices[verb]._option_string_actions


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("; give `board` (likeliest: 6x4)", "; give --board COLSxROWS (likeliest: 6x4)"),
        ("measure 9 x 9; `crop` uses those", "measure 9 x 9; --crop uses those"),
        ("expected `piece` and `region` with", "expected --piece and --region with"),
        ("give `force`", "give --force"),
        ("and `jigsolve solve` finds `it`", "and `jigsolve solve` finds `it`"),
        ("give board", "give board"),
    ],
)
def test_parameters_become_flags(message, said):
    assert in_flags(message) == said


def test_there_is_such_a_flag_for_each_parameter():
    flags = flags_of("studio") | flags_of("solve")
    for name, form in FORMS.items():
        action = flags[f"--{name}"]
        assert bool(form) == (action.nargs != 0), name
        if form:
            assert form in (action.metavar or "").replace("[,COLOUR]", "").split("|"), name


def _texts(path):
    """Return all texts of a module but its docstrings."""
    tree = ast.parse(path.read_text())
    prose = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and id(node) not in prose:
            yield node.value


def test_the_library_names_no_flags():
    files = [
        path
        for path in PACKAGE.rglob("*.py")
        if not {path.relative_to(PACKAGE).parts[0], path.name} & OF_COMMANDS
    ]
    assert len(files) > 80
    named = {(path.name, text) for path in files for text in _texts(path) if " --" in f" {text}"}
    assert named <= {("kernels.py", "--fmad=false")}  # the GPU's compiler's
