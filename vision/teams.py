"""Whose disc is whose, by the colour of its top, with no colours given.

The tops are sorted into as many groups as the colours support, at most the number of sides. Uneven light
changes lightness more than colour and must not split a side: a split has to be wide against the spread within
its groups.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array

_WEIGHTS = np.array([0.75, 1.0, 1.0])  # of lightness, which uneven light changes most
_BLACK, _GREY = 16 * 2.55, 128.0  # where colours without light lie: L = -16, in 8 bit
_LEAST_LIGHT = 0.5
_LIT = 0.85  # quantile of the surroundings that is in full light
_ROUNDS = 8
_SEEDS = 7
_PLAINER = 1.2
_ONE_COLOUR = 3.0
_LEAST_SPREAD = 3.0  # Lab units: less is no plainer
_LEAST_GAP = 20.0  # weighted Lab units (8 bit) between two sides' colours
_GAP_TO_SPREAD = 3.3
_GREY_CHROMA = 12.0
_PLAIN_CHROMA = 42.0  # wood stays below it, paint and felt do not
_SIMILAR_HUE_DEG = 45.0
_PALER = 8.0  # Lab units (8 bit) by which a veiled colour must fit better
_WORDS = (  # hue in degrees of the Lab plane up to which the word holds
    (12.0, "pink"), (50.0, "red"), (68.0, "orange"), (108.0, "yellow"), (170.0, "green"),
    (215.0, "teal"), (305.0, "blue"), (345.0, "purple"), (360.0, "pink"),
)  # fmt: skip


@dataclass(frozen=True)
class Teams:
    """``words`` are the teams' names, largest lightness first.

    ``of`` (n,) the team of each disc; ``margin`` (n,) how much nearer its own colour is than the next, 0
    (undecided) to 1.
    """

    words: tuple[str, ...]
    of: NDArray[np.intp]
    margin: Array


def sort_teams(
    lab: Array, sides: int, even: Array | None = None, lit: NDArray[np.bool_] | None = None
) -> Teams:
    """Groups of top colours (n, 3), 8-bit Lab as OpenCV's.

    ``even`` (n, 3) are the same tops as they would look in the same light, where that is known
    (:func:`in_same_light`), and ``lit`` (n,) which of them were brought to it: of the two comparisons the one
    that tells those apart more plainly holds.
    """
    if len(lab) == 0:
        return Teams((), np.zeros(0, dtype=np.intp), np.zeros(0))
    labels = _split(lab, sides)
    if even is not None:
        other = _split(even, sides)
        these = np.ones(len(lab), dtype=bool) if lit is None or not lit.any() else lit
        plainer = _plainness(even[these], other[these]) > _PLAINER * _plainness(lab[these], labels[these])
        if plainer or _is_one(even, other):
            labels = other
    count = int(labels.max()) + 1
    points = lab * _WEIGHTS
    centres = np.stack([np.median(points[labels == k], axis=0) for k in range(count)])
    order = np.argsort(-centres[:, 0])
    rank = np.empty(len(order), dtype=np.intp)
    rank[order] = np.arange(len(order))
    centres = centres[order]
    own = _through_glare(lab, rank[labels], centres / _WEIGHTS)
    distance = np.linalg.norm(points[:, None] - centres[None], axis=-1)
    mine = distance[np.arange(len(points)), own]
    distance[np.arange(len(points)), own] = np.inf
    margin = np.clip(1 - mine / np.maximum(distance.min(1), 1e-9), 0.0, 1.0)
    return Teams(_words(centres / _WEIGHTS), own, margin)


def in_same_light(lab: Array, around: Array, lit: NDArray[np.bool_]) -> Array:
    """The colours (n, 3) as they would look where their surroundings (n, 3) are in full light.

    ``lit`` (n,) are those that lie on the surface, where the brightest surroundings are in full light; the
    others stay as they are: what surrounds a disc in the ditch is wall, felt or a neighbour.
    Less light on a thing scales its Lab colour towards black (CIE 15: all of it goes with the cube root).
    """
    there = around[:, 0] + _BLACK
    scale = np.ones(len(lab))
    if lit.any():
        scale[lit] = np.clip(np.quantile(there[lit], _LIT) / there[lit], 1.0, 1 / _LEAST_LIGHT)
    dark = np.array([-_BLACK, _GREY, _GREY])
    return np.asarray((lab - dark) * scale[:, None] + dark)


def _through_glare(lab: Array, own: NDArray[np.intp], centres: Array) -> NDArray[np.intp]:
    """The teams (n,) of discs, those taken back that only a lamp's glare made as light as another side's.

    Glare lies over a disc like a white veil: it makes it lighter and takes from its colour (Shafer, "Using
    color to separate reflection components", 1985). A disc of a lighter side in less light keeps its colour's
    share. So what is paler than that, and has no other colour than a darker side's, is of the darker side.
    """
    own = own.copy()
    colour, of_side = lab[:, 1:] - _GREY, centres[:, 1:] - _GREY
    for k, side in enumerate(own.tolist()):
        lightness = lab[k, 0]
        in_less_light = of_side[side] * min(1.0, (lightness + _BLACK) / (centres[side, 0] + _BLACK))
        least = float(np.linalg.norm(colour[k] - in_less_light)) - _PALER
        for darker in range(side + 1, len(centres)):
            if not centres[darker, 0] < lightness < centres[side, 0]:
                continue
            size = max(float(of_side[darker] @ of_side[darker]), 1e-9)
            left = min(max(float(colour[k] @ of_side[darker]) / size, 0.0), 1.0)
            off = float(np.linalg.norm(colour[k] - left * of_side[darker]))
            if off < least:
                own[k], least = darker, off
    return own


def _is_one(lab: Array, labels: NDArray[np.intp]) -> bool:
    return labels.max() == 0 and _plainness(lab, labels) > _ONE_COLOUR


def _plainness(lab: Array, labels: NDArray[np.intp]) -> float:
    """How far apart the groups of colours are, in the spread within them; of one group, how little it has."""
    points = lab * _WEIGHTS
    groups = [points[labels == k] for k in np.unique(labels)]
    spread = np.sqrt(np.mean(np.concatenate([np.square(g - np.median(g, axis=0)).sum(1) for g in groups])))
    spread = max(float(spread), _LEAST_SPREAD)
    if len(groups) == 1:
        return _LEAST_GAP / spread
    centres = [np.median(g, axis=0) for g in groups]
    return min(float(np.linalg.norm(a - b)) for a, b in combinations(centres, 2)) / spread


def _split(lab: Array, sides: int) -> NDArray[np.intp]:
    points = lab * _WEIGHTS
    labels = np.zeros(len(points), dtype=np.intp)
    for count in range(2, min(sides, len(points)) + 1):
        split, means = _grouped(points, count)
        if not _wide_enough(points, split, means):
            break
        labels = split
    return labels


def colour_of(lab: Array) -> str:
    """``#rrggbb`` of one 8-bit Lab colour."""
    pixel = np.uint8(np.clip(np.rint(lab), 0, 255)).reshape(1, 1, 3)
    r, g, b = (int(v) for v in cv2.cvtColor(pixel, cv2.COLOR_LAB2RGB)[0, 0])
    return f"#{r:02x}{g:02x}{b:02x}"


def _grouped(points: Array, count: int) -> tuple[NDArray[np.intp], Array]:
    """k-means from every well-spread choice of seeds, all side by side; the one with the least spread."""
    choices = np.array(list(combinations(_far_apart(points, _SEEDS), count)))
    centres = points[choices]
    size = np.square(points).sum(1)[:, None]
    for _ in range(_ROUNDS):
        # squared distances, less what is the same for every centre
        far = np.square(centres).sum(-1)[:, None] - 2.0 * (points @ centres.transpose(0, 2, 1))
        labels = far.argmin(-1)
        mine = labels[..., None] == np.arange(count)
        members = mine.sum(1)[..., None]
        means = mine.transpose(0, 2, 1) @ points / np.maximum(members, 1)
        centres = np.where(members > 0, means, centres)
    far = np.square(centres).sum(-1)[:, None] - 2.0 * (points @ centres.transpose(0, 2, 1)) + size
    cost = np.take_along_axis(far, labels[..., None], -1).sum((1, 2))
    best = int(cost.argmin())
    return labels[best], centres[best]


def _far_apart(points: Array, most: int) -> list[int]:
    """Indices of points that are far from each other, farthest first."""
    chosen = [int(np.linalg.norm(points - points.mean(0), axis=1).argmax())]
    while len(chosen) < min(most, len(points)):
        distance = np.linalg.norm(points[:, None] - points[chosen][None], axis=-1).min(1)
        chosen.append(int(distance.argmax()))
    return chosen


def _wide_enough(points: Array, labels: NDArray[np.intp], centres: Array) -> bool:
    if any((labels == k).sum() == 0 for k in range(len(centres))):
        return False
    for a, b in combinations(range(len(centres)), 2):
        axis = centres[b] - centres[a]
        gap = float(np.linalg.norm(axis))
        if gap < _LEAST_GAP:
            return False
        axis /= gap
        within = np.concatenate([(points[labels == k] - centres[k]) @ axis for k in (a, b)])
        if gap < _GAP_TO_SPREAD * float(np.sqrt(np.mean(np.square(within)))):
            return False
    return True


def _words(lab: Array) -> tuple[str, ...]:
    """A plain word for each colour (lightest first); with two of like hue, light and dark."""
    hue = np.degrees(np.arctan2(lab[:, 2] - 128.0, lab[:, 1] - 128.0)) % 360.0
    chroma = np.hypot(lab[:, 1] - 128.0, lab[:, 2] - 128.0)
    if len(lab) == 2:
        turn = abs((hue[0] - hue[1] + 180.0) % 360.0 - 180.0)
        if max(chroma) < _PLAIN_CHROMA and (min(chroma) < _GREY_CHROMA or turn < _SIMILAR_HUE_DEG):
            return ("light", "dark")
    words: list[str] = []
    for k in range(len(lab)):
        word = _word(float(lab[k, 0]), float(hue[k]), float(chroma[k]))
        while word in words:
            word = f"dark {word}"
        words.append(word)
    return tuple(words)


def _word(lightness: float, hue: float, chroma: float) -> str:
    if chroma < _GREY_CHROMA:
        return "white" if lightness > 190 else "black" if lightness < 80 else "grey"
    word = next(w for limit, w in _WORDS if hue <= limit)
    if word in ("orange", "yellow", "red") and lightness < 120 and chroma < 35:
        return "brown"
    if word in ("orange", "yellow") and chroma < 45:
        return "light" if lightness > 150 else "brown"
    return word
