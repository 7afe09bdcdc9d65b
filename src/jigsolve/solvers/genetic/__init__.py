"""The genetic algorithm of Sholomon, David and Netanyahu, and what was added to it."""
