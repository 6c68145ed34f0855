#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors
"""Opens a report of redtune in a browser without a window, and uses it.

    report_in_browser.py PAGE [PICTURES]   PAGE: of a run with several trials; PICTURES: a folder for pictures of
                                           it, narrow and wide, light and dark, to be looked at
    report_in_browser.py --tune PROGRAM MODULES   the page is of a small run that is made for it

Says "skipped: ..." and ends with 77 where there is no Chromium.
"""

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
           "--disable-background-networking", "--disable-dev-shm-usage", "--remote-debugging-pipe"]
WIDTHS = (400, 800, 1400)
SCHEMES = ("light", "dark")

# Each is true on a page as it should be.
CHECKS = {
    "nothing is wider than the window":
        "document.documentElement.scrollWidth <= document.documentElement.clientWidth",
    "every drawing that is shown has a width": """
        [...document.querySelectorAll('svg')].every(one =>
          one.closest('[hidden]') || one.getBoundingClientRect().width > 200)""",
    "no text of a drawing is outside of it": """
        [...document.querySelectorAll('svg')].every(drawing => {
          const frame = drawing.getBoundingClientRect();
          return [...drawing.querySelectorAll('text')].every(text => {
            const box = text.getBoundingClientRect();
            return box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.bottom <= frame.bottom + 1;
          });
        })""",
    "no text of a drawing lies on another": """
        [...document.querySelectorAll('svg')].every(drawing => {
          const boxes = [...drawing.querySelectorAll('text:not(.halo)')].map(text => text.getBoundingClientRect());
          return boxes.every((a, i) => boxes.slice(i + 1).every(b =>
            a.right - 1 <= b.left || b.right - 1 <= a.left || a.bottom - 4 <= b.top || b.bottom - 4 <= a.top));
        })""",
    "the style sheet is let in": "getComputedStyle(document.querySelector('.facts')).display === 'grid'",
}
USES = {
    "the controls are there": "!document.getElementById('controls').hidden",
    "a head sorts its column up and down": """
        (() => {
          const table = document.getElementById('trials');
          const column = [...table.tHead.rows[0].cells].findIndex(head => head.textContent === 'trial');
          const head = () => table.tHead.rows[0].cells[column];
          const numbers = () => [...table.tBodies[0].rows].map(row => Number(row.cells[column].textContent));
          const rises = list => list.every((one, i) => i === 0 || list[i - 1] <= one);
          head().querySelector('button').click();
          const up = rises(numbers()) && head().getAttribute('aria-sort') === 'ascending';
          head().querySelector('button').click();
          return up && rises(numbers().reverse()) && head().getAttribute('aria-sort') === 'descending';
        })()""",
    "what is not known comes last in both directions": """
        (() => {
          const table = document.getElementById('trials');
          const column = [...table.tHead.rows[0].cells].findIndex(head => head.textContent === 'time µs');
          const button = table.tHead.rows[0].cells[column].querySelector('button');
          return [1, 2].every(() => {
            button.click();
            const empty = [...table.tBodies[0].rows].map(row => row.cells[column].textContent === '');
            return empty.every((one, i) => i === 0 || one || !empty[i - 1]);
          });
        })()""",
    "words and the status leave rows out": """
        (() => {
          const rows = [...document.getElementById('trials').tBodies[0].rows];
          const shown = () => rows.filter(row => !row.hidden).length;
          const filter = document.getElementById('filter');
          const type = text => { filter.value = text; filter.dispatchEvent(new Event('input')); };
          type('trial=1');
          const one = shown() === 1 && document.getElementById('shown').textContent.startsWith('1 of ');
          type('no such word');
          const none = shown() === 0;
          type('');
          const status = document.getElementById('status');
          status.value = 'ok';
          status.dispatchEvent(new Event('change'));
          const fits = rows.every(row => row.hidden !== (row.cells[2].textContent === 'ok'));
          status.value = '';
          status.dispatchEvent(new Event('change'));
          return one && none && fits && shown() === rows.length;
        })()""",
    "a choice shows one map of two tunables, and no text of it lies on another": """
        (() => {
          const choice = document.getElementById('pair');
          const maps = [...document.getElementById('pairs').children];
          const overlap = boxes => boxes.some((a, i) => boxes.slice(i + 1).some(b =>
            a.right - 1 > b.left && b.right - 1 > a.left && a.bottom - 4 > b.top && b.bottom - 4 > a.top));
          const first = choice.value;
          const good = [...choice.options].every(option => {
            choice.value = option.value;
            choice.dispatchEvent(new Event('change'));
            const shown = maps.filter(map => map.getBoundingClientRect().height > 0);
            return shown.length === 1 && shown[0].id === option.value &&
              !overlap([...shown[0].querySelectorAll('svg text')].map(text => text.getBoundingClientRect()));
          });
          choice.value = first;
          choice.dispatchEvent(new Event('change'));
          return good && maps.length > 1;
        })()""",
    "a script from elsewhere does not run": """
        (() => {
          const script = document.createElement('script');
          script.textContent = 'window.stranger = true';
          document.body.append(script);
          script.remove();
          return window.stranger === undefined;
        })()""",
}


class Browser:
    """Chromium, spoken to through a pipe."""

    def __init__(self, program, folder):
        to_browser, self.requests = os.pipe()
        self.answers, from_browser = os.pipe()

        def give_pipes():
            # The browser reads 3 and writes 4, whatever numbers the ends have here.
            reading, writing = os.dup(to_browser), os.dup(from_browser)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        self.process = subprocess.Popen([program, *OPTIONS, f"--user-data-dir={folder}", "about:blank"],
                                        preexec_fn=give_pipes, pass_fds=(3, 4, to_browser, from_browser),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.pending = b""
        self.number = 0
        self.session = None
        self.complaints = []
        self.has_loaded = False

    def read(self):
        while b"\0" not in self.pending:
            piece = os.read(self.answers, 1 << 16)
            if not piece:
                raise RuntimeError("the browser has ended")
            self.pending += piece
        text, self.pending = self.pending.split(b"\0", 1)
        message = json.loads(text)
        method = message.get("method", "")
        if method in ("Log.entryAdded", "Runtime.exceptionThrown"):
            self.complaints.append(json.dumps(message["params"])[:400])
        self.has_loaded = self.has_loaded or method == "Page.loadEventFired"
        return message

    def ask(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.requests, json.dumps(request).encode() + b"\0")
        while True:
            message = self.read()
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]

    def open(self, page):
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Log", "Runtime", "Page"):
            self.ask(f"{domain}.enable")
        self.ask("Page.navigate", url=page.resolve().as_uri())
        while not self.has_loaded:
            self.read()

    def look(self, width, scheme):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def is_true(self, expression):
        result = self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        return "exceptionDetails" not in result and result["result"].get("value") is True

    def picture(self, file):
        size = self.ask("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 9000), "scale": 1}
        shot = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        file.write_bytes(base64.b64decode(shot["data"]))


def faults_of(browser, pictures):
    faults = []
    for width in WIDTHS:
        for scheme in SCHEMES:
            browser.look(width, scheme)
            faults += [f"{width} pixels, {scheme}: not so: {name}" for name, check in CHECKS.items()
                       if not browser.is_true(check)]
            if pictures:
                browser.picture(pictures / f"{width}-{scheme}.png")
    faults += [f"the browser complains: {complaint}" for complaint in browser.complaints]
    faults += [f"not so: {name}" for name, use in USES.items() if not browser.is_true(use)]
    return faults


def page_of_a_tune(program, modules, folder):
    places = ("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR")
    environment = os.environ | dict.fromkeys(places, str(folder)) | {"REDTUNE_MODULE_PATH": modules}
    page = folder / "page.html"
    tune = ["tune", "--device", "host", "--count", "2^16", "--budget", "20", "--force-noisy"]
    for words in (tune, ["report", "1", "--out", str(page)]):
        subprocess.run([program, *words], env=environment, check=True, capture_output=True)
    return page


def main():
    chromium = shutil.which("chromium")
    if not chromium:
        print("skipped: needs Chromium")
        sys.exit(77)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        pictures = None
        if sys.argv[1] == "--tune":
            page = page_of_a_tune(*sys.argv[2:4], folder)
        else:
            page = Path(sys.argv[1])
            pictures = Path(sys.argv[2]) if len(sys.argv) > 2 else None
        browser = Browser(chromium, folder / "profile")
        try:
            browser.open(page)
            faults = faults_of(browser, pictures)
        finally:
            browser.process.terminate()
            browser.process.wait()
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
