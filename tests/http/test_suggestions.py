"""Suggestions for unknown names are given only to clients that may list those names."""
import rigs
from client import JSON, rig_path
from test_signed import SignedCase, sign
from test_tokens import TOKENS, bearer

BARE = rig_path("secret-bear")
HIDDEN = ("secret-bear", "secret-fox", "bend", "twist", "J0", "J1", "hidden-clip")


def asked():
    """Requests that render is enough for, each with something that is not there: what is not, method,
    path, body."""
    pose = {"clip": "ben"}
    yield "rig", "GET", rig_path("secret-foxx", "/frame.png"), None
    yield "rig", "GET", rig_path("secret-foxx", "/frames.gif?clip=bend"), None
    yield "clip", "GET", BARE + "/frame.png?clip=ben", None
    yield "clip", "GET", BARE + "/frames.gif?clip=ben", None
    yield "rig", "POST", rig_path("secret-foxx", "/fits"), {"method": "ddm"}
    for route in ("pose", "vertices", "frame", "frames", "stream", "bake", "compare"):
        more = {"compare": {"methods": ["lbs", "dqs"]}, "bake": {"as": "joints"}}.get(route, {})
        yield "rig", "POST", f"/v1/{route}", {"rig": "secret-foxx", "pose": pose, **more}
        yield "clip", "POST", f"/v1/{route}", {"rig": "secret-bear", "pose": pose, **more}
        other = {"retarget": pose, "rig": "secret-foxx"}
        yield "rig", "POST", f"/v1/{route}", {"rig": "secret-bear", "pose": other, **more}
        aimed = {"set": "rest", "joints": {"join1": {"rotation": [0, 0, 0, 1]}}}
        yield "joint", "POST", f"/v1/{route}", {"rig": "secret-bear", "pose": aimed, **more}
    yield "rig", "POST", "/v1/transitions", {"rig": "secret-foxx", "from": "bend", "to": "bend"}
    yield "clip", "POST", "/v1/transitions", {"rig": "secret-bear", "from": "ben", "to": "bend"}
    yield "rig", "POST", "/v1/compress", {"rig": "secret-foxx"}
    yield "clip", "POST", "/v1/compress", {"rig": "secret-bear", "clips": ["ben"]}
    crowd = {"instances": [{"rig": "secret-foxx"}]}
    yield "rig", "POST", "/v1/crowd", crowd


class Suggestions(SignedCase):
    with_tokens = True

    @classmethod
    def prepare(cls):
        body = rigs.column([(0, 0, 0), (1, 1, 0), (0, 2, 0)]).glb()
        for name in ("secret-bear", "secret-fox"):
            cls.put(name, body)
        path = rig_path("secret-bear", "/clips/hidden-clip")
        baked = b'{"pose": {"clip": "bend"}, "duration": 0.1}'
        reply = cls.client.request("PUT", path, baked, {
            "Content-Type": JSON, **bearer(TOKENS["all"])})
        assert reply.status == 201, str(reply)

    def refusals(self, token):
        found = {}
        for what, method, path, body in asked():
            headers = bearer(TOKENS[token])
            if body is None:
                reply = self.client.get(path, **headers)
            else:
                reply = self.client.post(path.removeprefix("/v1/"), body, **headers)
            problem = reply.json()
            self.assertProblem(reply, 404, f"unknown-{what}")
            found[f"{method} {path} {body}"] = problem["detail"]
        return found

    def test_those_who_may_list_are_told_what_there_is(self):
        found = self.refusals("all")
        self.assertGreater(len(found), 30, found)
        for call, detail in found.items():
            with self.subTest(call=call):
                self.assertTrue(any(name in detail for name in HIDDEN[1:]), detail)

    def test_render_alone_is_told_what_is_not_there_and_no_more(self):
        found = self.refusals("render")
        self.assertEqual(set(found), set(self.refusals("all")))
        for call, detail in found.items():
            with self.subTest(call=call):
                said = detail.replace("secret-foxx", "").replace('rig "secret-bear"', "")
                self.assertFalse([name for name in HIDDEN if name in said], detail)
                self.assertIn("no ", detail)

    def test_write_alone_neither(self):
        for method, path in (("DELETE", rig_path("absent")), ("DELETE", BARE + "/clips/absent"),
                             ("DELETE", BARE + "/examples/absent"), ("PUT", rig_path("absent", "/clips/a")),
                             ("PUT", rig_path("absent", "/examples/a"))):
            with self.subTest(call=f"{method} {path}"):
                headers = {"Content-Type": JSON, **bearer(TOKENS["write"])}
                body = b'{"pose": "rest", "vertices": []}' if method == "PUT" else None
                reply = self.client.request(method, path, body, headers)
                problem = self.assertProblem(
                    reply, 404, ("unknown-rig", "unknown-clip", "unknown-example"))
                said = problem["detail"].replace('rig "secret-bear"', "")
                self.assertFalse([name for name in HIDDEN if name in said], problem)

    def test_signed_links_neither(self):
        for path in ("/w:16/h:16/secret-foxx.png", "/clip:ben/w:16/h:16/secret-bear.png"):
            for headers in ({}, bearer(TOKENS["all"]), bearer(TOKENS["render"])):
                with self.subTest(path=path, token=bool(headers)):
                    problem = self.assertProblem(
                        self.client.get(sign(path), **headers), 404, ("unknown-rig", "unknown-clip"))
                    said = problem["detail"].replace("secret-foxx", "").replace('rig "secret-bear"', "")
                    self.assertFalse([name for name in HIDDEN if name in said], problem)

