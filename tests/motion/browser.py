"""What tests of HTML pages share: a headless Chromium, and what a page did in it.

A module of tests makes its own fixture of it:

    @pytest.fixture(scope="module")
    def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
        with open_browser(tmp_path_factory.mktemp("chromium")) as driver:
            yield driver
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

from conftest import needs

WIDTH, HEIGHT = 1000, 700  # small, because a processor draws what a graphics card should
_CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    "--headless",
    "--no-sandbox",  # in a container, as root
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--use-angle=swiftshader",  # WebGL without a graphics card
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--no-first-run",
    "--hide-scrollbars",
    f"--window-size={WIDTH},{HEIGHT}",
)
_LOCAL = ("file:", "data:", "blob:", "about:", "chrome:")


@contextmanager
def open_browser(folder: Path, *flags: str) -> Iterator[Chrome]:
    """Chromium with a fresh profile in a folder."""
    chromium = next(filter(shutil.which, _CHROMIUM), _CHROMIUM[0])
    binary, driver = needs(chromium), needs("chromedriver")
    options = ChromeOptions()
    options.binary_location = binary
    for flag in (*_FLAGS, *flags, f"--user-data-dir={folder / 'profile'}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    with Chrome(options=options, service=Service(driver, log_output=str(folder / "chromedriver.log"))) as browser:
        browser.set_page_load_timeout(60)
        browser.set_script_timeout(60)
        yield browser


def open_page(browser: Chrome, path: Path) -> None:
    """Show an HTML file, and forget what pages before it have said and asked for."""
    browser.get("about:blank")
    browser.get_log("browser")
    browser.get_log("performance")
    browser.get(path.absolute().as_uri())


def console_errors(browser: Chrome) -> list[str]:
    """What the page has complained about since the last look: errors and warnings of the console.

    Hints of the graphics driver about speed are not complaints of the page.
    """
    logged = [entry for entry in browser.get_log("browser") if entry["level"] in {"SEVERE", "WARNING"}]
    return [entry["message"] for entry in logged if "GL Driver Message" not in entry["message"]]


def network_requests(browser: Chrome) -> list[str]:
    """The addresses that the page has asked the network for since the last look."""
    found = []
    for entry in browser.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            url = message["params"]["request"]["url"]
            found += [] if url.startswith(_LOCAL) else [url]
    return found
