"""Advice: what a person may be asked, and told, of an arrangement."""

from jigsolve.advice.asking import questions
from jigsolve.advice.assessing import assessed
from jigsolve.advice.following import implied
from jigsolve.advice.kinds import KINDS, BlockQuestion, PieceQuestion, Question, SeamQuestion
from jigsolve.advice.near import TOUCHING_UP, near, staying
from jigsolve.advice.parts import held_together
from jigsolve.advice.places import Candidate, Fit, candidates, fits

__all__ = [
    "KINDS",
    "TOUCHING_UP",
    "BlockQuestion",
    "Candidate",
    "Fit",
    "PieceQuestion",
    "Question",
    "SeamQuestion",
    "assessed",
    "candidates",
    "fits",
    "held_together",
    "implied",
    "near",
    "questions",
    "staying",
]
