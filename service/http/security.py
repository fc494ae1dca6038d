"""Who may do what: one place decides, by role.

===========  ============================================================
operator     everything
viewer       reads everything but the list of tokens
camera       of one table: sends photos and what it sees, reads its table
overlay      of one table: reads it
===========  ============================================================

A service that only this machine can reach lets everybody here read, and do everything while no token is set.
Any other wants a token with every request: as ``Authorization: Bearer``, in the cookie that ``POST /session``
gives for it, or, for reading alone, as ``?token=`` in the address, because a page in OBS cannot send a
header.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal
from urllib.parse import urlsplit

from fastapi import Depends, FastAPI
from fastapi.security import HTTPBearer
from fastapi.security.http import HTTPAuthorizationCredentials
from starlette.requests import HTTPConnection

from service.http.problems import Problem
from service.http.state import Svc
from service.settings import Settings
from service.store import Store
from service.store.tokens import find_token, hash_of, is_hash_of, new_secret

Role = Literal["operator", "viewer", "camera", "overlay"]

#: Who is let in where a role is asked for.
_LETS_IN: dict[Role, frozenset[str]] = {
    "operator": frozenset({"operator"}),
    "camera": frozenset({"operator", "camera"}),
    "viewer": frozenset({"operator", "viewer", "camera", "overlay"}),
    "overlay": frozenset({"operator", "viewer", "camera", "overlay"}),
}

_READING = frozenset({"GET", "HEAD", "OPTIONS"})

#: A request with one of these came through another machine, whatever its last step was.
_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip")


@dataclass(frozen=True, slots=True)
class Acting:
    """Who sent a request: role, name, and for a camera or an overlay its table."""

    role: str
    name: str
    table: str | None = None

    def check_table(self, table: str | None) -> None:
        """Raise a `Problem` when this is somebody of another table."""
        if self.table is not None and table != self.table:
            raise _refused(f"This token is for table {self.table} alone.")


@dataclass(frozen=True, slots=True)
class Shown:
    """A token as a request showed it, and where."""

    text: str
    where: Literal["header", "cookie", "address"]


class Gate:
    """What this service demands of its callers, from its settings."""

    def __init__(self, settings: Settings) -> None:
        self.is_local = settings.is_loopback and is_loopback_host(_host_of(settings.public_url))
        self.cookie = f"crokinole_{settings.port}"
        """Cookies do not know ports; two services on one machine must not sign each other out."""
        given = settings.token.get_secret_value() if settings.token is not None else None
        self.made_token = new_secret() if given is None and not self.is_local else None
        """The operator's token for as long as the process runs, when one is needed and none was set."""
        first = given or self.made_token
        self._first_hash = hash_of(first) if first is not None else None

    def who(self, connection: HTTPConnection, store: Store) -> Acting:
        """Who sent a request. Raises `Problem` for one who may not even knock."""
        shown = self.shown(connection)
        acting = self.known(shown.text, store) if shown is not None else None
        if acting is None or shown is None or shown.where == "cookie":
            # Nothing that a browser adds by itself may be used by the page of another site.
            _check_same_site(connection)
        if acting is None and (shown is None or shown.where == "cookie"):
            acting = self._without_token(connection)
        if acting is None:
            raise _unknown(shown)
        if shown is not None and shown.where == "address" and acting.role not in ("viewer", "overlay"):
            raise _refused("A token in an address may only be a viewer's or an overlay's.")
        return acting

    def shown(self, connection: HTTPConnection) -> Shown | None:
        """The token a request carries, if any."""
        scheme, _, text = connection.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and text.strip():
            return Shown(text.strip(), "header")
        if connection.scope.get("method", "GET") in _READING and (
            asked := connection.query_params.get("token")
        ):
            return Shown(asked, "address")
        if kept := connection.cookies.get(self.cookie):
            return Shown(kept, "cookie")
        return None

    def known(self, text: str, store: Store) -> Acting | None:
        """Who a token makes its bearer, or None when it is not in force."""
        if self._first_hash is not None and is_hash_of(self._first_hash, text):
            return Acting("operator", "operator")
        with store.read() as connection:
            found = find_token(connection, text)
        return Acting(found.role, found.name, found.table) if found is not None else None

    def _without_token(self, connection: HTTPConnection) -> Acting | None:
        if not self.is_local or any(name in connection.headers for name in _FORWARDED):
            return None
        return Acting("viewer" if self._first_hash is not None else "operator", "local")


def install(app: FastAPI, settings: Settings) -> None:
    """Give the application its gate."""
    app.state.gate = Gate(settings)


def gate_of(connection: HTTPConnection) -> Gate:
    """The gate a request came to."""
    found: Gate = connection.app.state.gate
    return found


#: Declared for the description of the interface; what it finds is not used, `Gate.shown` looks itself.
_bearer = HTTPBearer(
    auto_error=False, description="A token; not needed on the machine of the service itself."
)


def require(role: Role) -> Callable[..., Acting]:
    """Return a dependency that lets in who may act as ``role`` here, and says who it is.

    Somebody of one table is let in only where the address names that table; a route that learns the table
    from the body asks `Acting.check_table`.
    """

    def acting(
        connection: HTTPConnection,
        service: Svc,
        _declared: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
    ) -> Acting:
        return let_in(role, connection, service.store)

    return acting


def let_in(role: Role, connection: HTTPConnection, store: Store) -> Acting:
    """Who sent this request or WebSocket, if they may act as ``role`` on it. Raises `Problem`."""
    acting = gate_of(connection).who(connection, store)
    if acting.role not in _LETS_IN[role]:
        raise _refused(f"This needs {_WORDS[role]}; yours is {_WORDS.get(acting.role, acting.role)}.")
    table = connection.path_params.get("table")
    if table is not None or role != "camera":
        acting.check_table(table)
    return acting


_WORDS = {
    "operator": "an operator's token",
    "viewer": "a viewer's token",
    "camera": "a camera's token",
    "overlay": "an overlay's token",
}


def is_loopback_host(host: str | None) -> bool:
    """Whether a name or number in an address means this machine; None, for no address, does."""
    if host is None or host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _host_of(url: str | None) -> str | None:
    return urlsplit(url).hostname if url is not None else None


def _check_same_site(connection: HTTPConnection) -> None:
    is_socket = connection.scope["type"] == "websocket"
    if not is_socket and connection.scope["method"] in _READING:
        # What a page of another site reads this way its browser does not show it: there are no CORS headers.
        return
    site = connection.headers.get("sec-fetch-site")
    origin = connection.headers.get("origin")
    is_other = site is not None and site not in ("same-origin", "none")
    if origin is not None and urlsplit(origin).netloc != connection.headers.get("host"):
        is_other = True
    if is_other:
        raise Problem(403, "cross_site", "From another site", "Pages of other sites may not do this.")


def _unknown(shown: Shown | None) -> Problem:
    challenge = {"WWW-Authenticate": "Bearer"}
    if shown is None:
        detail = "Send a token: Authorization: Bearer TOKEN, or sign in."
        return Problem(401, "token_missing", "A token is needed", detail, headers=challenge)
    detail = "This token is not known here or has been revoked."
    return Problem(401, "token_wrong", "The token is not in force", detail, headers=challenge)


def _refused(detail: str) -> Problem:
    return Problem(403, "not_allowed", "Not allowed", detail)
