"""The genetic algorithm: settings, selection, populations and the loop."""
