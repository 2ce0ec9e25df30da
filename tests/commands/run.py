#!/usr/bin/env python3
"""Runs the tests of what a clone holds and of the commands in the documents: all of them, or those
whose names contain one of the arguments."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "http"))

from runner import main

if __name__ == "__main__":
    sys.exit(main("commands", HERE, sys.argv[1:]))
