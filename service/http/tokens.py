"""Tokens made and taken back, and a browser's signing in and out."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Body, Depends, Path, Request, Response
from pydantic import BaseModel, ConfigDict, Field, model_validator

from service.http.deps import Operator
from service.http.problem_docs import BUSY, TOKEN_WRONG, Known, refusals
from service.http.problems import Problem
from service.http.security import Acting, Role, gate_of, require
from service.http.state import Svc
from service.store.tokens import list_tokens, make_token, revoke_token

router = APIRouter(tags=["tokens"])

TokenId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,40}$", description="The token's id.")]

#: A phone signed in on the morning of a tournament's first day is still so on its last evening.
_SIGNED_IN_S = 7 * 24 * 3600

_NO_TABLE = Known(404, "no_table", "No such table", "There is no table A; make it first with PUT /tables/A.")
_NO_TOKEN = Known(404, "no_token", "No such token", "There is no token by that id.")


class NewToken(BaseModel):
    """A token to be made. Cameras and overlays are of one table, which ``table`` names."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"role": "overlay", "table": "A", "name": "stream of table A"}]},
    )

    role: Role
    name: str = Field(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f\x7f]+$")
    table: str | None = Field(None, pattern=r"^[A-Za-z0-9_-]{1,32}$")

    @model_validator(mode="after")
    def _has_table_if_it_must(self) -> NewToken:
        if (self.role in ("camera", "overlay")) != (self.table is not None):
            raise ValueError("a camera's and an overlay's token names its table, the others none")
        return self


class TokenOut(BaseModel):
    """A token as it is listed; its text is not kept anywhere."""

    id: str
    role: Role
    table: str | None
    name: str
    created_at: str
    revoked_at: str | None


class MadeToken(TokenOut):
    """A token just made. ``token`` is its text: note it now, it cannot be shown again."""

    token: str


class TokenList(BaseModel):
    """Every token ever made, the oldest first."""

    tokens: list[TokenOut]


class SignIn(BaseModel):
    """A token to sign in with."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"token": "t_..."}]})

    token: str = Field(min_length=1, max_length=200)


class Session(BaseModel):
    """Who one is to the service."""

    role: Role
    name: str
    table: str | None


@router.post("/tokens", status_code=201, responses=refusals(_NO_TABLE))
def create_token(new: NewToken, service: Svc, _acting: Operator) -> MadeToken:
    """Make a token. Only its hash is kept."""
    with service.store.write() as connection:
        try:
            made, text = make_token(connection, new.role, new.table, new.name)
        except LookupError:
            detail = f"There is no table {new.table}; make it first with PUT /tables/{new.table}."
            raise Problem(404, "no_table", "No such table", detail) from None
    return MadeToken.model_validate({**asdict(made), "token": text})


@router.get("/tokens")
def read_tokens(service: Svc, _acting: Operator) -> TokenList:
    """List every token, also those taken back."""
    with service.store.read() as connection:
        return TokenList(tokens=[TokenOut.model_validate(asdict(token)) for token in list_tokens(connection)])


@router.delete("/tokens/{token_id}", status_code=204, responses=refusals(_NO_TOKEN))
def delete_token(token_id: TokenId, service: Svc, _acting: Operator) -> None:
    """Take a token back: it is refused from now on, and who watches with it is sent away within seconds."""
    with service.store.write() as connection:
        if not revoke_token(connection, token_id):
            raise Problem(404, "no_token", "No such token", "There is no token by that id.")


@router.post("/session", responses=refusals(TOKEN_WRONG, BUSY))
def sign_in(given: Annotated[SignIn, Body()], request: Request, response: Response, service: Svc) -> Session:
    """Exchange a token for a cookie, which page scripts cannot read and other sites cannot send."""
    gate = gate_of(request)
    acting = gate.known(given.token, service.store)
    if acting is None:
        raise Problem(401, "token_wrong", "The token is not in force", "This token is not known here.")
    response.set_cookie(
        gate.cookie,
        given.token,
        max_age=_SIGNED_IN_S,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return _session(acting)


@router.get("/session")
def read_session(acting: Annotated[Acting, Depends(require("overlay"))]) -> Session:
    """Who I am to the service."""
    return _session(acting)


@router.delete("/session", status_code=204)
def sign_out(request: Request, response: Response) -> None:
    """Forget the cookie. The token itself stays in force."""
    response.delete_cookie(gate_of(request).cookie, httponly=True, samesite="strict")


def _session(acting: Acting) -> Session:
    return Session.model_validate({"role": acting.role, "name": acting.name, "table": acting.table})
