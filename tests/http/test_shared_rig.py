"""Signed links that show one rig to those who have no token: every call of the API by such a link."""
import json
import time
import unittest
import urllib.parse

import rigs
from client import JSON, rig_path
from described import description
from test_signed import NEW, OLD, STRANGER, SignedCase, sign
from test_tokens import TOKENS, bearer

OTHER = "other"
DENIED = ("/v1/rigs/{rig}/check", "/v1/checks", "/v1/checks/{id}", "/v1/checks/{id}/report", "/metrics")


def shared(path, pair=NEW):
    """Headers of a client that came by a link for the rig of a path."""
    return bearer("link:" + sign("/view" + path, pair).removeprefix("/i/"))


class SharedRig(SignedCase):
    with_tokens = True

    @classmethod
    def prepare(cls):
        super().prepare()
        cls.put(OTHER, rigs.triangle().glb())

    def call(self, method, path, body=None, path_of="/col"):
        headers = {"Content-Type": JSON, **shared(path_of)}
        return self.client.request(method, path, body, headers)

    def assertForbidden(self, reply, says):
        self.assertProblem(reply, 403, "forbidden", says=says)

    def test_link_reads_and_renders_its_rig(self):
        for path in ("", "/mesh.glb", "/clips", "/influences?joint=0", "/frame.png?width=16&height=16"):
            with self.subTest(path):
                self.assertStatus(self.call("GET", rig_path("col", path)), 200)
        body = b'{"rig": "col", "pose": "rest"}'
        for path in ("/v1/pose", "/v1/vertices"):
            self.assertStatus(self.call("POST", path, body), 200)
        self.assertStatus(self.call("GET", "/v1"), 200)

    def test_link_lists_its_rig_alone(self):
        names = [rig["name"] for rig in self.call("GET", "/v1/rigs").json()["rigs"]]
        self.assertEqual(names, ["col"])
        gone = self.call("GET", "/v1/rigs", path_of="/gone").json()
        self.assertEqual(gone["rigs"], [])

    def test_every_call_for_another_rig_is_forbidden(self):
        for path, methods in description()["paths"].items():
            for method in set(methods) & {"get", "put", "post", "patch", "delete"}:
                if "{rig}" not in path or path.startswith("/i/"):
                    continue
                with self.subTest(path, method=method):
                    concrete = path.replace("{rig}", OTHER).replace("{format}", "png") \
                        .replace("{form}", "bvh").replace("{name}", "x").replace("{id}", "x")
                    reply = self.call(method.upper(), concrete, b"{}" if method != "get" else None)
                    self.assertStatus(reply, 403)

    def test_requests_that_name_another_rig_are_forbidden(self):
        pose = {"retarget": "rest", "rig": OTHER}
        bodies = {
            "/v1/pose": [{"rig": OTHER, "pose": "rest"}, {"rig": "col", "pose": pose}],
            "/v1/vertices": [{"rig": OTHER, "pose": "rest"}, {"rig": "col", "pose": pose}],
            "/v1/frame": [{"rig": OTHER}, {"rig": "col", "pose": pose}],
            "/v1/frames": [{"rig": OTHER, "turntable": 2}],
            "/v1/stream": [{"rig": OTHER}],
            "/v1/bake": [{"rig": OTHER, "pose": "rest", "duration": 1, "as": "morph"}],
            "/v1/compress": [{"rig": OTHER}],
            "/v1/transitions": [{"rig": OTHER, "from": "a", "to": "b"}],
            "/v1/compare": [{"rig": OTHER, "methods": ["lbs", "dqs"]}],
            "/v1/crowd": [{"instances": [{"rig": "col"}, {"rig": OTHER}]}],
            "/v1/shaders": [{"rig": OTHER, "pose": "rest"}],
        }
        for path, requests in bodies.items():
            for request in requests:
                with self.subTest(path, request=request):
                    reply = self.client.post(path.removeprefix("/v1/"), request, **shared("/col"))
                    self.assertForbidden(reply, says="another rig")
        request = urllib.parse.quote(json.dumps({**bodies["/v1/bake"][0]}))
        for path in (rig_path("col", f"/compatibility?with={OTHER}"), f"/v1/bake?request={request}"):
            with self.subTest(path):
                self.assertForbidden(self.call("GET", path), says="another rig")

    def test_another_rig_is_forbidden_whether_it_is_there_or_not(self):
        there, nowhere = (self.call("GET", rig_path(name)) for name in (OTHER, "nowhere"))
        self.assertEqual((there.status, there.json()), (nowhere.status, nowhere.json()))

    def test_calls_of_the_whole_service_are_forbidden(self):
        for path in DENIED:
            for method in set(description()["paths"][path]) & {"get", "post", "delete"}:
                with self.subTest(path, method=method):
                    concrete = path.replace("{rig}", "col").replace("{id}", "x")
                    reply = self.call(method.upper(), concrete, b"{}" if method == "post" else None)
                    self.assertForbidden(reply, says="link")

    def test_link_writes_nothing(self):
        for method, path in (("PUT", rig_path("col")), ("DELETE", rig_path("col")),
                             ("PUT", rig_path("col", "/examples/x")), ("PUT", rig_path("col", "/clips/x"))):
            self.assertForbidden(self.call(method, path, b"{}"), says="write")

    def test_links_end_when_they_say(self):
        self.assertStatus(self.call("GET", rig_path("col"), path_of=f"/expires:{int(time.time()) + 60}/col"), 200)
        for path in (f"/expires:{int(time.time()) - 1}/col", "/expires:0/col", "/expires:/col",
                     "/expires:-1/col", "/expires:1e9/col", f"/expires:{'9' * 30}/col"):
            with self.subTest(path):
                self.assertProblem(self.call("GET", rig_path("col"), path_of=path), 401, "unauthorized")

    def test_names_are_percent_encoded(self):
        self.put("füchs & co", rigs.triangle().glb())
        name = urllib.parse.quote("füchs & co", safe="")
        self.assertStatus(self.call("GET", rig_path("füchs & co"), path_of=f"/{name}"), 200)

    def test_every_pair_signs_and_nothing_else_does(self):
        path = rig_path("col")
        self.assertStatus(self.client.get(path, **shared("/col", OLD)), 200)
        right = shared("/col")["Authorization"]
        wrong = [shared("/col", STRANGER)["Authorization"], right + "x", right.replace("/col", "/other"),
                 right.replace("/view", "/veiw"), right.replace("link:", "link:A"), "Bearer link:",
                 "Bearer link:/view/col", "Bearer " + right.removeprefix("Bearer link:"),
                 bearer("link:" + sign("/w:16/col.png").removeprefix("/i/"))["Authorization"],
                 bearer("link:" + sign("/col").removeprefix("/i/"))["Authorization"]]
        for text in wrong:
            with self.subTest(text):
                self.assertStatus(self.client.get(path, authorization=text), 401)

    def test_a_view_s_signature_is_no_picture_s(self):
        self.assertIn(self.client.get(sign("/view/col")).status, (400, 404))
        self.assertIn(self.client.get(sign("/view/col.png")).status, (400, 404))

    def test_errors_name_no_rigs(self):
        reply = self.call("GET", rig_path("cool"), path_of="/cool")
        self.assertProblem(reply, 404, "unknown-rig")
        self.assertNotIn("col\"", reply.json()["detail"])


class WithoutKeys(SignedCase):
    with_tokens = True
    pairs = ()

    def test_no_signature_is_right(self):
        self.assertStatus(self.client.get(rig_path("col"), **shared("/col")), 401)


if __name__ == "__main__":
    unittest.main()
