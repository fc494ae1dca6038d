from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from calibration.camera import Camera, View
from calibration.measured import Measured
from calibration.pixels import AtHand
from vision.draw import annotate, drawing, side_colours
from vision.draw_board import CLOSE, LINE
from vision.draw_frame import frame_of, polygon
from vision.draw_labels import area, inside
from vision.draw_marks import marks_of
from vision.draw_score import Scoreboard, Side
from vision.draw_strip import footer, header, scoreboard
from vision.draw_words import gap_words
from vision.ink import Canvas
from vision.ink_box import Box, box_around
from vision.ink_colours import BLACK, BLUE, ORANGE, WHITE, YELLOW, contrast, from_hex, opposite
from vision.ink_letters import shortened, shown, text_width, wrapped
from vision.picture import Picture
from vision.reading import BoardReading, LineGap, Place, SeenBoard, SeenDisc, Verdict
from vision.solid import Solid, rim, silhouettes

GREEN = (70, 140, 90)
COLOURS = {"dark": "#3a2f2b", "light": "#e0c9a0"}
SOLID = Solid(15.875, 14.6, 10.0)
SIZES = [(768, 768), (1280, 960), (4032, 3024), (1500, 2000)]


def view_of(width_px: int, height_px: int, tilt_deg: float = 0.0, far_mm: float = 1000.0) -> View:
    """A camera over the board, the outer ring filling most of the shorter side."""
    f_px = min(width_px, height_px) * far_mm / 850
    tilt = np.radians(tilt_deg)
    lean = np.array(
        [[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]], dtype=np.float64
    )
    middle = (width_px - 1) / 2, (height_px - 1) / 2
    return View(Camera(f_px, *middle), lean @ np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, far_mm]))


def points_of(array: np.ndarray) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in array)


def disc(view: View, id: int, team: str, x_mm: float, y_mm: float, **more: object) -> SeenDisc:
    xy = np.array([x_mm, y_mm])
    angle = np.arange(96) / 96 * 2 * np.pi
    directions = np.stack([np.cos(angle), np.sin(angle)], 1)
    top = view.px_from_mm(np.array([x_mm, y_mm, SOLID.thickness_mm]))
    seen = SeenDisc(
        id,
        team,
        COLOURS.get(team, "#808080"),
        Place.BOARD,
        (float(top[0]), float(top[1])),
        x_mm,
        y_mm,
        0.1,
        LineGap(10, Measured(9.0, 0.2), 0.0, Verdict.CLEAR),
        points_of(rim(view, xy, SOLID.bottom_radius_mm, 0.0)),
        points_of(silhouettes(view, xy[None], [SOLID], directions).points[0]),
    )
    return replace(seen, **more)  # type: ignore[arg-type]


def too_close(mean_mm: float = 0.1, sigma_mm: float = 0.2) -> LineGap:
    return LineGap(10, Measured(mean_mm, sigma_mm), 0.3, Verdict.TOO_CLOSE)


def reading_of(view: View, size_px: tuple[int, int], *discs: SeenDisc) -> BoardReading:
    angle = np.radians(np.arange(360))
    circle = np.stack([np.cos(angle), np.sin(angle)], 1)
    lines = {
        line: points_of(view.px_from_mm(r * circle))
        for line, r in zip((15, 10, 5), (101.6, 203.2, 304.8), strict=True)
    }
    centre = view.px_from_mm(np.zeros(3))
    board = SeenBoard((float(centre[0]), float(centre[1])), view.tilt_deg, 0.3, "exif", lines)
    rings = (101.6, 203.2, 304.8)
    return BoardReading("a.jpg", *size_px, "standard", rings, "preset", board, discs, ("dark", "light"), ())


def plain(size_px: tuple[int, int]) -> Picture:
    """No disc is painted in it, so whatever a disc's edge shows is ink."""
    return Picture(AtHand(np.full((size_px[1], size_px[0], 3), GREEN, np.uint8)), "a.jpg", "PNG")


def scene(
    size_px: tuple[int, int] = (1280, 960), tilt_deg: float = 20.0
) -> tuple[Picture, BoardReading, dict[int, int]]:
    view = view_of(*size_px, tilt_deg)
    discs = (
        disc(view, 1, "dark", -60, 30),
        disc(view, 2, "light", 120, -90),
        disc(view, 3, "dark", 150, 100, gap=too_close()),
        disc(view, 4, "light", 0, 345, place=Place.DITCH, gap=None),
        disc(view, 5, "light", -150, -100),
    )
    return plain(size_px), reading_of(view, size_px, *discs), {1: 15, 2: 10, 3: 10, 4: 0, 5: 10}


def chain(size_px: tuple[int, int], tilt_deg: float) -> tuple[BoardReading, dict[int, int]]:
    """Seven discs in a row that touch, every other one to look at again."""
    view = view_of(*size_px, tilt_deg)
    discs = [
        disc(view, k, "dark" if k % 3 else "light", 31.75 * k - 120, 140, gap=too_close() if k % 2 else None)
        for k in range(1, 8)
    ]
    return reading_of(view, size_px, *discs), dict.fromkeys(range(1, 8), 15)


def off(rgb: np.ndarray, colour: tuple[int, int, int]) -> np.ndarray:
    """How far pixels (n, 3) are from a colour."""
    return np.abs(rgb.astype(float) - np.array(colour)).max(-1)


def inked(picture: Picture, reading: BoardReading, points: dict[int, int]) -> np.ndarray:
    """The photo's part of the drawing, without the strips."""
    frame = frame_of(reading)
    strip = header(scoreboard(reading, points), side_colours(reading), frame.shown_px[0])
    return drawing(picture, reading, points)[len(strip) : len(strip) + frame.shown_px[1]]


def at(rgb: np.ndarray, shown_px: np.ndarray) -> np.ndarray:
    x, y = np.rint(shown_px).astype(int).T
    return rgb[y, x]


@pytest.mark.parametrize("size_px", SIZES)
@pytest.mark.parametrize("tilt_deg", [0.0, 40.0])
def test_discs_are_outlined_at_their_bottom_edge_in_their_teams_colour(size_px, tilt_deg):
    picture, reading, points = scene(size_px, tilt_deg)
    drawn, frame = inked(picture, reading, points), frame_of(reading)
    for seen in reading.discs[:2]:
        on_edge = at(drawn, frame.shown(polygon(seen.bottom_px)))
        assert np.median(off(on_edge, from_hex(seen.colour))) < 12
        # The casing shows the edge on a disc of the very same colour.
        bottom = polygon(seen.bottom_px)
        radius = np.linalg.norm(frame.shown(bottom) - frame.shown(bottom.mean(0)), axis=1).mean()
        unit = max(frame.shown_px) / 1400 / radius
        across = [
            at(drawn, frame.shown(bottom.mean(0) + (bottom - bottom.mean(0)) * (1 + steps * unit)))
            for steps in np.linspace(1.2, 2.6, 8)
        ]
        casing = np.min([off(pixels, opposite(from_hex(seen.colour))) for pixels in across], axis=0)
        assert np.median(casing) < 60


def test_the_fitted_lines_lie_where_they_were_fitted_and_nothing_else_changes():
    picture, reading, points = scene()
    drawn, frame = inked(picture, reading, points), frame_of(reading)
    for line in reading.board.lines_px.values():
        on_line = at(drawn, frame.shown(polygon(line)))
        assert np.median(off(on_line, LINE)) < 25
        assert np.percentile(off(on_line, GREEN), 5) > 40
    between = frame.shown(polygon(reading.board.lines_px[15]) * 0.5 + np.array(reading.board.centre_px) * 0.5)
    assert np.median(off(at(drawn, between), GREEN)) == 0


def test_lines_are_fainter_where_a_disc_lies_on_them():
    size_px = (1280, 960)
    view = view_of(*size_px)
    covering = disc(view, 1, "dark", 203.2 + 4.0, 0)
    reading = reading_of(view, size_px, covering)
    drawn, frame = inked(plain(size_px), reading, {1: 5}), frame_of(reading)
    angle = np.radians([2.0, -2.0, 30.0])
    on_line = view.px_from_mm(203.2 * np.stack([np.cos(angle), np.sin(angle)], 1))
    away = off(at(drawn, frame.shown(on_line)), GREEN)
    assert (away[:2] > 15).all()
    assert (away[:2] < 0.6 * away[2]).all()


def test_a_disc_to_look_at_again_differs_in_form():
    picture, reading, points = scene((2000, 1500))
    drawn, frame = inked(picture, reading, points), frame_of(reading)
    marks = marks_of(reading, points, side_colours(reading), frame)
    [close] = [mark for mark in marks if mark.ring is not None]
    clear = next(mark for mark in marks if mark.ring is None and mark.in_play)
    whole, dashed = (np.mean(off(at(drawn, mark.bottom), mark.colour) < 40) for mark in (clear, close))
    assert whole > 0.9
    assert 0.3 < dashed < 0.75
    assert close.ring is not None
    dense = np.stack([np.interp(np.arange(0, 96, 0.1), np.arange(96), close.ring[:, k]) for k in (0, 1)], 1)
    ring = at(drawn, dense)
    assert 0.25 < np.mean(off(ring, CLOSE) < 60) < 0.65
    assert 0.25 < np.mean(off(ring, opposite(CLOSE)) < 60) < 0.65
    assert close.called == ("? disc 3", "0.1 ± 0.2 mm")


@pytest.mark.parametrize("size_px", SIZES)
@pytest.mark.parametrize("tilt_deg", [0.0, 30.0, 58.0])
def test_labels_of_touching_discs_do_not_overlap(size_px, tilt_deg):
    reading, points = chain(size_px, tilt_deg)
    frame = frame_of(reading)
    marks = marks_of(reading, points, side_colours(reading), frame)
    callouts = [mark.callout.box for mark in marks if mark.callout is not None]
    labels = [mark.label for mark in marks]
    assert len(callouts) == 4
    for one, other in combinations([label.box for label in labels] + callouts, 2):
        assert one.overlap(other) == 0
    picture = Box(0, 0, *frame.shown_px)
    discs = [box_around(mark.outline) for mark in marks]
    for box in [label.box for label in labels if label.leader is not None] + callouts:
        assert box.overlap(picture) == pytest.approx(box.width * box.height)
        assert all(box.overlap(lying) == 0 for lying in discs)


def test_points_stand_on_the_disc_where_they_fit_and_beside_it_where_not():
    for tilt_deg in (0.0, 40.0):
        _, reading, points = scene((1280, 960), tilt_deg)
        for mark in marks_of(reading, points, side_colours(reading), frame_of(reading)):
            assert mark.label.leader is None
            assert mark.label.box.overlap(box_around(mark.outline)) > 0
    flat = np.array([(0, 0), (60, 0), (60, 12), (0, 12)], dtype=np.float64)
    assert inside("10", 30.0, 20.0, [flat.mean(0)], [flat]) is None


@pytest.mark.parametrize(("tilt_deg", "spread"), [(0.0, 1.02), (30.0, 1.2)])
def test_labels_are_as_large_beside_the_discs_in_every_photo(tilt_deg, spread):
    shares = []
    for size_px in SIZES:
        _, reading, points = scene(size_px, tilt_deg)
        frame = frame_of(reading)
        mark = marks_of(reading, points, side_colours(reading), frame)[0]
        shares.append(mark.label.size / np.sqrt(area(mark.outline)))
        assert mark.label.size >= 0.011 * max(frame.shown_px)
        assert mark.label.size >= 17
    assert max(shares) < spread * min(shares)


@pytest.mark.parametrize("size_px", [*SIZES, (1024, 1024), (8000, 6000)])
def test_the_drawing_fits_a_screen(size_px):
    picture, reading, points = scene(size_px)
    height, width, _ = drawing(picture, reading, points).shape
    assert 1200 <= max(height, width) <= 2400


def test_the_board_with_all_discs_is_shown_and_the_empty_table_is_not():
    size_px = (3000, 1200)
    view = view_of(*size_px)
    reading = reading_of(view, size_px, disc(view, 1, "dark", 700, 0, place=Place.OFF, gap=None))
    frame = frame_of(reading)
    shown_discs = frame.shown(polygon(reading.discs[0].outline_px))
    assert (shown_discs > 0).all()
    assert (shown_discs < np.array(frame.shown_px)).all()
    assert frame.left_px > 500
    assert frame.size_px[1] == size_px[1]


@pytest.mark.parametrize("size_px", [(768, 768), (1600, 900), (4032, 3024)])
def test_what_is_drawn_lies_on_the_photo_where_it_was_seen(size_px):
    """A dot painted in the photo is found in the part shown where its pixel is said to be."""
    _, reading, _ = scene(size_px)
    frame = frame_of(reading)
    for x, y in np.rint(reading.board.centre_px + np.array([(0, 0), (150, -90), (-201, 100)])).astype(int):
        photo = np.zeros((size_px[1], size_px[0], 3), np.uint8)
        photo[y - 4 : y + 5, x - 4 : x + 5] = 255
        light = frame.cut(photo)[:, :, 0].astype(float)
        rows, columns = np.indices(light.shape)
        seen = (light * columns).sum() / light.sum(), (light * rows).sum() / light.sum()
        assert frame.shown(np.array([x, y])) == pytest.approx(seen, abs=0.05)


def test_a_board_partly_outside_the_photo_and_discs_outside_it_are_drawn():
    size_px = (900, 700)
    view = view_of(1280, 960)
    discs = (disc(view, 1, "dark", 0, 0), disc(view, 2, "light", 290, -250, gap=too_close()))
    reading = reading_of(view, size_px, *discs)
    assert drawing(plain(size_px), reading, {1: 20, 2: 5}).shape[2] == 3


def test_discs_out_of_play_are_dimmed_and_labelled_small():
    picture, reading, points = scene()
    drawn, frame = inked(picture, reading, points), frame_of(reading)
    marks = marks_of(reading, points, side_colours(reading), frame)
    [out] = [mark for mark in marks if not mark.in_play]
    played = next(mark for mark in marks if mark.in_play)
    assert out.label.size < played.label.size
    near_edge = out.outline.mean(0) + 0.8 * (out.outline - out.outline.mean(0))
    assert np.median(at(drawn, near_edge).mean(-1)) < 0.75 * np.mean(GREEN)


def test_the_scoreboard_sums_up_each_side():
    _, reading, points = scene()
    board = scoreboard(reading, points)
    assert board.sides == (Side("dark", "dark", 25), Side("light", "light", 20))
    assert (board.ahead, board.headline) == ("dark", "dark leads by 5")
    assert side_colours(reading) == {team: from_hex(colour) for team, colour in COLOURS.items()}
    assert board.review == ("disc 3 (dark): too close to the 10 line: 0.1 ± 0.2 mm",)


def test_a_level_round_an_empty_board_and_a_stranger_beside_it():
    _, reading, points = scene()
    level = scoreboard(reading, points | {1: 10})
    assert (level.ahead, level.headline) == (None, "level")
    empty = replace(reading, discs=(), teams=())
    assert scoreboard(empty, {}).headline == "no discs"
    assert drawing(plain((1280, 960)), empty, {}).shape[2] == 3
    odd = replace(reading.discs[3], team="red", place=Place.OFF)
    stranger = replace(reading, discs=(*reading.discs[:3], odd))
    assert [side.name for side in scoreboard(stranger, points).sides] == ["dark", "light"]
    assert drawing(plain((1280, 960)), stranger, points).shape[2] == 3


def test_every_reason_to_look_again_is_given():
    view = view_of(1280, 960)
    discs = (
        disc(view, 1, "dark", 5, 0, place=Place.HOLE, gap=None, flat=False),
        disc(view, 2, "light", 90, 0, gap=too_close(-0.04, 0.05), doubt="half hidden by a hand"),
    )
    reading = reading_of(view, (1280, 960), *discs)
    assert scoreboard(reading, {1: 15, 2: 10}).review == (
        "disc 1 (dark): leans on the hole's edge",
        "disc 2 (light): too close to the 10 line: -0.04 ± 0.05 mm; half hidden by a hand",
    )


def test_who_is_ahead_shows_by_a_star():
    _, reading, points = scene()
    colours = side_colours(reading)
    ahead = header(scoreboard(reading, points), colours, 1200)
    level = header(replace(scoreboard(reading, points), ahead=None), colours, 1200)
    star = (slice(15, 115), slice(40, 80))
    assert (off(ahead[star], WHITE) < 10).mean() > 0.1
    assert not np.array_equal(ahead, level)


def test_a_round_as_scored_takes_the_place_of_the_points_in_the_picture():
    picture, reading, points = scene((800, 600))
    sides = Side("light", "Ben", 60), Side("other", "Anna", 0)
    board = Scoreboard(sides, "light", "Ben wins the round by 60", ("disc 3 (dark): look",), "two 20s")
    colours = side_colours(reading)
    drawn = drawing(picture, reading, points, board)
    width = drawn.shape[1]
    top, bottom = header(board, colours, width), footer(board, width)
    assert np.array_equal(drawn[: len(top)], top)
    assert np.array_equal(drawn[-len(bottom) :], bottom)
    # The team decides who gets the star and the colour, not the name; a team without a disc is grey.
    unnamed = replace(board, sides=(Side("light", "", 60), Side("other", "", 0)))
    half = header(unnamed, colours, 1200)[10:100, :590], header(unnamed, colours, 1200)[10:100, 610:]
    assert np.median(off(half[0].reshape(-1, 3), colours["light"])) < 3
    assert np.median(off(half[1].reshape(-1, 3), (128, 128, 128))) < 3
    starless = header(replace(unnamed, ahead="other"), colours, 1200)[10:100, :590]
    assert not np.array_equal(starless, half[0])


def test_a_long_headline_keeps_clear_of_the_count():
    _, reading, points = scene()
    board = replace(
        scoreboard(reading, points), headline="A very long name of a side wins the round by 5 " * 2
    )
    many = header(replace(board, review=("",) * 3), {}, 1200)
    none = header(replace(board, review=()), {}, 1200)
    below = slice(round(1.01 * 0.085 * 1200) + 20, None)
    ink = (off(many[below].reshape(-1, 3), (22, 25, 31)).reshape(many[below].shape[:2]) > 20).any(0)
    gap = np.flatnonzero(ink)
    assert gap.min() > 10
    assert gap.max() < 1190
    assert np.diff(gap).max() > 12
    assert not np.array_equal(many, none)


@pytest.mark.parametrize(
    ("name", "kind"), [("a.png", "PNG"), ("a.jpg", "JPEG"), ("a.JPEG", "JPEG"), ("a.webp", "WEBP")]
)
def test_the_suffix_says_the_format(tmp_path: Path, name, kind):
    picture, reading, points = scene((800, 600))
    path = tmp_path / name
    annotate(picture, reading, points, path)
    with Image.open(path) as written:
        assert written.format == kind
        pixels = np.asarray(written.convert("RGB")).astype(float)
    assert np.abs(pixels - drawing(picture, reading, points)).mean() < 4
    assert path.stat().st_size < 4_000_000


@pytest.mark.parametrize("name", ["a.gif", "a", "a.txt"])
def test_an_unknown_suffix_is_refused(tmp_path: Path, name):
    with pytest.raises(ValueError, match="PNG, JPEG or WebP"):
        annotate(*scene((800, 600)), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_path_that_cannot_be_written_is_an_oserror(tmp_path: Path):
    (tmp_path / "folder.png").mkdir()
    for path in (tmp_path / "folder.png", tmp_path / "none" / "a.png"):
        with pytest.raises(OSError) as failed:
            annotate(*scene((800, 600)), path)
        assert failed.value.strerror


def test_the_same_reading_is_drawn_the_same_and_the_photo_is_left_alone(tmp_path: Path):
    picture, reading, points = scene((800, 600))
    before = picture.rgb.copy()
    for name in ("a.png", "b.png"):
        annotate(picture, reading, points, tmp_path / name)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    assert np.array_equal(picture.rgb, before)


@pytest.mark.parametrize(
    ("gap_mm", "words"),
    [
        (Measured(0.14, 0.21), "0.1 ± 0.2 mm"),
        (Measured(-0.01, 0.2), "0.0 ± 0.2 mm"),
        (Measured(-1.234, 0.05), "-1.23 ± 0.05 mm"),
        (Measured(0.0, float("inf")), "the gap cannot be measured"),
    ],
)
def test_a_gap_in_words(gap_mm, words):
    assert gap_words(gap_mm) == words


def test_letters_the_font_lacks_are_written_as_near_as_it_can():
    assert shown("0.1 ± 0.2 mm") == "0.1 ± 0.2 mm"
    assert shown("René \N{EN DASH} Groß\n日") == "Rene - Gross??"


def test_long_words_are_shortened_and_long_lines_broken():
    assert shortened("dark", 20, 200) == "dark"
    cut = shortened("a very long name of a side", 20, 120)
    assert cut.endswith("…")
    assert text_width(cut, 20) <= 120
    lines = wrapped("too close to the 10 line and half hidden by a hand", 20, 200)
    assert " ".join(lines) == "too close to the 10 line and half hidden by a hand"
    assert all(text_width(line, 20) <= 200 for line in lines)


def test_strokes_are_exact_to_a_part_of_a_pixel_and_as_wide_as_asked():
    for y, width in [(10.0, 3.0), (10.25, 3.0), (10.5, 2.0), (9.75, 4.5)]:
        canvas = Canvas(np.zeros((21, 40, 3), np.uint8))
        canvas.stroke(np.array([(-5.0, y), (45.0, y)]), WHITE, width, closed=False)
        ink = canvas.rgb[:, 20, 0].astype(float) / 255
        assert ink.sum() == pytest.approx(width, abs=0.35)
        assert (ink * np.arange(21)).sum() / ink.sum() == pytest.approx(y, abs=0.13)


def test_shapes_off_the_canvas_leave_no_ink():
    canvas = Canvas(np.full((30, 30, 3), 9, np.uint8))
    far = np.array([(1e5, 1e5), (2e5, 1e5), (2e5, 2e5)])
    canvas.stroke(far, WHITE, 5.0, casing=2.0, dash=4.0)
    canvas.fill(-far, WHITE)
    canvas.text((-500.0, 15.0), "15", 20.0, WHITE)
    canvas.text((15.0, 500.0), "15", 20.0, WHITE)
    assert (canvas.rgb == 9).all()


def test_what_stands_out_from_what():
    assert contrast(WHITE, (0, 0, 0)) == pytest.approx(21.0)
    assert opposite(YELLOW) == BLACK
    assert opposite(BLUE) == WHITE
    assert min(contrast(opposite(ink), ink) for ink in (ORANGE, BLUE, YELLOW, LINE)) > 4.5
    with pytest.raises(ValueError, match="#rrggbb"):
        from_hex("red")
