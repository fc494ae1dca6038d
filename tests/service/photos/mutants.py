"""Photos that are not quite photos: damaged at random, always in the same way, and made to mislead."""

from __future__ import annotations

import io
import random
import struct
import zipfile
import zlib
from collections.abc import Iterator

from PIL import Image

from tests.pictures import BAD_FILES
from tests.service.photos_made import small_photo

KINDS = ("JPEG", "PNG", "WebP", "HEIC", "AVIF")


def mutants(n: int, width_px: int = 320, seed: int = 5) -> Iterator[bytes]:
    """``n`` damaged photos, of each format in turn."""
    dice = random.Random(seed)
    originals = [small_photo(kind, width_px) for kind in KINDS]
    for k in range(n):
        yield mutated(originals[k % len(originals)], dice)


def mutated(original: bytes, dice: random.Random) -> bytes:
    """One to four changes: bits, bytes, lengths, pieces cut out, doubled, zeroed or exchanged."""
    data = bytearray(original)
    for _ in range(dice.randint(1, 4)):
        # half of them near the start, where headers are
        most = len(data) if dice.random() < 0.5 else min(len(data), 600)
        at = dice.randrange(most)
        span = min(len(data) - at, 1 << dice.randrange(12))
        match dice.randrange(8):
            case 0:
                data[at] ^= 1 << dice.randrange(8)
            case 1:
                data[at : at + span] = dice.randbytes(span)
            case 2:
                data[at : at + 4] = struct.pack(">I", dice.choice((0, 1, 0x7FFFFFFF, 0xFFFFFFFF, 65535)))
            case 3:
                del data[at : at + span]
            case 4:
                data[at:at] = data[at : at + span]
            case 5:
                data[at : at + span] = bytes(span)
            case 6:
                del data[at:]
            case _:
                data[at : at + 2] = struct.pack(">H", dice.choice((0, 0xFFFF, 0xFFD8, 0xFFDA, 0xFFC0)))
        if not data:
            return b""
    return bytes(data)


def misleading() -> dict[str, bytes]:
    """Files that are two things at once, or far more than they seem."""
    jpeg, png = small_photo("JPEG", 320), small_photo("PNG", 320)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("index.html", "<script>alert(1)</script>")
    page = b"<html><script>alert(1)</script></html>"
    return {
        **{name: content for name, (content, _) in BAD_FILES.items()},
        "jpeg and zip": jpeg + archive.getvalue(),
        "page in a comment.jpg": jpeg[:2] + b"\xff\xfe" + struct.pack(">H", len(page) + 2) + page + jpeg[2:],
        "page after a png": png + page,
        "page first": page + jpeg,
        "gif and jpeg": b"GIF89a" + jpeg,
        "script": b"#!/bin/sh\nrm -rf /\n",
        "svg": b"<svg xmlns='http://www.w3.org/2000/svg'><image href='file:///etc/passwd'/></svg>",
        "49 megapixels of nothing.png": _flat_png(7000, 7000),
        "text bomb.png": png[:33]
        + _chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(100_000_000), 9))
        + png[33:],
        "profile bomb.png": png[:33]
        + _chunk(b"iCCP", b"a\0\0" + zlib.compress(bytes(100_000_000), 9))
        + png[33:],
        "rows too many.png": _png(300, 200, zlib.compress(bytes(50_000_000), 9)),
        "rows too few.png": _png(7000, 7000, zlib.compress(bytes(1000))),
    }


def _flat_png(width_px: int, height_px: int) -> bytes:
    stream = io.BytesIO()
    Image.new("L", (width_px, height_px), 128).save(stream, "PNG", compress_level=9)
    return stream.getvalue()


def _png(width_px: int, height_px: int, rows: bytes) -> bytes:
    header = struct.pack(">IIBBBBB", width_px, height_px, 8, 2, 0, 0, 0)
    body = _chunk(b"IHDR", header) + _chunk(b"IDAT", rows) + _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
