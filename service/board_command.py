"""``crokinole calibrate board``: one's own board, measured from a photo of it, as an equipment file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePath

from rich.text import Text

from calibration.equipment import Equipment
from calibration.own_board import OwnBoard, measure_own_board
from calibration.own_board_file import equipment_of, own_board_toml
from service.calibrate_command import check_out, write_file
from service.errors import FAILURES, ExitStatus, UsageError, failure_of
from service.terminal import console_for, printable, say
from vision.picture import load_picture
from vision.read import read_in_detail
from vision.reading import Place

_RANGE_MM = (200.0, 1500.0)
_STEEP_DEG = 35.0
_VAGUE_MM = 0.5


@dataclass(frozen=True, slots=True)
class BoardOrder:
    """What is asked. ``out`` None prints the file; at most one of the two lengths sets the scale."""

    out: Path | None
    name: str
    ring_5_mm: float | None = None
    surface_mm: float | None = None
    camera: Path | None = None
    force: bool = False


def run_calibrate_board(photo: str, order: BoardOrder) -> ExitStatus:
    """Measure the board and write its file, or print it.

    Raises :class:`~service.errors.UsageError` for what cannot be, and
    :class:`~calibration.equipment.EquipmentError` where the measured numbers cannot be a board.
    """
    _check(order)
    err = console_for(stream_is_error=True)
    try:
        picture = load_picture(photo)
        read = read_in_detail(picture, camera=order.camera)
    except FAILURES as error:
        failure = failure_of(error)
        say(err, f"{printable(photo)}: {failure.message}")
        return failure.status
    own = _scaled(measure_own_board(picture.rgb, read.board), order)
    equipment = equipment_of(own, order.name)
    text = own_board_toml(own, equipment, printable(PurePath(photo).name))
    if order.out is None:
        print(text, end="", flush=True)
    else:
        write_file(order.out, text.encode())
        _show(own, equipment, order.out)
    discs = sum(disc.place is Place.BOARD for disc in read.reading.discs)
    for warning in _warnings(own, discs):
        say(err, warning)
    return ExitStatus.OK


def _check(order: BoardOrder) -> None:
    if order.ring_5_mm is not None and order.surface_mm is not None:
        raise UsageError("give one length for the scale: --ring-5-mm or --surface-mm")
    for option, value_mm in (("--ring-5-mm", order.ring_5_mm), ("--surface-mm", order.surface_mm)):
        # written so that not-a-number is refused too
        if value_mm is not None and not _RANGE_MM[0] <= value_mm <= _RANGE_MM[1]:
            raise UsageError(
                f"{option} cannot be {value_mm:g}: give the whole diameter in millimetres, "
                f"{_RANGE_MM[0]:g} to {_RANGE_MM[1]:g}"
            )
    if not order.name or not order.name.isprintable():
        raise UsageError("--name must be a line of text")
    if order.camera is not None and not order.camera.is_file():
        raise UsageError(f"there is no camera file {order.camera}")
    if order.out is not None:
        check_out(order.out, ".toml")
        if order.out.exists() and not order.force:
            raise UsageError(f"{order.out} is there already: name another file, or add --force", "exists")


def _scaled(own: OwnBoard, order: BoardOrder) -> OwnBoard:
    """The board in the millimetres of the length that a person measured."""
    if order.ring_5_mm is not None:
        factor = order.ring_5_mm / own.rings[2].diameter_mm.mean
        return own.scaled(factor, f"its 5 line was given as {order.ring_5_mm:g} mm across")
    if order.surface_mm is not None:
        if own.surface_mm is None:
            raise UsageError(
                "the edge of the playing surface does not show in this photo: measure the 5 line across and "
                "give it with --ring-5-mm"
            )
        factor = order.surface_mm / own.surface_mm.mean
        return own.scaled(factor, f"its playing surface was given as {order.surface_mm:g} mm across")
    return own


def _show(own: OwnBoard, equipment: Equipment, out: Path) -> None:
    console = console_for()
    for ring in own.rings:
        console.print(Text(f"{ring.line:>2} line  {ring.diameter_mm} mm across, {ring.width_mm} mm wide"))
    hole, surface = (
        "not seen: the standard's taken" if one is None else f"{one} mm across"
        for one in (own.hole_mm, own.surface_mm)
    )
    console.print(Text(f"hole     {hole}\nsurface  {surface}\npegs     {own.pegs} seen"))
    console.print(Text(f"scale    {own.scaled_by}"))
    console.print(Text(f"{printable(str(out))} written: use it with --equipment"), soft_wrap=True)


def _warnings(own: OwnBoard, discs: int) -> list[str]:
    notes = []
    if discs:
        lie = "disc lies" if discs == 1 else "discs lie"
        notes.append(f"{discs} {lie} on the board: an empty one is measured better")
    if own.tilt_deg > _STEEP_DEG:
        notes.append(
            f"taken {own.tilt_deg:.0f} degrees from straight above: one from nearer above is measured better"
        )
    if max(ring.diameter_mm.sigma for ring in own.rings) > _VAGUE_MM:
        notes.append(
            "the rings are known to half a millimetre only, for want of the lens: give --camera, or correct "
            "the file by what you measure"
        )
    return notes
