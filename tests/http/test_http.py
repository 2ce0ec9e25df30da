"""HTTP as its standards have it: methods, HEAD, validators, CORS, bodies, connections."""
import json
import math
import socket
import unittest

import rigs
from case import DaemonCase
from client import JSON, OCTETS, PNG, rig_path

POST_ROUTES = ("/v1/pose", "/v1/vertices", "/v1/frame")


class HttpCase(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_rig("column", rigs.column([(0.1, 1, 0)] * 3).glb())

    def speak(self, *pieces, until_closed=True):
        """Sends raw bytes over one connection and returns all that comes until it is closed."""
        with socket.create_connection(("127.0.0.1", self.daemon.port), timeout=20) as connection:
            for piece in pieces:
                connection.sendall(piece)
            received = b""
            while until_closed:
                part = connection.recv(65536)
                if not part:
                    break
                received += part
            return received


def post(path, body, *headers, close=False):
    """The bytes of a POST request."""
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}", *headers]
    lines += ["Connection: close"] if close else []
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


class MethodsAndRoutes(HttpCase):
    def test_wrong_method_is_405_with_those_allowed(self):
        for method, path, allowed in (
            ("GET", "/v1/pose", {"POST"}),
            ("PUT", "/v1/vertices", {"POST"}),
            ("DELETE", "/v1/frame", {"POST"}),
            ("POST", "/v1/rigs", {"GET"}),
            ("POST", rig_path("column"), {"GET", "PUT", "DELETE"}),
            ("PATCH", rig_path("column"), {"GET", "PUT", "DELETE"}),
            ("DELETE", rig_path("column", "/source"), {"GET"}),
            ("POST", rig_path("column", "/frame.png"), {"GET"}),
            ("POST", "/v1", {"GET"}),
            ("DELETE", "/healthz", {"GET"}),
            ("POST", "/readyz", {"GET"}),
            ("BREW", "/v1", {"GET"}),
        ):
            with self.subTest(method=method, path=path):
                reply = self.client.request(
                    method, path, b"{}" if method in ("POST", "PUT", "PATCH") else None
                )
                self.assertProblem(reply, 405, "method-not-allowed", says=method)
                got = {word.strip() for word in reply.headers["Allow"].split(",")}
                self.assertLessEqual(allowed, got)
                self.assertNotIn(method, got)

    def test_unknown_routes_are_404(self):
        for path in (
            "/v2",
            "/v1/",
            "/v1/rig",
            "/v1/posed",
            "/v1/pose/",
            "/nothing",
            "/v1/rigs/column/mesh",
            "//v1",
        ):
            with self.subTest(path):
                self.assertProblem(self.client.get(path), 404, "unknown-route")

    def test_query_string_is_no_part_of_the_route(self):
        self.assertIn(self.client.get("/healthz?a=b").status, (200, 400))

    def test_head_is_get_without_the_body(self):
        for path in (
            "/v1",
            "/healthz",
            "/readyz",
            "/v1/rigs",
            rig_path("column"),
            rig_path("column", "/source"),
            rig_path("column", "/frame.png?width=16&height=16"),
        ):
            with self.subTest(path):
                get = self.assertStatus(self.client.get(path), 200)
                head = self.assertStatus(self.client.request("HEAD", path), 200)
                self.assertEqual(head.body, b"")
                for name in ("Content-Type", "ETag"):
                    self.assertEqual(head.headers.get(name), get.headers.get(name), name)
                if "ETag" in get.headers:
                    self.assertEqual(head.headers.get("Content-Length"), str(len(get.body)))

    def test_head_of_what_is_not_there_is_404_without_a_body(self):
        reply = self.assertStatus(self.client.request("HEAD", rig_path("nobody")), 404)
        self.assertEqual(reply.body, b"")

    def test_every_answer_has_a_request_id_of_its_own(self):
        ids = []
        for method, path, body in (
            ("GET", "/healthz", None),
            ("GET", "/readyz", None),
            ("GET", "/v1", None),
            ("GET", "/v1/rigs", None),
            ("GET", rig_path("column"), None),
            ("GET", rig_path("column", "/source"), None),
            ("GET", "/nothing", None),
            ("DELETE", "/v1", None),
            ("OPTIONS", "/v1/pose", None),
            ("HEAD", "/v1", None),
            ("POST", "/v1/pose", b"{"),
            ("PUT", "/v1/rigs/x", b"no"),
            ("POST", "/v1/vertices", b'{"rig":"column","pose":"rest"}'),
            ("POST", "/v1/frame", b'{"rig":"column","pose":"rest","width":8,"height":8}'),
            ("DELETE", rig_path("nobody"), None),
        ):
            reply = self.client.request(method, path, body)
            self.assertTrue(reply.headers.get("Posed-Request-Id"), f"{method} {path}: {reply}")
            ids.append(reply.headers["Posed-Request-Id"])
        self.assertEqual(len(set(ids)), len(ids), ids)


class Accepting(HttpCase):
    def test_accept_that_cannot_be_met_is_406_with_what_can(self):
        body = b'{"rig":"column","pose":"rest"}'
        for path, accept, says in (
            ("/v1/vertices", "text/html", OCTETS),
            ("/v1/vertices", PNG, OCTETS),
            ("/v1/vertices", "application/octet-stream;q=0", JSON),
            ("/v1/pose", "text/csv", JSON),
            ("/v1/frame", JSON, PNG),
            ("/v1/frame", "image/gif", PNG),
        ):
            with self.subTest(path=path, accept=accept):
                reply = self.client.request("POST", path, body, {"Accept": accept})
                self.assertProblem(reply, 406, "not-acceptable", says=says)
        reply = self.client.get(rig_path("column", "/frame.png"), accept="image/webp")
        self.assertProblem(reply, 406, "not-acceptable", says=PNG)

    def test_what_browsers_send_for_pictures_is_met(self):
        accept = "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5"
        reply = self.client.get(rig_path("column", "/frame.png?width=8&height=8"), accept=accept)
        self.assertEqual(self.assertStatus(reply, 200).kind, PNG)


class Validators(HttpCase):
    needs_driver = True

    def results(self):
        """Every kind of picture or buffer, as a function of the headers sent."""
        pose = {"clip": "bend", "time": 0.5}
        return {
            "vertices": lambda **h: self.client.post(
                "vertices", {"rig": "column", "pose": pose}, accept=OCTETS, **h
            ),
            "vertices as JSON": lambda **h: self.client.post(
                "vertices", {"rig": "column", "pose": pose}, accept=JSON, **h
            ),
            "matrices": lambda **h: self.client.post(
                "pose", {"rig": "column", "pose": pose}, accept=OCTETS, **h
            ),
            "picture": lambda **h: self.client.post(
                "frame", {"rig": "column", "pose": pose, "width": 16, "height": 16}, **h
            ),
            "link": lambda **h: self.client.get(
                rig_path("column", "/frame.png?width=16&height=16"), **h
            ),
            "source": lambda **h: self.client.get(rig_path("column", "/source"), **h),
            "mesh": lambda **h: self.client.get(rig_path("column", "/mesh.glb"), **h),
            "vertices as GLB": lambda **h: self.client.post(
                "vertices", {"rig": "column", "pose": pose}, accept="model/gltf-binary", **h
            ),
        }

    def test_results_have_a_strong_etag_and_304_answers_it(self):
        for name, ask in self.results().items():
            with self.subTest(name):
                first = self.assertStatus(ask(), 200)
                tag = first.headers.get("ETag")
                self.assertRegex(tag or "", r'^"[\x21\x23-\x7e]+"$')
                for given in (tag, f'"other", {tag}', f"W/{tag}", "*"):
                    reply = self.assertStatus(ask(if_none_match=given), 304)
                    self.assertEqual(reply.body, b"")
                    self.assertEqual(reply.headers.get("ETag"), tag)
                again = self.assertStatus(ask(if_none_match='"other"'), 200)
                self.assertEqual(again.body, first.body)
                self.assertEqual(again.headers["ETag"], tag)

    def test_other_requests_have_other_etags(self):
        tags = set()
        requests = [
            {"pose": "rest"},
            {"pose": {"clip": "bend", "time": 0.1}},
            {"pose": {"clip": "bend", "time": 0.2}},
            {"pose": {"clip": "twist", "time": 0.1}},
            {"pose": "rest", "skinning": "dqs"},
            {"pose": "rest", "attributes": ["normal"]},
        ]
        for request in requests:
            tags.add(
                self.client.post("vertices", {"rig": "column", **request}, accept=OCTETS).headers[
                    "ETag"
                ]
            )
        tags.add(
            self.client.post("vertices", {"rig": "column", "pose": "rest"}, accept=JSON).headers[
                "ETag"
            ]
        )
        self.assertEqual(len(tags), len(requests) + 1)

    def test_one_etag_never_stands_for_two_bodies(self):
        # The device may change the last bit of a vertex: then the tag must change with it.
        self.put_demo("cyl2")
        bodies = {}
        for device in (*self.devices(), "auto"):
            for method in ("lbs", "dqs"):
                skinning = {"method": method, "device": device}
                for time in (0, 0.7, 1.3):
                    request = {"rig": "cyl2", "pose": {"clip": "bend", "time": time}}
                    reply = self.client.post("vertices", {**request, "skinning": skinning})
                    picture = self.client.post(
                        "frame", {**request, "width": 32, "skinning": skinning}
                    )
                    for answer in (reply, picture):
                        tag = self.assertStatus(answer, 200).headers["ETag"]
                        self.assertEqual(bodies.setdefault(tag, answer.body), answer.body)

    def test_other_content_has_another_etag(self):
        self.put_rig("changing", rigs.triangle().glb())
        request = {"rig": "changing", "pose": "rest"}
        before = self.client.post("vertices", request)
        self.put_rig("changing", rigs.triangle([(0, 0, 0), (2, 0, 0), (0, 2, 0)]).glb())
        after = self.client.post("vertices", request, if_none_match=before.headers["ETag"])
        self.assertStatus(after, 200)
        self.assertNotEqual(after.headers["ETag"], before.headers["ETag"])
        self.assertNotEqual(after.body, before.body)

    def test_unknown_rig_is_404_even_if_the_client_has_a_copy(self):
        reply = self.client.post("vertices", {"rig": "nobody", "pose": "rest"}, if_none_match="*")
        self.assertProblem(reply, 404, "unknown-rig")


class Cors(HttpCase):
    def test_get_and_post_are_open_to_any_origin(self):
        origin = "https://viewer.example"
        replies = [
            self.client.get("/v1", origin=origin),
            self.client.get(rig_path("column", "/frame.png?width=8&height=8"), origin=origin),
            self.client.post("vertices", {"rig": "column", "pose": "rest"}, origin=origin),
            # pages must be able to read errors, too
            self.client.post("vertices", {"rig": "nobody", "pose": "rest"}, origin=origin),
        ]
        for reply in replies:
            self.assertIn(
                reply.headers.get("Access-Control-Allow-Origin"), ("*", origin), str(reply)
            )
            exposed = reply.headers.get("Access-Control-Expose-Headers", "").lower()
            self.assertIn("posed-request-id", exposed)
        for name in ("posed-layout", "posed-vertices", "posed-frames", "posed-skinning", "etag"):
            self.assertIn(name, replies[2].headers["Access-Control-Expose-Headers"].lower())

    def test_preflight_is_answered(self):
        for path in POST_ROUTES:
            headers = {
                "Origin": "https://viewer.example",
                "Access-Control-Request-Method": "POST",
                "Access-Control-Request-Headers": "content-type",
            }
            reply = self.client.request("OPTIONS", path, headers=headers)
            self.assertIn(reply.status, (200, 204))
            self.assertIn(
                reply.headers["Access-Control-Allow-Origin"], ("*", "https://viewer.example")
            )
            self.assertIn("POST", reply.headers["Access-Control-Allow-Methods"])
            self.assertIn("content-type", reply.headers["Access-Control-Allow-Headers"].lower())

    def test_preflight_does_not_open_put_and_delete(self):
        # GET, POST and preflight are open; a foreign page must not replace rigs.
        headers = {"Origin": "https://evil.example", "Access-Control-Request-Method": "PUT"}
        reply = self.client.request("OPTIONS", rig_path("column"), headers=headers)
        allowed = reply.headers.get("Access-Control-Allow-Methods", "")
        self.assertNotIn("PUT", allowed)
        self.assertNotIn("DELETE", allowed)


class NarrowCors(HttpCase):
    daemon_args = ("--cors-origin", "https://mine.example")

    def test_only_the_given_origin_is_let_in(self):
        reply = self.client.get("/v1", origin="https://mine.example")
        self.assertEqual(reply.headers.get("Access-Control-Allow-Origin"), "https://mine.example")
        reply = self.client.get("/v1", origin="https://evil.example")
        self.assertIn(
            reply.headers.get("Access-Control-Allow-Origin"), (None, "https://mine.example")
        )


class BodiesAndConnections(HttpCase):
    keeps_times = True
    BODY = b'{"rig":"column","pose":"rest"}'

    def test_chunked_bodies_are_read(self):
        def pieces():
            yield self.BODY[:7]
            yield self.BODY[7:]

        headers = {"Transfer-Encoding": "chunked"}
        reply = self.client.request("POST", "/v1/vertices", pieces(), headers, chunked=True)
        self.assertEqual(len(self.assertStatus(reply, 200).body), 36)
        whole = rigs.triangle().glb()
        parts = (whole[i : i + 100] for i in range(0, len(whole), 100))
        reply = self.client.request("PUT", rig_path("chunked"), parts, headers, chunked=True)
        self.assertStatus(reply, 201)
        self.assertEqual(self.client.get(rig_path("chunked", "/source")).body, whole)

    def test_body_that_comes_in_small_pieces_is_read(self):
        request = post("/v1/vertices", self.BODY, close=True)
        answer = self.speak(*(request[i : i + 5] for i in range(0, len(request), 5)))
        self.assertTrue(answer.startswith(b"HTTP/1.1 200"), answer[:300])

    def test_expect_continue_is_answered(self):
        request = post("/v1/vertices", self.BODY, "Expect: 100-continue", close=True)
        answer = self.speak(request)
        self.assertIn(b"HTTP/1.1 200", answer)

    def test_lengths_that_contradict_are_refused(self):
        # Two readers that disagree about where a request ends can be fooled (request smuggling).
        inner = b"0\r\n\r\n"
        bare = b"POST /v1/pose HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        bare += b"Content-Length: %s\r\n\r\n"
        for name, request in {
            "two lengths": post("/v1/pose", self.BODY, "Content-Length: 5", close=True),
            "length and chunked": post("/v1/pose", inner, "Transfer-Encoding: chunked", close=True),
            "negative length": bare % b"-5",
            "length that is no number": bare % b"x",
        }.items():
            with self.subTest(name):
                answer = self.speak(request)
                self.assertTrue(answer.startswith(b"HTTP/1.1 400") or answer == b"", answer[:300])

    def test_bodies_that_are_encoded_are_refused(self):
        for encoding in ("gzip", "br", "deflate, gzip"):
            reply = self.client.request(
                "POST", "/v1/pose", b"{}", {"Content-Encoding": encoding, "Content-Type": JSON}
            )
            self.assertProblem(reply, 415, "unsupported-media-type", says=encoding)

    def test_bodies_that_announce_too_much_are_413_at_once(self):
        for method, path in (("POST", "/v1/pose"), ("POST", "/v1/frame"), ("PUT", "/v1/rigs/big")):
            with self.subTest(path):
                head = (
                    f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {1 << 40}\r\n\r\n"
                )
                answer = self.speak(head.encode())
                self.assertTrue(answer.startswith(b"HTTP/1.1 413"), answer[:300])
                self.assertIn(b"application/problem+json", answer)
                self.assertIn(b"urn:posed:too-large", answer)
                self.assertIn(b"posed-request-id", answer.lower())

    def test_chunked_bodies_that_grow_too_large_are_413(self):
        def endless():
            for _ in range(96):
                yield b" " * (1 << 20)

        reply = self.client.request(
            "POST", "/v1/pose", endless(), {"Transfer-Encoding": "chunked"}, chunked=True
        )
        self.assertProblem(reply, 413, "too-large")

    def test_connection_lives_on_after_errors(self):
        with self.client.keep() as kept:
            for _ in range(3):
                self.assertStatus(kept.request("POST", "/v1/pose", b"{"), 400)
                self.assertStatus(kept.request("POST", "/nothing", self.BODY), 404)
                self.assertStatus(kept.request("PUT", "/v1/pose", self.BODY), 405)
                self.assertStatus(kept.request("PUT", "/v1/rigs/x", b"no glTF at all"), 415)
                self.assertStatus(kept.request("POST", "/v1/vertices", self.BODY), 200)
                self.assertStatus(kept.request("HEAD", "/v1"), 200)
                self.assertStatus(kept.request("DELETE", rig_path("nobody")), 404)

    def test_pipelined_requests_are_answered_in_order(self):
        many = b"".join(
            post(
                "/v1/vertices",
                json.dumps({"rig": "column", "pose": pose}).encode(),
                f"Accept: {JSON}",
            )
            for pose in ({"clip": "twist", "time": i} for i in range(5))
        )
        answer = self.speak(many + post("/v1/pose", b"{", close=True))
        parts = answer.split(b"HTTP/1.1 ")[1:]
        self.assertEqual([part[:3] for part in parts], [b"200"] * 5 + [b"400"])
        # twist by 0, 90, 120, ... at w = 1/2: the z of the first vertex goes down and up again
        zs = [
            json.loads(part.split(b"\r\n\r\n", 1)[1])["frames"][0]["position"][0][2]
            for part in parts[:5]
        ]
        for got, degrees in zip(zs, rigs.TWIST_DEGREES):
            self.assertAlmostEqual(got, -0.05 * math.sin(math.radians(degrees)), delta=1e-6)

    def test_clients_that_leave_early_harm_nobody(self):
        heavy = {
            "rig": "column",
            "poses": [{"clip": "twist", "phase": i / 4095} for i in range(4096)],
        }
        big = post("/v1/vertices", json.dumps(heavy).encode())
        for request in (
            b"GET",
            b"POST /v1/pose HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
            big,
            big[:-5],
        ):
            for _ in range(5):
                self.speak(request, until_closed=False)
        self.assertStatus(self.client.vertices("column"), 200)

    def test_bytes_that_are_no_http_are_refused(self):
        for junk in (
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
            b"hello\r\n\r\n",
            b"GET\r\n\r\n",
        ):
            answer = self.speak(junk, b"Connection: close\r\n\r\n")
            self.assertTrue(answer == b"" or answer.startswith(b"HTTP/1.1 4"), answer[:200])
        self.assertStatus(self.client.get("/healthz"), 200)

    def test_long_targets_and_headers_are_refused_politely(self):
        for request in (
            b"GET /v1/rigs/" + b"x" * 100000 + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            b"GET /v1 HTTP/1.1\r\nHost: localhost\r\nX-Long: "
            + b"y" * 200000
            + b"\r\nConnection: close\r\n\r\n",
        ):
            try:
                answer = self.speak(request)
            except ConnectionResetError:
                continue  # refused before everything was read: the kernel resets
            self.assertTrue(answer == b"" or answer.startswith(b"HTTP/1.1 4"), answer[:200])
        self.assertStatus(self.client.get("/healthz"), 200)


if __name__ == "__main__":
    unittest.main()
