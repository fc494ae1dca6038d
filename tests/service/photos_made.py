"""Photos for the tests of the service: small, so that many can be read."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path

from PIL import Image

SAMPLES = Path(__file__).parents[2] / "sample_images"


@cache
def small_photo(kind: str = "JPEG", width_px: int = 800, name: str = "kitchen-table") -> bytes:
    """A sample, shrunk, as the bytes of a format."""
    stream = io.BytesIO()
    with Image.open(SAMPLES / f"{name}.jpg") as image:
        small = image.resize((width_px, round(image.height * width_px / image.width)))
        if kind == "HEIC":
            import pillow_heif

            pillow_heif.from_pillow(small).save(stream, quality=90)
        else:
            small.save(stream, kind, **({} if kind == "PNG" else {"quality": 90}))
    return stream.getvalue()
