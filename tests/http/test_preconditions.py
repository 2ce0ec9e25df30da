"""If-Match and If-None-Match of requests that change something, and answers of status 304."""
import concurrent.futures
import json
import socket
import unittest

import rigs
from case import DaemonCase
from client import JSON, OCTETS, rig_path

GLB = "model/gltf-binary"
FAILED = "precondition-failed"


def triangle(number):
    return rigs.triangle([(0, 0, 0), (number, 0, 0), (0, number, 0)]).glb()


class PreconditionCase(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_rig("rig", triangle(1))

    def tag(self, path, **headers):
        return self.assertStatus(self.client.get(path, **headers), 200).headers["ETag"]

    def change(self, method, path, body=None, kind=GLB, **headers):
        sent = {name.replace("_", "-").title(): value for name, value in headers.items()}
        if body is not None:
            sent["Content-Type"] = kind
        return self.client.request(method, path, body, sent)


class Rigs(PreconditionCase):
    def test_put_and_delete_want_the_state_that_if_match_names(self):
        path = rig_path("fox")
        self.assertStatus(self.change("PUT", path, triangle(1)), 201)
        old = self.tag(path)
        for given in ('"other"', f"W/{old}", '"a", "b"', ""):
            with self.subTest(given):
                for method, body in (("PUT", triangle(2)), ("DELETE", None)):
                    reply = self.change(method, path, body, if_match=given)
                    self.assertProblem(reply, 412, FAILED, says="If-Match")
        self.assertEqual(self.client.get(rig_path("fox", "/source")).body, triangle(1))
        self.assertStatus(self.change("PUT", path, triangle(2), if_match=f'"x", {old}'), 200)
        new = self.tag(path)
        self.assertNotEqual(new, old)
        self.assertProblem(self.change("PUT", path, triangle(3), if_match=old), 412, FAILED)
        self.assertProblem(self.change("DELETE", path, if_match=old), 412, FAILED)
        self.assertEqual(self.client.get(rig_path("fox", "/source")).body, triangle(2))
        self.assertStatus(self.change("DELETE", path, if_match=new), 204)
        self.assertProblem(self.change("DELETE", path, if_match=new), 404, "unknown-rig")

    def test_a_clip_beside_the_rig_is_another_state_of_it(self):
        path = rig_path("clipped")
        self.put_rig("clipped", triangle(1))
        old = self.tag(path)
        body = json.dumps({"pose": "rest", "duration": 1, "rate": 2}).encode()
        self.assertStatus(self.change("PUT", rig_path("clipped", "/clips/c"), body, JSON), 201)
        self.assertProblem(self.change("DELETE", path, if_match=old), 412, FAILED)
        self.assertStatus(self.change("DELETE", path, if_match=self.tag(path)), 204)

    def test_star_wants_anything_there(self):
        path = rig_path("star")
        self.assertProblem(self.change("PUT", path, triangle(1), if_match="*"), 412, FAILED)
        self.assertProblem(self.client.get(path), 404, "unknown-rig")
        self.assertStatus(self.change("PUT", path, triangle(1)), 201)
        self.assertStatus(self.change("PUT", path, triangle(2), if_match="*"), 200)
        self.assertStatus(self.change("DELETE", path, if_match="*"), 204)
        self.assertProblem(self.change("DELETE", path, if_match="*"), 404, "unknown-rig")

    def test_if_none_match_wants_it_not_there_or_another(self):
        path = rig_path("none")
        self.assertStatus(self.change("PUT", path, triangle(1), if_none_match="*"), 201)
        tag = self.tag(path)
        for given in ("*", tag, f"W/{tag}"):
            for method, body in (("PUT", triangle(2)), ("DELETE", None)):
                with self.subTest(given, method=method):
                    reply = self.change(method, path, body, if_none_match=given)
                    self.assertProblem(reply, 412, FAILED)
        self.assertStatus(self.change("PUT", path, triangle(2), if_none_match=tag[:-2] + 'x"'), 200)
        self.assertStatus(self.change("DELETE", path, if_none_match='"other"'), 204)

    def test_one_of_many_changes_from_one_state_wins(self):
        path = rig_path("raced")
        for number in range(1, 4):
            self.assertIn(self.change("PUT", path, triangle(number)).status, (200, 201))
            tag = self.tag(path)
            bodies = [triangle(number * 100 + i) for i in range(8)]
            with concurrent.futures.ThreadPoolExecutor(8) as pool:
                replies = list(
                    pool.map(lambda body: self.change("PUT", path, body, if_match=tag), bodies))
            self.assertEqual(sorted(reply.status for reply in replies), [200] + [412] * 7)
            winner = bodies[[reply.status for reply in replies].index(200)]
            self.assertEqual(self.client.get(rig_path("raced", "/source")).body, winner)

    def test_one_of_many_that_make_it_wins(self):
        for number in range(3):
            path = rig_path(f"new{number}")
            bodies = [triangle(i + 1) for i in range(8)]
            with concurrent.futures.ThreadPoolExecutor(8) as pool:
                replies = list(
                    pool.map(lambda body: self.change("PUT", path, body, if_none_match="*"), bodies))
            self.assertEqual(sorted(reply.status for reply in replies), [201] + [412] * 7)


class Beside(PreconditionCase):
    """Clips and examples, whose states have a tag for each type that they are made as."""

    def hold(self, path, make, types):
        body = make(1)
        self.assertProblem(self.change("PUT", path, *body, if_match="*"), 412, FAILED)
        self.assertProblem(self.change("DELETE", path, if_match="*"), 404,
                           ("unknown-clip", "unknown-example"))
        self.assertStatus(self.change("PUT", path, *body, if_none_match="*"), 201)
        self.assertProblem(self.change("PUT", path, *body, if_none_match="*"), 412, FAILED)
        for number, kind in enumerate(types):
            tag = self.tag(path, accept=kind)
            reply = self.change("PUT", path, *make(number + 2), if_match=tag)
            self.assertStatus(reply, 200)
            self.assertNotEqual(self.tag(path, accept=kind), tag)
            for method, sent in (("PUT", make(9)), ("DELETE", ())):
                reply = self.change(method, path, *sent, if_match=tag)
                self.assertProblem(reply, 412, FAILED)
        self.assertStatus(self.change("DELETE", path, if_match=self.tag(path)), 204)

    def test_clips(self):
        def make(number):
            return json.dumps({"pose": "rest", "duration": number, "rate": 2}).encode(), JSON

        self.hold(rig_path("rig", "/clips/still"), make, (JSON, GLB))

    def test_examples(self):
        def make(number):
            positions = [[number, 0, 0], [0, 1, 0], [0, 0, 1]]
            return json.dumps({"pose": "rest", "positions": positions}).encode(), JSON

        self.hold(rig_path("rig", "/examples/one"), make, (JSON, OCTETS))


class Untagged(PreconditionCase):
    def test_streams_have_no_tags_to_match(self):
        with self.client.keep() as kept:
            request = json.dumps({"rig": "rig", "pose": "rest", "fps": 1}).encode()
            kept.connection.request("POST", "/v1/stream", request, {"Content-Type": JSON})
            response = kept.connection.getresponse()
            self.assertEqual(response.status, 200)
            path = "/v1/streams/" + response.headers["Posed-Stream"]
            body = json.dumps({"speed": 2}).encode()
            for method, sent in (("PATCH", (body, JSON)), ("DELETE", ())):
                reply = self.change(method, path, *sent, if_match='"any"')
                self.assertProblem(reply, 412, FAILED)
            self.assertStatus(self.change("PATCH", path, body, JSON, if_match="*"), 200)
            self.assertStatus(self.change("DELETE", path, if_match="*"), 204)


class NotModified(PreconditionCase):
    """304 says nothing of a length: caches would cut what they have (RFC 9110, 8.6)."""

    def answers(self, *requests):
        """The answers to requests that are sent at once on one connection, whose bodies are empty."""
        with socket.create_connection(("127.0.0.1", self.daemon.port), timeout=20) as plain:
            plain.sendall(b"".join(requests))
            received = b""
            while part := plain.recv(65536):
                received += part
        return received

    def test_304_has_no_length_and_what_follows_is_whole(self):
        path = rig_path("rig").encode()
        tag = self.tag(rig_path("rig")).encode()
        head = b" %s HTTP/1.1\r\nHost: localhost\r\n" % path
        known = b"If-None-Match: " + tag + b"\r\n\r\n"
        received = self.answers(b"GET" + head + known, b"HEAD" + head + known,
                                b"GET" + head + b"\r\n", b"GET" + head + known,
                                b"OPTIONS" + head + b"Connection: close\r\n\r\n")
        parts = received.split(b"HTTP/1.1 ")[1:]
        self.assertEqual([part[:3] for part in parts], [b"304", b"304", b"200", b"304", b"204"])
        for i in (0, 1, 3):
            self.assertNotIn(b"content-length", parts[i].lower())
            self.assertNotIn(b"transfer-encoding", parts[i].lower())
            self.assertIn(tag, parts[i])
            self.assertTrue(parts[i].endswith(b"\r\n\r\n"), parts[i])
        rest, _, body = parts[2].partition(b"\r\n\r\n")
        self.assertIn(b"Content-Length: %d" % len(body), rest)

    def test_kept_connections_go_on_behind_it(self):
        tag = self.tag(rig_path("rig"))
        with self.client.keep() as kept:
            for _ in range(5):
                reply = kept.request("GET", rig_path("rig"), headers={"If-None-Match": tag})
                self.assertStatus(reply, 304)
                self.assertNotIn("Content-Length", reply.headers)
                self.assertStatus(kept.request("GET", "/healthz"), 200)


if __name__ == "__main__":
    unittest.main()
