"""Readings made by hand, and a stand-in for vision that returns them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from calibration.equipment import Equipment
from calibration.measured import Measured
from service.compose import ScoredPhoto
from vision.picture import Picture
from vision.reading import BoardReading, LineGap, Place, SeenBoard, SeenDisc, Verdict

BOARD = SeenBoard(
    centre_px=(60.04, 40.06),
    tilt_deg=14.23,
    fit_rms_px=0.312,
    camera="exif",
    lines_px={
        15: ((70.0, 40.0), (60.0, 50.04), (50.0, 40.0)),
        10: ((80.0, 40.0), (60.0, 60.0), (40.0, 40.0)),
        5: ((90.0, 40.0), (60.0, 70.0), (30.0, 40.0)),
    },
)


def gap(line: int, mm: float, sigma: float = 0.2, verdict: Verdict | None = None) -> LineGap:
    measured = Measured(mm, sigma)
    touching = measured.probability_below(0.0)
    if verdict is None:
        verdict = (
            Verdict.CLEAR if touching < 0.01 else Verdict.TOUCHING if touching > 0.99 else Verdict.TOO_CLOSE
        )
    return LineGap(line, measured, touching, verdict)


def disc(
    id: int,
    team: str = "dark",
    *,
    line: int | None = None,
    mm: float = 9.0,
    sigma: float = 0.2,
    place: Place = Place.BOARD,
    flat: bool = True,
    doubt: str | None = None,
) -> SeenDisc:
    """A disc on the board ``mm`` clear of ``line``, or elsewhere."""
    colour = {"dark": "#3a2f2b", "light": "#e0c9a0"}.get(team, "#808080")
    where = None if line is None else gap(line, mm, sigma)
    edge = ((10.0 * id + 3, 20.0), (10.0 * id, 23.0), (10.0 * id - 3, 20.0), (10.0 * id, 17.0))
    return SeenDisc(
        id, team, colour, place, (10.0 * id, 20.0), -61.204, 33.8, 0.12, where, edge, edge, flat, doubt
    )


def reading(
    *discs: SeenDisc,
    teams: tuple[str, ...] = ("dark", "light"),
    photo: str = "a.jpg",
    warnings: tuple[str, ...] = (),
) -> BoardReading:
    return BoardReading(
        photo, 120, 80, "standard", (101.6, 203.2, 304.8), "preset", BOARD, discs, teams, warnings
    )


@dataclass
class FakeSeeing:
    """Returns one reading for every picture, or fails as told; notes what it was asked."""

    answer: BoardReading | Exception
    asked: list[tuple[str, str | None, int, Path | None]] = field(default_factory=list)
    drawn: list[tuple[str, dict[int, int]]] = field(default_factory=list)

    def read(
        self, picture: Picture, equipment: Equipment | None, *, sides: int, camera: Path | None
    ) -> BoardReading:
        self.asked.append((picture.name, equipment and equipment.name, sides, camera))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def annotate(self, picture: Picture, scored: ScoredPhoto, path: Path) -> None:
        path.write_bytes(b"drawn")
        self.drawn.append((picture.name, dict(scored.points)))
