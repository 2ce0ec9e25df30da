"""The configuration of nginx that server/deploy has, with the real nginx in front of the daemon."""
import http.client
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import unittest

import rigs
from case import DaemonCase
from client import Reply
from daemon import ROOT
from test_signed import NEW, key_lines, sign
from test_tokens import private_file

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
NAME = "models.example.org"
WAIT_S = 60
WHOLE = """daemon off;
master_process off;
pid {folder}/pid;
error_log stderr;
events {{}}
http {{
	access_log off;
	client_body_temp_path {folder}/body;
	proxy_temp_path {folder}/proxy;
	fastcgi_temp_path {folder}/fastcgi;
	uwsgi_temp_path {folder}/uwsgi;
	scgi_temp_path {folder}/scgi;
	include {folder}/posed.conf;
}}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def replaced(text, words, by):
    """The text with the one place of these words changed."""
    assert text.count(words) == 1, words
    return text.replace(words, by)


@unittest.skipUnless(NGINX, "nginx is not installed (Debian: nginx-light)")
class NginxCase(DaemonCase):
    """The daemon, and nginx before it with the committed file, in which only addresses are others."""

    own_daemon = True

    @classmethod
    def setUpClass(cls):
        keys = private_file(key_lines(NEW))
        cls.addClassCleanup(keys.unlink)
        cls.daemon_args = ("--sign-keys", str(keys), "--hosts", NAME)
        super().setUpClass()
        cls.start_nginx()

    @classmethod
    def prepare(cls):
        cls.put_rig("col", cls.column(2))

    @staticmethod
    def column(height):
        return rigs.column([(0, 0, 0), (1, 1, 0), (0, height, 0)]).glb()

    @classmethod
    def start_nginx(cls):
        folder = tempfile.TemporaryDirectory(prefix="posed-nginx-")
        cls.addClassCleanup(folder.cleanup)
        cls.port = free_port()
        text = (ROOT / "server" / "deploy" / "nginx.conf").read_text()
        text = replaced(text, "127.0.0.1:8600", f"127.0.0.1:{cls.daemon.port}")
        text = replaced(text, "listen 80;", f"listen 127.0.0.1:{cls.port};")
        text = replaced(text, "/var/cache/nginx/posed", f"{folder.name}/cache")
        pathlib.Path(folder.name, "posed.conf").write_text(text)
        whole = pathlib.Path(folder.name, "nginx.conf")
        whole.write_text(WHOLE.format(folder=folder.name))
        cls.process = subprocess.Popen([NGINX, "-p", folder.name, "-c", str(whole)],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        cls.addClassCleanup(cls.stop_nginx)
        deadline = time.monotonic() + WAIT_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", cls.port)).close()
                return
            except ConnectionRefusedError:
                assert cls.process.poll() is None, cls.process.stderr.read().decode()
                assert time.monotonic() < deadline, "nginx does not listen"
                time.sleep(0.02)

    @classmethod
    def stop_nginx(cls):
        cls.process.kill()
        cls.process.communicate()

    def ask(self, path, method="GET", body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT_S)
        try:
            connection.request(method, path, body, {"Host": NAME, **headers})
            return Reply(connection.getresponse())
        finally:
            connection.close()

    def seen(self, path, status=200, **headers):
        """The cache's word for an answer, and the answer."""
        reply = self.assertStatus(self.ask(path, **headers), status)
        return reply.headers.get("X-Cache-Status"), reply

    def content(self):
        return self.description("col")["content"].removeprefix("sha256:")

    def drawn(self):
        """Requests for signed links that reached the daemon."""
        lines = self.client.get("/metrics").body.decode().splitlines()
        return sum(float(line.split()[-1]) for line in lines
                   if line.startswith("posed_requests_total") and 'route="/i/' in line)


class Nginx(NginxCase):
    """Held against RFC 9111 and the comments of the file."""

    def test_a_link_with_content_is_fetched_once(self):
        path = sign(f"/w:24/h:24/content:{self.content()}/col.png")
        before = self.drawn()
        first, reply = self.seen(path)
        second, again = self.seen(path)
        self.assertEqual((first, second), ("MISS", "HIT"))
        self.assertEqual(again.body, reply.body)
        self.assertEqual(again.headers["ETag"], reply.headers["ETag"])
        self.assertIn("immutable", again.headers["Cache-Control"])
        self.assertEqual(self.drawn(), before + 1)
        _, known = self.seen(path, 304, **{"If-None-Match": reply.headers["ETag"]})
        self.assertEqual(known.body, b"")

    def test_another_link_is_revalidated_by_its_tag(self):
        path = sign("/w:25/h:25/col.png")
        first, reply = self.seen(path)
        self.assertEqual(first, "MISS")
        self.assertEqual(self.seen(path)[0], "HIT")
        deadline = time.monotonic() + WAIT_S
        while (word := self.seen(path))[0] == "HIT":  # for ten seconds
            self.assertLess(time.monotonic(), deadline, "the picture does not expire")
            time.sleep(0.5)
        self.assertEqual(word[0], "REVALIDATED")
        self.assertEqual(word[1].body, reply.body)

    def test_false_signatures_are_refused_and_not_cached(self):
        path = sign("/w:26/h:26/col.png").replace("/i/", "/i/A", 1)
        for _ in range(2):
            word, _ = self.seen(path, 403)
            self.assertEqual(word, "MISS")

    def test_nothing_else_is_public(self):
        for path in ("/", "/v1", "/v1/rigs/col", "/v1/rigs/col/frame.png", "/metrics", "/I/x/col.png",
                     "/i/../v1/rigs/col", "/i/%2e%2e/v1/rigs/col"):
            with self.subTest(path):
                self.assertStatus(self.ask(path), 404)
        self.assertStatus(self.ask("/v1/rigs/col", "PUT", self.column(3)), 404)


class WithoutDaemon(NginxCase):
    def test_cached_pictures_outlive_the_daemon(self):
        path = sign(f"/w:27/h:27/content:{self.content()}/col.png")
        _, reply = self.seen(path)
        other = sign("/w:28/h:28/col.png")
        self.daemon.stop()
        word, again = self.seen(path)
        self.assertEqual((word, again.body), ("HIT", reply.body))
        self.assertStatus(self.ask(other), 502)


if __name__ == "__main__":
    unittest.main()
