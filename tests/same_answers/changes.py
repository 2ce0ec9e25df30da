"""Requests that change what is stored, in an order that counts; and timed streams."""
import json
import struct
import urllib.parse

import bodies
import rigs
import stage
from client import JSON, OCTETS, rig_path
from exchange import Request
from tiny import Tiny

GLB = "model/gltf-binary"
POINTS = [(0, 0, 0), (1, 1, 0), (0, 2, 0)]
REST = urllib.parse.quote('{"clip": "bend", "time": 1}')


class Script:
    """Requests to one rig, numbered as they come."""

    def __init__(self, rig, daemon="open"):
        self.rig, self.daemon, self.requests = rig, daemon, []

    def ask(self, operation, method, rest="", body=None, kind=JSON, how="once", **headers):
        content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        fields = [("Content-Type", kind)] if content else []
        fields += [(name.replace("_", "-").title(), value) for name, value in headers.items()]
        told = "".join(f" {name}: {value}" for name, value in fields[bool(content):])
        name = f"{self.daemon} {len(self.requests)}: {method} {self.rig}{urllib.parse.unquote(rest)}{told}"
        self.requests.append(Request(name, operation, method, rig_path(self.rig, rest), tuple(fields),
                                     content, self.daemon, how))
        return name


def all_of_them(plan):
    script = Script("changing")
    for step in (rig_steps, example_steps, clip_steps, fit_steps):
        step(script, plan)
    script.ask("getMetrics", "GET")
    script.requests[-1] = Request("metrics", "getMetrics", "GET", "/metrics")
    script.requests.append(Request("all rigs at the end", "listRigs", "GET", "/v1/rigs"))
    return script.requests


def conditional(script, operation, read, rest, body, kind=JSON):
    """PUT under each precondition, with the tags that there are at that moment."""
    before = script.ask(read, "GET", rest)
    script.ask(operation, "PUT", rest, body, kind, if_none_match="*")
    script.ask(operation, "PUT", rest, body, kind, if_match='"other"')
    script.ask(operation, "PUT", rest, body, kind, if_match=f"{{{{{before}|ETag}}}}")
    script.ask(operation, "PUT", rest, body, kind, if_match="*")
    script.ask(operation, "PUT", rest, body, kind)
    script.ask(operation, "PUT", rest, body, kind, if_match="nonsense")
    script.ask(operation, "PUT", rest, body, kind, if_none_match='"other"')
    script.ask(read, "GET", rest)


def deleted(script, operation, read, rest):
    before = script.ask(read, "GET", rest)
    script.ask(operation, "DELETE", rest, if_match='"other"')
    script.ask(operation, "DELETE", rest, if_match=f"{{{{{before}|ETag}}}}")
    script.ask(operation, "DELETE", rest)
    script.ask(operation, "DELETE", rest, if_match="*")
    script.ask(read, "GET", rest)


def rig_steps(script, plan):
    conditional(script, "putRig", "describeRig", "", stage.scene().glb(), OCTETS)
    for bounds in ("", "?bounds=clips", "?bounds=none", "?bounds=clips&bounds=clips", "?other=1"):
        script.ask("describeRig", "GET", bounds)
    for rest, operation in (("/source", "getSource"), ("/mesh.glb", "getMesh"), ("/clips", "listClips"),
                            ("/examples", "listExamples"), ("/fits", "listFits"),
                            ("/compatibility?with=tube", "getCompatibility"),
                            ("/influences?joint=J1", "getInfluences"),
                            ("/influences?joint=J1&of=support", "getInfluences")):
        script.ask(operation, "GET", rest)
    for kind in (GLB, "model/gltf+json", "application/zip", JSON, "text/plain", "multipart/form-data",
                 "multipart/form-data; boundary=x"):
        script.ask("putRig", "PUT", "", stage.scene().glb(), kind)
    for name in ("a%20b", "%C3%BC", "..", "a%2Fb", "%E2%80%8Bhidden", "n" * 128, "n" * 129, "a%0Ab"):
        script.requests += [Request(f"put the name {name[:20]}{len(name)}", "putRig", "PUT",
                                    f"/v1/rigs/{name}", (("Content-Type", OCTETS),), stage.scene().glb())]
        script.requests += [Request(f"delete the name {name[:20]}{len(name)}", "deleteRig", "DELETE",
                                    f"/v1/rigs/{name}")]


def example_steps(script, plan):
    moved = [[x + 0.5, y, z] for x, y, z in POINTS]
    pose = {"clip": "bend", "time": 1}
    octets = b"".join(struct.pack("<3f", *point) for point in moved)
    conditional(script, "putExample", "getExample", "/examples/bent", {"pose": pose, "positions": moved})
    for i, body in enumerate((
            {"pose": pose, "positions": moved, "normals": [[0, 0, 2]] * 3}, {"pose": pose},
            {"pose": pose, "offsets": [[0, 0.1, 0, 0], [2, 0, 0, 0.1]]}, {"positions": moved},
            {"pose": pose, "offsets": [[2, 0, 0, 0.1], [0, 0.1, 0, 0]]},
            {"pose": pose, "offsets": [[9, 0, 0, 0.1]]}, {"pose": pose, "positions": moved[1:]},
            {"pose": pose, "targets": {"mesh": [1]}}, {"pose": pose, "targets": {"none": [1]}},
            {"pose": pose, "positions": moved, "offsets": []}, {"pose": 7, "positions": moved},
            {"pose": pose, "positions": "all"}, {"pose": pose, "positions": moved, "no_such_member": 1})):
        script.ask("putExample", "PUT", f"/examples/form%20{i}", body)
        script.ask("getExample", "GET", f"/examples/form%20{i}")
    for query in (f"?pose={REST}", "", "?pose=7", f"?pose={REST}&attributes=position",
                  f"?pose={REST}&attributes=position,normal", f"?pose={REST}&attributes=tangent"):
        script.ask("putExample", "PUT", f"/examples/octets{query}", octets, OCTETS)
        script.ask("putExample", "PUT", f"/examples/file{query}", stage.scene().glb(), GLB)
    script.ask("putExample", "PUT", "/examples/text", b"text", "text/plain")
    for accept in (JSON, OCTETS, GLB):
        script.ask("getExample", "GET", "/examples/bent", accept=accept)
    script.ask("listExamples", "GET", "/examples")
    script.ask("describeRig", "GET")
    deleted(script, "deleteExample", "getExample", "/examples/bent")
    script.requests.append(Request("targets of a head", "putExample", "PUT",
                                   rig_path("head", "/examples/smile"), (("Content-Type", JSON),),
                                   b'{"pose": "rest", "targets": {"head": [1, 0, 0, 0, 0, 0.5]}}'))


def clip_steps(script, plan):
    schema = plan.api.operations["putClip"].body
    base = {"pose": {"clip": "twist", "time": 0.5}, "duration": 0.5, "rate": 10}
    values = plan.column.__class__(plan.api, {**plan.column.names, "PoseExpression": [base["pose"], "rest"],
                                              "clip": ["twist"]})
    conditional(script, "putClip", "getClip", "/clips/baked", base)
    for i, (place, body) in enumerate([*values.changes(schema, base), *values.changes_refused(schema, base)]):
        script.ask("putClip", "PUT", f"/clips/form%20{i}%20{place[1:]}", body)
    for query in ("", "?clip=nod", "?clip=none", "?map=names", "?map=auto", "?map=auto&rate=5",
                  "?map=none", "?rate=0", "?rate=1001", "?no_such_parameter=1"):
        script.ask("putClip", "PUT", f"/clips/file{query}", stage.moving(), GLB)
    script.ask("putClip", "PUT", "/clips/bend", base)
    script.ask("putClip", "PUT", "/clips/none", rigs.triangle().glb(), GLB)
    for name in ("baked", "file", "bend", "0", "99"):
        for accept in (JSON, GLB):
            script.ask("getClip", "GET", f"/clips/{name}", accept=accept)
    script.ask("getClip", "GET", "/clips/baked?prune=true", accept=GLB)
    script.ask("getClip", "GET", "/clips/baked?prune=maybe", accept=GLB)
    for query in ("as=pclip", "as=pclip&tolerance=0.01&segment=2", "as=pclip&segment=3", "as=json", "tolerance=1"):
        script.ask("getClip", "GET", f"/clips/baked?{query}", accept="*/*")
    script.ask("listClips", "GET", "/clips")
    script.ask("describeRig", "GET", "?bounds=clips")
    deleted(script, "deleteClip", "getClip", "/clips/baked")
    script.ask("deleteClip", "DELETE", "/clips/bend")
    # Another asset under the name: what is stored beside it stays as far as it fits.
    script.ask("putRig", "PUT", "", rigs.column(POINTS * 2).glb(), OCTETS)
    script.ask("describeRig", "GET")
    script.ask("putRig", "PUT", "", rigs.triangle().glb(), OCTETS)
    script.ask("describeRig", "GET")
    script.ask("putRig", "PUT", "", empty().glb(), OCTETS)
    script.ask("getFrame", "GET", "/frame.png?width=16&height=16")
    deleted(script, "deleteRig", "describeRig", "")


def empty():
    """A file that draws nothing."""
    tiny = Tiny()
    tiny.node(root=True, name="alone")
    return tiny


def fit_steps(script, plan):
    fits = Script("fitted")  # of which nothing else has had any made
    for method in plan.service["skinning_methods"]:
        begun = fits.ask("beginFit", "POST", "/fits", {"method": method["id"]})
        fits.ask("getFit", "GET", f"/fits/{{{{{begun}|id}}}}", how="settled")
    for body in ({}, {"method": "none"}, {"method": "lbs", "normals": "exact"}, "lbs", 7, b"{",
                 {"method": "lbs", "no_such_option": 1}):
        fits.ask("beginFit", "POST", "/fits", body)
    fits.ask("getFit", "GET", f"/fits/{{{{{begun}|id}}}}")
    fits.ask("cancelFit", "DELETE", f"/fits/{{{{{begun}|id}}}}")
    fits.ask("cancelFit", "DELETE", f"/fits/{{{{{begun}|id}}}}")
    fits.ask("cancelFit", "DELETE", "/fits/none")
    fits.ask("listFits", "GET", "/fits")
    fits.ask("listFits", "GET", "/fits?no_such_parameter=1")
    script.requests += fits.requests


def streams():
    """One stream that stands still, patched and ended; and some that run for a moment."""
    body = {**bodies.BEND, "paused": True, "attributes": ["position", "normal"]}
    headers = (("Content-Type", JSON),)
    yield Request("open stream", "postStream", "POST", "/v1/stream", headers, json.dumps(body).encode(),
                  how="open")
    at = "/v1/streams/{{open stream|Posed-Stream}}"
    yield Request("state of the stream", "getStream", "GET", at)
    patches = ({"pose": {"clip": "bend", "time": 1.5}}, {"speed": 0.5}, {"fps": 10}, {"time": 2},
               {"range": {"from": 0.1, "to": 0.9, "loop": "ping_pong"}}, {"range": None}, {"fps": 0},
               {"fps": 241}, {"speed": 101}, {"time": 1e7}, {"range": {"to": -1}}, {"range": {}},
               {"paused": 1}, {"no_such_member": 1}, {"pose": 7}, {"pose": {"clip": "none"}}, [], {},
               {"rig": "head"}, {"paused": True})
    for i, patch in enumerate(patches):
        yield Request(f"patch {i} {json.dumps(patch)}", "patchStream", "PATCH", at, headers,
                      json.dumps(patch).encode())
        if i == 0:
            yield Request("frame of the other pose", "postStream", "NONE", "open stream", how="changed")
    yield Request("patch that is no JSON", "patchStream", "PATCH", at, headers, b"{")
    yield Request("patch under a tag", "patchStream", "PATCH", at, (*headers, ("If-Match", '"a"')), b"{}")
    yield Request("end of the stream", "deleteStream", "DELETE", at)
    yield Request("state of an ended stream", "getStream", "GET", at)
    for attributes in (["position"], ["position", "normal", "tangent"]):
        for skinning in ("lbs", ["lbs", {"method": "dqs", "device": "gpu"}]):
            body = {**bodies.BEND, "attributes": attributes, "skinning": skinning, "fps": 20,
                    "duration": 0.16}
            yield Request(f"stream of {attributes} by {skinning}", "postStream", "POST", "/v1/stream",
                          headers, json.dumps(body).encode(), how="frames")
