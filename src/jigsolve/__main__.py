"""`python -m jigsolve` is the command `jigsolve`."""

from jigsolve.cli import main

raise SystemExit(main())
