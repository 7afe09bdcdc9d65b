import os
import signal
import sys
from pathlib import Path

from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))

# Two processes of tests share the cores: more threads of BLAS would burn time in waiting for each
# other. Read when NumPy is imported, here and by the commands that tests start.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

# Kept even where Python is told not to: tests start some hundred processes, and each would compile
# all modules anew. Compiled kernels are kept beside it anyway.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# How long an example takes is the machine's affair: others compile and measure beside it. The same
# examples are tried each time, so that what fails is the change; `make test-long` draws others.
settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.register_profile("anew", deadline=None)
settings.load_profile("repeatable")

BROWSER_TESTS = "studio/browser"


def pytest_terminal_summary(terminalreporter):
    """Say loudly that the studio's page was not tested."""
    skipped = terminalreporter.stats.get("skipped", [])
    untested = [each for each in skipped if BROWSER_TESTS in each.nodeid]
    if untested:
        terminalreporter.section("the studio's page was NOT tested", sep="!")
        terminalreporter.write_line(
            f"{len(untested)} tests found no Chromium. To get it: apt-get install chromium"
        )


# A shell starts what runs in its background with Ctrl-C ignored; several tests press it.
signal.signal(signal.SIGINT, signal.default_int_handler)
