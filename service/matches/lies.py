"""Discs of a stored reading as the rules engine takes them, and what people decide about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoring.regions import Lie, Place, Touch, region_if, region_of
from scoring.rounds import RoundDisc
from service.matches.facts import Decision
from service.matches.refusals import Impossible

_TOUCH = {"clear": Touch.NO, "touching": Touch.YES, "too_close": Touch.UNSURE}

#: Stands for no disc at all in what was or what is.
NOTHING: dict[str, Any] = {"side": None, "place": "off", "region": 0}


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision carried out: what the disc was, and what it is now."""

    disc: int
    was: Mapping[str, Any]
    now: Mapping[str, Any]
    by: Decision


def seen_discs(body: Mapping[str, Any], teams: Mapping[str, str]) -> tuple[RoundDisc, ...]:
    """Return a reading's discs with their sides; one beside the board belongs to no round.

    Raises `Impossible` for a reading that does not have the documented form.
    """
    try:
        return tuple(
            RoundDisc(int(disc["id"]), teams[disc["team"]], lie_of(disc))
            for disc in body["discs"]
            if disc["place"] != "off"
        )
    except (KeyError, TypeError, ValueError) as error:
        raise Impossible("This reading does not have the form of a reading.") from error


def lie_of(disc: Mapping[str, Any]) -> Lie:
    """Return where a disc of a reading lies. One in the hole that is no 20 leans on its edge."""
    place = Place(disc["place"])
    line = disc["line"]
    if place is not Place.BOARD or line is None:
        return Lie(place, None, Touch.NO, 0.0, not (place is Place.HOLE and disc["region"] != 20))
    return Lie(place, int(line["name"]), _TOUCH[line["verdict"]], float(line["touch_probability"]))


def given_anew(
    discs: Sequence[RoundDisc], before: Mapping[str, str], now: Mapping[str, str]
) -> tuple[RoundDisc, ...]:
    """Return discs with their sides after team words were given to other sides: each goes with its colour."""
    new_side = {before[word]: now[word] for word in before}
    return tuple(replace(disc, side=new_side.get(disc.side, disc.side)) for disc in discs)


def decide(
    discs: Sequence[RoundDisc],
    decisions: Sequence[Decision],
    teams: Mapping[str, str],
    sides: Sequence[str],
    *,
    seen: Sequence[RoundDisc] = (),
    most: int = 0,
) -> tuple[tuple[RoundDisc, ...], tuple[Decided, ...]]:
    """Return the discs as people say they lay, and what that changed. Raises `Impossible`.

    ``seen`` are the discs as the reading has them: one that was taken off before is put back as it was seen.
    ``most`` is the highest number that the reading gave a disc, also one that belongs to no round.
    """
    by_id = {disc.id: disc for disc in discs}
    as_seen = {disc.id: disc for disc in seen}
    done = []
    for decision in decisions:
        id = decision.disc if decision.disc is not None else max(most, *by_id, 0) + 1
        old = by_id.pop(id, None)
        base = old or as_seen.get(id)
        if base is None and decision.disc is not None and decision.side is None:
            raise Impossible(f"There is no disc {id} in this round; to add one, say which side it is.")
        new = _decided(id, base, decision, _side(decision.side, teams, sides))
        if new is not None:
            by_id[id] = new
        now = _told(new)
        if new is not None and decision.at_mm is not None:
            now = {**now, "at_mm": list(decision.at_mm)}
        done.append(Decided(id, _told(old), now, decision))
    return tuple(sorted(by_id.values(), key=lambda disc: disc.id)), tuple(done)


def place_decided(now: Mapping[str, Any]) -> tuple[float, float] | None:
    """Return where a person said that a disc lies, out of what was kept of the decision; None if nowhere."""
    match now.get("at_mm"):
        case [float() | int() as x_mm, float() | int() as y_mm]:
            return float(x_mm), float(y_mm)
    return None


def _decided(id: int, old: RoundDisc | None, decision: Decision, side: str | None) -> RoundDisc | None:
    if decision.place == "off":
        return None
    side = side or (old.side if old is not None else None)
    if side is None:
        raise Impossible("To add a disc that was not seen, say which side it is.")
    lie = _lie(None if old is None else old.lie, decision)
    return RoundDisc(id, side, lie) if old is None else replace(old, side=side, lie=lie)


def _lie(old: Lie | None, decision: Decision) -> Lie:
    if decision.place == "hole":
        return Lie.in_hole(flat=decision.region in (None, 20))
    if decision.place == "ditch":
        return Lie.in_ditch()
    if decision.region is None:
        if old is None:
            raise Impossible("To add a disc that was not seen, say which region it lies in.")
        return old
    if old is not None and old.line is not None:
        # An overruled close call stays a call at its line: at the shooting line a rule may hang on it.
        for touching, lie in ((False, Lie.clear(old.line)), (True, Lie.touching(old.line))):
            if region_if(old, touching) == decision.region:
                return replace(lie, flat=old.flat)
    if decision.region == 20:
        return Lie.in_hole()
    return Lie.clear(decision.region) if decision.region else Lie.in_ditch()


def _told(disc: RoundDisc | None) -> dict[str, Any]:
    if disc is None:
        return NOTHING
    return {"side": disc.side, "place": str(disc.lie.place), "region": region_of(disc.lie)}


def _side(word: str | None, teams: Mapping[str, str], sides: Sequence[str]) -> str | None:
    if word is None or word in sides:
        return word
    if word not in teams:
        raise Impossible(f"There is no side {word!r}; there are {', '.join(sides)}.")
    return teams[word]
