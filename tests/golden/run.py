#!/usr/bin/env python3
"""Holds pictures against kept ones and against three.js: all, or those whose names contain a word."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "http"), str(HERE.parent / "viewer")]

from runner import main

if __name__ == "__main__":
    sys.exit(main("golden", HERE, sys.argv[1:]))
