"""The output of build/pose while a response arrives: files are complete or absent, standard output
gets each part, memory use stays small, and a terminal shows the progress."""
import contextlib
import os
import pathlib
import pty
import resource
import select
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from case import DEMO, DaemonCase
from test_pose_program import FILE, POSE, SMALL, run

APNG, GIF, TAR, WEBP = "image/apng", "image/gif", "application/x-tar", "image/webp"


def heed_signals():
    """As a terminal has it: tests in the background may have been told to ignore some."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class Slow:
    """Takes one request and answers as it is told to, by hand."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.connection = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()
        if self.connection:
            self.connection.close()

    def head(self, *lines, status="200 OK"):
        self.listener.settimeout(60)
        self.connection = self.listener.accept()[0]
        request = b""
        while b"\r\n\r\n" not in request:
            request += self.connection.recv(65536)
        lines = (f"HTTP/1.1 {status}", *lines, "Connection: close", "", "")
        self.connection.sendall("\r\n".join(lines).encode())

    def chunk(self, content):
        self.connection.sendall(b"%x\r\n%b\r\n" % (len(content), content))

    def end(self):
        self.connection.sendall(b"0\r\n\r\n")


class AsItComes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="posed-output-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = self.folder / "a.apng"
        self.daemon = self.enterContext(Slow())

    def start(self, *args, preexec_fn=heed_signals, **keywords):
        program = subprocess.Popen([POSE, *args, "--server", self.daemon.address],
                                   stderr=subprocess.PIPE, preexec_fn=preexec_fn, **keywords)
        self.addCleanup(lambda: (program.kill(), program.communicate()))
        return program

    def begin(self, *args, **keywords):
        """A sequence of which the first half has come."""
        program = self.start("frames", "rig", *args, **keywords)
        self.daemon.head(f"Content-Type: {APNG}", "Transfer-Encoding: chunked")
        self.daemon.chunk(b"first half")
        return program

    def wait_for_part(self):
        deadline = time.monotonic() + 120
        while not list(self.folder.glob("*.part")):
            self.assertLess(time.monotonic(), deadline, "nothing is written yet")
            time.sleep(0.01)

    def test_a_file_gets_its_name_at_the_end(self):
        for before in (None, b"before"):
            with self.subTest(before=before), Slow() as self.daemon:
                self.path.unlink(missing_ok=True)
                if before:
                    self.path.write_bytes(before)
                program = self.begin("-o", self.path)
                self.wait_for_part()
                self.assertEqual(self.path.read_bytes() if before else self.path.exists(),
                                 before or False)
                self.daemon.chunk(b", second")
                self.daemon.end()
                self.assertEqual(program.communicate(timeout=300)[1], b"")
                self.assertEqual(program.returncode, 0)
                self.assertEqual(self.path.read_bytes(), b"first half, second")
                self.assertEqual(list(self.folder.iterdir()), [self.path])

    def assertOnlyWhatWas(self):
        self.assertEqual(self.path.read_bytes(), b"before")
        self.assertEqual(list(self.folder.iterdir()), [self.path])

    def test_half_an_answer_is_none(self):
        self.path.write_bytes(b"before")
        program = self.begin("-o", self.path)
        self.wait_for_part()
        self.daemon.connection.close()
        self.assertIn(self.daemon.address.encode(), program.communicate(timeout=300)[1])
        self.assertEqual(program.returncode, 4)
        self.assertOnlyWhatWas()

    def test_signals_leave_nothing(self):
        self.path.write_bytes(b"before")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number=number), Slow() as self.daemon:
                program = self.begin("-o", self.path)
                self.wait_for_part()
                program.send_signal(number)
                program.communicate(timeout=300)
                self.assertEqual(program.returncode, -number)
                self.assertOnlyWhatWas()

    def test_signals_that_are_ignored_stay_so(self):
        program = self.begin("-o", self.path, preexec_fn=lambda: signal.signal(
            signal.SIGHUP, signal.SIG_IGN))
        self.wait_for_part()
        program.send_signal(signal.SIGHUP)
        self.daemon.end()
        program.communicate(timeout=300)
        self.assertEqual((program.returncode, self.path.read_bytes()), (0, b"first half"))

    def test_a_file_drawn_here_leaves_nothing_either(self):
        program = subprocess.Popen([POSE, "turntable", FILE, "-o", self.path, "--count", "3000"],
                                   preexec_fn=heed_signals)
        self.addCleanup(lambda: (program.kill(), program.wait()))
        self.wait_for_part()
        program.send_signal(signal.SIGINT)
        self.assertEqual(program.wait(timeout=300), -signal.SIGINT)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_full_disk_is_said_once(self):
        self.path.write_bytes(b"before")
        with open(self.folder / "a.part", "w"):
            pass
        program = self.start("frames", "rig", "-o", self.path, preexec_fn=lambda: (
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
            resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))))
        self.daemon.head(f"Content-Type: {APNG}", "Transfer-Encoding: chunked")
        with contextlib.suppress(ConnectionError):
            for _ in range(1000):
                self.daemon.chunk(bytes(65536))
            self.daemon.end()
        error = program.communicate(timeout=300)[1].decode()
        self.assertEqual((program.returncode, error), (1, f"pose: {self.path}: File too large\n"))
        (self.folder / "a.part").unlink()
        self.assertOnlyWhatWas()

    def test_a_refusal_opens_nothing(self):
        target = self.folder / "target"
        target.write_bytes(b"before")
        self.path.symlink_to(target)
        program = self.start("frames", "rig", "-o", self.path)
        self.daemon.head("Content-Length: 2", status="400 Bad Request")
        self.daemon.connection.sendall(b"{}")
        program.communicate(timeout=300)
        self.assertEqual((program.returncode, target.read_bytes()), (3, b"before"))

    def test_standard_output_has_what_there_is(self):
        program = self.begin("-o", "-", stdout=subprocess.PIPE)
        self.assertTrue(select.select([program.stdout], [], [], 60)[0])
        self.assertEqual(os.read(program.stdout.fileno(), 100), b"first half")
        self.daemon.end()
        self.assertEqual(program.communicate(timeout=300), (b"", b""))

    def test_memory_does_not_hold_the_answer(self):
        megabytes = 200
        program = self.start("frames", "rig", "-o", self.path)
        self.daemon.head(f"Content-Type: {APNG}", f"Content-Length: {megabytes << 20}")
        for _ in range(megabytes):
            self.daemon.connection.sendall(bytes(1 << 20))
        _, status, usage = os.wait4(program.pid, 0)
        program.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual((program.returncode, self.path.stat().st_size), (0, megabytes << 20))
        self.assertLess(usage.ru_maxrss, megabytes / 2 * 1024, "KiB")

    def shown(self, head, *pieces, path):
        """The terminal's output after each of the pieces."""
        child, master = pty.fork()
        if child == 0:
            os.execv(POSE, [str(POSE), "frames", "rig", "-o", str(path), "--server",
                            self.daemon.address])
        self.addCleanup(os.close, master)
        said = []
        self.daemon.head(*head)
        for piece in pieces:
            self.daemon.connection.sendall(piece)
            line = b""
            while select.select([master], [], [], 0.5 if line else 60)[0]:
                line += os.read(master, 65536)
            said.append(line.split(b"\r")[-1].removesuffix(b"\033[K").decode())
        os.kill(child, signal.SIGTERM)
        os.waitpid(child, 0)
        return said

    def test_a_terminal_is_told_the_share(self):
        head = (f"Content-Type: {GIF}", "Content-Length: 40960")
        self.assertEqual(self.shown(head, bytes(10240), bytes(20480), path=self.path),
                         ["25 % of 40 KiB", "75 % of 40 KiB"])

    def test_frames_are_counted_where_the_length_is_not_known(self):
        # A GIF's frames have a graphic control before them, of 8 bytes.
        for kind, name, mark, further in (
            (APNG, "b.apng", b"fcTL", 600), (TAR, "b.tar", b"frame_", 600),
            (GIF, "b.gif", b"\x21\xf9\x04", 9), (WEBP, "b.webp", b"", 0)):
            with self.subTest(kind), Slow() as self.daemon:
                whole = self.folder / name
                done = run("turntable", FILE, *SMALL, "--count", "8", "-o", str(whole))
                self.assertEqual(done.returncode, 0, done.stderr)
                content = whole.read_bytes()
                middle = len(content) // 2
                if mark:
                    begins = [i for i in range(len(content)) if content.startswith(mark, i)]
                    self.assertEqual(len(begins), 8)
                    middle = begins[4] + further
                head = (f"Content-Type: {kind}", "Posed-Frames: 8")
                said = self.shown(head, content[:middle], content[middle:], path=self.path)
                self.assertEqual(said, ["5 of 8 frames", "8 of 8 frames"] if mark else
                                 [f"{middle // 1024} KiB of 8 frames",
                                  f"{len(content) // 1024} KiB of 8 frames"])


class WithDaemon(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("cyl2")

    def test_a_long_sequence_is_the_same_by_both_ways(self):
        # Longer than what the daemon sends as a whole.
        args = (*SMALL, "--size", "128", "--count", "300")[2:]
        env = {"POSED_SERVER": f"http://127.0.0.1:{self.daemon.port}"}
        with tempfile.TemporaryDirectory(prefix="posed-output-") as folder:
            contents = []
            for subject in ("cyl2", str(DEMO / "cyl2.glb")):
                path = pathlib.Path(folder) / "a.apng"
                done = run("turntable", subject, *args, "-o", str(path), **env)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                contents.append(path.read_bytes())
                self.assertEqual(list(pathlib.Path(folder).iterdir()), [path])
        self.assertTrue(contents[0] == contents[1], "bytes differ")


if __name__ == "__main__":
    unittest.main()
