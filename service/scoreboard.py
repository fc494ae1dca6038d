"""A scored photo as the scoreboard of its drawing, so that the drawing says what is printed."""

from __future__ import annotations

from service.compose import ScoredPhoto
from vision.draw_score import Scoreboard, Side


def scoreboard_of(scored: ScoredPhoto) -> Scoreboard:
    """Names, totals with the removed 20s, the winner, and each disc to look at again with its reason."""
    teams = {disc.id: disc.team for disc in scored.seen.discs}
    return Scoreboard(
        sides=tuple(
            Side(side.side, scored.names.get(side.side, side.side), side.total) for side in scored.score.sides
        ),
        ahead=scored.score.winner,
        headline=scored.result_words,
        review=tuple(f"disc {each.disc} ({teams[each.disc]}): {each.why}" for each in scored.review),
        note=_note(scored),
    )


def _note(scored: ScoredPhoto) -> str:
    if not scored.twenties_given:
        return "Points on the board; 20s removed during play are not in the picture."
    counts = ", ".join(f"{scored.called(side.side)} {side.twenties}" for side in scored.score.sides)
    return f"20s removed during play, as given and counted in: {counts}."
