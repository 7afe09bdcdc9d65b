"""Parts that several solvers use: joining, cutting and completing segments."""
