"""A server whose clocks are ahead: `python -m ordeal.skewed SECONDS ...` with the options of the server.

The clocks are Python's own, set before anything of the server is imported; the kernel's stay right, and so
do the timers of the event loop.
"""

import sys
import time

AHEAD_S = float(sys.argv.pop(1))

_time, _time_ns, _monotonic = time.time, time.time_ns, time.monotonic
time.time = lambda: _time() + AHEAD_S
time.time_ns = lambda: _time_ns() + int(AHEAD_S * 1e9)
time.monotonic = lambda: _monotonic() + AHEAD_S

from server.main import main  # noqa: E402 - after the clocks are set

main()
