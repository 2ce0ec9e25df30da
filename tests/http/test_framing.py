"""Heads that two readers can understand differently: refused, and nothing behind them is read."""
import contextlib
import http.client
import io
import json
import re
import socket
import unittest

import rigs
from case import DaemonCase
from client import PROBLEM, rig_path

LIMIT_S = 20


class Raw:
    """An answer out of the bytes of a connection, and what came behind it."""

    def __init__(self, received):
        self.received = received
        head, _, rest = received.partition(b"\r\n\r\n")
        line, *fields = head.split(b"\r\n")
        self.status = int(line.split()[1]) if line.startswith(b"HTTP/1.1 ") else None
        self.headers = http.client.parse_headers(io.BytesIO(b"\r\n".join(fields) + b"\r\n\r\n"))
        self.body = rest[: int(self.headers.get("Content-Length", 0))]
        self.behind = rest[len(self.body) :]

    @property
    def kind(self):
        return self.headers.get("Content-Type", "").split(";")[0]

    def json(self):
        return json.loads(self.body)

    def __str__(self):
        return repr(self.received[:600])


class FramingCase(DaemonCase):
    RIG = "victim"
    DELETE = b"DELETE /v1/rigs/victim HTTP/1.1\r\nHost: localhost\r\n\r\n"

    @classmethod
    def prepare(cls):
        cls.put_rig(cls.RIG, rigs.triangle().glb())

    def exchange(self, *pieces):
        """Sends pieces, and reads until the daemon closes the connection."""
        with socket.create_connection(("127.0.0.1", self.daemon.port), timeout=LIMIT_S) as plain:
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            received = b""
            with contextlib.suppress(ConnectionResetError, BrokenPipeError):
                for piece in pieces:
                    plain.sendall(piece)
            with contextlib.suppress(ConnectionResetError):
                while part := plain.recv(65536):
                    received += part
            return Raw(received)

    def assertRefused(self, *pieces, status=400, code="invalid-value", says=()):
        """One problem document, the connection closed, and the rig where it was."""
        reply = self.exchange(*pieces)
        self.assertProblem(reply, status, code, says=says)
        self.assertEqual(reply.headers.get("Connection", "").lower(), "close", str(reply))
        self.assertEqual(reply.behind, b"", "a second answer")
        self.assertStatus(self.client.get(rig_path(self.RIG)), 200)
        return reply


def head(line, *fields, host=b"Host: localhost"):
    return b"\r\n".join([line, *([host] if host else []), *fields]) + b"\r\n\r\n"


class Smuggling(FramingCase):
    """A request stands in the body of another, for a reader that finds no body there."""

    def shapes(self):
        inner = self.DELETE
        size = len(inner)
        chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (size, inner)
        length = b"Content-Length: %d" % size
        put = b"POST /v1/pose HTTP/1.1"
        old = b"POST /v1/pose HTTP/1.0"
        coded = b"Transfer-Encoding: chunked"
        return {
            "space before the colon": head(put, b"Content-Length : %d" % size) + inner,
            "tab before the colon": head(put, b"Content-Length\t: %d" % size) + inner,
            "folded length": head(put, b"Content-Length:\r\n %d" % size) + inner,
            "length that goes on in a fold": head(put, b"Content-Length: 0\r\n %d" % size) + inner,
            "fold before the first field": head(put, host=b" Host: localhost") + inner,
            "two lengths, the first 0": head(put, b"Content-Length: 0", length) + inner,
            "two lengths, the last 0": head(put, length, b"Content-Length: 0") + inner,
            "the same length twice": head(put, length, length) + inner,
            "a list of lengths": head(put, b"Content-Length: %d, %d" % (size, size)) + inner,
            "signed length": head(put, b"Content-Length: +%d" % size) + inner,
            "negative length": head(put, b"Content-Length: -%d" % size) + inner,
            "hexadecimal length": head(put, b"Content-Length: 0x%x" % size) + inner,
            "empty length": head(put, b"Content-Length:") + inner,
            "length and chunks": head(put, length, coded) + chunked,
            "chunks and length": head(put, coded, b"Content-Length: 0") + chunked,
            "two codings": head(put, coded, b"Transfer-Encoding: identity") + chunked,
            "the same coding twice": head(put, coded, coded) + chunked,
            "space before the coding's colon": head(put, b"Transfer-Encoding : chunked") + chunked,
            "folded coding": head(put, b"Transfer-Encoding:\r\n chunked") + chunked,
            "empty coding": head(put, b"Transfer-Encoding:") + chunked,
            "chunks in HTTP/1.0": head(old, coded, b"Connection: keep-alive") + chunked,
            "a field without a colon": head(put, b"Content-Length %d" % size) + inner,
            "a field without a name": head(put, b": x") + inner,
            "bare CR before a length": head(put, b"X: y\rContent-Length: %d" % size) + inner,
            "bare LF before a length": head(put, b"X: y\nContent-Length: %d" % size) + inner,
            "bare LFs": b"POST /v1/pose HTTP/1.1\nHost: localhost\n\n" + inner,
            "NUL in a value": head(put, b"X: y\0z", length) + inner,
            "NUL in a length": head(put, b"Content-Length: 0\0%d" % size) + inner,
            "NUL in a name": head(put, b"X\0Content-Length: %d" % size) + inner,
            "NUL in the target": head(b"GET /v1\0/x HTTP/1.1") + inner,
            "other control characters": head(put, b"Content-Length: \x0b%d" % size) + inner,
            "two hosts": head(put, b"Host: other", b"Content-Length: 0") + inner,
            "no host": head(put, b"Content-Length: 0", host=None) + inner,
            "a host that is none": head(put, b"Content-Length: 0", host=b"Host: a b/c") + inner,
            "a host with a user": head(put, b"Content-Length: 0", host=b"Host: a@localhost") + inner,
            "a line that says no version": head(b"POST /v1/pose") + inner,
            "another protocol": head(b"POST /v1/pose HTTQ/1.1") + inner,
            "two spaces in the line": head(b"POST  /v1/pose HTTP/1.1") + inner,
            "space behind the version": head(b"POST /v1/pose HTTP/1.1 ") + inner,
            "space in the target": head(b"GET /v1/rigs/a b HTTP/1.1") + inner,
            "a method that is no word": head(b"PO(ST /v1/pose HTTP/1.1") + inner,
            "a target that is no path": head(b"POST v1/pose HTTP/1.1") + inner,
            "chunk size in another notation": head(put, coded) + b"0x5\r\nhello\r\n0\r\n\r\n" + inner,
            "chunk size with a sign": head(put, coded) + b"+5\r\nhello\r\n0\r\n\r\n" + inner,
            "chunk size with a space": head(put, coded) + b"5 \r\nhello\r\n0\r\n\r\n" + inner,
            "chunk size beyond all numbers": head(put, coded) + b"f" * 17 + b"\r\n" + inner,
            "chunk size that ends in LF": head(put, coded) + b"5\nhello\r\n0\r\n\r\n" + inner,
            "chunk that is longer": head(put, coded) + b"4\r\nhello\r\n0\r\n\r\n" + inner,
            "bare CR in an extension": head(put, coded) + b"5;a\rb\r\nhello\r\n0\r\n\r\n" + inner,
            "a trailer without a colon": head(put, coded) + b"0\r\nno field\r\n\r\n" + inner,
        }

    def test_ambiguous_requests_are_400_and_nothing_behind_them_runs(self):
        for name, request in self.shapes().items():
            with self.subTest(name):
                self.assertRefused(request)

    def test_they_are_refused_however_they_are_cut(self):
        for name, request in self.shapes().items():
            for size in (1, 7, len(request) // 2):
                with self.subTest(name, size=size):
                    self.assertRefused(
                        *(request[i : i + size] for i in range(0, len(request), size)))

    def test_they_are_refused_behind_a_request_on_the_same_connection(self):
        for name, request in self.shapes().items():
            with self.subTest(name):
                reply = self.exchange(head(b"GET /healthz HTTP/1.1") + request)
                self.assertEqual(reply.status, 200, str(reply))
                second = Raw(reply.behind)
                self.assertProblem(second, 400, "invalid-value")
                self.assertEqual(second.behind, b"", "a third answer")
                self.assertStatus(self.client.get(rig_path(self.RIG)), 200)

    def test_unknown_codings_are_501(self):
        for coding in (b"gzip", b"gzip, chunked", b"identity", b"chunked, gzip", b"xchunked",
                       b"chunked;q=1"):
            with self.subTest(coding):
                request = head(b"POST /v1/pose HTTP/1.1", b"Transfer-Encoding: " + coding)
                self.assertRefused(request + self.DELETE, status=501, code="not-implemented",
                                   says=coding.decode())

    def test_lengths_beyond_all_numbers_are_413(self):
        request = head(b"PUT /v1/rigs/a HTTP/1.1", b"Content-Length: " + b"9" * 40)
        self.assertRefused(request + self.DELETE, status=413, code="too-large")


class Heads(FramingCase):
    def test_what_the_standard_allows_is_taken(self):
        body = b'{"rig":"victim","pose":"rest"}'
        length = b"Content-Length: %d" % len(body)
        close = b"Connection: close"
        line = b"POST /v1/pose HTTP/1.1"
        chunks = b"5;name=value\r\n" + body[:5] + b"\r\n%X\r\n" % (len(body) - 5) + body[5:]
        for name, request in {
            "blanks around the value": head(line, b"Content-Length: \t %d \t" % len(body), close) + body,
            "blanks behind the coding": head(line, b"Transfer-Encoding: chunked \t", close)
            + chunks + b"\r\n0\r\n\r\n",
            "no blank": head(line, b"Content-Length:%d" % len(body), close) + body,
            "names in any case": head(line, b"cONTENT-lENGTH: %d" % len(body), close) + body,
            "leading zeros": head(line, b"Content-Length: %08d" % len(body), close) + body,
            "an empty line before": b"\r\n" + head(line, length, close) + body,
            "an empty field": head(line, b"X-Empty:", length, close) + body,
            "bytes beyond ASCII in a value": head(line, b"X: \xc3\xbc", length, close) + body,
            "chunks, extensions and trailers": head(line, b"Transfer-Encoding: Chunked", close)
            + chunks + b"\r\n0\r\nX-Trailer: y\r\n\r\n",
            "HTTP/1.0 without a host": head(b"POST /v1/pose HTTP/1.0", length, host=None) + body,
            "a later 1.x": head(b"POST /v1/pose HTTP/1.2", length, close) + body,
        }.items():
            for size in (len(request), 1, 9):
                with self.subTest(name, size=size):
                    reply = self.exchange(
                        *(request[i : i + size] for i in range(0, len(request), size)))
                    self.assertEqual(reply.status, 200, str(reply))
                    self.assertEqual(reply.json()["joints"][0]["name"], "triangle")

    def test_other_versions_are_505(self):
        for version in (b"HTTP/2.0", b"HTTP/0.9", b"HTTP/3.0"):
            with self.subTest(version):
                self.assertRefused(head(b"GET /healthz " + version) + self.DELETE, status=505,
                                   code="unsupported-version", says=version.decode())

    def test_too_many_parameters_get_an_answer(self):
        for count in (500, 5000):
            query = b"&".join(b"p%d" % i for i in range(count))
            request = head(b"GET /v1/rigs/victim/frame.png?" + query + b" HTTP/1.1")
            reply = self.exchange(request)
            self.assertProblem(reply, 431 if len(request) > 16384 else 400,
                               ("invalid-value", "header-too-large"))

    def test_heads_that_are_too_long_are_431(self):
        for name, request in {
            "target": head(b"GET /" + b"a" * 40000 + b" HTTP/1.1"),
            "one field": head(b"GET /healthz HTTP/1.1", b"X: " + b"a" * 40000),
            "many fields": head(b"GET /healthz HTTP/1.1", *[b"X: y"] * 5000),
            "more fields than are taken": head(b"GET /healthz HTTP/1.1", *[b"X: y"] * 101),
        }.items():
            with self.subTest(name):
                self.assertRefused(request, status=431, code="header-too-large")

    def test_the_longest_head_that_is_taken_is_answered(self):
        names = [b"p%d=1" % i for i in range(100)]
        fields = [b"X%d: %s" % (i, b"y" * 60) for i in range(96)]
        cookie = b"Cookie: " + b"; ".join(b"c%d=1" % i for i in range(200))
        request = head(b"GET /v1/rigs/victim/frame.png?" + b"&".join(names) + b" HTTP/1.1",
                       *fields, cookie, b"Connection: close")
        request = request[:-2] + b"X: " + b"z" * (16384 - len(request) - 5) + b"\r\n\r\n"
        self.assertEqual(len(request), 16384)
        self.assertProblem(self.exchange(request), 400, "unknown-member", says="p0")


class Targets(FramingCase):
    def test_absolute_form_is_answered_as_the_path_in_it(self):
        for target, status in (
            (b"http://localhost/v1/rigs/victim", 200),
            (b"HTTP://LocalHost:8600/v1/rigs/victim?bounds=clips", 200),
            (b"https://localhost/v1/rigs/nobody", 404),
            (b"http://[::1]:80/healthz", 200),
            (b"http://localhost", 200),
            (b"http://localhost?x=y", 200),
        ):
            for size in (4096, 1):
                with self.subTest(target, size=size):
                    request = head(b"GET " + target + b" HTTP/1.1", b"Accept: */*",
                                   b"Connection: close")
                    reply = self.exchange(
                        *(request[i : i + size] for i in range(0, len(request), size)))
                    self.assertEqual(reply.status, status, str(reply))

    def test_absolute_form_carries_bodies_and_other_requests_behind_it(self):
        body = b'{"rig":"victim","pose":"rest"}'
        first = head(b"POST http://localhost/v1/pose HTTP/1.1", b"Content-Length: %d" % len(body)) + body
        reply = self.exchange(first + head(b"GET http://localhost/healthz HTTP/1.1", b"Connection: close"))
        self.assertEqual(reply.status, 200, str(reply))
        self.assertEqual(Raw(reply.behind).status, 200, repr(reply.behind))

    def test_the_host_of_a_url_counts_and_not_the_header_s(self):
        reply = self.exchange(head(b"GET http://evil.test/v1 HTTP/1.1", b"Connection: close"))
        self.assertProblem(reply, 421, "misdirected", says="evil.test")
        reply = self.exchange(head(b"GET http://localhost/v1 HTTP/1.1", b"Connection: close",
                                   host=b"Host: evil.test"))
        self.assertEqual(reply.status, 200, str(reply))

    def test_targets_of_other_forms_are_400(self):
        for target in (b"ftp://posed/v1", b"http:///v1", b"http://user@localhost/v1", b"*", b"",
                       b"posed:80", b"http://po sed/v1"):
            with self.subTest(target):
                self.assertRefused(head(b"GET " + target + b" HTTP/1.1"))

    def test_options_of_the_whole_server(self):
        for target in (b"*", b"http://localhost"):
            reply = self.exchange(head(b"OPTIONS " + target + b" HTTP/1.1", b"Connection: close"))
            self.assertEqual(reply.status, 204, str(reply))
            methods = set(re.split(r",\s*", reply.headers["Allow"]))
            self.assertEqual(methods,
                             {"GET", "HEAD", "PUT", "POST", "PATCH", "DELETE", "OPTIONS"})

    def test_a_space_in_the_target_is_told_of(self):
        reply = self.exchange(head(b"GET /v1/rigs/my fox HTTP/1.1"))
        self.assertProblem(reply, 400, "invalid-value", says=("space", "%20"))
        self.assertEqual(reply.kind, PROBLEM)


if __name__ == "__main__":
    unittest.main()
