"""Bodies that tell a round: by a reading, by totals, by places, or as changes to what was counted before."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from service.http.schemas import Body, Name, Places, ReadingId, Reason, Totals, Twenties, Word
from service.matches.facts import AmendedRound, Decision, Facts, PlacedRound, ReadRound, ToldRound

_Mm = Annotated[float, Field(ge=-1000, le=1000, allow_inf_nan=False)]


class DecisionBody(Body):
    """What you say of one disc. Without ``disc`` it is one that the photo does not show."""

    disc: Annotated[int | None, Field(ge=1, le=1000)] = None
    region: Annotated[Literal[20, 15, 10, 5, 0] | None, Field(description="Where it lies.")] = None
    place: Annotated[
        Literal["hole", "ditch", "off"] | None, Field(description="`off`: it belongs to neither side.")
    ] = None
    side: Annotated[Name | None, Field(description="Whose it is, if that was seen wrong.")] = None
    why: Reason
    who: Annotated[Name | None, Field(description="Who decided; you when not given.")] = None

    at_mm: Annotated[
        tuple[_Mm, _Mm] | None,
        Field(
            strict=False,
            description="Where a disc lies that the photo does not show, on the reading's board; for the "
            "pictures only.",
        ),
    ] = None

    def plain(self) -> Decision:
        """As the matches take it."""
        return Decision(self.disc, self.region, self.place, self.side, self.why, self.who, self.at_mm)


Decisions = Annotated[list[DecisionBody], Field(max_length=100)]


Teams = Annotated[dict[Word, Name], Field(max_length=4, default_factory=dict)]


class ReadBody(Body):
    """A round from a reading. ``teams`` says which side plays which colour, where that is not clear."""

    reading: ReadingId
    teams: Teams
    twenties: Annotated[
        Twenties | None, Field(description="20s removed during play; those given with the photo else.")
    ] = None
    decisions: Decisions = Field(default_factory=list)

    def facts(self) -> Facts:
        """As the matches take it."""
        plain = tuple(each.plain() for each in self.decisions)
        return ReadRound(self.reading, self.teams, self.twenties, plain)


class TotalsBody(Body):
    """A round typed in: each side's total, 20s included."""

    totals: Totals
    twenties: Twenties | None = None

    def facts(self) -> Facts:
        """As the matches take it."""
        return ToldRound(self.totals, self.twenties)


class PlacesBody(Body):
    """A round of which only the places are known: 1 is best, a tie shares a place."""

    places: Places
    difference: Annotated[int | None, Field(ge=0, le=5000, multiple_of=5)] = None
    twenties: Twenties | None = None

    def facts(self) -> Facts:
        """As the matches take it."""
        return PlacedRound(self.places, self.difference, self.twenties)


class AmendBody(Body):
    """A round as it was counted, but for these discs, 20s and colours."""

    decisions: Decisions = Field(default_factory=list)
    twenties: Twenties | None = None
    teams: Annotated[
        Teams,
        Field(description="Which side plays which colour after all: every disc goes with its colour."),
    ]

    def facts(self) -> Facts:
        """As the matches take it."""
        return AmendedRound(self.twenties, tuple(each.plain() for each in self.decisions), self.teams)


class _Reasoned(Body):
    reason: Reason
    who: Annotated[Name | None, Field(description="Who decided; you when not given.")] = None


class ReadCorrection(ReadBody, _Reasoned):
    """The round as another reading has it."""


class TotalsCorrection(TotalsBody, _Reasoned):
    """The round as typed in."""


class PlacesCorrection(PlacesBody, _Reasoned):
    """The round by its places."""


class AmendCorrection(AmendBody, _Reasoned):
    """The round as it was counted, but for these discs, 20s and colours."""


def _kind(given: Any) -> str:
    for key in ("reading", "totals", "places"):
        if (key in given) if isinstance(given, dict) else hasattr(given, key):
            return key
    return "decisions"


RoundBody = Annotated[
    Annotated[ReadBody, Tag("reading")]
    | Annotated[TotalsBody, Tag("totals")]
    | Annotated[PlacesBody, Tag("places")],
    Discriminator(
        _kind, custom_error_type="round", custom_error_message="give one of: a reading, totals, places"
    ),
]
CorrectionBody = Annotated[
    Annotated[ReadCorrection, Tag("reading")]
    | Annotated[TotalsCorrection, Tag("totals")]
    | Annotated[PlacesCorrection, Tag("places")]
    | Annotated[AmendCorrection, Tag("decisions")],
    Discriminator(_kind),
]
AmendPreview = Annotated[
    Annotated[ReadBody, Tag("reading")]
    | Annotated[TotalsBody, Tag("totals")]
    | Annotated[PlacesBody, Tag("places")]
    | Annotated[AmendBody, Tag("decisions")],
    Discriminator(_kind),
]
