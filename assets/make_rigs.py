#!/usr/bin/env python3
"""Makes the demo rigs in assets/demo; with --check, tells whether the committed ones are these."""

import argparse
import importlib
import pathlib
import sys

DEMO = pathlib.Path(__file__).resolve().parent / "demo"
# File name -> the module of rigs/ whose build() returns its bytes.
RIGS = {"cyl2": "cylinder", "tube23": "tube", "humanoid": "humanoid", "head": "head"}


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
    for name in args.rig or RIGS:
        data = importlib.import_module(f"rigs.{RIGS[name]}").build()
        path = DEMO / f"{name}.glb"
        if not args.check:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
            print(f"{path.name}: {len(data)} bytes")
        elif not path.is_file() or path.read_bytes() != data:
            differing += 1
            print(f"{path.name}: not what this program makes", file=sys.stderr)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
