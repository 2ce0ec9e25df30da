"""A small file system in memory that can be filled and made read-only."""
import os
import shutil
import subprocess
import tempfile
import unittest


def mount(*arguments):
    try:
        done = subprocess.run(["mount", *arguments], capture_output=True, text=True)
    except FileNotFoundError as missing:
        raise OSError("there is no mount program") from missing
    if done.returncode:
        raise OSError(done.stderr.strip() or f"mount {arguments} failed")


class SmallDisk:
    """A tmpfs of some bytes and some files; `path` is where it is mounted."""

    def __init__(self, size="1m", files=2000):
        self.options = f"size={size},nr_inodes={files},mode=0755"
        self.path = None

    def __enter__(self):
        self.path = tempfile.mkdtemp(prefix="posed-disk-")
        try:
            mount("-t", "tmpfs", "-o", self.options, "posed-test", self.path)
        except OSError:
            os.rmdir(self.path)
            raise
        return self

    def __exit__(self, *_):
        subprocess.run(["umount", self.path], check=True)
        shutil.rmtree(self.path)

    def make(self, access):
        """access: "ro" or "rw"."""
        mount("-o", f"remount,bind,{access}", self.path)

    def fill(self, leave=0):
        """Takes all room but some bytes; returns the file that has it."""
        filler = os.path.join(self.path, "filler")
        room = os.statvfs(self.path)
        with open(filler, "wb", buffering=0) as file:
            file.write(bytes(room.f_bavail * room.f_frsize))
            if leave:
                file.truncate(file.tell() - leave)
        return filler


def small_disk(case, **options):
    """A disk for one case, which is skipped where nothing can be mounted."""
    disk = SmallDisk(**options)
    try:
        disk.__enter__()
    except OSError as problem:
        raise unittest.SkipTest(f"no file system can be mounted here: {problem}") from problem
    case.addCleanup(disk.__exit__)
    case.addCleanup(case.end)  # before it: what is in use cannot be unmounted
    return disk
