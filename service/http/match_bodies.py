"""Bodies that begin a match, and those that tell what else happens in one."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from scoring.errors import ScoringError
from scoring.lineup import Lineup, Side
from scoring.presets import DEFAULT, preset, preset_names
from service.http.schemas import Body, Name, Reason, TableName, Text, Twenties, Word
from service.matches.matches import NewMatch
from service.matches.refusals import Impossible, sentence

PresetName = Annotated[
    str,
    Field(max_length=40, description="One of the presets.", json_schema_extra={"enum": [*preset_names()]}),
]


class SideBody(Body):
    """A side: a name, its players if there are two, and the colour it plays."""

    name: Name
    players: Annotated[list[Name] | None, Field(min_length=1, max_length=2)] = None
    colour: Annotated[Word | None, Field(description="The colour word of its discs, as readings say it.")] = (
        None
    )


class RulesBody(Body):
    """Rules by preset and its options."""

    preset: PresetName = DEFAULT
    options: Annotated[list[Word], Field(max_length=10, default_factory=list)]


class NewMatchBody(Body):
    """A match to begin on a table, which is made when it is first named."""

    table: TableName
    sides: Annotated[list[SideBody], Field(min_length=2, max_length=4)]
    rules: PresetName | RulesBody = DEFAULT
    first: Annotated[
        Annotated[int, Field(ge=0, le=3)] | Name,
        Field(description="Who starts the first round: a player's name, or a seat, clockwise from 0."),
    ] = 0
    event_name: Text | None = None

    def plain(self) -> NewMatch:
        """As the matches take it. Raises `Impossible`."""
        rules = RulesBody(preset=self.rules, options=[]) if isinstance(self.rules, str) else self.rules
        colours = {side.name: side.colour for side in self.sides if side.colour is not None}
        if len(set(colours.values())) < len(colours):
            raise Impossible("Two sides cannot play the same colour.")
        try:
            lineup = Lineup(tuple(Side(side.name, tuple(side.players or [side.name])) for side in self.sides))
            named = preset(rules.preset, *rules.options)
        except ScoringError as error:
            raise Impossible(sentence(error)) from error
        return NewMatch(self.table, lineup, named, colours, self.first, self.event_name)


class PenaltyBody(Body):
    """Points a referee takes off a side's score."""

    side: Name
    points: Annotated[int, Field(ge=1, le=1000)]
    reason: Reason


class ForfeitBody(Body):
    """A side loses without play."""

    side: Name
    scope: Literal["round", "game", "match"]
    reason: Reason


class ShotBody(Body):
    """A shot, and the 20s removed after it."""

    player: Name
    verdict: Literal["valid", "invalid", "unsure"] = "valid"
    twenties: Twenties = Field(default_factory=dict)


class ShootOutBody(Body):
    """One stage of a shoot-out: how many 20s each side made."""

    twenties: Twenties


class FinishBody(Body):
    """Why a match ends before its rules end it."""

    reason: Reason
