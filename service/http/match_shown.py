"""What answers about matches look like, for the interface's description."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from service.http.schemas import Shown


class FormatShown(Shown):
    """How a game and a match end; ``words`` says it for people."""

    words: str
    rounds: int | None
    target: int | None
    win_by: int
    tie: str
    best_of: int
    match_tie: str


class RulesShown(Shown):
    """Every setting in force."""

    name: str
    format: FormatShown
    award: str
    award_many: str
    placings: list[int]
    discs_singles: int
    discs_doubles: int
    discs_many: int
    line_disc_points: int
    tilted_out: bool
    contact_required: bool
    direct_hit: bool
    peg_contact: bool
    open_table: str
    open_combination: bool
    contact_removes: str
    open_removes: str
    foul_takes_twenties: bool
    illegal_start_is_foul: bool
    shooter_off_removes_own: bool
    crossing: str
    round_start: str
    doubles_order: str
    horn: str


class MatchRulesShown(RulesShown):
    """The rules of a match; ``discs_a_side`` in a round."""

    discs_a_side: int


class SideShown(Shown):
    """A side of a match."""

    name: str
    players: list[str]
    colour: str | None


class RoundShown(Shown):
    """A round that counts. Numbers are in the order of the sides; what nobody knows is null."""

    round: int
    event: int
    basis: Literal["measured", "typed", "outcome", "forfeit"]
    starter: str
    winner: str | None
    difference: int | None
    awarded: list[int]
    totals: list[int] | None
    twenties: list[int] | None
    reading: str | None
    corrected: bool


class GameShown(Shown):
    """A game: points after awards and penalties."""

    points: list[int]
    penalties: list[int]
    over: bool
    winner: str | None
    shoot_out: list[list[int]]
    rounds: list[RoundShown]


class TurnsShown(Shown):
    """The shooting of the round being played; ``players`` are the seats clockwise, ``due`` starts it."""

    players: list[str]
    due: str
    discs_left: list[int]
    horn: bool


class StateShown(Shown):
    """Where a match stands."""

    over: bool
    winner: str | None
    next: Literal["round", "shoot_out", "nothing"]
    may_shoot: list[str]
    twenties: list[int]
    turns: TurnsShown
    games_won: list[int]
    games: list[GameShown]


class FinishShown(Shown):
    """Why people ended a match, and who."""

    reason: str
    who: str


class MatchShown(Shown):
    """A match. ``version`` grows with every change and is its ETag."""

    id: str
    table: str
    created_at: str
    version: int
    finished_at: str | None
    finish: FinishShown | None
    event_name: str
    rules: MatchRulesShown
    sides: list[SideShown]
    first: int
    state: StateShown
    may_undo: bool


class MatchList(Shown):
    """Matches, newest first; ``next`` is what to ask for ``after`` these, or null."""

    matches: list[MatchShown]
    next: str | None


class EventShown(Shown):
    """Something that happened, as it is kept; ``version`` is the match's after it."""

    number: int
    version: int
    at: str
    actor: str
    event: dict[str, Any]


class EventList(Shown):
    """What happened in a match, oldest first."""

    events: list[EventShown]


class PreviewDisc(Shown):
    """A disc as it would count."""

    id: int
    side: str
    place: Literal["board", "hole", "ditch", "off"]
    region: int
    points: int
    touch_probability: float | None


class PreviewReview(Shown):
    """A close call that is still open."""

    disc: int
    why: str
    decides: bool


class PreviewShown(Shown):
    """A round as it would count, and the match after it. ``event`` is the corrected round's, or null."""

    event: int | None
    game: int
    round: int
    basis: Literal["measured", "typed", "outcome"]
    winner: str | None
    difference: int | None
    awarded: list[int]
    totals: list[int] | None
    twenties: list[int] | None
    words: str
    discs: list[PreviewDisc] | None
    teams: dict[str, str] | None = Field(description="The side of each colour of the reading it rests on.")
    needs_review: list[PreviewReview]
    state: StateShown


class SuggestedRound(Shown):
    """What the round would be."""

    winner: str | None
    difference: int | None
    awarded: list[int]
    totals: list[int] | None
    words: str


class SuggestionShown(Shown):
    """Something the round may have been; send ``correction`` as the body of a correction to make it so."""

    words: str
    probability: float | None
    decides: bool = Field(description="Whether the winner or the points would change.")
    correction: dict[str, Any]
    round: SuggestedRound


class SuggestionList(Shown):
    """Likeliest first."""

    suggestions: list[SuggestionShown]
