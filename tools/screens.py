"""Take pictures of every page of a throw-away product on demonstration data: `make screens`."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from itertools import product as pairs
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, sync_playwright
from playwright.sync_api import Page as Tab

from tests.cluster import forget_environment
from tests.journeys.product import Product, data_folder, free_port, started

ROOT = Path(__file__).parent.parent
KEPT, INDEX = ROOT / "docs/screens", ROOT / "docs/screens.md"
EMAIL = "demo@example.org"
SIZES = {1280: 800, 768: 1024, 360: 740}
THEMES = ("light", "dark")
# What the documentation shows; all of them go to the other folder.
SHOWN = ((1280, "light"), (1280, "dark"), (360, "light"))
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@dataclass(frozen=True, slots=True)
class Shot:
    """A page in one size and theme."""

    name: str
    width: int
    theme: str

    @property
    def file(self) -> str:
        return f"{self.name}-{self.width}-{self.theme}.webp"


def main(everything: Path) -> None:
    """Write the pictures that the documentation shows, and all of them into `everything`."""
    forget_environment()
    everything.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(KEPT, ignore_errors=True)
    KEPT.mkdir(parents=True)
    with data_folder() as root:
        port = free_port()
        os.environ |= {
            "BRAIN_DATA_DIR": str(root),
            "BRAIN_PORT": str(port),
            "DJANGO_SETTINGS_MODULE": "brain.settings",
        }
        with started(root, port=port) as product:
            addresses = _addresses(product)
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(
                    executable_path=CHROMIUM, args=["--no-sandbox"]
                )
                titles = _take(browser, product, addresses, everything)
                browser.close()
    INDEX.write_text(_index(titles))


def _addresses(product: Product) -> dict[str, str]:
    """Have the demonstration told, and return the addresses of all pages by their names."""
    import django  # noqa: PLC0415

    product.manage("demo", EMAIL)
    django.setup()
    from django.test import Client  # noqa: PLC0415

    from accounts.models import User  # noqa: PLC0415
    from spaces.models import Space  # noqa: PLC0415
    from tests.pages import open_pages, pages_of  # noqa: PLC0415

    user = User.objects.get(email=EMAIL)
    client = Client(headers={"host": f"127.0.0.1:{product.port}"})
    client.force_login(user)
    english = Space.objects.get(owner=user, language="en")
    own = {page.name: page.url for page in pages_of(client, english)}
    outside = {page.name: page.url for page in open_pages()}
    return outside | own | {"not-found": "/nothing-here/"}


def _take(
    browser: Browser, product: Product, addresses: dict[str, str], everything: Path
) -> dict[str, str]:
    """Take every picture; return the titles of the pages."""
    titles: dict[str, str] = {}
    with _context(browser) as visitor, _context(browser) as person:
        _sign_in(person.new_page(), product)
        visitor.new_page().goto(f"{product.url}/sign-in/")
        for name, url in addresses.items():
            context = visitor if name in {"accounts-sign-in", "accounts-code"} else person
            tab = context.pages[0]
            for (width, height), theme in pairs(SIZES.items(), THEMES):
                shot = Shot(name, width, theme)
                tab.set_viewport_size({"width": width, "height": height})
                tab.emulate_media(color_scheme="dark" if theme == "dark" else "light")
                if name == "accounts-code":
                    tab.goto(f"{product.url}/sign-in/")
                    tab.locator("input[type=email]").fill("somebody@example.org")
                    tab.keyboard.press("Enter")
                else:
                    tab.goto(product.url + url)
                tab.wait_for_load_state("networkidle")
                # Whole pages are longer than WebP can hold.
                tab.screenshot(full_page=True, path=everything / f"{Path(shot.file).stem}.png")
                if (width, theme) in SHOWN:
                    _save(tab.screenshot(), KEPT / shot.file)
            titles[name] = tab.title()
    return titles


@contextmanager
def _context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(reduced_motion="reduce")
    yield context
    context.close()


def _sign_in(tab: Tab, product: Product) -> None:
    tab.goto(f"{product.url}/sign-in/")
    tab.locator("input[type=email]").fill(EMAIL)
    tab.keyboard.press("Enter")
    tab.locator("[data-code]").press_sequentially(product.code_for(EMAIL))
    tab.wait_for_url(f"{product.url}/")


def _save(picture: bytes, path: Path) -> None:
    with Image.open(BytesIO(picture)) as image:
        image.convert("RGB").save(path, quality=80, method=6)


def _index(titles: dict[str, str]) -> str:
    """Return the page that shows all of them."""
    lines = [
        "# Screens",
        "",
        "Every page on demonstration data (`manage.py demo`), at 1280 px in light and dark and at",
        "360 px; made by `make screens`.",
    ]
    for name, title in titles.items():
        lines += ["", f"## {title.removesuffix(' · Agents Brain')}", "", f"`{name}`", ""]
        lines += [
            f'<img src="screens/{Shot(name, width, theme).file}" '
            f'width="{330 if width > 360 else 150}" alt="{title}, {width} px, {theme}">'  # noqa: PLR2004
            for width, theme in SHOWN
        ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "var/screens"))
