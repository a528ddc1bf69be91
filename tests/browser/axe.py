"""axe-core in pages of the browser, put in once a page and asked as often as one likes."""

from collections.abc import Mapping

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Frame, Page

_ASK = """async (options) => (await axe.run(options)).violations
    .map((violation) => `${violation.id}: ${violation.nodes[0].html}`)"""
# Axe writes down where nothing is wrong as well, unless it is told not to.
_ONLY_VIOLATIONS = {"resultTypes": ["violations"]}


def load_axe(page: Page) -> None:
    """Have it in every document that the page opens from now on, also in frames."""
    page.add_init_script(Axe().axe_script)


def violations(page: Page | Frame, rules: Mapping[str, object] | None = None) -> list[str]:
    """Return each rule that the document breaks with the first element that does.

    `rules` are options of `axe.run`; without them all rules are looked at.
    """
    found: list[str] = page.evaluate(_ASK, _ONLY_VIOLATIONS | dict(rules or {}))
    return found
