"""Pictures that show how a solver works, as in the paper's illustrations."""
