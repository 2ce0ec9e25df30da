"""New connections when all are taken, when descriptors run out, and signs of life: against what the
daemon's own limits say, the kernel, and sd_watchdog_enabled(3)."""
import contextlib
import os
import pathlib
import re
import resource
import signal
import socket
import tempfile
import time
import unittest

from client import Client
from daemon import Daemon, binary
from tiny import Tiny

ROOT = pathlib.Path(__file__).resolve().parents[2]
WAIT_S = 120
LIMITS = (512, 640, 1024)  # of open files: for about 128, 192 and 384 connections
PADDING = 8 << 20  # of a rig: no sockets' buffers hold it
WATCHDOG_S = 0.4


def limited(descriptors):
    """(folder, program): the daemon with at most so many open files."""
    folder = tempfile.TemporaryDirectory(prefix="posed-limit-")
    program = pathlib.Path(folder.name) / "posed"
    program.write_text(f'#!/bin/sh\nulimit -n {descriptors}\nexec "{binary()}" "$@"\n')
    program.chmod(0o755)
    return folder, program


def until(condition):
    """Waits for what is about to come true; its value, or the last one."""
    end = time.monotonic() + WAIT_S
    while not (value := condition()) and time.monotonic() < end:
        time.sleep(0.02)
    return value


class Accepting(unittest.TestCase):
    def start(self, descriptors, idle_s=600):
        folder, program = limited(descriptors)
        self.addCleanup(folder.cleanup)
        self.daemon = Daemon(args=("--idle-seconds", str(idle_s), "--renderer", "none"),
                             program=program).start()
        self.addCleanup(self.daemon.stop)
        self.client = Client(self.daemon.port)

    def gauge(self, name):
        text = self.client.get("/metrics").body.decode()
        return int(re.search(rf"^{name} (\d+)$", text, re.M).group(1))

    def open(self, count, source="127.0.0.1"):
        """So many connections that say nothing."""
        opened = []
        for _ in range(count):
            opened.append(socket.create_connection(("127.0.0.1", self.daemon.port), WAIT_S,
                                                   source_address=(source, 0)))
            self.addCleanup(opened[-1].close)
        return opened

    def logged(self, words):
        return until(lambda: any(words in line for line in self.daemon.log_lines()))

    def assertAlive(self, source="127.0.0.1"):
        self.assertEqual(Client(self.daemon.port, source).get("/healthz").status, 200)

    def put_large(self):
        """A rig whose source no client can have without reading."""
        tiny = Tiny()
        tiny.node(root=True, name="bone")
        tiny.bin += bytes(PADDING)
        self.assertEqual(self.client.put("large", tiny.glb()).status, 201)

    def ask_for_source(self, count, source="127.0.0.1"):
        """So many connections on which a file is sent that nobody reads."""
        readers = []
        for _ in range(count):
            readers += self.open(1, source)
            readers[-1].sendall(b"GET /v1/rigs/large/source HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.assertEqual(readers[-1].recv(12), b"HTTP/1.1 200")
        return readers

    def test_connections_are_accepted_after_all_ended_in_one_turn(self):
        for descriptors in LIMITS:
            with self.subTest(descriptors=descriptors):
                self.start(descriptors, idle_s=2)
                most = self.gauge("posed_connections_limit")
                # More than its share no address can have.
                for connection in self.open(most // 2) + self.open(most - most // 2, "127.0.0.2"):
                    connection.settimeout(WAIT_S)
                    with contextlib.suppress(ConnectionResetError):
                        self.assertEqual(connection.recv(1), b"")
                self.assertAlive()
                self.assertTrue(until(lambda: self.gauge("posed_connections") == 1))

    def test_idle_connections_end_for_new_ones(self):
        self.start(LIMITS[0])
        most = self.gauge("posed_connections_limit")
        for source in ("127.0.0.2", "127.0.0.3"):
            self.open(most, source)
        self.assertAlive()
        self.assertTrue(self.logged("has all connections that it may have"))

    def test_one_address_leaves_a_quarter_to_others(self):
        self.start(LIMITS[1])
        self.put_large()
        most = self.gauge("posed_connections_limit")
        self.ask_for_source(most * 3 // 4)
        refused = self.client.get("/v1")
        self.assertEqual(refused.status, 503)
        self.assertGreater(int(refused.headers["Retry-After"]), 0)
        self.assertAlive()
        self.assertEqual(Client(self.daemon.port, "127.0.0.2").get("/v1").status, 200)

    def test_health_is_told_while_all_connections_are_busy(self):
        self.start(LIMITS[1])
        self.put_large()
        most = self.gauge("posed_connections_limit")
        readers = self.ask_for_source(most // 2, "127.0.0.2")
        readers += self.ask_for_source(most - len(readers), "127.0.0.3")
        for source in ("127.0.0.1", "127.0.0.2"):
            self.assertAlive(source)
            self.assertEqual(Client(self.daemon.port, source).get("/v1/rigs").status, 503)
        self.assertTrue(self.logged("posed has all connections that it may have"))
        for line in self.daemon.log_lines():
            self.assertNotIn("Too many open files", line, "each of them has two descriptors")
        for reader in readers:
            reader.close()
        self.assertTrue(until(lambda: self.client.get("/v1/rigs").status == 200))

    def test_accepting_goes_on_when_descriptors_come_back(self):
        self.start(LIMITS[2])
        process = self.daemon.process.pid
        had = resource.prlimit(process, resource.RLIMIT_NOFILE)
        highest = max(map(int, os.listdir(f"/proc/{process}/fd")))
        resource.prlimit(process, resource.RLIMIT_NOFILE, (highest + 1, had[1]))
        waiting = self.open(highest + 2)
        self.assertTrue(self.logged("no more connections are accepted: Too many open files"))
        resource.prlimit(process, resource.RLIMIT_NOFILE, had)
        for connection in waiting[-8:]:
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.assertEqual(connection.recv(12), b"HTTP/1.1 200")
        self.assertTrue(self.logged("connections are accepted again"))

    def test_too_few_descriptors_end_with_the_reason(self):
        folder, program = limited(100)
        self.addCleanup(folder.cleanup)
        daemon = Daemon(args=("--renderer", "none"), program=program).spawn()
        code, _ = daemon.wait()
        self.assertEqual(code, 1)
        self.assertRegex(daemon.log_tail(), r"limit of 100 open files \(ulimit -n\) is too low, "
                                            r"must be \d+")


class Watchdog(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="posed-watchdog-")
        self.addCleanup(self.folder.cleanup)
        self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(self.manager.close)
        self.manager.settimeout(WAIT_S)
        self.manager.bind(os.path.join(self.folder.name, "notify"))

    def start(self, **environment):
        self.daemon = Daemon(args=("--renderer", "none"), env={
            "NOTIFY_SOCKET": os.path.join(self.folder.name, "notify"),
            "WATCHDOG_USEC": str(int(WATCHDOG_S * 1e6)), **environment}).start()
        self.addCleanup(self.daemon.stop)
        self.assertEqual(self.manager.recv(100), b"READY=1")

    def silence_s(self):
        """Seconds until the next sign of life."""
        begun = time.monotonic()
        self.assertEqual(self.manager.recv(100), b"WATCHDOG=1")
        return time.monotonic() - begun

    def test_idle_daemon_gives_signs_of_life_in_time(self):
        self.start()
        for _ in range(5):
            self.assertLess(self.silence_s(), WATCHDOG_S)

    def test_daemon_that_is_stopped_gives_none(self):
        self.start()
        self.daemon.process.send_signal(signal.SIGSTOP)
        try:
            self.manager.settimeout(2 * WATCHDOG_S)
            with self.assertRaises(TimeoutError):
                while True:
                    self.silence_s()
        finally:
            self.daemon.process.send_signal(signal.SIGCONT)
        self.manager.settimeout(WAIT_S)
        self.silence_s()

    def test_signs_that_another_process_owes_are_not_given(self):
        self.start(WATCHDOG_PID="1")
        self.manager.settimeout(3 * WATCHDOG_S)
        with self.assertRaises(TimeoutError):
            self.manager.recv(100)

    def test_unit_waits_for_them(self):
        unit = (ROOT / "server/deploy/posed.service").read_text()
        self.assertRegex(unit, r"(?m)^Type=notify$")
        self.assertRegex(unit, r"(?m)^WatchdogSec=\d+$")


if __name__ == "__main__":
    unittest.main()
