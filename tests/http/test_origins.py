"""Permissions of pages in a browser: the daemon's host names, and pages of other origins."""
import http.client
import os
import re
import socket
import tempfile

import rigs
from case import DaemonCase
from client import PROBLEM, TIMEOUT_S, Client, Reply, rig_path
from daemon import ROOT, Daemon
from test_tokens import documented_calls
from test_unix_socket import PathConnection

FOREIGN = "https://evil.example"
NOT_HERE = 421  # RFC 9110's Misdirected Request
BODIES = {"PUT": b"{}", "POST": b"{}", "PATCH": b"{}"}


def asked(connection, method, path, *headers):
    """The answer to a request with exactly these headers, which may repeat."""
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    body = BODIES.get(method)
    for name, value in (*headers, *((("Content-Length", str(len(body))),) if body else ())):
        connection.putheader(name, value)
    connection.endheaders(body)
    try:
        return Reply(connection.getresponse())
    finally:
        connection.close()


class OriginCase(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_rig("mine", rigs.triangle().glb())

    def ask(self, method, path, host=None, origin=None, *more):
        port = self.daemon.port
        headers = [("Host", host if host is not None else f"127.0.0.1:{port}"), *more]
        headers += [("Origin", origin)] if origin is not None else []
        return asked(self.client.connect(), method, path, *headers)


class Names(OriginCase):
    """A page at http://evil.test, which its DNS has moved to this address, is of the daemon's origin
    for the browser: only the name in Host tells."""

    def test_other_names_are_misdirected(self):
        for host in ("evil.test", f"evil.test:{self.daemon.port}", "EVIL.TEST", "localhost.evil.test",
                     "127.0.0.1.evil.test", "evil.test.", "notlocalhost",
                     "[::1].evil.test", "[evil.test]", "127.1", "2130706433", "localhost:80:80",
                     "localhost:x", "localhost:", "", ":80", "*", "none", "[::1",
                     "1.2.3.4.5", "a" * 300):
            for method, path in (("GET", rig_path("mine", "/source")), ("GET", "/v1/rigs"),
                                 ("DELETE", rig_path("mine")), ("PUT", rig_path("other")),
                                 ("POST", "/v1/pose"), ("OPTIONS", rig_path("mine")), ("GET", "/"),
                                 ("GET", "/healthz"), ("GET", "/js/client/posed.js"),
                                 ("GET", "/nothing"), ("HEAD", rig_path("mine"))):
                with self.subTest(host=host[:40], call=f"{method} {path}"):
                    reply = self.ask(method, path, host)
                    self.assertEqual(reply.status, NOT_HERE, str(reply))
                    self.assertNotIn("Allow", reply.headers)
                    if method != "HEAD":
                        self.assertEqual(reply.kind, PROBLEM)
                        problem = reply.json()
                        self.assertEqual(problem["type"], "urn:posed:misdirected")
                        self.assertIn("--hosts", problem["detail"])
        self.assertEqual(self.client.get(rig_path("mine")).status, 200)
        self.assertEqual(self.client.get(rig_path("other")).status, 404)

    def test_addresses_and_the_loopback_s_names_are_its_own(self):
        for host in ("localhost", "LocalHost", "localhost.", "demo.localhost", "127.0.0.1",
                     "127.9.9.9", "10.1.2.3", "192.0.2.7", "[::1]", "[2001:DB8::7]",
                     "[::ffff:127.0.0.1]"):
            for port in ("", f":{self.daemon.port}", ":1"):
                with self.subTest(host=host + port):
                    self.assertStatus(self.ask("GET", "/v1/rigs", host + port), 200)

    def test_each_of_several_is_looked_at(self):
        for hosts in (("localhost", "evil.test"), ("evil.test", "localhost")):
            reply = asked(self.client.connect(), "GET", "/v1", *(("Host", host) for host in hosts))
            self.assertIn(reply.status, (400, NOT_HERE), str(reply))

    def test_a_request_without_any_is_no_browser_s(self):
        with socket.create_connection(("127.0.0.1", self.daemon.port), TIMEOUT_S) as connection:
            connection.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
            self.assertIn(b" 200 ", connection.recv(65536).splitlines()[0])


class NamesGiven(OriginCase):
    daemon_args = ("--hosts", "posed.example.org,Other.example:8443")

    def test_they_are_the_daemon_s(self):
        for host, status in (("posed.example.org", 200), ("POSED.example.org:99", 200),
                             ("posed.example.org.", 200), ("other.example:8443", 200),
                             ("other.example", NOT_HERE), ("other.example:8444", NOT_HERE),
                             ("a.posed.example.org", NOT_HERE), ("posed.example", NOT_HERE),
                             ("posed.example.orga", NOT_HERE), ("localhost", 200)):
            with self.subTest(host=host):
                self.assertStatus(self.ask("GET", "/v1/rigs", host), status)

    def test_pages_behind_a_proxy_that_changes_the_host_are_the_daemon_s(self):
        for origin, status in (("https://posed.example.org", 404), ("http://OTHER.example:8443", 404),
                               ("https://posed.example.org:444", 403), ("https://other.example", 403),
                               ("https://evil.example", 403)):
            with self.subTest(origin=origin):
                reply = self.ask("DELETE", rig_path("absent"), "localhost", origin)
                self.assertStatus(reply, status)


class AnyName(OriginCase):
    daemon_args = ("--hosts", "*")

    def test_every_name_is_let_in_and_origins_count_all_the_same(self):
        self.assertStatus(self.ask("GET", "/v1/rigs", "what.ever"), 200)
        self.assertStatus(self.ask("DELETE", rig_path("absent"), "what.ever", "http://what.ever"), 404)
        self.assertStatus(self.ask("DELETE", rig_path("absent"), "what.ever", FOREIGN), 403)


class Changes(OriginCase):
    """Browsers say with all but plain reading whose page it is that asks."""

    def test_own_pages_may(self):
        port = self.daemon.port
        for host, origin in ((f"127.0.0.1:{port}", f"http://127.0.0.1:{port}"),
                             (f"localhost:{port}", f"http://LOCALHOST:{port}"),
                             ("localhost", "https://localhost"), ("[::1]:80", "http://[::1]:80")):
            with self.subTest(host=host, origin=origin):
                self.assertStatus(self.ask("DELETE", rig_path("absent"), host, origin), 404)

    def test_other_pages_may_not(self):
        port = self.daemon.port
        for origin in (FOREIGN, "null", "", "http://127.0.0.1", f"http://127.0.0.1:{port + 1}",
                       f"http://localhost:{port}", f"127.0.0.1:{port}", f"//127.0.0.1:{port}",
                       f"ftp://127.0.0.1:{port}", f"http://127.0.0.1:{port}.evil.example",
                       f"http://127.0.0.1:{port}/", f"http://a@127.0.0.1:{port}", "*", "a" * 5000):
            for method, path in (("DELETE", rig_path("mine")), ("PUT", rig_path("mine")),
                                 ("PUT", rig_path("mine", "/clips/a")),
                                 ("POST", rig_path("mine", "/fits"))):
                with self.subTest(origin=origin[:60], call=f"{method} {path}"):
                    reply = self.ask(method, path, None, origin)
                    self.assertProblem(reply, 403, "forbidden", says="--trusted-origins")
                    self.assertNotIn("Access-Control-Allow-Origin", reply.headers)
        self.assertEqual(self.client.get(rig_path("mine")).status, 200)

    def test_each_of_several_origins_is_looked_at(self):
        own = f"http://127.0.0.1:{self.daemon.port}"
        for origins in ((own, FOREIGN), (FOREIGN, own)):
            reply = self.ask("DELETE", rig_path("mine"), None, None,
                             *(("Origin", origin) for origin in origins))
            self.assertStatus(reply, 403)

    def test_refused_before_the_body(self):
        with socket.create_connection(("127.0.0.1", self.daemon.port), TIMEOUT_S) as connection:
            connection.sendall(b"PUT /v1/rigs/big HTTP/1.1\r\nHost: localhost\r\n"
                               b"Origin: https://evil.example\r\nContent-Length: 200000000\r\n\r\n")
            self.assertIn(b" 403 ", connection.recv(65536).splitlines()[0])


class Table(OriginCase):
    """docs/access.md says of every call what a page of another origin may do with it."""

    def classes(self):
        text = (ROOT / "docs" / "access.md").read_text()
        table = text.partition("| pages of other origins |")[2].partition("\n\n")[0]
        rows = re.findall(r"(?m)^\| (.*?) \| (.*) \|$", table)
        self.assertEqual(len(rows), 4, rows)  # its rule, and three kinds
        found = {}
        for kind, calls in rows[1:]:
            for call in re.findall(r"`([A-Z]+ /\S*)`", calls):
                self.assertNotIn(call, found)
                found[call] = kind
        return found

    def test_every_call_is_as_the_table_has_it(self):
        table = self.classes()
        calls = {f"{method} {path}" for method, path, _ in documented_calls()}
        self.assertEqual(set(table), calls)
        for call, kind in table.items():
            with self.subTest(call=call):
                method, path = call.split(" ", 1)
                for part, name in (("rig", "mine"), ("name", "x"), ("id", "x"), ("format", "gif"),
                                   ("signature", "unsafe"), ("options", "w:16"),
                                   ("path", "client/posed.js")):
                    path = path.replace(f"{{{part}}}", name)
                reply = self.ask(method, path, None, FOREIGN)
                allowed = reply.headers.get("Access-Control-Allow-Origin")
                preflight = self.ask("OPTIONS", path, None, FOREIGN,
                                     ("Access-Control-Request-Method", method))
                methods = preflight.headers.get("Access-Control-Allow-Methods", "").split(", ")
                self.assertEqual(preflight.headers.get("Access-Control-Allow-Origin"),
                                 "*" if methods != [""] else None)
                if kind == "may call it":
                    self.assertNotEqual(reply.status, 403, str(reply))
                    self.assertEqual(allowed, "*")
                    self.assertIn(method, methods)
                    self.assertEqual(reply.headers.get("Timing-Allow-Origin"), "*")
                    continue
                self.assertIsNone(allowed)
                self.assertNotIn("Timing-Allow-Origin", reply.headers)
                self.assertNotIn(method, methods)
                if kind == "may not change by it":
                    self.assertProblem(reply, 403, "forbidden")
                else:
                    self.assertEqual((kind, method), ("may not read it", "GET"))


class OriginNamed(OriginCase):
    """--cors-origin says who may read, and no more than that."""

    daemon_args = ("--cors-origin", "https://site.example")

    def test_it_reads_all_and_changes_nothing(self):
        for path in ("/v1", "/metrics", rig_path("mine", "/source")):
            reply = self.ask("GET", path, None, "https://site.example")
            self.assertEqual(reply.headers["Access-Control-Allow-Origin"], "https://site.example")
        self.assertStatus(self.ask("DELETE", rig_path("mine"), None, "https://site.example"), 403)

    def test_others_may_not_even_have_pictures_made(self):
        self.assertStatus(self.ask("POST", "/v1/frame", None, FOREIGN), 403)
        self.assertStatus(self.ask("POST", "/v1/frame", None, "https://site.example"), 400)


class TrustedOrigins(OriginCase):
    daemon_args = ("--trusted-origins", "https://editor.example,http://localhost:5173")

    def test_they_do_what_own_pages_do(self):
        for origin in ("https://editor.example", "http://localhost:5173"):
            with self.subTest(origin=origin):
                reply = self.ask("PUT", rig_path("mine"), None, origin)
                self.assertStatus(reply, 422)
                self.assertEqual(reply.headers["Access-Control-Allow-Origin"], origin)
                reply = self.ask("GET", rig_path("mine", "/source"), None, origin)
                self.assertEqual(reply.headers["Access-Control-Allow-Origin"], origin)
                self.assertIn("Origin", reply.headers.get_all("Vary"))
                reply = self.ask("OPTIONS", rig_path("mine"), None, origin)
                self.assertEqual(reply.headers["Access-Control-Allow-Origin"], origin)
                methods = reply.headers["Access-Control-Allow-Methods"].split(", ")
                self.assertLessEqual({"GET", "PUT", "DELETE"}, set(methods))

    def test_others_do_not(self):
        for origin in (FOREIGN, "http://editor.example", "https://editor.example:444", "null"):
            with self.subTest(origin=origin):
                self.assertStatus(self.ask("PUT", rig_path("mine"), None, origin), 403)
                reply = self.ask("GET", rig_path("mine", "/source"), None, origin)
                self.assertNotIn("Access-Control-Allow-Origin", reply.headers)
                self.assertIn("Origin", reply.headers.get_all("Vary"))


class UnixSocket(DaemonCase):
    """No page can do this by itself: the Host header is the business of the proxy that forwards it."""

    def test_any_name_is_taken(self):
        with tempfile.TemporaryDirectory(prefix="posed-origins-") as folder:
            path = os.path.join(folder, "socket")
            daemon = Daemon(args=("--renderer", "none"), listen=f"unix:{path}").start()
            self.addCleanup(daemon.stop)
            for host in ("evil.test", "posed.example.org", "localhost"):
                reply = asked(PathConnection(path), "GET", "/v1/rigs", ("Host", host))
                self.assertStatus(reply, 200)
            reply = asked(PathConnection(path), "DELETE", rig_path("absent"), ("Host", "localhost"),
                          ("Origin", FOREIGN))
            self.assertStatus(reply, 403)
