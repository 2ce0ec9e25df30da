#!/usr/bin/env python3
"""Makes the demo rigs in assets/demo, and their examples; with --check, tells whether the committed
ones are these."""

import argparse
import importlib
import pathlib
import sys

from rigs import sculpts

DEMO = pathlib.Path(__file__).resolve().parent / "demo"
# File name -> the module of rigs/ whose build() returns its bytes.
RIGS = {"cyl2": "cylinder", "cyl3": "cylinder3", "tube23": "tube", "humanoid": "humanoid",
        "head": "head"}
# Rig -> what makes its examples of its bytes: JSON by name.
EXAMPLES = {"cyl3": sculpts.cylinder, "humanoid": sculpts.humanoid}


def files_of(rig):
    """(path, bytes) of the rig and its examples."""
    data = importlib.import_module(f"rigs.{RIGS[rig]}").build()
    yield DEMO / f"{rig}.glb", data
    for name, text in EXAMPLES[rig](data).items() if rig in EXAMPLES else ():
        yield DEMO / "examples" / rig / f"{name}.json", text.encode()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true",
                        help="write nothing; exit 1 if a committed file differs")
    parser.add_argument("rig", nargs="*", help=f"only these, of: {' '.join(RIGS)}")
    args = parser.parse_args()
    unknown = [name for name in args.rig if name not in RIGS]
    if unknown:
        parser.error(f"no rig {', '.join(unknown)}; there are {', '.join(RIGS)}")

    differing = 0
    for path, data in (file for rig in args.rig or RIGS for file in files_of(rig)):
        if not args.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            print(f"{path.relative_to(DEMO)}: {len(data)} bytes")
        elif not path.is_file() or path.read_bytes() != data:
            differing += 1
            print(f"{path.relative_to(DEMO)}: not what this program makes", file=sys.stderr)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
