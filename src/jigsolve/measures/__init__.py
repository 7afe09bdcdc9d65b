"""Measures: the rules that give a seam its cost. One file each."""
