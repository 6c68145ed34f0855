# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors
"""What the figures are made of: cells of memory, threads, arrows, words; on a panel of its own
colour, so that they read the same on light and dark pages."""

from html import escape

CELL_W, CELL_H = 34, 24

STYLE = """
text { font: 13px "DejaVu Sans", Verdana, Helvetica, Arial, sans-serif; fill: #1f2328; }
.small { font-size: 11px; fill: #4b535c; }
.head { font-weight: bold; }
.panel { fill: #ffffff; stroke: #c9ced6; }
.global { fill: #dbe8fb; stroke: #2f62ad; }
.shared { fill: #def3d9; stroke: #2f7d32; }
.register { fill: #ffeccc; stroke: #a86a00; }
.hot { fill: #ffd9d6; stroke: #b3261e; }
.idle { fill: #f3f4f6; stroke: #9aa2ad; stroke-dasharray: 3 2; }
.thread { fill: #4b3f9e; stroke: #352c73; }
.on { fill: #ffffff; font-size: 11px; }
.arrow { stroke: #57606a; stroke-width: 1.3; fill: none; }
.hotarrow { stroke: #b3261e; stroke-width: 1.3; fill: none; }
.bar { stroke: #b3261e; stroke-width: 2; stroke-dasharray: 7 4; }
.soft { stroke: #2f7d32; stroke-width: 1.5; stroke-dasharray: 2 4; }
.group { fill: none; stroke: #9aa2ad; stroke-dasharray: 4 3; }
"""

MARKERS = "".join(
    f'<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
    f'orient="auto-start-reverse"><path d="M0 0L8 4L0 8z" fill="{color}"/></marker>'
    for name, color in (("arrow", "#57606a"), ("hotarrow", "#b3261e")))


def number(value):
    return f"{value:.1f}".rstrip("0").rstrip(".")


class Figure:
    """Collects shapes; text() of it is the whole SVG file."""

    def __init__(self, width, height, title, desc):
        self.width, self.height, self.title, self.desc = width, height, title, desc
        self.shapes = []

    def add(self, shape):
        self.shapes.append(shape)

    def box(self, x, y, w, h, kind, r=2):
        self.add(f'<rect x="{number(x)}" y="{number(y)}" width="{number(w)}" '
                 f'height="{number(h)}" rx="{r}" class="{kind}"/>')

    def words(self, x, y, text, kind="", anchor="start"):
        kinds = f' class="{kind}"' if kind else ""
        self.add(f'<text x="{number(x)}" y="{number(y)}" text-anchor="{anchor}"{kinds}>'
                 f"{escape(str(text))}</text>")

    def lines(self, x, y, texts, kind="small", anchor="start"):
        for i, text in enumerate(texts):
            self.words(x, y + 15 * i, text, kind, anchor)

    def cell(self, x, y, value="", kind="global", w=CELL_W, h=CELL_H):
        self.box(x, y, w, h, kind)
        if value != "":
            self.words(x + w / 2, y + h / 2 + 4.5, value, "small" if h < 20 else "", "middle")

    def row(self, x, y, values, kind="global", w=CELL_W, h=CELL_H):
        """A row of cells; kind is one name or one per cell."""
        for i, value in enumerate(values):
            self.cell(x + i * w, y, value, kind if isinstance(kind, str) else kind[i], w, h)

    def thread(self, x, y, name, r=11):
        self.add(f'<circle cx="{number(x)}" cy="{number(y)}" r="{r}" class="thread"/>')
        self.words(x, y + 4, name, "on", "middle")

    def line(self, x1, y1, x2, y2, kind="arrow", ends=False):
        head = f' marker-end="url(#{kind})"' if ends else ""
        self.add(f'<path d="M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}" '
                 f'class="{kind}"{head}/>')

    def arrow(self, x1, y1, x2, y2, kind="arrow"):
        self.line(x1, y1, x2, y2, kind, ends=True)

    def path(self, d, kind="arrow"):
        self.add(f'<path d="{d}" class="{kind}" marker-end="url(#{kind})"/>')

    def waves(self, x, y, active, wave=4, size=9):
        """Which threads of a block work: little squares, a gap between waves."""
        for i, works in enumerate(active):
            at = x + i * (size + 1) + (i // wave) * 6
            self.box(at, y, size, size, "thread" if works else "idle", 1)

    def text(self):
        body = "\n".join(self.shapes)
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
                f'width="{self.width}" height="{self.height}" role="img" '
                f'aria-labelledby="title desc">\n'
                f'<title id="title">{escape(self.title)}</title>\n'
                f'<desc id="desc">{escape(self.desc)}</desc>\n'
                f"<style>{STYLE}</style>\n<defs>{MARKERS}</defs>\n"
                f'<rect x="0.5" y="0.5" width="{self.width - 1}" height="{self.height - 1}" '
                f'rx="8" class="panel"/>\n{body}\n</svg>\n')
