"""Ours against the truth: which disc is which, which team is which, and what follows from that.

Nothing here knows pictures or rules, so that the scoring of the benchmarks can itself be
tested on made-up discs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from scipy.optimize import linear_sum_assignment

WITHIN_RADII = 0.6
"""A disc of ours is a labelled one when their centres are at most this share of the disc's radius apart."""

_FAR = 1e6


@dataclass(frozen=True, slots=True)
class TrueDisc:
    """A disc as labelled. ``required`` is False for one that is too hidden to be missed."""

    x_px: float
    y_px: float
    radius_px: float
    team: str
    in_play: bool
    points: int
    required: bool = True


@dataclass(frozen=True, slots=True)
class ReadDisc:
    """A disc as read; ``in_play`` is on the surface or in the hole."""

    x_px: float
    y_px: float
    team: str
    in_play: bool
    points: int


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts that add up over photos. A disc is in play by its label, an invented one by what we say."""

    in_play: int = 0
    found: int = 0
    missed: int = 0
    invented: int = 0
    points_right: int = 0
    team_wrong: int = 0
    elsewhere: int = 0
    elsewhere_found: int = 0
    elsewhere_missed: int = 0
    elsewhere_invented: int = 0
    elsewhere_scored: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))


def match(truth: Sequence[TrueDisc], read: Sequence[ReadDisc]) -> dict[int, int]:
    """Index of a true disc to that of ours: as many pairs as possible, and of those the closest."""
    if not truth or not read:
        return {}
    true_px = np.array([(disc.x_px, disc.y_px) for disc in truth])
    read_px = np.array([(disc.x_px, disc.y_px) for disc in read])
    reach = np.array([[WITHIN_RADII * disc.radius_px] for disc in truth])
    apart = np.linalg.norm(true_px[:, None] - read_px[None], axis=2)
    cost = np.where(apart <= reach, apart / np.maximum(reach, 1e-9), _FAR)
    rows, columns = linear_sum_assignment(cost)
    return {int(i): int(j) for i, j in zip(rows, columns, strict=True) if cost[i, j] < _FAR}


def team_names(
    truth: Sequence[TrueDisc],
    read: Sequence[ReadDisc],
    pairs: Mapping[int, int],
    true_totals: Mapping[str, int],
    read_totals: Mapping[str, int],
) -> dict[str, str | None]:
    """Which of our teams each labelled team is, None for one we do not have.

    The majority of the matched discs decides; where it does not, the assignment with the better totals.
    """
    labelled = list(true_totals)
    ours: list[str | None] = [*read_totals, *[None] * len(labelled)]
    votes: dict[tuple[str, str | None], int] = {}
    for i, j in pairs.items():
        key = (truth[i].team, read[j].team)
        votes[key] = votes.get(key, 0) + 1

    def worth(chosen: tuple[str | None, ...]) -> tuple[int, int, int]:
        gaps = [
            abs(true_totals[team] - (0 if mine is None else read_totals[mine]))
            for team, mine in zip(labelled, chosen, strict=True)
        ]
        agreed = sum(votes.get(pair, 0) for pair in zip(labelled, chosen, strict=True))
        return agreed, gaps.count(0), -sum(gaps)

    best = max(permutations(ours, len(labelled)), key=worth)
    return dict(zip(labelled, best, strict=True))


def totals_exact(
    true_totals: Mapping[str, int], read_totals: Mapping[str, int], names: Mapping[str, str | None]
) -> bool:
    """Whether every labelled team has its total, and no further team of ours has points."""
    told = {team: 0 if mine is None else read_totals[mine] for team, mine in names.items()}
    spare = [points for mine, points in read_totals.items() if mine not in names.values()]
    return told == dict(true_totals) and not any(spare)


def tally(
    truth: Sequence[TrueDisc],
    read: Sequence[ReadDisc],
    pairs: Mapping[int, int],
    names: Mapping[str, str | None],
) -> Tally:
    """Count one photo. A disc found in the wrong place is found, and its points are wrong.

    A disc that need not be found counts only when it was.
    """
    counts = Tally()
    for i, disc in enumerate(truth):
        mine = read[pairs[i]] if i in pairs else None
        if mine is None and not disc.required:
            continue
        team_wrong = mine is not None and disc.team in names and names[disc.team] != mine.team
        if disc.in_play:
            counts += Tally(
                in_play=1,
                found=int(mine is not None),
                missed=int(mine is None),
                points_right=int(mine is not None and mine.points == disc.points),
                team_wrong=int(team_wrong),
            )
        else:
            counts += Tally(
                elsewhere=1,
                elsewhere_found=int(mine is not None),
                elsewhere_missed=int(mine is None),
                elsewhere_scored=int(mine is not None and mine.points != disc.points),
            )
    for j, mine in enumerate(read):
        if j not in pairs.values():
            counts += Tally(invented=int(mine.in_play), elsewhere_invented=int(not mine.in_play))
    return counts
