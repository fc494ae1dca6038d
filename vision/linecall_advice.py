"""What would settle a call that is too close: which photo, which measurement, or only the eye.

Along the line, the camera's and the disc's height move the disc along the line and leave the gap as it is; so
a photo from there tells most. How much is computed, by adding such a photo to those there are.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from calibration.camera import Array
from calibration.measured import Measured
from vision.linecall_combine import Combined, Told, combined
from vision.linecall_values import Advice, DiscView, Settles
from vision.reading import Verdict

_PROVES = 2.6  # sigmas: a verdict is given from there on
_WORTH = 0.8  # of the sigma: what leaves more is not worth the trouble
_NEARLY = 1.1  # of the least sigma: as good, with less trouble
_CALLIPER_MM = 0.05
_CORRIDOR_MM, _BLOCKS_MM = 32.0, 140.0
_DIRECTIONS = (
    "right", "lower right", "bottom", "lower left", "left", "upper left", "top", "upper right",
)  # fmt: skip
_AGAIN = "The photos contradict each other on this disc: if it was not touched, take them again."
_BY_EYE = (
    "look along the line with the eye at the height of the board, or use a feeler gauge; in a tournament the "
    "referee decides"
)


def advice_for(views: tuple[DiscView, ...], call: Combined, verdict: Verdict) -> Advice | None:
    """What would settle the call; None where it is settled.

    The least trouble that is likely to do it; else the most that is worth trying; else only the eye.
    """
    if verdict is not Verdict.TOO_CLOSE:
        return None
    told = [view.told() for view in views]
    if call.contradictory:
        return Advice((Settles.PHOTO,), min(one.budget.sigma_mm for one in told), _AGAIN)
    offers: tuple[tuple[Settles, ...], ...] = ((Settles.PHOTO,),)
    if all(view.photo.read.reading.geometry != "file" for view in views):
        offers += ((Settles.DISC_SIZE,), (Settles.PHOTO, Settles.DISC_SIZE))
    left = [(offer, _left_mm(told, offer)) for offer in offers]
    needed = abs(call.gap_mm.mean) / _PROVES
    for offer, sigma_mm in left:
        if sigma_mm < needed:
            return Advice(offer, sigma_mm, f"{_words(offer, views[0], call.gap_mm, sigma_mm)}.")
    least = min(sigma_mm for _, sigma_mm in left)
    offer, sigma_mm = next(one for one in left if one[1] <= _NEARLY * least)
    if sigma_mm < _WORTH * call.gap_mm.sigma:
        words = f"{_words(offer, views[0], call.gap_mm, sigma_mm)}. If that does not settle it: {_BY_EYE}."
        return Advice(offer, sigma_mm, words)
    return Advice((Settles.EYE,), sigma_mm, f"No photo will settle this: {_BY_EYE}.")


def _left_mm(told: list[Told], offer: tuple[Settles, ...]) -> float:
    """The sigma that would be left."""
    if Settles.DISC_SIZE in offer:
        told = [replace(_with(one, profile_mm=_CALLIPER_MM), size_mm=(0.0, 0.0)) for one in told]
    if Settles.PHOTO in offer:
        told = [*told, _along_the_line(min(told, key=lambda one: one.budget.sigma_mm))]
    return combined(told).budget.sigma_mm


def _along_the_line(one: Told) -> Told:
    """The same photo from where neither lens nor thickness matter."""
    radius_mm, thickness_mm = one.size_mm
    profile_mm = float(np.sqrt(max(one.budget.profile_mm**2 - thickness_mm**2, 0.0)))
    return replace(_with(one, lens_mm=0.0, profile_mm=profile_mm), size_mm=(radius_mm, 0.0))


def _with(one: Told, **at_most_mm: float) -> Told:
    """The same with some causes adding no more than that."""
    least = {cause: min(mm, float(getattr(one.budget, cause))) for cause, mm in at_most_mm.items()}
    return replace(one, budget=replace(one.budget, **least))


def _words(offer: tuple[Settles, ...], view: DiscView, gap_mm: Measured, sigma_mm: float) -> str:
    ways = {
        Settles.PHOTO: f"a photo from the {_shoot_from(view)} of {view.photo.short_name}, along the line and "
        "lower than 45°",
        Settles.DISC_SIZE: "the disc's bottom measured with a calliper, in an equipment file",
    }
    words = ", and ".join(ways[way] for way in offer)
    would = f"would bring ± {gap_mm.sigma:.2f} mm to about ± {sigma_mm:.2f}"
    return f"{words[0].upper()}{words[1:]}, {would}"


def _shoot_from(view: DiscView) -> str:
    """The side of the picture from which the camera looks along the line, with the fewer discs in the way."""
    along = np.array([-view.outward[1], view.outward[0]])
    others = np.array([(d.x_mm, d.y_mm) for k, d in enumerate(view.photo.discs) if k != view.index]).reshape(
        -1, 2
    )
    from_disc = others - view.standing.xy_mm

    def blocked(side: Array) -> int:
        ahead = from_disc @ side
        aside = np.abs(from_disc @ np.array([-side[1], side[0]]))
        return int(((ahead > 0) & (ahead < _BLOCKS_MM) & (aside < _CORRIDOR_MM)).sum())

    side = min((along, -along), key=blocked)
    at = view.standing.xy_mm
    ends = view.photo.board.view.px_from_mm(np.stack([at, at + 20.0 * side]))
    right, down = ends[1] - ends[0]
    return _DIRECTIONS[round(float(np.arctan2(down, right)) / (np.pi / 4)) % len(_DIRECTIONS)]
