"""Starts the real daemon on a free port and ends it with SIGTERM, by its process id only."""
import functools
import os
import pathlib
import re
import selectors
import shutil
import signal
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
START_LIMIT_S = 120  # a cold shader cache on a slow machine
STOP_LIMIT_S = 120
READY_LINE = re.compile(rb"posed: listening on (?:http://127\.0\.0\.1:(\d+)|unix:(/.*))\n")


def binary():
    """The daemon under test: POSED_BINARY, or what the Makefile built."""
    return pathlib.Path(os.environ.get("POSED_BINARY", ROOT / "build" / "posed")).resolve()


@functools.cache
def is_instrumented():
    """True if the daemon is built with a sanitizer, which makes it slow and large."""
    content = binary().read_bytes()
    return b"__asan_init" in content or b"__tsan_init" in content


class Daemon:
    """One daemon process with a data folder, which goes with it unless it was given."""

    def __init__(self, data=None, args=(), may_lose_readers=False, listen="127.0.0.1:0", env=None,
                 program=None):
        self.program = program or binary()
        self.own_data = data is None
        self.data = data or tempfile.mkdtemp(prefix="posed-test-")
        self.args = list(args)
        self.may_lose_readers = may_lose_readers
        self.listen = listen
        self.env = {**os.environ, **(env or {})}
        self.process = None
        self.port = None
        # Appended to: reading moves the place that the daemon shares.
        self.log = tempfile.TemporaryFile(mode="a+b")

    def spawn(self):
        """Starts the process and does not wait for it."""
        command = [str(self.program), "--listen", self.listen, "--data", str(self.data), *self.args]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log, env=self.env
        )
        return self

    def start(self):
        self.spawn()
        line = self._first_line()
        match = READY_LINE.fullmatch(line)
        if match is None:
            self.kill()
            raise AssertionError(f"first line on stdout is {line!r}; log:\n{self.log_tail()}")
        self.port = int(match.group(1)) if match.group(1) else None  # None = a path
        return self

    def _first_line(self):
        deadline = time.monotonic() + START_LIMIT_S
        line = b""
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while not line.endswith(b"\n"):
                if not selector.select(max(0, deadline - time.monotonic())):
                    break  # nothing came in time
                byte = os.read(self.process.stdout.fileno(), 1)
                if not byte:
                    break  # the daemon ended
                line += byte
        return line

    def terminate(self):
        self.process.send_signal(signal.SIGTERM)

    def wait(self):
        """Waits for the end and returns (exit code, what else came on stdout)."""
        try:
            rest, _ = self.process.communicate(timeout=STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            rest, _ = self.process.communicate()
            raise AssertionError(f"still there after {STOP_LIMIT_S} s; log:\n{self.log_tail()}")
        finally:
            self._forget_data()
        return self.process.returncode, rest

    def stop(self):
        """Ends the daemon as a service manager would and holds it to exit code 0."""
        if self.process.poll() is None:
            self.terminate()
        code, rest = self.wait()
        assert code == 0, f"exit code {code} after SIGTERM; log:\n{self.log_tail()}"
        assert rest == b"", f"stdout has more than its one line: {rest[:200]!r}"
        self._check_readers()

    def _check_readers(self):
        """A fault in a process that reads an asset is answered like a broken asset, and is still
        a fault: only the log tells."""
        self.log.seek(0)
        log = self.log.read()
        for words in (b"ended by signal", b"the process that read an asset exited", b"wrote no rig",
                      b"Sanitizer", b"runtime error:"):
            found = words in log and not self.may_lose_readers
            assert not found, f"{words!r} in the log:\n{self.log_tail()}"

    def kill(self):
        """SIGKILL: what a crash or a power cut looks like to the data folder."""
        self.process.kill()
        self.process.communicate()

    def _forget_data(self):
        if self.own_data:
            shutil.rmtree(self.data, ignore_errors=True)

    def log_lines(self):
        self.log.seek(0)
        return self.log.read().decode("utf-8").splitlines()

    def log_tail(self, size=3000):
        self.log.seek(0, os.SEEK_END)
        self.log.seek(max(0, self.log.tell() - size))
        return self.log.read().decode("utf-8", "replace")
