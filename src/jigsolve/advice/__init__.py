"""Advice: what a person may be asked, and told, of an arrangement."""

from jigsolve.advice.asking import Question, questions
from jigsolve.advice.assessing import assessed
from jigsolve.advice.following import implied
from jigsolve.advice.parts import held_together
from jigsolve.advice.places import Candidate, Fit, candidates, fits

__all__ = [
    "Candidate",
    "Fit",
    "Question",
    "assessed",
    "candidates",
    "fits",
    "held_together",
    "implied",
    "questions",
]
