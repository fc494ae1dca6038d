"""``crokinole calibrate chart`` and ``calibrate camera``: a chart, and a camera file from photos of it.

A photo that cannot be used is told of and left out; photos that contradict each other (another size, camera
or lens) end the run, because nobody can say which of them was meant.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.text import Text

from calibration.camera_file import CameraFile
from calibration.chart import CORNERS, SQUARE_MM
from calibration.chart_advice import require_settled, warnings
from calibration.chart_pdf import BAR_MM, PAPERS, chart_pdf
from calibration.chart_view import ChartError, ChartView, find_chart
from calibration.measured import Measured
from calibration.solve_camera import CameraSolution, solve_camera
from service.errors import ExitStatus, UsageError, failure_of
from service.progress import progress_bar
from service.terminal import console_for, printable, say
from vision.picture import Picture, load_picture
from vision.picture_errors import PictureError

_SHAPE_TOLERANCE = 0.01


@dataclass(frozen=True, slots=True)
class PhotoFacts:
    """What must be the same in all photos; ``focal_35mm`` None and ``camera`` empty are not stated."""

    name: str
    width_px: int
    height_px: int
    camera: str
    focal_35mm: float | None

    def require_like(self, first: PhotoFacts) -> None:
        """Raise :class:`ChartError` when this photo is not from the same camera in the same mode."""
        pair = f"{printable(first.name)} and {printable(self.name)}"
        if (
            (self.width_px, self.height_px)
            == (first.height_px, first.width_px)
            != (first.width_px, first.height_px)
        ):
            raise ChartError(
                f"{pair}: one is upright and one on its side: hold the camera the same way up for all photos"
            )
        if (self.width_px, self.height_px) != (first.width_px, first.height_px):
            raise ChartError(
                f"{pair} differ in size "
                f"({first.width_px} x {first.height_px} and {self.width_px} x {self.height_px}): "
                "give untouched photos from one camera in one mode"
            )
        if self.camera and first.camera and self.camera != first.camera:
            raise ChartError(
                f"{pair} are from different cameras ({printable(first.camera)} and {printable(self.camera)})"
            )
        if self.focal_35mm and first.focal_35mm and self.focal_35mm != first.focal_35mm:
            raise ChartError(
                f"{pair} were taken with different lenses or zoom "
                f"({first.focal_35mm:g} and {self.focal_35mm:g} mm as for film): use one for all"
            )


@dataclass(slots=True)
class _Gathered:
    """The views so far, the facts of the first photo, and the highest status."""

    views: list[ChartView] = field(default_factory=list)
    first: PhotoFacts | None = None
    status: ExitStatus = ExitStatus.OK


def write_chart(out: Path, paper: str) -> None:
    """Write the chart's PDF. Raises :class:`UsageError` for an unknown paper or an impossible file."""
    if paper.lower() not in PAPERS:
        raise UsageError(f"--paper is {' or '.join(PAPERS)}, not {paper}")
    check_out(out, ".pdf")
    write_file(out, chart_pdf(PAPERS[paper.lower()]))


def run_calibrate_camera(
    photos: Iterable[str], *, out: Path | None, name: str | None, bar_mm: float
) -> ExitStatus:
    """Solve the camera and write its file, or print it when ``out`` is None; the highest status.

    Raises :class:`UsageError`, or :class:`ChartError` when the photos give no camera.
    """
    if not 50.0 <= bar_mm <= 200.0:
        raise UsageError(
            f"--bar-mm cannot be {bar_mm:g}: give the measured length of the bar in millimetres, near 100"
        )
    if out is not None:
        check_out(out, ".toml")
    err = console_for(stream_is_error=True)
    gathered = _gather(list(photos), err)
    if gathered.first is None:
        return gathered.status
    first = gathered.first
    solution = solve_camera(
        gathered.views, first.width_px, first.height_px, square_mm=SQUARE_MM * bar_mm / BAR_MM
    )
    require_settled(solution)
    model = printable(first.camera)
    camera = CameraFile(
        solution.width_px,
        solution.height_px,
        _rounded(solution.f_px, 3),
        _rounded(solution.cx_px, 3),
        _rounded(solution.cy_px, 3),
        _rounded(solution.k1, 6),
        name=name or model or "camera",
        camera_model=model,
        rms_px=round(solution.rms_px, 4),
        photos=len(solution.views),
        distance_mm=round(solution.distance_mm, 1),
    )
    if out is None:
        print(camera.to_toml(), end="", flush=True)
    else:
        write_file(out, camera.to_toml().encode())
    _show(err if out is None else console_for(), solution)
    for warning in warnings(solution):
        say(err, printable(warning))
    return gathered.status


def _gather(photos: list[str], err: Console) -> _Gathered:
    """The chart in every photo that shows it, one photo in memory at a time. Raises :class:`ChartError`."""
    gathered = _Gathered()
    with progress_bar(err, len(photos)) as progress:
        for photo in photos:
            with progress.one_done():
                try:
                    picture = load_picture(photo)
                except PictureError as error:
                    _leave_out(photo, error, gathered, err)
                    continue
                facts = _facts(picture)
                gathered.first = gathered.first or facts
                facts.require_like(gathered.first)
                try:
                    view = _find_uncropped(picture)
                except ChartError as error:
                    _leave_out(photo, error, gathered, err)
                    continue
                gathered.views.append(view)
                say(err, f"{printable(photo)}: {len(view)} of {CORNERS} corners")
    return gathered


def _facts(picture: Picture) -> PhotoFacts:
    return PhotoFacts(picture.name, picture.width_px, picture.height_px, picture.camera, picture.focal_35mm)


def _find_uncropped(picture: Picture) -> ChartView:
    if picture.exif_size_px is not None:
        width, height = picture.exif_size_px
        if abs(picture.width_px * height / (picture.height_px * width) - 1) > _SHAPE_TOLERANCE:
            raise ChartError("the photo has been cropped since it was taken: give the original")
    return find_chart(picture.rgb, picture.name)


def _leave_out(photo: str, error: PictureError | ChartError, gathered: _Gathered, err: Console) -> None:
    failure = failure_of(error)
    gathered.status = max(gathered.status, failure.status)
    say(err, f"{printable(photo)}: {failure.message}")


def _rounded(value: Measured, digits: int) -> Measured:
    """The value as a person can read it; far finer than anything is known."""
    return Measured(round(value.mean, digits), round(value.sigma, digits))


def check_out(out: Path, suffix: str) -> None:
    """Raise :class:`UsageError` for a file that cannot be written, or not of that kind."""
    if out.suffix.lower() != suffix:
        raise UsageError(f"{out} must end in {suffix}")
    if not out.absolute().parent.is_dir():
        raise UsageError(f"{out} cannot be written: there is no folder {out.parent}", "not_written")


def write_file(out: Path, content: bytes) -> None:
    """Write a file. Raises :class:`UsageError` where that cannot be."""
    try:
        out.write_bytes(content)
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror or error}", "not_written") from error


def _show(console: Console, solution: CameraSolution) -> None:
    """Each photo's residual, then the camera with its uncertainties, for people."""
    width = max(len(printable(view.name)) for view in solution.views)
    for view, rms_px in zip(solution.views, solution.photo_rms_px, strict=True):
        line = f"{printable(view.name):<{width}}  {len(view):2d} corners  {rms_px:.3f} px"
        console.print(Text(line), soft_wrap=True)
    f_px, cx_px, cy_px, k1 = solution.f_px, solution.cx_px, solution.cy_px, solution.k1
    for line in (
        f"focal length     {f_px} px ({100 * f_px.sigma / f_px.mean:.2f} %)",
        f"principal point  {cx_px}, {cy_px} px",
        f"k1               {k1.mean:.4f} ± {k1.sigma:.4f}",
        f"residual         {solution.rms_px:.3f} px rms of {len(solution.views)} photos",
        f"distance         {solution.distance_mm:.0f} mm: the camera file is best near it",
    ):
        console.print(Text(line), soft_wrap=True)
