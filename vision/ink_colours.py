"""Colours: a palette that every kind of colour vision tells apart, and what stands out from what."""

from __future__ import annotations

Rgb = tuple[int, int, int]

BLACK: Rgb = (14, 16, 20)
WHITE: Rgb = (255, 255, 255)
# Okabe and Ito, "Color Universal Design", 2008.
YELLOW: Rgb = (240, 228, 66)
SKY: Rgb = (86, 180, 233)
BLUE: Rgb = (0, 114, 178)
GREEN: Rgb = (0, 158, 115)
ORANGE: Rgb = (230, 159, 0)
VERMILION: Rgb = (213, 94, 0)


def from_hex(text: str) -> Rgb:
    """The colour written ``#rrggbb``. Raises ``ValueError``."""
    if len(text) != 7 or text[0] != "#":
        raise ValueError(f"a colour is written #rrggbb, not {text!r}")
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def luminance(colour: Rgb) -> float:
    """Relative luminance, 0 (black) to 1 (white), as WCAG 2 defines it."""
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in colour))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: Rgb, other: Rgb) -> float:
    """WCAG's contrast ratio of two colours, 1 to 21."""
    dim, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dim + 0.05)


def opposite(colour: Rgb) -> Rgb:
    """Black or white, whichever stands out more from the colour."""
    return max(WHITE, BLACK, key=lambda ink: contrast(ink, colour))


def mixed(one: Rgb, other: Rgb, share: float) -> Rgb:
    """The first colour with ``share`` of the second in it."""
    r, g, b = (round(x + (y - x) * share) for x, y in zip(one, other, strict=True))
    return r, g, b
