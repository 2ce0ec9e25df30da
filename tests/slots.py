"""Slots for work on the processor, which all processes of one run of the tests share.

Who computes holds one meanwhile, and makes way for who keeps times and needs none.
"""
import contextlib
import fcntl
import os
import pathlib
import tempfile
import time

FOLDER = "TEST_SLOTS"  # the variable with the folder that has a file for each slot
BETWEEN_LOOKS_S = 0.02
NICENESS = 5  # of who holds one


def count():
    """One more than there are processors, since work waits for disks and for answers, too."""
    return len(os.sched_getaffinity(0)) + 1


@contextlib.contextmanager
def shared():
    """The slots of the process that started this one; otherwise its own, for its children."""
    if FOLDER in os.environ:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="posed-slots-") as folder:
        for number in range(count()):
            pathlib.Path(folder, str(number)).touch()
        os.environ[FOLDER] = folder
        yield
        del os.environ[FOLDER]


@contextlib.contextmanager
def held():
    """Waits for a free slot. The lock goes with the process, however that ends."""
    while True:
        for path in pathlib.Path(os.environ[FOLDER]).iterdir():
            with open(path, "w") as file:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    continue
                yield
                return
        time.sleep(BETWEEN_LOOKS_S)


def behind(*command):
    """The command of a program that makes way for who keeps times."""
    return ["nice", "-n", str(NICENESS), *command]
