"""Picture files for tests: small photos in every format, and everything that only looks like one."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import pillow_heif
from PIL import ExifTags, Image

SIZE_PX = (120, 80)
CORNERS = {"top left": (255, 0, 0), "top right": (0, 255, 0), "bottom left": (0, 0, 255)}


def marked(size_px: tuple[int, int] = SIZE_PX) -> Image.Image:
    """White with a coloured block in three corners, so that every turn and mirror looks different."""
    width, height = size_px
    picture = Image.new("RGB", size_px, "white")
    block = (width // 4, height // 4)
    picture.paste(CORNERS["top left"], (0, 0, *block))
    picture.paste(CORNERS["top right"], (width - block[0], 0, width, block[1]))
    picture.paste(CORNERS["bottom left"], (0, height - block[1], block[0], height))
    return picture


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    """The image as bytes of a format; HEIC through pillow-heif, everything else through Pillow."""
    stream = io.BytesIO()
    if kind == "HEIC":
        pillow_heif.from_pillow(image).save(stream, quality=95, **options)
    else:
        if kind in ("JPEG", "WebP", "AVIF"):
            options.setdefault("quality", 95)
        image.save(stream, kind.upper(), **options)
    return stream.getvalue()


def exif(
    orientation: int | None = None,
    focal_35mm: int | None = None,
    size_px: tuple[int, int] | None = None,
    camera: tuple[str, str] | None = None,
) -> Image.Exif:
    """EXIF data as a phone writes them."""
    tags = Image.Exif()
    if orientation is not None:
        tags[ExifTags.Base.Orientation] = orientation
    if camera is not None:
        tags[ExifTags.Base.Make], tags[ExifTags.Base.Model] = camera
    taken = tags.get_ifd(ExifTags.IFD.Exif)
    if focal_35mm is not None:
        taken[ExifTags.Base.FocalLengthIn35mmFilm] = focal_35mm
    if size_px is not None:
        taken[ExifTags.Base.ExifImageWidth], taken[ExifTags.Base.ExifImageHeight] = size_px
    return tags


def png_of_claimed_size(width_px: int, height_px: int) -> bytes:
    """A few bytes of PNG whose header promises a picture of any size: a decompression bomb."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width_px, height_px, 8, 2, 0, 0, 0)
    rows = zlib.compress(bytes(100_000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def animation(kind: str) -> bytes:
    """Two frames that differ."""
    return encoded(marked(), kind, save_all=True, append_images=[Image.new("RGB", SIZE_PX, "black")])


def noise(size_px: tuple[int, int] = (400, 300)) -> Image.Image:
    """Seeded noise: a picture whose file is long, so that cutting it cuts pixels."""
    width, height = size_px
    return Image.fromarray(np.random.default_rng(7).integers(0, 256, (height, width, 3), dtype=np.uint8))


BAD_FILES: dict[str, tuple[bytes, str]] = {
    "empty.jpg": (b"", "empty"),
    "truncated.jpg": (encoded(noise(), "JPEG")[:20_000], "damaged"),
    "truncated.png": (encoded(noise(), "PNG")[:20_000], "damaged"),
    "truncated.webp": (encoded(noise(), "WebP")[:20_000], "damaged"),
    "truncated.heic": (encoded(noise(), "HEIC")[:20_000], "damaged"),
    "truncated.avif": (encoded(noise(), "AVIF")[:20_000], "damaged"),
    "header_only.jpg": (b"\xff\xd8\xff\xe0", "damaged"),
    "text.jpg": (b"This is not a photo at all.\n" * 40, "not_a_picture"),
    "zeros.jpg": (bytes(5000), "not_a_picture"),
    "bomb.png": (png_of_claimed_size(60_000, 60_000), "too_large"),
    "ribbon.png": (png_of_claimed_size(30_000, 100), "too_large"),
    "dot.png": (encoded(Image.new("RGB", (1, 1)), "PNG"), "too_small"),
    "sliver.jpg": (encoded(Image.new("RGB", (4000, 40)), "JPEG"), "too_small"),
    "moving.png": (animation("PNG"), "animated"),
    "moving.webp": (animation("WebP"), "animated"),
    "moving.avif": (animation("AVIF"), "animated"),
    "moving.gif": (animation("GIF"), "unsupported_format"),
    "scan.jpg": (encoded(marked(), "TIFF"), "unsupported_format"),
    "film.jpg": (b"\0\0\0\x18ftypisom\0\0\2\0isommp42" + bytes(500), "unsupported_format"),
}
"""Files that are not readable pictures: their bytes, and the code each is refused with."""
