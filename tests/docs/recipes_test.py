# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors
"""Recipes of docs/how-to/set_up_a_fleet_store.md: manifests of Kubernetes and job scripts of Slurm that can be read, with
commands and options that redtune has."""

import re
import shlex
import subprocess
import sys
import unittest
from pathlib import Path

try:
    import yaml
except ImportError:
    print("skipped: needs Python 3.9 with yaml (python3-yaml)")
    sys.exit(77)

REDTUNE = sys.argv.pop(1)
PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "set_up_a_fleet_store.md"
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
SCRIPTS = [text for _, text in BLOCKS if "#SBATCH" in text]
MANIFESTS = [one for name, text in BLOCKS if name == "yaml" for one in yaml.safe_load_all(text)]


def calls_in(text):
    """Words of each call of redtune in a piece of shell."""
    for line in text.splitlines():
        if line.lstrip().startswith("#"):
            continue
        words = shlex.split(line)
        for word in words:
            if " redtune " in f" {word} " and word != "redtune":
                yield from calls_in(word)
        if "redtune" in words:
            call = words[words.index("redtune") + 1:]
            stop = next((i for i, word in enumerate(call) if word in ("||", "&&", ";", "|")), len(call))
            yield call[:stop]


def commands_of(manifest):
    pod = pod_of(manifest)
    return [one["command"] for one in pod.get("initContainers", []) + pod["containers"] if "command" in one]


def pod_of(manifest):
    return manifest["spec"] if manifest["kind"] == "Pod" else manifest["spec"]["template"]["spec"]


class Recipes(unittest.TestCase):
    def check_call(self, words):
        command = [word for word in words[:2] if re.fullmatch(r"[a-z]+", word)]
        told = subprocess.run([REDTUNE, *command, "--help"], capture_output=True, text=True, check=False)
        self.assertEqual(told.returncode, 0, words)
        known = set(re.findall(r"--[a-z-]+", told.stdout))
        for word in words:
            if word.startswith("--"):
                self.assertIn(word.split("=")[0], known, f"redtune {' '.join(command)}")

    def test_there_are_some(self):
        self.assertEqual(len(SCRIPTS), 2)
        self.assertEqual([one["kind"] for one in MANIFESTS], ["Pod", "Job"])

    def test_scripts_are_shell_and_call_what_there_is(self):
        for text in SCRIPTS:
            subprocess.run(["sh", "-n"], input=text, text=True, check=True)
            calls = list(calls_in(text))
            self.assertTrue(calls, text)
            for words in calls:
                self.check_call(words)

    def test_what_slurm_ends_is_told_so(self):
        """Of a job's script the shell alone is told: it must not stand between."""
        last = SCRIPTS[1].strip().splitlines()[-1]
        self.assertTrue(last.startswith("exec redtune serve "), last)

    def test_manifests_call_what_there_is(self):
        for manifest in MANIFESTS:
            commands = commands_of(manifest)
            self.assertTrue(commands)
            for words in commands:
                calls = list(calls_in(words[2])) if words[:2] == ["sh", "-c"] else [words[1:]]
                self.assertTrue(calls)
                for call in calls:
                    self.check_call(call)

    def test_manifests_mount_what_they_have(self):
        for manifest in MANIFESTS:
            pod = pod_of(manifest)
            volumes = {volume["name"] for volume in pod["volumes"]}
            for container in pod.get("initContainers", []) + pod["containers"]:
                for mount in container.get("volumeMounts", []):
                    self.assertIn(mount["name"], volumes)
                for one in container.get("env", []):
                    self.assertEqual(len({"value", "valueFrom"} & one.keys()), 1, one)

    def test_no_password_is_on_a_command_line(self):
        for text in SCRIPTS + [" ".join(words) for one in MANIFESTS for words in commands_of(one)]:
            self.assertIsNone(re.search(r"://[^/@\s]*:[^/@\s]*@", text), text)


if __name__ == "__main__":
    unittest.main()
