#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors
"""What AMD's compiler makes of a few kernels: registers, shared memory and how many waves that allows.

    amd_code_objects.py PROGRAM TITLE ARCH...    fills the section '## TITLE' of amd_code_objects.md

PROGRAM is redtune with the HIP whose section it is; it compiles for each architecture, without a GPU.
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

PAGE = Path(__file__).with_suffix(".md")


class Unit(NamedTuple):
    """A compute unit: SIMDs, and of each its waves, its registers (of 32 bits, for every lane of a wave) and
    the step in which a wave gets them. A wave of gfx9 takes of the SIMD's 800 scalar registers in steps of 16;
    from gfx10 on each has enough of its own (0). Bytes of shared memory that blocks share."""

    simds: int
    waves: int
    registers: int
    step: int
    scalars: int
    shared: int


# LLVM, AMDGPU/Utils/AMDGPUBaseInfo.cpp (getMaxWavesPerEU, getTotalNumVGPRs, getVGPRAllocGranule,
# getTotalNumSGPRs) and the AMDGPU user guide; AMD's ISA documents for shared memory. From gfx10 on with waves
# of 32 lanes and blocks that stay in one half of a pair of units, as redtune's kernels are built.
VEGA = Unit(4, 10, 256, 4, 800, 64 << 10)
CDNA2 = Unit(4, 8, 512, 8, 800, 64 << 10)
RDNA1 = Unit(2, 20, 1024, 8, 0, 64 << 10)
RDNA2 = Unit(2, 16, 1024, 16, 0, 64 << 10)
RDNA3 = Unit(2, 16, 1536, 24, 0, 64 << 10)
UNITS = {"gfx900": VEGA, "gfx906": VEGA, "gfx908": VEGA, "gfx90a": CDNA2, "gfx942": CDNA2,
         "gfx950": CDNA2._replace(shared=160 << 10), "gfx1010": RDNA1, "gfx1030": RDNA2, "gfx1031": RDNA2,
         "gfx1100": RDNA3, "gfx1101": RDNA3, "gfx1200": RDNA3, "gfx1201": RDNA3}

# Operator, type, block size, items per thread, vector width, finish.
KERNELS = [("sum", "f32", 256, 16, 4, "last_block"), ("sum", "f32", 1024, 16, 4, "last_block"),
           ("sum", "f32", 256, 32, 4, "second_pass"), ("sum", "f64", 256, 16, 2, "last_block"),
           ("sum", "f16", 256, 32, 8, "last_block"), ("sum", "i8", 256, 64, 16, "last_block"),
           ("max", "i32", 256, 16, 4, "last_block"), ("argmin", "f32", 256, 16, 4, "last_block"),
           ("argmin", "f32", 256, 16, 4, "second_pass"), ("argmax", "f16", 256, 32, 8, "second_pass")]


def rounded(value, step):
    return -(-value // step) * step


def waves_per_simd(unit, block, wave, kernel):
    """By vector registers, by scalar registers, and what whole blocks make of the lesser and of shared memory."""
    by_vector = min(unit.waves, unit.registers // rounded(kernel["vector_registers"], unit.step))
    by_scalar = unit.waves
    if unit.scalars:
        by_scalar = min(unit.waves, unit.scalars // rounded(kernel["scalar_registers"], 16))
    waves_of_block = block // wave
    blocks = min(min(by_vector, by_scalar) * unit.simds // waves_of_block,
                 unit.shared // max(1, kernel["shared_bytes"]))
    return by_vector, by_scalar, blocks * waves_of_block / unit.simds


def compiled(program, archs, op, dtype, block, items, width, finish):
    settings = {"block_size": block, "items_per_thread": items, "vector_width": width, "finish": finish,
                "load": "cached", "fence": "full"}
    command = [program, "kernels", "compile", "--json", "--op", op, "--type", dtype, "--count", "2^24"]
    for arch in archs:
        command += ["--target", f"hip:{arch}"]
    for name, value in settings.items():
        command += ["--set", f"{name}={value}"]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(run.stderr)
    for target in json.loads(run.stdout)["targets"]:
        yield target["target"].removeprefix("hip:"), target["configs"][0]["kernels"][0]


def version_of(program):
    """The run-time compiler's name, version and build, as doctor tells it."""
    said = subprocess.run([program, "doctor"], capture_output=True, text=True)
    found = re.search(r"hipRTC [\w.]+ \([^)]*\)", said.stdout + said.stderr)
    return found[0] if found else "hipRTC of an unknown version"


def section(program, archs):
    yield f"{version_of(program)}.\n"
    for op, dtype, block, items, width, finish in KERNELS:
        yield f"\n**{op} of {dtype}**, {block} × {items} / {width}, {finish}\n"
        yield ("| | vector registers | scalar | shared bytes | code bytes | waves by vector | by scalar |"
               " waves per SIMD |")
        yield "|---|---|---|---|---|---|---|---|"
        for arch, kernel in compiled(program, archs, op, dtype, block, items, width, finish):
            unit = UNITS[arch.split(":")[0]]
            by_vector, by_scalar, waves = waves_per_simd(unit, block, 64 if unit.simds == 4 else 32, kernel)
            needs = " | ".join(str(kernel[name]) for name in
                               ("vector_registers", "scalar_registers", "shared_bytes", "code_bytes"))
            yield f"| {arch} | {needs} | {by_vector} | {by_scalar} | {waves:g} of {unit.waves} |"
            if kernel["spills"] or kernel["scratch_bytes"]:
                sys.exit(f"{arch} keeps registers of {kernel['name']} in memory")


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    program, title, *archs = sys.argv[1:]
    page = PAGE.read_text()
    place = re.compile(rf"(?<=\n## {re.escape(title)}\n)(.*?)(?=\n## |\Z)", re.S)
    if not place.search(page):
        sys.exit(f"{PAGE.name} has no section '## {title}'")
    text = "\n" + "\n".join(section(program, archs)) + "\n"
    PAGE.write_text(place.sub(lambda _: text, page, count=1))


if __name__ == "__main__":
    main()
