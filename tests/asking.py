"""Kernels about single seams, asked with whole numbers of any kind.

They would be compiled for each kind, for seconds.
"""

from jigsolve._kernels import costs, evidence


def seam_cost(seams, side, partner):
    return costs.seam_cost(seams, int(side), int(partner))


def speaks_for(seams, rivals, says, side, partner):
    return evidence.speaks_for(seams, rivals, says, int(side), int(partner))
