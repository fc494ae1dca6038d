"""Print docs/rules.md, or with ``not-scoring`` docs/rules_not_scoring.md."""

from __future__ import annotations

import sys

from scoring.catalogue.tables import not_scoring_page, rules_page

print(not_scoring_page() if "not-scoring" in sys.argv[1:] else rules_page(), end="")
