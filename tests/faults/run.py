#!/usr/bin/env python3
"""Provokes faults (kills, full and read-only disks, jumping clocks, cut bodies) and looks for what
was lost: all cases, or those whose names contain one of the arguments.

Small file systems are mounted for some of them: as root, or in a user namespace of our own."""
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "http"))
import runner  # noqa: E402  (of the tests over HTTP)

AS_ROOT = ["unshare", "--user", "--map-root-user", "--mount"]


def can_mount():
    from disk import SmallDisk

    try:
        with SmallDisk():
            return True
    except OSError:
        return False


def main():
    # Elsewhere the cases that mount say that they are skipped.
    if not can_mount() and os.geteuid() != 0:
        try:
            if subprocess.run([*AS_ROOT, "true"], capture_output=True).returncode == 0:
                os.execvp(AS_ROOT[0], [*AS_ROOT, sys.executable, *sys.argv])
        except FileNotFoundError:
            pass
    return runner.main("faults", HERE, sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
