"""Tokens: every request with every scope, the form of refusals, and files that change."""
import concurrent.futures
import hashlib
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest

import rigs
from case import DaemonCase
from client import JSON, Client, rig_path
from daemon import ROOT, Daemon, binary
from described import description

SCOPES = ("read", "render", "write")
TOKENS = {scope: f"token-for-{scope}-0123456789" for scope in SCOPES}
TOKENS["all"] = "token+for/all~0123456789=="
TOKENS["greedy"], TOKENS["modest"] = "greedy-0123456789", "modest-0123456789"
WAIT_S = 120


def token_lines():
    lines = [f"{scope} {scope} {TOKENS[scope]}" for scope in SCOPES]
    hashed = hashlib.sha256(TOKENS["all"].encode()).hexdigest()
    lines.append(f"all read,render,write sha256:{hashed}")
    lines += [f"{name} render {TOKENS[name]}" for name in ("greedy", "modest")]
    return "\n".join(lines) + "\n"


def private_file(text):
    file, path = tempfile.mkstemp(prefix="posed-tokens-")
    os.write(file, text.encode())
    os.close(file)
    return pathlib.Path(path)


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


class TokenCase(DaemonCase):
    more_args = ()

    @classmethod
    def setUpClass(cls):
        cls.file = private_file(token_lines())
        cls.addClassCleanup(cls.file.unlink)
        cls.daemon_args = ("--tokens", str(cls.file), *cls.more_args)
        super().setUpClass()

    @classmethod
    def prepare(cls):
        body = rigs.column([(0, 0, 0), (1, 1, 0), (0, 2, 0)]).glb()
        reply = cls.client.put("col", body, **bearer(TOKENS["all"]))
        assert reply.status == 201, str(reply)

    def ask(self, method="GET", path="/v1/rigs", body=None, **headers):
        return self.client.request(method, path, body, headers)

    def assertChallenge(self, reply, error=None):
        self.assertProblem(reply, 401, "unauthorized")
        wanted = 'Bearer realm="posed"' + (f', error="{error}"' if error else "")
        self.assertEqual(reply.headers["WWW-Authenticate"], wanted)


def documented_calls():
    """(method, path, scope or None) of every call in openapi.yaml."""
    for path, calls in description()["paths"].items():
        for method, call in calls.items():
            if method == "parameters":
                continue
            assert "security" in call, f"{method} {path} does not say who may"
            scopes = [scope for way in call["security"] for scope in way["token"]]
            assert len(scopes) <= 1, scopes
            yield method.upper(), path, scopes[0] if scopes else None


class EveryCall(TokenCase):
    def test_all_calls_of_the_table_are_documented(self):
        help_text = subprocess.run(
            [binary(), "--help"], capture_output=True, text=True, check=True
        ).stdout.split("\ncalls:\n")[1]
        listed = {tuple(line.split()[:2]) for line in help_text.splitlines() if line.strip()}
        # For routes with a free rest of the path, the document names the parts of the rest.
        rest = {"/i/": "/i/{path...}", "/js/": "/js/{path...}"}
        documented = {
            (method, next((rest[start] for start in rest if path.startswith(start)), path))
            for method, path, _ in documented_calls()
        }
        self.assertEqual(listed, documented)

    def test_each_call_wants_its_scope_and_no_other(self):
        tried = 0
        for method, pattern, scope in documented_calls():
            path = pattern.replace("{rig}", "absent")
            # Signed links have an authority of their own: test_signed.py.
            if pattern.startswith("/i/"):
                continue
            methods = ("GET", "HEAD") if method == "GET" else (method,)
            for way in methods:
                for holder in (None, *SCOPES, "all"):
                    with self.subTest(call=f"{way} {pattern}", token=holder):
                        headers = bearer(TOKENS[holder]) if holder else {}
                        body = b"{}" if way in ("PUT", "POST") else None
                        reply = self.client.request(way, path, body, headers)
                        if scope is None or holder in (scope, "all"):
                            self.assertNotIn(reply.status, (401, 403), str(reply))
                        else:
                            self.assertEqual(reply.status, 403 if holder else 401, str(reply))
                        tried += 1
        self.assertGreater(tried, 50)

    def test_options_is_for_everyone_and_lets_pages_send_tokens(self):
        for method, pattern, _ in documented_calls():
            with self.subTest(path=pattern):
                reply = self.ask("OPTIONS", pattern.replace("{rig}", "col"), Origin="https://a")
                self.assertStatus(reply, 204)
                if "Access-Control-Allow-Origin" in reply.headers:
                    allowed = reply.headers["Access-Control-Allow-Headers"].split(", ")
                    self.assertIn("Authorization", allowed)
                self.assertNotIn("Access-Control-Allow-Credentials", reply.headers)

    def test_answers_cannot_be_taken_for_pages(self):
        paths = ("/v1", "/v1/rigs", rig_path("col"), rig_path("col", "/source"),
                 rig_path("col", "/mesh.glb"), rig_path("col", "/frame.png?width=16"), "/healthz",
                 rig_path("absent"), "/nothing")
        for path in paths:
            with self.subTest(path=path):
                reply = self.client.get(path, **bearer(TOKENS["all"]))
                self.assertEqual(reply.headers["X-Content-Type-Options"], "nosniff")
                self.assertIn(reply.kind, (
                    JSON, "application/problem+json", "model/gltf-binary", "image/png"))
                if path.endswith("/source"):
                    self.assertEqual(reply.headers["Content-Security-Policy"],
                                     "default-src 'none'; sandbox")

    def test_uploads_are_never_sent_as_what_they_were_called(self):
        body = rigs.triangle().glb()
        for kind in ("text/html", "image/svg+xml"):
            self.assertProblem(
                self.client.put("page", body, content_type=kind, **bearer(TOKENS["all"])),
                415, "unsupported-media-type")
        self.client.put("page", body, **bearer(TOKENS["all"]))
        for accept in ("text/html", "image/svg+xml,*/*", "text/html,*/*;q=0.1"):
            reply = self.client.get(
                rig_path("page", "/source"), accept=accept, **bearer(TOKENS["all"]))
            self.assertIn(reply.kind, ("model/gltf-binary", "application/problem+json"))


class Refusals(TokenCase):
    def test_without_a_token_the_answer_says_what_is_needed(self):
        reply = self.ask()
        self.assertChallenge(reply)
        self.assertIn('"read"', reply.json()["detail"])
        self.assertEqual(reply.headers["Cache-Control"], "no-store")

    def test_missing_scope_is_named_beside_the_token_s_name(self):
        reply = self.ask("DELETE", rig_path("col"), **bearer(TOKENS["render"]))
        self.assertProblem(reply, 403, "forbidden", says=('"render"', '"write"'))
        self.assertNotIn(TOKENS["render"], reply.body.decode())

    def test_wrong_tokens(self):
        right = TOKENS["read"]
        hashed = hashlib.sha256(TOKENS["all"].encode()).hexdigest()
        for token in ("x" * 20, right[:-1], right + "0", right.upper(), "", right + " " + right,
                      f"sha256:{hashed}", hashed, "read", "\xff", "a" * 5000, f'"{right}"'):
            with self.subTest(token=token[:40]):
                reply = self.ask(**bearer(token))
                self.assertChallenge(reply, "invalid_token")

    def test_other_schemes_are_no_token(self):
        for text in (f"Basic {TOKENS['read']}", TOKENS["read"], "", "Bearertoken",
                     f"Token {TOKENS['read']}"):
            with self.subTest(text=text):
                self.assertChallenge(self.ask(Authorization=text))

    def test_the_scheme_s_case_does_not_count(self):
        for scheme in ("bearer", "BEARER", "Bearer  "):
            self.assertStatus(self.ask(Authorization=f"{scheme} {TOKENS['read']}"), 200)

    def test_token_in_the_query_is_not_taken(self):
        for name in ("token", "access_token", "Authorization"):
            reply = self.ask(path=f"/v1/rigs?{name}={TOKENS['read']}")
            self.assertChallenge(reply)

    def send(self, text):
        with socket.create_connection(("127.0.0.1", self.client.port), timeout=30) as stream:
            stream.sendall(text.encode())
            answer = b""
            while b"\r\n\r\n" not in answer:
                piece = stream.recv(65536)
                if not piece:
                    break
                answer += piece
            return answer.decode()

    def test_header_twice_is_refused(self):
        header = f"Authorization: Bearer {TOKENS['read']}\r\n"
        for headers in (header * 2, header + f"authorization: Bearer {TOKENS['all']}\r\n",
                        header + "Authorization: Basic x\r\n"):
            answer = self.send(f"GET /v1/rigs HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n")
            self.assertIn(" 400 ", answer.splitlines()[0])
        answer = self.send(f"GET /healthz HTTP/1.1\r\nHost: localhost\r\n{header * 2}\r\n")
        self.assertIn(" 200 ", answer.splitlines()[0])

    def test_refused_before_the_body(self):
        size = 200 << 20
        answer = self.send(
            f"PUT /v1/rigs/big HTTP/1.1\r\nHost: localhost\r\nContent-Length: {size}\r\n\r\n")
        self.assertIn(" 401 ", answer.splitlines()[0])

    def test_pictures_of_a_token_are_not_for_others(self):
        """A cached response is given only to clients with the scope for it."""
        path = rig_path("col", "/frame.png?width=16&height=16")
        first = self.client.get(path, **bearer(TOKENS["render"]))
        self.assertStatus(first, 200)
        self.assertStatus(self.client.get(path), 401)
        known = self.client.get(path, if_none_match=first.headers["ETag"])
        self.assertStatus(known, 401)
        self.assertStatus(self.client.get(path, **bearer(TOKENS["read"])), 403)


class Anonymous(TokenCase):
    more_args = ("--anonymous", "read,render")

    def test_they_may_what_is_said_and_no_more(self):
        self.assertStatus(self.ask(), 200)
        self.assertStatus(self.client.frame("col", width=16, height=16), 200)
        self.assertChallenge(self.ask("DELETE", rig_path("col")))

    def test_holders_of_tokens_may_that_too(self):
        self.assertStatus(self.ask(**bearer(TOKENS["write"])), 200)

    def test_wrong_token_is_not_a_missing_one(self):
        self.assertChallenge(self.ask(**bearer("x" * 20)), "invalid_token")


class Reload(TokenCase):
    def until(self, what):
        end = time.monotonic() + WAIT_S
        while not what():
            self.assertLess(time.monotonic(), end, self.daemon.log_tail())
            time.sleep(0.02)

    def status(self, token):
        return self.ask(**bearer(token)).status

    def reload(self, text):
        self.file.write_text(text)
        self.daemon.process.send_signal(signal.SIGHUP)

    def test_files_are_read_again(self):
        fresh = "fresh-0123456789abcdef"
        self.assertEqual(self.status(fresh), 401)
        self.reload(token_lines() + f"fresh read {fresh}\n")
        self.until(lambda: self.status(fresh) == 200)
        self.reload(token_lines())
        self.until(lambda: self.status(fresh) == 401)
        self.assertEqual(self.status(TOKENS["read"]), 200)

    def test_broken_file_changes_nothing(self):
        self.reload("read read short\n")
        self.until(lambda: "nothing is changed" in self.daemon.log_tail())
        self.assertIn(f"{self.file}:1: the token must have", self.daemon.log_tail())
        self.assertEqual(self.status(TOKENS["read"]), 200)
        self.reload(token_lines())

    def test_missing_file_changes_nothing(self):
        self.file.unlink()
        before = self.daemon.log_tail(1 << 20).count("nothing is changed")
        self.daemon.process.send_signal(signal.SIGHUP)
        self.until(lambda: self.daemon.log_tail(1 << 20).count("nothing is changed") > before)
        self.assertEqual(self.status(TOKENS["read"]), 200)
        self.reload(token_lines())

    def test_requests_go_on_meanwhile(self):
        statuses = []

        def ask(_):
            statuses.append(self.status(TOKENS["read"]))

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for i in range(200):
                pool.submit(ask, i)
                if i % 10 == 0:
                    self.daemon.process.send_signal(signal.SIGHUP)
        self.assertEqual(set(statuses), {200})


class LocksStay(unittest.TestCase):
    """A reload that names no tokens or keys any more must not open what they closed."""

    def test_only_a_new_start_takes_a_lock_away(self):
        tokens = private_file(token_lines())
        keys = private_file("00112233445566778899aabbccddeeff 00\n")
        config = private_file(f"tokens = {tokens}\nsign-keys = {keys}\nanonymous = read\n")
        for file in (tokens, keys, config):
            self.addCleanup(file.unlink)
        daemon = Daemon(args=("--config", str(config))).start()
        self.addCleanup(daemon.stop)
        client = Client(daemon.port)
        self.assertEqual(client.get("/v1/rigs").status, 200)
        config.write_text("# nothing\n")
        daemon.process.send_signal(signal.SIGHUP)
        end = time.monotonic() + WAIT_S
        while "reload: done" not in daemon.log_tail() and time.monotonic() < end:
            time.sleep(0.02)
        for option in ("tokens", "sign-keys"):
            self.assertIn(f"this needs a restart option={option}", daemon.log_tail())
        # A revoked token is invalid at once.
        self.assertEqual(client.get("/v1/rigs").status, 401)
        self.assertEqual(client.get("/v1/rigs", **bearer(TOKENS["read"])).status, 200)
        self.assertEqual(client.get("/i/unsafe/w:16/a.png", **bearer(TOKENS["all"])).status, 403)


class Shares(TokenCase):
    """One address, two tokens: each is a client of its own."""

    more_args = ("--queue", "4", "--render-threads", "1", "--cache-memory", "0")

    def picture(self, client, name, number):
        request = {"rig": "col", "pose": {"clip": "bend", "time": number}, "width": 256,
                   "height": 256}
        return client.post("frame", request, accept="image/png", **bearer(TOKENS[name]))

    def test_greedy_holder_does_not_crowd_out_another(self):
        done = threading.Event()
        greedy = []

        def crave(number):
            with self.client.keep() as kept:
                i = 0
                while not done.is_set():
                    i += 1
                    greedy.append(self.picture(kept, "greedy", number / 100 + i / 1e6).status)

        with concurrent.futures.ThreadPoolExecutor(12) as pool:
            for number in range(12):
                pool.submit(crave, number)
            try:
                time.sleep(0.3)
                self.picture(self.client, "modest", 0.5)  # known from here on
                time.sleep(0.3)
                modest = [self.picture(self.client, "modest", 0.6 + i / 1000).status
                          for i in range(20)]
            finally:
                done.set()
        self.assertEqual(set(modest), {200})
        self.assertIn(429, greedy)


class Start(unittest.TestCase):
    def setUp(self):
        self.data = tempfile.TemporaryDirectory(prefix="posed-start-")
        self.addCleanup(self.data.cleanup)
        self.file = private_file(token_lines())
        self.addCleanup(self.file.unlink)

    def run_program(self, *args):
        return subprocess.run([binary(), "--data", self.data.name, *args], capture_output=True,
                              text=True, timeout=300)

    def test_strangers_need_a_word_about_who_may(self):
        for listen in ("0.0.0.0:0", "[::]:0"):
            for check in ((), ("--check-config",)):
                with self.subTest(listen=listen, check=check):
                    done = self.run_program("--listen", listen, *check)
                    if "not supported" in done.stderr:
                        self.skipTest("no IPv6 here")
                    self.assertEqual(done.returncode, 2, done.stderr)
                    self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                    self.assertIn("--tokens FILE", done.stderr)
                    self.assertIn("--public on", done.stderr)

    def started(self, *args):
        """The port of a daemon that starts, which is ended afterwards."""
        process = subprocess.Popen([binary(), "--data", self.data.name, *args],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        line = process.stdout.readline().decode()
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait, 30)
        self.addCleanup(process.terminate)
        self.assertIn("listening on http://0.0.0.0:", line)
        return int(line.rsplit(":", 1)[1])

    def test_strangers_with_tokens(self):
        port = self.started("--listen", "0.0.0.0:0", "--tokens", str(self.file))
        self.assertEqual(Client(port).get("/v1/rigs").status, 401)
        self.assertEqual(Client(port).get("/v1/rigs", **bearer(TOKENS["read"])).status, 200)

    def test_public_is_open(self):
        port = self.started("--listen", "0.0.0.0:0", "--public", "on")
        self.assertEqual(Client(port).get("/v1/rigs").status, 200)
        self.assertEqual(Client(port).get("/v1/rigs", **bearer("x" * 20)).status, 200)

    def test_files_and_options_that_do_not_go(self):
        self.file.write_text("a read short\n")
        for args, words in (
            (("--tokens", str(self.file)), f"{self.file}:1: "),
            (("--tokens", "/nowhere/at/all"), "/nowhere/at/all"),
            (("--tokens", str(self.file), "--public", "on"), "--public"),
            (("--anonymous", "read"), "--tokens"),
            (("--presets-only", "on"), "--presets"),
            (("--sign-keys", str(self.file)), f"{self.file}:1: "),
            (("--presets", str(self.file)), f"{self.file}:1: "),
        ):
            for check in ((), ("--check-config",)):
                with self.subTest(args=args, check=check):
                    done = self.run_program("--listen", "127.0.0.1:0", *args, *check)
                    self.assertEqual(done.returncode, 2, done.stderr)
                    self.assertIn(words, done.stderr)
                    self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_file_that_everyone_can_read_is_warned_of(self):
        for mode, warned in ((0o644, True), (0o640, False), (0o600, False)):
            with self.subTest(mode=oct(mode)):
                self.file.chmod(mode)
                daemon = Daemon(args=("--tokens", str(self.file))).start()
                log = daemon.log_tail()
                daemon.stop()
                self.assertEqual("can be read by everyone" in log, warned, log)


class CommandLine(TokenCase):
    """`build/pose` with a token."""

    def pose(self, *args, **env):
        program = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose")).resolve()
        inherited = {k: v for k, v in os.environ.items() if k != "POSED_TOKEN"}
        return subprocess.run([program, *args, "--server", f"http://127.0.0.1:{self.client.port}"],
                              capture_output=True, text=True, timeout=300,
                              env={**inherited, **env})

    def test_token_by_the_environment_or_a_file(self):
        self.assertEqual(self.pose("list").returncode, 3)
        self.assertEqual(self.pose("list", POSED_TOKEN=TOKENS["read"]).returncode, 0)
        file = private_file(f"  {TOKENS['read']}\n\n")
        self.addCleanup(file.unlink)
        done = self.pose("list", "--token-file", str(file), POSED_TOKEN="x" * 20)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_every_command_shows_it(self):
        with tempfile.TemporaryDirectory(prefix="posed-pose-") as folder:
            asset = pathlib.Path(folder) / "mine.glb"
            asset.write_bytes(rigs.triangle().glb())
            out = str(pathlib.Path(folder) / "out")
            for args in (("put", str(asset)), ("list",), ("show", "mine"), ("pose", "mine"),
                         ("vertices", "mine", "-o", out), ("mesh", "mine", "-o", out),
                         ("frame", "mine", "-o", out), ("delete", "mine")):
                with self.subTest(command=args[0]):
                    done = self.pose(*args, POSED_TOKEN=TOKENS["all"])
                    self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_is_no_token_is_not_sent(self):
        for token in ("", " ", "a b", "a\r\nX-Evil: 1", "\x7f", "a" * 5000, "é"):
            with self.subTest(token=token[:20]):
                done = self.pose("list", POSED_TOKEN=token)
                self.assertEqual(done.returncode, 1)
                self.assertIn("POSED_TOKEN: what is in it is no token", done.stderr)
        self.assertEqual(self.pose("list", "--token-file", "/nowhere").returncode, 1)

    def test_refusal_is_said(self):
        done = self.pose("delete", "col", POSED_TOKEN=TOKENS["read"])
        self.assertEqual(done.returncode, 3)
        self.assertIn('the scope "write"', done.stderr)


if __name__ == "__main__":
    unittest.main()
