from __future__ import annotations

from hypothesis import settings

# The same examples every run and no stopwatch: a test's answer depends on the code alone.
settings.register_profile("steady", deadline=None, derandomize=True, database=None)
settings.load_profile("steady")
