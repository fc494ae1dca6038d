"""schemathesis against the running service: no 5xx, and nothing that is not in the interface's description.

Values at and beyond every bound of the description (its coverage phase) and random ones, the same each time.
Photos are a small board, noise as a picture of each kind, a picture cut short, and bytes that are none.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from PIL import Image
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from service.http.app import create_app
from service.http.examples import MATCH_FILE
from service.settings import Settings
from tests.service.photos_made import small_photo
from tests.service.running import Running, running

#: What streams has tests of its own; a preview takes what is scored.
ELSEWHERE = r"/live$|/preview$"

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]

#: The same cases every time.
SAME = settings(
    max_examples=2,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)


def noise(kind: str, size_px: int = 64) -> bytes:
    """A picture with nothing to see in it."""
    stream = io.BytesIO()
    pixels = np.random.default_rng(7).integers(0, 256, (size_px, size_px, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(stream, kind)
    return stream.getvalue()


PICTURES = [small_photo(width_px=480), *map(noise, ("JPEG", "PNG", "WEBP", "GIF")), noise("JPEG", 300)[:2000]]
schemathesis.openapi.format("binary", st.sampled_from(PICTURES) | st.binary(max_size=200))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A service that holds what the examples speak of."""
    folder = tmp_path_factory.mktemp("served")
    with running(folder, changes_per_minute=1_000_000, uploads_per_minute=100_000) as service:
        service.client.post("/api/v1/matches/import", json=MATCH_FILE).raise_for_status()
        yield service


described: Any = schemathesis.openapi.from_dict(create_app(Settings()).openapi()).exclude(
    path_regex=ELSEWHERE
)
# Each address with every method it does not know would be most of the cases; test_matches.py looks at that.
described.config.phases.coverage.unexpected_methods = set()
described.config.generation.with_security_parameters = False


@described.parametrize()
@SAME
def test_every_call_answers_as_described(case: schemathesis.Case, served: Running) -> None:
    case.call_and_validate(base_url=served.address, checks=CHECKS)
