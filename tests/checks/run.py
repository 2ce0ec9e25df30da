#!/usr/bin/env python3
"""Holds checks against faults that are seeded into the demo rigs, and the pictures of the documents against
those: all, or those whose names contain a word."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "http"), str(HERE.parent / "golden"), str(HERE.parent / "commands")]

from runner import main

if __name__ == "__main__":
    sys.exit(main("checks", HERE, sys.argv[1:]))
