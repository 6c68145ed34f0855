#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors
"""Opens reports of redtune in a browser without a window, and uses them.

    report_in_browser.py PAGE [PICTURES]   PAGE: any, with several rows; PICTURES: a folder for pictures of it,
                                           narrow and wide, light and dark, to be looked at
    report_in_browser.py --tune PROGRAM MODULES   pages of every kind, of small runs that are made for it

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
    "every drawing is told in words": """
        [...document.querySelectorAll('svg')].every(one => one.getAttribute('aria-labelledby').split(' ')
          .every(id => document.getElementById(id).textContent.trim() !== ''))""",
}
A4 = 718  # pixels of CSS between margins of a centimetre
PRINTED = {
    "nothing is cut off at the right": """
        [...document.querySelectorAll('table, svg')].every(one =>
          one.getBoundingClientRect().right <= document.documentElement.clientWidth + 1)""",
}
# Of every page with a table. TABLE stands for the rows and where the numbers of a column are.
TABLE = """
  const table = document.getElementById('rows');
  const heads = () => [...table.tHead.rows[0].cells];
  const rows = () => [...table.tBodies[0].rows];
  const texts = column => rows().map(row => row.cells[column].textContent.trim());
  const isNumeric = column => texts(column).some(text => text !== '' && !Number.isNaN(Number(text)));
  const rises = list => list.every((one, i) => i === 0 || list[i - 1] <= one);
"""
USES = {
    "the controls are there": "!document.getElementById('controls').hidden",
    "a head sorts its column up and down, and what is not known comes last": f"""
        (() => {{ {TABLE}
          return heads().every((head, column) => {{
            if (!isNumeric(column) || texts(column).some(text => Number.isNaN(Number(text)))) return true;
            return [1, -1].every(way => {{
              head.querySelector('button').click();
              const empty = texts(column).map(text => text === '');
              const numbers = texts(column).filter(text => text !== '').map(text => way * Number(text));
              return rises(numbers) && empty.every((one, i) => i === 0 || one || !empty[i - 1]) &&
                head.getAttribute('aria-sort') === (way === 1 ? 'ascending' : 'descending');
            }});
          }});
        }})()""",
    "words and the choice leave rows out": f"""
        (() => {{ {TABLE}
          const shown = () => rows().filter(row => !row.hidden).length;
          const filter = document.getElementById('filter');
          const type = text => {{ filter.value = text; filter.dispatchEvent(new Event('input')); }};
          type('no such word');
          const none = shown() === 0 && document.getElementById('shown').textContent.startsWith('0 of ');
          type('');
          const choice = document.getElementById('choice');
          let fits = true;
          if (choice) {{
            const column = heads().findIndex(head => head.textContent === choice.dataset.column);
            choice.value = choice.options[1].value;
            choice.dispatchEvent(new Event('change'));
            fits = rows().every(row => row.hidden !== (row.cells[column].textContent === choice.value));
            choice.value = '';
            choice.dispatchEvent(new Event('change'));
          }}
          return none && fits && shown() === rows().length;
        }})()""",
}


# Of pages of a run besides.
USES_OF_A_RUN = {
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
}
USES_OF_A_RUN["drawings show the trials of the rows that are shown"] = """
        (() => {
          const filter = document.getElementById('filter');
          const type = text => { filter.value = text; filter.dispatchEvent(new Event('input')); };
          const drawn = () => [...document.querySelectorAll('path[data-trials]')].map(one => one.getAttribute('d'));
          const all = drawn();
          type('no such word');
          const none = drawn().every(d => d === '');
          type('trial=0');
          const one = drawn().filter(d => d !== '');
          type('');
          return all.length > 1 && none && one.length > 0 && one.every(d => d.split('M').length === 2) &&
            drawn().every((d, i) => d === all[i]);
        })()"""
# Last, for the browser tells of it.
STRANGER = """
        (() => {
          const script = document.createElement('script');
          script.textContent = 'window.stranger = true';
          document.body.append(script);
          script.remove();
          return window.stranger === undefined;
        })()"""
# Where no script runs all is there, and one map.
WITHOUT_SCRIPT = {
    "the controls are hidden": "document.getElementById('controls').hidden",
    "all rows are there": """
        [...document.querySelectorAll('#rows tbody tr')].every(row => row.getBoundingClientRect().height > 0)""",
    "one map is shown": """
        !document.getElementById('pairs') ||
        [...document.querySelectorAll('.pair')].filter(map => map.getBoundingClientRect().height > 0).length === 1""",
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
        if self.session is None:
            target = self.ask("Target.createTarget", url="about:blank")["targetId"]
            self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ("Log", "Runtime", "Page"):
                self.ask(f"{domain}.enable")
        self.has_loaded = False
        self.ask("Page.navigate", url=page.resolve().as_uri())
        while not self.has_loaded:
            self.read()

    def look(self, width, scheme):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def print_on(self, width):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=1000, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia", media="print", features=[])

    def is_true(self, expression):
        result = self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        return "exceptionDetails" not in result and result["result"].get("value") is True

    def picture(self, file):
        size = self.ask("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 9000), "scale": 1}
        shot = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        file.write_bytes(base64.b64decode(shot["data"]))


def keyboard_faults(browser):
    """By keys alone: a head is sorted by Enter, the filter typed into."""
    browser.is_true("document.querySelector('#rows th button').focus() ?? true")
    for kind in ("keyDown", "char", "keyUp"):
        browser.ask("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", text="\r",
                    windowsVirtualKeyCode=13)
    faults = []
    if not browser.is_true("document.querySelector('#rows th').hasAttribute('aria-sort')"):
        faults.append("Enter does not sort")
    browser.is_true("document.getElementById('filter').focus() ?? true")
    browser.ask("Input.insertText", text="no such word")
    if not browser.is_true("[...document.querySelectorAll('#rows tbody tr')].every(row => row.hidden)"):
        faults.append("what is typed does not filter")
    return faults


def faults_of(browser, page, pictures):
    browser.open(page)
    faults = []
    for width in WIDTHS:
        for scheme in SCHEMES:
            browser.look(width, scheme)
            faults += [f"{width} pixels, {scheme}: not so: {name}" for name, check in CHECKS.items()
                       if not browser.is_true(check)]
            if pictures:
                browser.picture(pictures / f"{page.stem}-{width}-{scheme}.png")
    browser.print_on(A4)
    faults += [f"printed: not so: {name}" for name, check in PRINTED.items() if not browser.is_true(check)]
    browser.look(WIDTHS[-1], SCHEMES[0])
    uses = USES | (USES_OF_A_RUN if browser.is_true("!!document.getElementById('pairs')") else {})
    faults += [f"not so: {name}" for name, use in uses.items() if not browser.is_true(use)]
    faults += keyboard_faults(browser)
    faults += [f"the browser complains: {complaint}" for complaint in browser.complaints]
    if not browser.is_true(STRANGER):
        faults.append("not so: a script from elsewhere does not run")
    browser.ask("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(page)
    faults += [f"without scripts: not so: {name}" for name, check in WITHOUT_SCRIPT.items()
               if not browser.is_true(check)]
    return [f"{page.name}: {fault}" for fault in faults]


def pages_of_tunes(program, modules, folder):
    places = ("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR")
    environment = os.environ | dict.fromkeys(places, str(folder)) | {"REDTUNE_MODULE_PATH": modules}
    reports = {"run": ["1"], "devices": [], "two-runs": ["--compare", "1", "2"],
               "two-devices": ["--compare", "host", "host"]}
    tunes = [["tune", "--device", "host", "--count", "2^16", "--budget", "20", "--force-noisy", "--seed", seed,
              "--fresh"] for seed in ("1", "2")]
    pages = {name: folder / f"{name}.html" for name in reports}
    for words in tunes + [["report", *words, "--out", str(pages[name])] for name, words in reports.items()]:
        subprocess.run([program, *words], env=environment, check=True, capture_output=True)
    return list(pages.values())


def main():
    chromium = shutil.which("chromium")
    if not chromium:
        print("skipped: needs Chromium")
        sys.exit(77)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        pictures = None
        if sys.argv[1] == "--tune":
            pages = pages_of_tunes(*sys.argv[2:4], folder)
        else:
            pages = [Path(sys.argv[1])]
            pictures = Path(sys.argv[2]) if len(sys.argv) > 2 else None
        faults = []
        for page in pages:
            browser = Browser(chromium, folder / f"profile-{page.stem}")
            try:
                faults += faults_of(browser, page, pictures)
            finally:
                browser.process.terminate()
                browser.process.wait()
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
