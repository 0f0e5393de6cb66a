"""A server whose clocks are ahead: `python -m chaostest.skewed_clock SECONDS OPTIONS_OF_THE_SERVER`.

Python's clocks are replaced before anything of the server is imported. The clocks of the kernel and the
timers of the event loop are not changed.
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
