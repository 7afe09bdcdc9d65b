"""Scores: the truth enters here, and nowhere before."""

from jigsolve.scores.result import Scores
from jigsolve.scores.scores import score, score_arrangement, score_pictures

__all__ = ["Scores", "score", "score_arrangement", "score_pictures"]
