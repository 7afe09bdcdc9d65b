"""Threads, memory, clocks: how work is done on a machine."""
