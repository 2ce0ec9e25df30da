#!/usr/bin/env python3
"""Prints how alike pictures of posed and of three.js are, and draws docs/three.png of them."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "http"), str(HERE.parent / "viewer")]

import beside_three
import flip
import likeness
from case import ROOT
from client import Client
from daemon import Daemon
from debian import debian_module
from likeness import numpy

Image = debian_module("PIL.Image")
ImageDraw = debian_module("PIL.ImageDraw")
SIDE, GAP, LETTERS = 128, 6, 14
GAIN = 4  # of the difference, so that one sees it
ACROSS = 2


def tile(pixels):
    picture = Image.fromarray(numpy.clip(pixels, 0, 255).astype("uint8"))
    return picture.resize((SIDE, SIDE), Image.Resampling.LANCZOS)


def sheet(rows):
    """One picture of (name, ours, theirs), each as ours | theirs | difference."""
    width, height = 3 * SIDE + GAP, SIDE + LETTERS + GAP
    down = -(-len(rows) // ACROSS)
    whole = Image.new("RGB", (ACROSS * width, down * height), "white")
    letters = ImageDraw.Draw(whole)
    for i, (name, ours, theirs) in enumerate(rows):
        x, y = i % ACROSS * width, i // ACROSS * height
        letters.text((x + 2, y), name, fill="black")
        for k, pixels in enumerate((ours, theirs, abs(ours - theirs) * GAIN)):
            whole.paste(tile(pixels), (x + k * SIDE, y + LETTERS))
    return whole.quantize(256, dither=Image.Dither.FLOYDSTEINBERG)


def main():
    if reason := beside_three.why_not():
        sys.exit(reason)
    daemon = Daemon(args=("--renderer", "software")).start()
    beside, rows = beside_three.Beside(Client(daemon.port)), []
    print("| scene | SSIM | FLIP | mean difference of 255 | differs in |\n"
          "| --- | --- | --- | --- | --- |")
    for scene in beside_three.SCENES:
        ours, theirs = (likeness.pixels(draw(scene)) for draw in (beside.ours, beside.theirs))
        rows.append((scene["name"], ours, theirs))
        print(f"| {scene['name']} | {likeness.similarity(ours, theirs):.3f} | "
              f"{flip.mean_error(ours, theirs):.3f} | "
              f"{likeness.mean_difference(ours, theirs):.2f} | {scene['why']} |", flush=True)
    beside.close()
    daemon.stop()
    sheet(rows).save(ROOT / "docs" / "three.png", optimize=True)


if __name__ == "__main__":
    main()
