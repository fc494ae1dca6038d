from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import chart
from calibration.chart_pdf import BAR_MM, PAPERS, POINTS_PER_MM, chart_pdf

RECTANGLE = re.compile(r"^([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re$")


def content(pdf: bytes) -> list[str]:
    return pdf.split(b"stream\n")[1].split(b"\nendstream")[0].decode("cp1252").split("\n")


def rectangles_mm(pdf: bytes) -> np.ndarray:
    """Left, bottom, width and height of everything filled, in true millimetres by the page's own scale."""
    lines = content(pdf)
    scale = [float(word) for word in lines[0].split()[:6]]
    assert scale == pytest.approx([POINTS_PER_MM, 0, 0, POINTS_PER_MM, 0, 0], rel=1e-8)
    found = [match.groups() for line in lines if (match := RECTANGLE.match(line))]
    return np.array(found, dtype=float) * scale[0] * 25.4 / 72


def painted(boxes: np.ndarray, size_mm: tuple[float, float]) -> np.ndarray:
    """Boxes (left, top, width, height) as a picture of ten pixels to the millimetre."""
    width, height = (round(side * 10) for side in size_mm)
    ink = np.full((height, width), 255, np.uint8)
    for x, y, w, h in np.rint(boxes * 10).astype(int):
        ink[y : y + h, x : x + w] = 0
    return ink


def test_the_rectangles_are_the_chart_that_opencv_looks_for():
    ours = painted(chart.black_mm(), (chart.WIDTH_MM, chart.HEIGHT_MM))
    theirs = chart.charuco_board().generateImage((ours.shape[1], ours.shape[0]), marginSize=0)
    assert np.array_equal(ours, theirs)
    assert np.allclose(chart.charuco_board().getChessboardCorners()[:, :2], chart.corners_mm())
    assert len(chart.corners_mm()) == chart.CORNERS


def test_nothing_is_painted_twice():
    boxes = chart.black_mm()
    ink = painted(boxes, (chart.WIDTH_MM, chart.HEIGHT_MM))
    assert np.prod(boxes[:, 2:], axis=1).sum() == pytest.approx((ink == 0).sum() / 100)


@pytest.mark.parametrize("paper", PAPERS.values(), ids=list(PAPERS))
def test_the_page_holds_the_chart_and_the_bar_at_their_true_size(paper):
    pdf = chart_pdf(paper)
    boxes = rectangles_mm(pdf)
    on_paper, bar = boxes[:-3], boxes[-3:]
    left, bottom = on_paper[:, 0].min(), on_paper[:, 1].min()
    from_top = on_paper.copy()
    from_top[:, 0] -= left
    from_top[:, 1] = bottom + chart.HEIGHT_MM - on_paper[:, 1] - on_paper[:, 3]
    assert np.abs(from_top - chart.black_mm()).max() < 2e-4
    assert (bar[:, 0] + bar[:, 2]).max() - bar[:, 0].min() == pytest.approx(BAR_MM, abs=2e-4)
    # Printers leave some millimetres at the paper's edges white.
    assert boxes[:, :2].min() > 6
    assert (boxes[:, 0] + boxes[:, 2]).max() < paper.width_mm - 6
    tops = [float(line.split("Td")[0].split()[-1]) for line in content(pdf) if line.startswith("BT")]
    assert (min(tops) > 6) and (max(tops) < paper.height_mm - 8)


@pytest.mark.parametrize("paper", PAPERS.values(), ids=list(PAPERS))
def test_the_file_is_a_sound_pdf(paper):
    pdf = chart_pdf(paper)
    assert pdf.startswith(b"%PDF-1.") and pdf.endswith(b"%%EOF\n")
    table = int(pdf.split(b"startxref\n")[1].split()[0])
    entries = re.findall(rb"(\d{10}) 00000 n ", pdf[table:])
    for number, offset in enumerate(map(int, entries), start=1):
        assert pdf[offset:].startswith(f"{number} 0 obj\n".encode())
    length = int(re.search(rb"/Length (\d+)", pdf).group(1))
    start = pdf.index(b"stream\n") + len(b"stream\n")
    assert pdf[start + length :].startswith(b"\nendstream")
    media = [float(side) for side in re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf).groups()]
    assert media == pytest.approx([paper.width_mm / 25.4 * 72, paper.height_mm / 25.4 * 72], abs=1e-3)
    assert b"/PrintScaling /None" in pdf
    words = "\n".join(content(pdf))
    assert "100 mm" in words and "100 %" in words and "10 photos" in words


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="poppler's pdftoppm is not installed")
@pytest.mark.parametrize("paper", PAPERS.values(), ids=list(PAPERS))
def test_a_reader_shows_a_chart_that_is_found(paper, tmp_path: Path):
    (tmp_path / "chart.pdf").write_bytes(chart_pdf(paper))
    subprocess.run(
        ["pdftoppm", "-r", "127", "-png", "-singlefile", "chart.pdf", "page"], cwd=tmp_path, check=True
    )
    page = cv2.imread(str(tmp_path / "page.png"), cv2.IMREAD_GRAYSCALE)
    corners, numbers, _, _ = cv2.aruco.CharucoDetector(chart.charuco_board()).detectBoard(page)
    assert len(numbers) == chart.CORNERS
    # 127 dots an inch are five to the millimetre.
    offset = corners.reshape(-1, 2) / 5 - chart.corners_mm()[numbers.ravel()]
    assert np.abs(offset - offset.mean(0)).max() < 0.05
