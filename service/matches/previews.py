"""What a round would count, with nothing stored, and which corrections of it are likeliest."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from scoring.events import Correction, Entry, Event, MeasuredRound, RoundScored
from scoring.record import replay
from scoring.regions import Lie, Place, Touch, points_of, region_if, region_of
from scoring.rounds import RoundDisc, RoundScore, score_round
from scoring.swing import Call
from service.matches.entries import Told
from service.matches.match_json import state_json
from service.matches.stored import Stored
from service.matches.words import find_round, score_words
from service.matches.writing import appended

#: What a preview of a correction says as its reason; it is never stored.
_PREVIEW = "preview"

#: More suggestions than fit under a thumb help nobody.
MOST_SUGGESTIONS = 8


def preview(stored: Stored, told: Told, corrects: int | None = None) -> dict[str, Any]:
    """Return the round as it would count, and the match after it. Raises `Impossible`."""
    number = len(stored.record.events)
    event: Event = RoundScored(told.entry) if corrects is None else Correction(corrects, told.entry, _PREVIEW)
    evidence = dict(stored.evidence)
    if told.evidence is not None:
        evidence[number] = told.evidence
    after = replace(stored, record=appended(stored.record, event), evidence=evidence)
    played = find_round(replay(after.record), number if corrects is None else corrects)
    assert played is not None, "a round that was appended is in force"
    result = played.result
    return {
        "event": corrects,
        "game": played.game,
        "round": played.round,
        "basis": str(result.basis),
        "winner": result.winner,
        "difference": result.difference,
        "awarded": list(result.awarded),
        "totals": None if result.totals is None else list(result.totals),
        "twenties": None if result.twenties is None else list(result.twenties),
        "words": score_words(result, stored.record.lineup.names),
        "discs": _discs(stored, told.entry),
        "teams": None if told.evidence is None else dict(told.evidence.teams),
        "needs_review": _reviews(stored, told.entry),
        "state": state_json(after),
    }


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Something a round may have been instead; ``probability`` is None where nothing was measured."""

    disc: int
    region: int
    words: str
    probability: float | None
    decides: bool


def suggestions(stored: Stored, entry: Entry, event: int) -> list[dict[str, Any]]:
    """Return what a round may have been instead, likeliest first, each ready to be sent as a correction."""
    if not isinstance(entry, MeasuredRound):
        return []
    found = _suggestions(stored, entry)
    found.sort(key=lambda each: (-(each.probability or 0.0), not each.decides, each.disc))
    return [_suggested(stored, entry, event, each) for each in found[:MOST_SUGGESTIONS]]


def _suggestions(stored: Stored, entry: MeasuredRound) -> list[Suggestion]:
    score = _scored(stored, entry)
    found = [_other_answer(entry, call) for call in score.swing.calls]
    for disc in entry.discs:
        if disc.lie.place is Place.HOLE:
            # Whether a disc in the hole leans is looked at, not measured: no probability is made up.
            other = Lie.in_hole(flat=not disc.lie.flat)
            words = f"disc {disc.id} {'lies flat in' if other.flat else 'leans on'} the hole"
            decides = _outcome(_scored(stored, _with(entry, disc, other))) != _outcome(score)
            found.append(Suggestion(disc.id, region_of(other), words, None, decides))
    return found


def _other_answer(entry: MeasuredRound, call: Call) -> Suggestion:
    lie = next(disc.lie for disc in entry.discs if disc.id == call.disc)
    touching = not lie.likely_touching
    chance = call.contact.touch_probability if touching else 1.0 - call.contact.touch_probability
    words = f"disc {call.disc} is {'on' if touching else 'clear of'} the {call.contact.line} line"
    return Suggestion(call.disc, region_if(lie, touching), words, round(chance, 4), call.decides)


def _suggested(stored: Stored, entry: MeasuredRound, event: int, each: Suggestion) -> dict[str, Any]:
    disc = next(disc for disc in entry.discs if disc.id == each.disc)
    changed = _with(entry, disc, _settled(disc.lie, each.region))
    seen = preview(stored, Told(changed), event)
    decision = {"disc": each.disc, "region": each.region, "why": each.words}
    if disc.lie.place is Place.HOLE:
        decision["place"] = "hole"
    return {
        "words": each.words,
        "probability": each.probability,
        "decides": each.decides,
        "correction": {"decisions": [decision], "reason": each.words},
        "round": {key: seen[key] for key in ("winner", "difference", "awarded", "totals", "words")},
    }


def _settled(lie: Lie, region: int) -> Lie:
    if lie.line is None:
        return Lie.in_hole(flat=region == 20)
    return Lie.touching(lie.line) if region_if(lie, True) == region else Lie.clear(lie.line)


def _with(entry: MeasuredRound, disc: RoundDisc, lie: Lie) -> MeasuredRound:
    discs = tuple(replace(each, lie=lie) if each.id == disc.id else each for each in entry.discs)
    return replace(entry, discs=discs)


def _scored(stored: Stored, entry: MeasuredRound) -> RoundScore:
    record = stored.record
    return score_round(entry.discs, record.lineup.names, dict(entry.twenties), record.rules)


def _outcome(score: RoundScore) -> tuple[str | None, tuple[int, ...]]:
    return score.winner, tuple(side.awarded for side in score.sides)


def _discs(stored: Stored, entry: Entry) -> list[dict[str, Any]] | None:
    if not isinstance(entry, MeasuredRound):
        return None
    return [
        {
            "id": disc.id,
            "side": disc.side,
            "place": str(disc.lie.place),
            "region": region_of(disc.lie),
            "points": points_of(disc.lie, stored.record.rules),
            "touch_probability": disc.lie.touch_probability if disc.lie.touch is Touch.UNSURE else None,
        }
        for disc in entry.discs
    ]


def _reviews(stored: Stored, entry: Entry) -> list[dict[str, Any]]:
    """The close calls that are still open, those that decide the round first."""
    if not isinstance(entry, MeasuredRound):
        return []
    calls = _scored(stored, entry).swing.calls
    return [
        {
            "disc": call.disc,
            "why": f"too close to the {call.contact.line} line: {call.contact.clear_points} if it is clear, "
            f"{call.contact.touching_points} if it touches",
            "decides": call.decides,
        }
        for call in sorted(calls, key=lambda call: (not call.decides, call.disc))
    ]
