"""The log: JSON that any reader takes, one line a request, and the id that answers carry."""
import json
import os
import re
import selectors
import socket
import time
import unittest

import rigs
from case import DaemonCase
from client import Client, rig_path
from daemon import Daemon

WAIT_S = 120


class JsonLog(DaemonCase):
    daemon_args = ("--log-format", "json", "--log-level", "debug")

    def lines(self):
        return [json.loads(line) for line in self.daemon.log_lines()]

    def lines_of(self, reply):
        """Those about one request; the last of them is its own."""
        request = reply.headers["Posed-Request-Id"]
        deadline = time.monotonic() + WAIT_S
        while time.monotonic() < deadline:
            lines = [line for line in self.lines() if line.get("request") == request]
            if lines and lines[-1]["message"] == "request":
                return lines
            time.sleep(0.01)
        self.fail(f"no line for request {request}; log:\n{self.daemon.log_tail()}")

    def test_every_line_is_an_object_with_time_level_and_message(self):
        self.client.get("/v1")
        for line in self.lines():
            self.assertRegex(line["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
            self.assertIn(line["level"], ("debug", "info", "warning", "error"))
            self.assertTrue(line["message"])

    def test_a_request_has_one_line_with_its_id(self):
        reply = self.client.get("/v1/rigs/none%20such?clip=x")
        (line,) = self.lines_of(reply)
        self.assertEqual(line["level"], "info")
        self.assertEqual(line["method"], "GET")
        self.assertEqual(line["path"], "/v1/rigs/none%20such")
        self.assertEqual(line["status"], 400)  # no such parameter
        self.assertEqual(line["bytes"], len(reply.body))
        self.assertGreaterEqual(line["duration_ms"], 0)
        self.assertEqual(line["client"], "127.0.0.1")
        self.assertNotIn("end", line)

    def test_what_is_done_for_a_request_names_it(self):
        reply = self.assertStatus(self.client.put("logged", rigs.triangle().glb()), 201)
        lines = self.lines_of(reply)
        reading = [line for line in lines if line["message"].startswith("reading an asset")]
        self.assertEqual(len(reading), 1, lines)
        self.assertEqual(lines[-1]["status"], 201)

    def test_head_has_no_bytes(self):
        (line,) = self.lines_of(self.client.request("HEAD", "/healthz"))
        self.assertEqual((line["method"], line["status"], line["bytes"]), ("HEAD", 200, 0))

    def test_long_and_strange_paths_are_safe(self):
        reply = self.client.get(rig_path("x" * 4000))
        self.assertEqual(self.lines_of(reply)[0]["path"], rig_path("x" * 4000)[:200])
        with socket.create_connection(("127.0.0.1", self.daemon.port)) as raw:
            raw.sendall(b'GET /"\\\x1b[31m\xff\xc3 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
            answer = b""
            while piece := raw.recv(65536):
                answer += piece
        self.assertTrue(answer.startswith(b"HTTP/1.1 4"), answer)
        self.lines()  # every one still is JSON

    def test_client_that_leaves_is_told_from_an_answer(self):
        with socket.create_connection(("127.0.0.1", self.daemon.port)) as raw:
            raw.sendall(b"PUT /v1/rigs/leaver HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n12")
            time.sleep(0.2)
        deadline = time.monotonic() + WAIT_S
        found = []
        while not found and time.monotonic() < deadline:
            found = [line for line in self.lines() if line.get("path") == "/v1/rigs/leaver"]
            time.sleep(0.01)
        self.assertEqual([(line["status"], line["end"]) for line in found], [(0, "client left")])


class TextLog(DaemonCase):
    own_daemon = True

    def test_a_request_is_one_line_of_text(self):
        reply = self.client.get("/healthz")
        expected = (
            r"^[-0-9]{10}T[:0-9]{8}\.\d{3}Z info request request="
            + reply.headers["Posed-Request-Id"]
            + r" method=GET path=/healthz status=200 bytes=\d+ duration_ms=[\d.]+ client=127\.0\.0\.1$"
        )
        deadline = time.monotonic() + WAIT_S
        while "path=/healthz" not in self.daemon.log_tail() and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertRegex(self.daemon.log_lines()[-1], expected)


class NoAccessLog(DaemonCase):
    daemon_args = ("--access-log", "off")

    def test_requests_are_not_logged(self):
        self.assertStatus(self.client.get("/healthz"), 200)
        self.daemon.terminate()
        self.daemon.wait()
        log = self.daemon.log_lines()
        self.assertTrue(any("stopping" in line for line in log), log)
        self.assertFalse([line for line in log if "/healthz" in line])


class Warnings(DaemonCase):
    daemon_args = ("--log-level", "warning", "--renderer", "none")

    def test_only_what_is_wrong_is_logged(self):
        self.assertStatus(self.client.get("/healthz"), 200)
        self.daemon.terminate()
        self.daemon.wait()
        log = self.daemon.log_lines()
        self.assertTrue(any(" warning " in line for line in log), log)
        self.assertFalse([line for line in log if " info " in line])


class PipedDaemon(Daemon):
    """Writes its log into a pipe, which only the test reads."""

    def __init__(self):
        super().__init__(args=("--renderer", "none"))
        self.log.close()
        self.pipe, end = os.pipe()
        self.log = os.fdopen(end, "wb")

    def read_until(self, words):
        """What is in the pipe, up to some words."""
        text, deadline = b"", time.monotonic() + WAIT_S
        with selectors.DefaultSelector() as selector:
            selector.register(self.pipe, selectors.EVENT_READ)
            while words not in text and selector.select(max(0, deadline - time.monotonic())):
                text += os.read(self.pipe, 65536)
        return text

    def end(self):
        """The exit code after SIGTERM."""
        self.terminate()
        return self.wait()[0]

    def kill(self):
        super().kill()
        self.log.close()
        os.close(self.pipe)

    def log_tail(self, size=3000):
        return "(unread)"


class UnreadLog(unittest.TestCase):
    """A pipe takes 64 KiB and the daemon holds 256 KiB: more than that, and nobody reads."""

    def setUp(self):
        self.daemon = PipedDaemon().start()
        self.addCleanup(self.daemon.kill)
        client = Client(self.daemon.port)
        for _ in range(2 * 320 * 1024 // 300):
            reply = client.get("/" + "x" * 190)
            self.assertEqual(reply.status, 404)

    def test_the_daemon_answers_and_says_what_was_lost(self):
        text = self.daemon.read_until(b"nobody read them")
        self.assertEqual(Client(self.daemon.port).get("/v1").status, 200)
        rest = self.daemon.read_until(b"path=/v1 ")
        lost = rb"warning lines of the log are lost: nobody read them lines=[1-9]\d*\n"
        self.assertEqual(len(re.findall(lost, text + rest)), 1)
        self.assertEqual(self.daemon.end(), 0)

    def test_the_daemon_stops(self):
        self.assertEqual(self.daemon.end(), 0)
