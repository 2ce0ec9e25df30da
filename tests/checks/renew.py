#!/usr/bin/env python3
"""Draws the pictures of faults in docs/checks: all of them, or those whose names contain one of the arguments.

Only those that differ from the stored ones are written, each named with how far it is from that. The page is
renewed by tests/commands/checks_page.py."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / name) for name in ("http", "golden", "commands")]

import golden
import pictures
from client import Client
from daemon import Daemon
from faults import FAULTS


def main(words):
    daemon = Daemon().start()
    client = Client(daemon.port)
    shown = [fault for fault in FAULTS if fault.picture]
    pictures.FOLDER.mkdir(exist_ok=True)
    for fault in shown:
        if words and not any(word in fault.name for word in words):
            continue
        drawn, path = pictures.draw(client, fault), pictures.path_of(fault)
        if not path.exists():
            print(f"{fault.name}: new")
        elif (apart := golden.differences(drawn, path.read_bytes())) == (0, 0):
            continue
        else:
            print(f"{fault.name}: most {apart[0]:.1f}, mean {apart[1]:.4f} from what was stored")
        path.write_bytes(drawn)
    daemon.stop()
    for path in sorted(set(pictures.FOLDER.glob("*.png")) - set(map(pictures.path_of, shown))):
        print(f"{path.stem}: of no fault any more")
        path.unlink()


if __name__ == "__main__":
    main(sys.argv[1:])
