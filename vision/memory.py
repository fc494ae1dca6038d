"""Memory that is freed stays with the process, for the next step to use again.

Arrays of some megabytes come and go by the dozen while a photo is read. The C library hands each one's pages
back to the system and asks for them anew, and the system fills every page with zeros: a tenth of the time
that a photo takes. See ``mallopt(3)``; where the library is another one nothing is changed.
"""

from __future__ import annotations

import ctypes
from functools import cache

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
#: Whole photos stay above this, so that their memory still goes back at once.
_KEPT_BYTES = 32 * 1024 * 1024


@cache
def keep_freed_memory() -> None:
    """Keep up to 64 MB; the first call in a process does it."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return
    mallopt(_MMAP_THRESHOLD, _KEPT_BYTES)
    mallopt(_TRIM_THRESHOLD, 2 * _KEPT_BYTES)
