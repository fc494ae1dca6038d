"""Matches and readings made by hand for the tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import insert

from scoring.lineup import Lineup
from scoring.presets import preset
from service.matches.matches import Matches, NewMatch
from service.matches.writing import By
from service.store import Store
from service.store.feed import messages_after
from service.store.moments import now
from service.store.tables import photos, readings

BY = By("Ann", "req-1")


def seen(
    id: int, team: str, line: int, *, region: int | None = None, verdict: str = "clear", touch: float = 0.0
) -> dict[str, Any]:
    """A disc of a reading on the board inside a line."""
    return {
        "id": id,
        "team": team,
        "place": "board",
        "region": line if region is None else region,
        "points": line,
        "line": {
            "name": str(line),
            "clearance_mm": 0.4,
            "sigma_mm": 0.2,
            "touch_probability": touch,
            "verdict": verdict,
        },
    }


def elsewhere(id: int, team: str, place: str, region: int = 0) -> dict[str, Any]:
    """A disc of a reading that is not on the board."""
    return {"id": id, "team": team, "place": place, "region": region, "points": region, "line": None}


def reading_body(*discs: Mapping[str, Any], twenties: Mapping[str, int] | None = None) -> dict[str, Any]:
    counts = twenties or {}
    sides = [{"team": team, "twenties": counts.get(team, 0)} for team in ("dark", "light")]
    return {
        "photo": "a.jpg",
        "ring_radii_mm": [101.6, 203.2, 304.8],
        "discs": [dict(disc) for disc in discs],
        "sides": sides,
        "needs_review": [],
    }


def add_reading(store: Store, id: str, body: dict[str, Any], table: str | None = None) -> str:
    """Keep a reading as the photo desk does."""
    sha256 = id.encode().hex().ljust(64, "0")[:64]
    with store.write() as connection:
        connection.execute(
            insert(photos).values(
                sha256=sha256,
                size=1,
                media_type="image/jpeg",
                name="a.jpg",
                width_px=1,
                height_px=1,
                created_at=now(),
            )
        )
        connection.execute(
            insert(readings).values(
                id=id, photo_sha256=sha256, table_name=table, created_at=now(), options={}, body=body
            )
        )
    return id


class Playing:
    """A match being played in a store; each method is one change in a transaction of its own."""

    def __init__(
        self, store: Store, *, rules: str = "nca", options: tuple[str, ...] = (), **given: Any
    ) -> None:
        self.store = store
        self.matches = Matches(store)
        new = NewMatch(
            **{
                "table": "1",
                "lineup": Lineup.single("Anna", "Ben"),
                "rules": preset(rules, *options),
                "colours": {},
                **given,
            }
        )
        with store.write() as connection:
            self.match = self.matches.create(connection, new, BY)

    def __getattr__(self, name: str) -> Any:
        """A change by its name: ``playing.score(facts)``."""
        method = getattr(self.matches, name)

        def change(*given: Any, by: By = BY) -> dict[str, Any]:
            with self.store.write() as connection:
                self.match = method(connection, self.match["id"], *given, by)
            return self.match

        return change

    @property
    def id(self) -> str:
        id: str = self.match["id"]
        return id

    @property
    def rounds(self) -> list[dict[str, Any]]:
        return [each for game in self.match["state"]["games"] for each in game["rounds"]]

    def messages(self, table: str = "1") -> list[dict[str, Any]]:
        with self.store.read() as connection:
            return messages_after(connection, table, 0)
