"""Solvers: one protocol, many ways from a problem to a solution."""
