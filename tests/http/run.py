#!/usr/bin/env python3
"""Runs the black-box tests: all of them, or those whose names contain one of the arguments."""
import pathlib
import sys

from runner import main

if __name__ == "__main__":
    sys.exit(main("http", pathlib.Path(__file__).resolve().parent, sys.argv[1:]))
