"""axe-core in pages of the browser, put in once a page and asked as often as one likes."""

from collections.abc import Mapping

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Frame, Page

_ASK = """async (options) => (await axe.run(options)).violations
    .map((violation) => `${violation.id}: ${violation.nodes[0].html}`)"""
# Until nothing moves: a colour between two themes is neither, and one that moves sets off those of
# the elements within it.
_SETTLED = """async () => {
    const running = () => document.getAnimations().some((each) => each.playState === "running");
    const frame = () => new Promise((shown) => requestAnimationFrame(shown));
    for (let quiet = 0, frames = 0; quiet < 2 && frames < 200; frames += 1) {
        await frame();
        quiet = running() ? 0 : quiet + 1;
    }
}"""
# Axe writes down where nothing is wrong as well, unless it is told not to.
_ONLY_VIOLATIONS = {"resultTypes": ["violations"]}


def load_axe(page: Page) -> None:
    """Have it in every document that the page opens from now on, also in frames."""
    page.add_init_script(Axe().axe_script)


def violations(page: Page | Frame, rules: Mapping[str, object] | None = None) -> list[str]:
    """Return each rule that the document breaks with the first element that does.

    `rules` are options of `axe.run`; without them all rules are looked at.
    """
    page.evaluate(_SETTLED)
    found: list[str] = page.evaluate(_ASK, _ONLY_VIOLATIONS | dict(rules or {}))
    return found
