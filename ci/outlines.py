#!/usr/bin/env python3
"""Writes the outlines of the characters on boards, as paths of SVG, from an OFL font.

    apt-get install fonts-lxgw-wenkai
    pip install fonttools
    ci/outlines.py

Input is the bold cut of LXGW WenKai (1.250 of Debian 12), output `tools/games/src/page/outlines.txt`, which is kept in the repository:
a build needs neither the font nor this script. A character is centred at the origin; 256 units are an em, y grows downwards.
"""

import argparse
from pathlib import Path

from fontTools.pens.basePen import BasePen
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

ROOT = Path(__file__).resolve().parent.parent
FONT = Path("/usr/share/fonts/truetype/lxgw-wenkai/LXGWWenKai-Bold.ttf")
OUTLINES = ROOT / "tools/games/src/page/outlines.txt"

PIECES = "帥仕相傌俥炮兵將士象馬車砲卒"
RIVER = "楚河漢界"
NUMERALS = "一二三四五六七八九"
EM = 256

HEAD = """\
# Outlines of {count} characters of {font}, {version}, as paths of SVG; made by ci/outlines.py.
# {copyright}
# SIL Open Font License 1.1: see OFL.txt beside this file.
"""


class RelativePath(BasePen):
    """Collects relative path commands with whole numbers; curves stay quadratic."""

    def __init__(self, glyphs):
        super().__init__(glyphs)
        self.text = ""
        self.at = (0, 0)

    def add(self, command, *points):
        points = [(round(x), round(y)) for x, y in points]
        relative = [(x - self.at[0], y - self.at[1]) for x, y in points]
        if any(relative != (0, 0) for relative in relative) or command == "m":
            numbers = [str(number) for point in relative for number in point]
            self.text += command + "".join(n if i == 0 or n[0] == "-" else " " + n for i, n in enumerate(numbers))
            self.at = points[-1]

    def _moveTo(self, point):
        self.add("m", point)
        self.start = self.at

    def _lineTo(self, point):
        if (round(point[0]), round(point[1])) != self.start:
            self.add("l", point)

    def _qCurveToOne(self, control, point):
        self.add("q", control, point)

    def _curveToOne(self, first, second, point):
        self.add("c", first, second, point)

    def _closePath(self):
        self.text += "z"
        self.at = self.start


def outline(font, character):
    glyphs = font.getGlyphSet()
    glyph = glyphs[font.getBestCmap()[ord(character)]]
    bounds = BoundsPen(glyphs)
    glyph.draw(bounds)
    left, bottom, right, top = bounds.bounds
    scale = EM / font["head"].unitsPerEm
    path = RelativePath(glyphs)
    centred = (scale, 0, 0, -scale, -scale * (left + right) / 2, scale * (bottom + top) / 2)
    glyph.draw(TransformPen(path, centred))
    return path.text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("font", nargs="?", type=Path, default=FONT)
    parser.add_argument("-o", "--out", type=Path, default=OUTLINES)
    arguments = parser.parse_args()
    font = TTFont(arguments.font)
    copyright, family, version = (font["name"].getDebugName(number) for number in (0, 4, 5))
    characters = PIECES + RIVER + NUMERALS
    text = HEAD.format(count=len(characters), font=family, version=version, copyright=" ".join(copyright.split()))
    text += "".join(f"{character} {outline(font, character)}\n" for character in characters)
    arguments.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
