"""What a file is, by its first bytes. The suffix is never asked: phones and uploads get it wrong."""

from __future__ import annotations

READABLE = ("JPEG", "PNG", "WebP", "HEIC", "AVIF")
"""The formats phones and web pages write, by the names people know them by."""

_AVIF_BRANDS = {b"avif", b"avis"}
_HEIC_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"}

_OTHERS = (
    (b"GIF8", "GIF"),
    (b"BM", "BMP"),
    (b"II*\0", "TIFF"),
    (b"MM\0*", "TIFF"),
    (b"%PDF", "PDF"),
    (b"\xff\x0a", "JPEG XL"),
    (b"\0\0\0\x0cJXL ", "JPEG XL"),
    (b"\0\0\0\x0cjP  ", "JPEG 2000"),
    (b"PK\x03\x04", "ZIP archive"),
    (b"\x1a\x45\xdf\xa3", "video"),
)


def picture_format(data: bytes) -> str | None:
    """The format's name, one of :data:`READABLE` or that of a well-known other kind, else None."""
    if data.startswith(b"\xff\xd8\xff"):
        return "JPEG"
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "PNG"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WebP"
    if data[4:8] == b"ftyp":
        return _boxed_format(data)
    return next((name for magic, name in _OTHERS if data.startswith(magic)), None)


def _boxed_format(data: bytes) -> str:
    """HEIC, AVIF or a video: all three are ISO base media files, told apart by the brands they declare."""
    end = min(int.from_bytes(data[:4], "big"), 256)
    # The major brand, then (after a version number) the compatible ones.
    brands = {data[8:12], *(data[at : at + 4] for at in range(16, end - 3, 4))}
    # AVIF first: its files list the general HEIF brand mif1 as well.
    if brands & _AVIF_BRANDS:
        return "AVIF"
    return "HEIC" if brands & _HEIC_BRANDS else "video"
