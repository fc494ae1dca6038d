"""The chart as a PDF of one page, at its true size.

Written with PDF's own operators (ISO 32000-1, 8.5 and 9.4): a transformation makes the page's unit the
millimetre, all black is one path of rectangles filled at once (so neighbours show no seam), and the words
are in Helvetica, one of the fonts every reader has. Readers are told not to scale the page when printing;
the bar shows whether they obeyed.
"""

from __future__ import annotations

from dataclasses import dataclass

from calibration.chart import HEIGHT_MM, WIDTH_MM, black_mm

POINTS_PER_MM = 72.0 / 25.4
BAR_MM = 100.0

_BELOW_MM = 22.0  # from the paper's lower edge to the chart; the bar is there
_LINE_MM = 4.3
_TEXT_MM = 3.1
_TITLE_MM = 5.0

_HOW = (
    "1. Print at 100 % (actual size) and tape it to something flat: a window pane, a board.",
    "2. Take 10 photos or more, from about as far away as you photograph the game. Use the same lens and",
    "    zoom, hold the camera the same way up, and keep still. The whole chart need not be in the picture.",
    "3. Bring the chart into the middle, each side and each corner of the picture. Look at it straight, and",
    "    from the left, right, top and bottom at 30 to 45 degrees. Turn the chart on its side for some.",
    "4. crokinole calibrate camera *.jpg --out camera.toml",
)


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper, upright."""

    name: str
    width_mm: float
    height_mm: float


PAPERS = {paper.name: paper for paper in (Paper("a4", 210.0, 297.0), Paper("letter", 215.9, 279.4))}
"""Every paper the chart fits on, by its name."""


def chart_pdf(paper: Paper) -> bytes:
    """The chart on that paper, as the bytes of a PDF file."""
    media = f"[0 0 {paper.width_mm * POINTS_PER_MM:.4f} {paper.height_mm * POINTS_PER_MM:.4f}]"
    content = _content(paper).encode("cp1252")
    return _file(
        [
            b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox {media} /Contents 6 0 R "
            "/Resources << /Font << /Plain 4 0 R /Bold 5 0 R >> >> >>".encode(),
            _font("Helvetica"),
            _font("Helvetica-Bold"),
            f"<< /Length {len(content)} >>\nstream\n".encode() + content + b"\nendstream",
        ]
    )


def _content(paper: Paper) -> str:
    """The page's operators; after the first line, lengths are millimetres from the lower left corner."""
    left, top = (paper.width_mm - WIDTH_MM) / 2, _BELOW_MM + HEIGHT_MM
    lines = [f"{POINTS_PER_MM:.9f} 0 0 {POINTS_PER_MM:.9f} 0 0 cm", "0 g"]
    lines += [f"{left + x:.4f} {top - y - h:.4f} {w:.4f} {h:.4f} re" for x, y, w, h in black_mm().tolist()]
    lines.append("f")
    lines += _bar(left, _BELOW_MM - 8.0)
    text_top = top + 4.0 + _LINE_MM * len(_HOW)
    lines.append(_text(left, text_top + 1.0, _TITLE_MM, "Crokinole camera chart", "Bold"))
    lines += [_text(left, text_top - _LINE_MM * (at + 1), _TEXT_MM, words) for at, words in enumerate(_HOW)]
    return "\n".join(lines)


def _bar(left: float, bottom: float) -> list[str]:
    """The check bar: a line 100 mm long between the outer edges of its end marks, and what to do with it."""
    rectangles = ((left, bottom + 1.75, BAR_MM, 0.5), (left, bottom, 0.3, 4.0))
    end = (left + BAR_MM - 0.3, bottom, 0.3, 4.0)
    return [
        *(f"{x:.4f} {y:.4f} {w:.4f} {h:.4f} re" for x, y, w, h in (*rectangles, end)),
        "f",
        _text(left + BAR_MM + 3, bottom + 0.9, _TEXT_MM, "Measure this: 100 mm. Print at 100 %."),
        _text(
            left,
            bottom - 4.0,
            _TEXT_MM,
            "If it is not 100 mm, print again at actual size, or give what you measured: --bar-mm 98.5",
        ),
    ]


def _text(x: float, y: float, size: float, words: str, font: str = "Plain") -> str:
    escaped = words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /{font} {size:.2f} Tf {x:.3f} {y:.3f} Td ({escaped}) Tj ET"


def _font(name: str) -> bytes:
    return f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>".encode()


def _file(objects: list[bytes]) -> bytes:
    """A PDF file of numbered objects, the first of them the catalogue, with its table of offsets."""
    file, offsets = b"%PDF-1.6\n%\xe2\xe3\xcf\xd3\n", []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(file))
        file += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    trailer = f"trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(file)}\n%%EOF\n"
    return file + f"xref\n0 {size}\n0000000000 65535 f \n{table}{trailer}".encode()
