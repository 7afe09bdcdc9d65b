import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

# A shell starts what runs in its background with Ctrl-C ignored; several tests press it.
signal.signal(signal.SIGINT, signal.default_int_handler)
