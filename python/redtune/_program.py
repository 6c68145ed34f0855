# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""What the program redtune does, run as a process of its own: devices, tuning, reports."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Sequence, TextIO, Tuple, Union

from . import _redtune
from ._library import prefix_of
from ._problems import Axes, Interval, axes_of, types_for
from ._reducer import _device_text
from ._redtune import UsageError
from ._types import type_name

_ERRORS = {2: _redtune.UsageError, 4: _redtune.UnmetMatch, 6: _redtune.DeviceError, 74: _redtune.IoError}
Progress = Union[None, bool, Callable[[Dict[str, Any]], None]]


def program() -> str:
    """The program: of $REDTUNE_PROGRAM, else beside this package, else on the PATH."""
    package = Path(__file__).resolve().parent
    folders = [*prefix_of(package), *list(package.parents)[1:2]]
    places = [os.environ.get("REDTUNE_PROGRAM"), package / "portable" / "bin" / "redtune",
              *(folder / "bin" / "redtune" for folder in folders), shutil.which("redtune")]
    for place in places:
        if place and os.access(place, os.X_OK):
            return str(place)
    raise _redtune.Error("the program redtune is not installed, which tunes and reports: install redtune-tools, or name it "
                         "in REDTUNE_PROGRAM")


def main() -> None:
    """The command `redtune` of a wheel."""
    os.execv(program(), ["redtune", *sys.argv[1:]])


def _failed(code: int, said: str) -> Exception:
    lines = [line for line in said.splitlines() if line.startswith("redtune: error: ")]
    text = lines[-1][len("redtune: error: "):] if lines else said.strip() or f"redtune ended with {code}"
    return _ERRORS.get(code, _redtune.Error)(text)


def _output_of(arguments: Sequence[str]) -> str:
    done = subprocess.run([program(), *arguments], capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        raise _failed(done.returncode, done.stderr)
    return done.stdout


@dataclass(frozen=True)
class Device:
    """A device of this machine, or a platform that has none."""
    platform: str
    usable: bool
    device: str  #: as it is named: "host", "cuda:0"; "" where it is not usable
    name: str
    problem: str  #: why it is not usable
    details: Dict[str, Any] = field(repr=False)  #: all that `redtune devices --json` tells


def devices() -> List[Device]:
    """The devices of this machine, and why a platform has none.

    >>> [device.name != "" for device in redtune.devices() if device.device == "host"]
    [True]
    """
    rows = json.loads(_output_of(["devices", "--json"]))["devices"]
    return [Device(row["platform"], row["usable"], row.get("device", ""), row.get("name", ""), row.get("problem", ""), row)
            for row in rows]


def wanted(cache_file: Optional[str] = None) -> List[Dict[str, Any]]:
    """What applications asked for and nobody has tuned, the most useful first: as `redtune wanted --json` tells it."""
    chosen = ["--cache", cache_file] if cache_file else []
    return json.loads(_output_of(["wanted", "--json", *chosen]))["wanted"]


@dataclass(frozen=True)
class Run:
    """A run of the tuner."""
    number: Optional[int]  #: of the store: what report() takes
    time_us: Optional[Interval]  #: of the winner; None: of several problems, or where nothing won
    gain: Optional[Interval]  #: the time of the default divided by the winner's
    settings: Dict[str, str] = field(repr=False)  #: of the winner
    document: Dict[str, Any] = field(repr=False)  #: all that `redtune tune --json` tells


def _interval(found: Any) -> Optional[Interval]:
    return Interval(found["low"], found["median"], found["high"]) if found else None


def _run_of(output: str, number: Optional[int]) -> Run:
    document = json.loads(output)
    return Run(number, _interval(document.get("time_us")), _interval(document.get("gain")), document.get("winner") or {},
               document)


class _Bar:
    """A line of a terminal, or a bar of a notebook."""

    def __init__(self, stream: TextIO):
        self._stream, self._display = stream, _notebook_display()
        self._handle: Any = None
        self._is_terminal = stream.isatty()

    def __call__(self, event: Dict[str, Any]) -> None:
        if event.get("event") != "trial":
            return
        best, share = event.get("best_us"), float(event.get("share") or 0)
        text = f"{event.get('trials')} trials" + (f", best {best:.4g} us" if best else "")
        left = event.get("seconds_left")
        text += f", {left:.0f} s left" if left else ""
        if self._display is not None:
            self._in_notebook(text, share)
        elif self._is_terminal:
            filled = round(20 * share)
            self._stream.write(f"\r[{'#' * filled}{' ' * (20 - filled)}] {text:<50.50}")
            self._stream.flush()

    def _in_notebook(self, text: str, share: float) -> None:
        page = _Html(f"<progress value='{share:.3f}' max='1'></progress> {html.escape(text)}")
        if self._handle is None:
            self._handle = self._display(page, display_id=True)
        else:
            self._handle.update(page)

    def end(self) -> None:
        if self._display is None and self._is_terminal:
            self._stream.write("\r" + " " * 74 + "\r")
            self._stream.flush()


class _Html:
    def __init__(self, text: str):
        self._text = text

    def _repr_html_(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return re.sub("<[^>]*>", "", self._text).strip()


def _notebook_display() -> Any:
    """What shows things in a notebook, where this is one."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    from IPython.display import display  # type: ignore[import-not-found]
    return display


def _read_events(descriptor: int, tell: Callable[[Dict[str, Any]], None], notes: List[str],
                 failures: List[BaseException]) -> None:
    """To the end, also where who is told fails: nobody else empties the pipe."""
    with os.fdopen(descriptor, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            try:
                event = json.loads(line)
            except ValueError:
                continue
            if event.get("event") == "note":
                notes.append(event.get("text", ""))
            if failures:
                continue
            try:
                tell(event)
            except BaseException as failure:  # it is of the thread that waits
                failures.append(failure)


def _tuned(arguments: Sequence[str], tell: Callable[[Dict[str, Any]], None]) -> Tuple[str, List[str]]:
    command = [program(), "tune", *arguments, "--json", "--events"]
    notes: List[str] = []
    failures: List[BaseException] = []
    reading, writing = os.pipe()
    try:
        process = subprocess.Popen([*command, f"/dev/fd/{writing}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   stdin=subprocess.DEVNULL, text=True, errors="replace", pass_fds=[writing],
                                   start_new_session=True)
    except BaseException:
        os.close(reading)
        raise
    finally:
        os.close(writing)
    reader = threading.Thread(target=_read_events, args=(reading, tell, notes, failures), daemon=True)
    reader.start()
    try:
        output, said = process.communicate()
    except BaseException:
        # The tuner ends as it does for Ctrl-C: what was found is kept.
        process.send_signal(signal.SIGINT)
        process.communicate()
        raise
    reader.join()
    if failures:
        raise failures[0]
    if process.returncode != 0:
        raise _failed(process.returncode, said)
    return output, notes


def _option(name: str, value: Any) -> List[str]:
    if value is None or value is False:
        return []
    flag = "--" + name.replace("_", "-")
    if value is True:
        return [flag]
    if isinstance(value, (list, tuple)):
        return [flag, ",".join(str(one) for one in value)]
    return [flag, str(value)]


def _of_problem(op: Any, dtype: Any, shape: Any, dim: Axes, acc_dtype: Any) -> List[str]:
    """The options that name a problem, of which the types are those of this package's functions."""
    name = op if isinstance(op, str) else None
    types = types_for(name, type_name(dtype), acc_dtype) if name is not None else None
    arguments = _option("op", op) + _option("type", type_name(dtype))
    if types is not None:
        arguments += _option("acc", types.acc) + _option("out", types.out)
    if shape is None or isinstance(shape, (int, str)):
        return arguments + _option("count", shape)
    arguments += ["--shape", "x".join(str(extent) for extent in shape)]
    return arguments if dim is None else arguments + ["--axis", ",".join(str(a) for a in axes_of(dim, len(shape)))]


def tune(op: Union[str, Sequence[str], None] = None, dtype: Any = "f32", shape: Any = None, dim: Axes = None, *,
         acc_dtype: Any = None, file: Optional[str] = None, sizes: Optional[Dict[str, Any]] = None, device: Any = None,
         budget: Any = None, progress: Progress = None, **options: Any) -> Run:
    """Finds the best configuration, in a process of its own, and publishes it: whoever asks afterwards gets it.

    Of a problem as functions have it: op, dtype, shape (a number of elements, or extents) and dim; without one of the
    standard set; with file of a kernel of your own, and sizes {"n": 2**20}. budget: seconds, or what --budget takes.
    progress: None shows it in terminals and notebooks, False does not, and a function is called with each event. Other
    options are those of `redtune tune`, as cache_mode="warm", wanted=True, fresh=True.

    >>> run = redtune.tune("sum", "f32", 2**12, device="host", budget="2", force_noisy=True, cache_mode="warm",
    ...                    progress=False)
    >>> redtune.query("sum", "f32", 2**12, device="host", cache_mode="warm").match
    'exact'
    >>> redtune.report(run).page[:15]
    '<!DOCTYPE html>'
    """
    arguments: List[str] = []
    if file is not None:
        if op is not None:
            raise UsageError("tune() is of an operator or of a file, not of both")
        arguments += [file]
        for name, value in (sizes or {}).items():
            arguments += ["--size", f"{name}={value}"]
    elif op is not None:
        arguments += _of_problem(op, dtype, shape, dim, acc_dtype)
    arguments += _option("device", _device_text(device))
    arguments += _option("budget", f"{budget}s" if isinstance(budget, (int, float)) else budget)
    for name, value in options.items():
        arguments += _option("cache" if name == "cache_file" else name, value)
    bar = _Bar(sys.stderr) if progress is None or progress is True else None
    tell: Callable[[Dict[str, Any]], None] = lambda event: None
    if callable(progress):
        tell = progress
    elif bar is not None:
        tell = bar
    try:
        output, notes = _tuned(arguments, tell)
    finally:
        if bar is not None:
            bar.end()
    numbers = [found[1] for found in (re.match(r"run (\d+):", note) for note in notes) if found]
    return _run_of(output, int(numbers[0]) if numbers else None)


class Report:
    """A page of HTML, which shows itself in a notebook."""

    def __init__(self, page: str):
        self.page = page

    def save(self, path: Union[str, "os.PathLike[str]"]) -> Path:
        target = Path(path)
        target.write_text(self.page, encoding="utf-8")
        return target

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self.page, quote=True)}" style="width:100%;height:40em;border:0">'
                "</iframe>")

    def __repr__(self) -> str:
        return f"<redtune.Report of {len(self.page)} characters: save(path) writes the page>"


def report(run: Union[None, int, Run] = None, *, cache_file: Optional[str] = None, **options: Any) -> Report:
    """A run as a page, or, without one, all results of devices. Other options are those of `redtune report`, as
    compare=[3, 5]."""
    number = run.number if isinstance(run, Run) else run
    arguments = [] if number is None else [str(number)]
    for name, value in {"cache": cache_file, **options}.items():
        arguments += _option(name, value)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        _output_of(["report", *arguments, "--out", str(page)])
        return Report(page.read_text(encoding="utf-8"))
