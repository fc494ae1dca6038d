"""What a route asks for by its arguments' types: the service, who acts, and how a change was asked for."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends

from service.http.security import Acting, require
from service.http.state import Service, Svc

#: Anybody who may read.
Actor = Annotated[Acting, Depends(require("viewer"))]

#: Somebody who may change matches.
Operator = Annotated[Acting, Depends(require("operator"))]

__all__ = ["Acting", "Actor", "Operator", "Service", "Svc"]
