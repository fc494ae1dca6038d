"""Templates and what they are filled with: words of one language, a theme, and the page's own data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from service.web.words import Words, languages

_templates = Environment(
    loader=PackageLoader("service.web"),
    autoescape=select_autoescape(),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


@dataclass(frozen=True, slots=True)
class Look:
    """Language and theme of one visitor; no theme means as the device says."""

    words: Words
    theme: str | None


def rendered(template: str, look: Look, **data: Any) -> str:
    """The page of a template. ``data`` goes to the template, and to the page's scripts as JSON."""
    page = {"language": look.words.language, "texts": dict(look.words.texts), **data}
    return _templates.get_template(template).render(
        t=look.words, look=look, languages=languages(), page=page, **data
    )
