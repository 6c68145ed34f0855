#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors
"""Takes from recordings of whole spaces what ships with redtune.

    thin.py RECORDING.t4.json.gz...     writes RECORDING.json for each, beside this file

Of each recording the 80 cheapest configs, and 80 spread evenly over the others by their cost: as many
as a search takes in of one problem. Of a config that was timed again the latest time. Configs with a
value that its tunable no longer has are left out.
"""

import gzip
import json
import sys
from pathlib import Path

CHEAPEST = 80
SPREAD = 80
GONE = {("slot_wait", "pause")}


def thinned(trials):
    trials = sorted(trials, key=lambda trial: trial[0])
    rest = trials[CHEAPEST:]
    if len(rest) <= SPREAD:
        return trials
    return trials[:CHEAPEST] + [rest[i * len(rest) // SPREAD] for i in range(SPREAD)]


def text_of(recording):
    about = recording["metadata"]["redtune"]
    results = recording["results"]
    tunables = list(results[0]["configuration"])
    latest = {tuple(result["configuration"][name] for name in tunables):
                  float(f"{result['redtune']['time_us'][1]:.6g}")
              for result in results
              if "time_us" in result["redtune"] and not GONE & result["configuration"].items()}
    trials = [[us, *config] for config, us in latest.items()]
    head = {"format": "redtune trials 1", "family": about["family"], "problem": about["problem"],
            "device": about["device"], "device_class": about["device_class"],
            "tunables": tunables}
    lines = ",\n  ".join(json.dumps(trial) for trial in thinned(trials))
    return json.dumps(head, indent=1)[:-2] + f',\n "trials": [\n  {lines}\n ]\n}}\n'


def main():
    for file in map(Path, sys.argv[1:]):
        with gzip.open(file, "rt") as packed:
            text = text_of(json.load(packed))
        (Path(__file__).parent / file.name.replace(".t4.json.gz", ".json")).write_text(text)


if __name__ == "__main__":
    main()
