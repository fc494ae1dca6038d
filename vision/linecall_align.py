"""Two photos of one position: how their board frames lie to each other, and which disc is which.

A board frame is known up to the board's own symmetry: quarter turns where the quadrant lines show, any turn
where they do not. The discs settle it: each pair of discs at the same distance from the centre proposes a
turn, and the turn that brings most discs of one colour onto discs of one colour is the right one. Mirrored it
cannot be, because both photos see the board from above.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array
from vision.linecall_errors import LineCallError, LineCallFault

RINGS_APART_MM = 3.0
_SAME_DISTANCE_MM = 9.0
_PAIR_MM = 12.0  # discs are farther apart than that, so no disc has two partners
_QUADRANTS_RAD = np.radians(4.0)  # a quadrant line's own accuracy is far better
_ALIKE_RAD = np.radians(1.0)
_LEVER_MM = 25.0  # nearer to the centre a disc's direction says nothing
_MANY = 3
_ENOUGH = 0.5  # of the discs of the photo with fewer
MOVED_MM = 2.0
_MOVED_SIGMAS = 5.0


@dataclass(frozen=True, eq=False)
class Layout:
    """The discs on the board of one photo: ``xy_mm`` (n, 2), ``sigma_mm`` (n,), ``teams`` and ``ids`` (n,).

    ``radii_mm`` (3,) are the rings', ``quadrants_rad`` where a quadrant line lies, None where none shows.
    """

    photo: str
    xy_mm: Array
    sigma_mm: Array
    teams: tuple[str, ...]
    ids: tuple[int, ...]
    radii_mm: Array
    quadrants_rad: float | None = None

    def turned(self, turn_rad: float) -> Array:
        """The discs with the frame turned; shape (n, 2)."""
        return turned(self.xy_mm, turn_rad)


@dataclass(frozen=True)
class Together:
    """A second photo's frame in the first's: turned by ``turn_rad``; ``pairs`` (k, 2) are disc indices."""

    turn_rad: float
    pairs: NDArray[np.intp]
    apart_mm: Array

    def without(self, which: NDArray[np.bool_]) -> Together:
        """The same without some pairs (k,)."""
        return Together(self.turn_rad, self.pairs[~which], self.apart_mm[~which])

    def alone(self, side: int, count: int) -> list[int]:
        """The discs without a partner, of ``count`` in the first photo (side 0) or the other (side 1)."""
        return sorted(set(range(count)) - set(self.pairs[:, side].tolist()))


def turned(xy_mm: Array, turn_rad: float) -> Array:
    """Board points (n, 2) turned about the centre."""
    c, s = np.cos(turn_rad), np.sin(turn_rad)
    return np.asarray(xy_mm @ np.array([[c, s], [-s, c]]))


def brought_together(first: Layout, other: Layout) -> Together:
    """How the other photo's frame lies in the first's, and which discs are the same.

    Raises :class:`LineCallError` for different boards, and where no turn brings half of the discs together.
    """
    _require_same_rings(first, other)
    fewer = min(len(first.ids), len(other.ids))
    # what passes for quadrant lines may be something else, but then more discs must say so
    for turns, least in ((_quarter_turns(first, other), 1), (_disc_turns(first, other), _MANY)):
        tried = [_paired(first, other, turn) for turn in turns]
        best = max(tried, key=lambda one: _quality(first, other, one), default=None)
        if best is not None and _agreeing(first, other, best) >= max(least, _ENOUGH * fewer):
            return best
    raise LineCallError(
        LineCallFault.DIFFERENT_POSITIONS,
        f"the discs of {other.photo} do not lie as those of {first.photo} do: all photos must show the same "
        "board in the same position",
    )


def _require_same_rings(first: Layout, other: Layout) -> None:
    apart = np.abs(first.radii_mm - other.radii_mm)
    if apart.max() > RINGS_APART_MM:
        a, b = (" : ".join(f"{2 * r:.0f}" for r in one.radii_mm) for one in (first, other))
        raise LineCallError(
            LineCallFault.DIFFERENT_BOARDS,
            f"{first.photo} and {other.photo} show different boards (rings of {a} and of {b} mm): all photos "
            "must show the same board",
        )


def _quarter_turns(first: Layout, other: Layout) -> list[float]:
    """The four turns that bring quadrant lines onto quadrant lines; every turn of discs where none show."""
    if first.quadrants_rad is None or other.quadrants_rad is None:
        return _disc_turns(first, other)
    return [first.quadrants_rad - other.quadrants_rad + k * np.pi / 2 for k in range(4)]


def _disc_turns(first: Layout, other: Layout) -> list[float]:
    """Turns that bring some disc onto one at its distance, each once."""
    far_a, far_b = (np.linalg.norm(one.xy_mm, axis=1) for one in (first, other))
    angle_a, angle_b = (np.arctan2(*one.xy_mm.T[::-1]) for one in (first, other))
    close = np.abs(far_a[:, None] - far_b) < _SAME_DISTANCE_MM
    close &= np.minimum(far_a[:, None], far_b) > _LEVER_MM
    turns: list[float] = []
    for turn in (angle_a[:, None] - angle_b)[close].tolist():
        if all(abs(_wrapped(turn - known)) > _ALIKE_RAD for known in turns):
            turns.append(turn)
    return turns


def _wrapped(angle_rad: float) -> float:
    return float((angle_rad + np.pi) % (2 * np.pi) - np.pi)


def _paired(first: Layout, other: Layout, turn_rad: float) -> Together:
    """Nearest discs paired under a turn, and the turn refined by them."""
    pairs, _ = _nearest(first, other, turn_rad)
    if len(pairs):
        a, b = first.xy_mm[pairs[:, 0]], other.turned(turn_rad)[pairs[:, 1]]
        lever = np.linalg.norm(a, axis=1)
        off = np.array([_wrapped(x) for x in np.arctan2(*a.T[::-1]) - np.arctan2(*b.T[::-1])])
        if (lever > _LEVER_MM).any():
            change = float(np.median(off[lever > _LEVER_MM]))
            turn_rad += float(np.clip(change, -_QUADRANTS_RAD, _QUADRANTS_RAD))
    return Together(turn_rad, *_nearest(first, other, turn_rad))


def _nearest(first: Layout, other: Layout, turn_rad: float) -> tuple[NDArray[np.intp], Array]:
    if not len(first.ids) or not len(other.ids):
        return np.zeros((0, 2), dtype=np.intp), np.zeros(0)
    apart = np.linalg.norm(first.xy_mm[:, None] - other.turned(turn_rad), axis=2)
    a, b = np.unravel_index(np.argsort(apart, axis=None), apart.shape)
    pairs: list[tuple[int, int]] = []
    for i, j in zip(a.tolist(), b.tolist(), strict=True):
        if apart[i, j] > _PAIR_MM:
            break
        if all(i != p and j != q for p, q in pairs):
            pairs.append((i, j))
    at = np.array(pairs, dtype=np.intp).reshape(-1, 2)
    return at, np.asarray(apart[at[:, 0], at[:, 1]])


def _agreeing(first: Layout, other: Layout, found: Together) -> int:
    """Pairs whose teams go together, under the likeliest meaning of each photo's words."""
    words = [(first.teams[i], other.teams[j]) for i, j in found.pairs]
    left, right = sorted(set(first.teams)), sorted(set(other.teams))
    if len(left) < len(right):
        left, right, words = right, left, [(b, a) for a, b in words]
    return max(
        (sum((a, b) in zip(order, right, strict=False) for a, b in words) for order in permutations(left)),
        default=0,
    )


def _quality(first: Layout, other: Layout, found: Together) -> tuple[int, float]:
    return _agreeing(first, other, found), -float(np.median(found.apart_mm)) if len(found.apart_mm) else 0.0


def allowed_mm(first: Layout, other: Layout, found: Together) -> Array:
    """How far apart the discs of each pair may lie without having moved; shape (k,)."""
    sigma_mm = np.hypot(first.sigma_mm[found.pairs[:, 0]], other.sigma_mm[found.pairs[:, 1]])
    return np.asarray(np.maximum(MOVED_MM, _MOVED_SIGMAS * sigma_mm))


def require_unmoved(first: Layout, other: Layout, found: Together, seen: NDArray[np.bool_]) -> None:
    """Raise :class:`LineCallError` when a disc moved, came or went between two photos.

    ``seen`` is for the first photo's discs and then the other's: whether the other of the two photos shows
    the place where it lies.
    """
    limit = allowed_mm(first, other, found)
    if (found.apart_mm > limit).any():
        worst = int((found.apart_mm / limit).argmax())
        _refuse_moved(first, other, int(found.pairs[worst, 0]), float(found.apart_mm[worst]))
    lost = [k for k in found.alone(0, len(first.ids)) if seen[k]]
    new = [k for k in found.alone(1, len(other.ids)) if seen[len(first.ids) + k]]
    if lost and new:
        apart = np.linalg.norm(first.xy_mm[lost][:, None] - other.turned(found.turn_rad)[new], axis=2)
        _refuse_moved(first, other, lost[int(apart.min(1).argmin())], float(apart.min()))
    for gone, here, there in ((lost, first, other), (new, other, first)):
        if gone:
            raise LineCallError(
                LineCallFault.DISC_MOVED,
                f"disc {here.ids[gone[0]]} of {here.photo} is not seen in {there.photo}: photos must show "
                "the same position, with every disc in each of them",
            )


def _refuse_moved(first: Layout, other: Layout, disc: int, by_mm: float) -> None:
    raise LineCallError(
        LineCallFault.DISC_MOVED,
        f"disc {first.ids[disc]} moved {by_mm:.1f} mm between {first.photo} and {other.photo}: photos must "
        "show the same position",
    )
