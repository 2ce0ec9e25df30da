"""The list of requests, generated from the description of the API and from what GET /v1 lists."""
import dataclasses
import json
import re
import urllib.parse

import bodies
import changes
import guarded
import stage
import wire
from client import JSON, OCTETS, rig_path
from exchange import Request
from values import Values

# Operations without a request of their own, each with its reason. There is none at present.
WITHOUT_REQUEST = {}

SMALL = {"width": 40, "height": 40}
PATHS = {"rig": "humanoid", "name": "Walk", "path": "element/posed-viewer.js", "method": "dqs",
         "signature": "unsafe", "options": "clip:Walk/time:0.4/w:40/h:40", "id": "none"}


def names(rig, clip, joint, more):
    """Stands for names of a rig wherever the description has but "a name or an index"."""
    pose = {"clip": clip, "time": 0.3}
    return {"PoseExpression": [pose, "rest", {"clip": clip, "phase": 0.5, "loop": "repeat"}],
            "rig": [rig, "no such rig"], "clip": [clip, 0, "no such clip", 99],
            "joint": [joint, 2, "no such joint", 999], "node": [joint, 1], "end": [joint],
            "root": [more], "pairs": [{joint: joint}], "JointList": [[joint], [1, 2]],
            "from": [clip], "to": [clip], "bodies": [[joint, more]], "feet": [[joint]],
            "chain": [{joint: 1, more: 0.5}], "Mask": [{more: 1}, {more: {"weight": 1, "fade": 2}}],
            "method": ["lbs", "dqs", "no such method"], "names": [True, [joint]],
            "positions": [[[0, 0, 0]]], "name": ["called"],
            "JointLimits": [{more: limit} for limit in (
                {"cone": 20, "twist": [-30, 30]}, {"swing": [10, 20], "axis": [0, 1, 0]},
                {"hinge": {"axis": [1, 0, 0], "min": 0, "max": 60}},
                {"euler": {"order": "ZYX", "min": [-10, -20, -30], "max": [10, 20, 30]}})],
            "map": ["auto", "name", {joint: joint}], "align": ["rest", "none", {joint: [0, 0, 0, 1]}],
            "Matrix": [[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -0.9, -4, 1],
                       [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -0.2, 0]],
            "transform": [[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.1, 0.2, 0.3, 1]],
            "Quaternion": [[0, 0.38268343, 0, 0.92387953], [0, 0, 0, 0]],
            "poses": [["rest", pose]]}


class Plan:
    """phases: (title, how many requests side by side, requests), in order."""

    def __init__(self, api, service):
        self.api, self.service = api, service
        self.human = Values(api, names("humanoid", "Walk", "Head", "Spine"))
        self.column = Values(api, names("cyl3", "bend", "J2", "J1"))
        self.names, self.idempotent = {}, set()
        self.shared = list(stage.shared())
        files = [*stage.imported(), *((name, body, OCTETS) for name, body in self.shared)]
        self.phases = [
            ("put rigs", 1, self.setup()),
            ("lists and files", 1, self.lists()),
            ("import", 2, [stage.put(flat(name), body, kind) for name, body, kind in files]),
            ("imported", 2, self.imported(files)),
            ("broken assets", 2, [stage.put(f"broken {flat(name)}", body)
                                  for name, body in stage.broken()]),
            ("results", 2, [*bodies.methods(self), *bodies.posts(self), *bodies.poses(self),
                            *bodies.golden_scenes(), *self.links(), *wire.accepted_types(self)]),
            ("HTTP", 1, [*wire.paths(self), *wire.ranges(), *wire.origins(), *wire.malformed(self)]),
            ("changes", 1, changes.all_of_them(self)),
            ("streams", 1, changes.streams()),
            ("tokens and signatures", 1, guarded.all_of_them(self)),
            ("read only", 1, guarded.read_only(self)),
        ]
        self.phases = [(title, width, self.once_each(requests)) for title, width, requests in self.phases]

    def once_each(self, requests):
        """Without those that are in the list already, each by a name of its own."""
        found = []
        for request in requests:
            content = (request.method, request.target, request.headers, request.body, request.daemon)
            if self.names.get(request.name) == content or content in self.idempotent:
                continue
            if request.operation.startswith("post") and request.how == "once":
                self.idempotent.add(content)
            name, number = request.name, 2
            while name in self.names:
                name, number = f"{request.name} ({number})", number + 1
            self.names[name] = content
            found.append(dataclasses.replace(request, name=name))
        return found

    def requests(self):
        return [request for _, _, requests in self.phases for request in requests]

    def missing(self):
        """Operations, pose operations and skinning methods that no request names."""
        asked = {request.operation for request in self.requests()}
        text = b"\n".join(request.body for request in self.requests())
        wanted = [(f'"{kind["name"]}"', f"pose operation {kind['name']}")
                  for kind in self.service["pose_operations"]]
        wanted += [(f'"{method["id"]}"', f"skinning method {method['id']}")
                   for method in self.service["skinning_methods"]]
        return [f"operation {id}" for id in self.api.operations
                if id not in asked and id not in WITHOUT_REQUEST] + [
            what for word, what in wanted if word.encode() not in text]

    @staticmethod
    def setup():
        return [*(stage.put(name, body) for name, body in stage.holding()), *stage.examples()]

    @staticmethod
    def lists():
        return [Request(f"list: GET {path}", operation, "GET", path) for path, operation in (
            ("/v1", "getService"), ("/healthz", "getAlive"), ("/readyz", "getReady"),
            ("/v1/rigs", "listRigs"), ("/", "getViewer"), ("/openapi.yaml", "getOpenApi"),
            ("/v1/shaders", "listShaders"))]

    def imported(self, files):
        """Requests for each file's result: its description, mesh and picture, and its joint pairs."""
        for name, _, _ in files:
            rig = flat(name)
            yield Request(f"describe {rig}", "describeRig", "GET", rig_path(rig))
            yield Request(f"mesh of {rig}", "getMesh", "GET", rig_path(rig, "/mesh.glb"))
            yield Request(f"thumbnail of {rig}", "getThumbnail", "GET", rig_path(rig, "/thumbnail"))
            yield Request(f"picture of {rig}", "getFrame", "GET",
                          rig_path(rig, "/frame.png?width=32&height=32&clip=0&phase=0.3"))
            yield Request(f"vertices of {rig}", "postVertices", "POST", "/v1/vertices",
                          (("Content-Type", JSON),),
                          json.dumps({"rig": rig, "attributes": ["position", "tangent"]}).encode())
            if name.startswith("maker"):
                yield Request(f"compatibility of {rig}", "getCompatibility", "GET",
                              rig_path("humanoid", f"/compatibility?with={urllib.parse.quote(rig)}"))

    def links(self):
        """GET with queries, and links: each parameter with each of its values."""
        for operation in self.api.operations.values():
            if operation.method != "GET" or operation.id == "listFits":  # what results leave: changes.py
                continue
            wanted = {"with": "head", "joint": "Head"} if operation.id in (
                "getCompatibility", "getInfluences") else {}
            wanted = {key: value for key, value in wanted.items()
                      if key in {parameter["name"] for parameter in operation.queries()}}
            small = SMALL if any(p["name"] == "width" for p in operation.queries()) else {}
            for target in self.targets(operation):
                base = {**wanted, **small} if "multipart" not in target else {
                    **small, "turntable": 2, "fps": 10, "loops": 1}
                if "/frames." in target:
                    base |= {"count": 2, "clip": "Walk"}
                    base.pop("turntable", None)
                yield self.link(operation, target, base)
            yield from self.parameters(operation, {**wanted, **small})
        yield from self.signed()

    def targets(self, operation):
        kind = next((name for name in ("format", "form") if f"{{{name}}}" in operation.path), None)
        for form in operation.choices(kind) if kind else [""]:
            for rig in ("humanoid", "head", "scene") if "{rig}" in operation.path else [""]:
                chosen = {**PATHS, "rig": rig, kind or "format": form}
                if operation.id in ("getExample",):
                    chosen |= {"rig": "cyl3", "name": "J1_bent"}
                yield re.sub(r"\{(\w+)\}", lambda match: str(chosen[match[1]]), operation.path)

    @staticmethod
    def link(operation, target, query, label=""):
        how = "frames" if "multipart" in target else "once"
        text = "?" + urllib.parse.urlencode(query) if query else ""
        return Request(f"{operation.id} {target}{text}{label}", operation.id, "GET", target + text, how=how)

    def parameters(self, operation, base):
        target = next(iter(self.targets(operation)))
        if "/frames." in target:
            base = {**base, "count": 2, "clip": "Walk"}
        for parameter in operation.queries():
            name = parameter["name"]
            for value in self.query_values(parameter):
                yield self.link(operation, target, {**base, name: value})
        yield self.link(operation, target, {**base, "no_such_parameter": 1})
        if base:
            first = next(iter(base))
            text = urllib.parse.urlencode([*base.items(), (first, base[first])])
            yield Request(f"{operation.id} with {first} twice", operation.id, "GET", f"{target}?{text}")

    def query_values(self, parameter):
        schema = parameter["schema"]
        found = [*self.human.accepted(schema, parameter["name"]),
                 *(value for _, value in self.human.refused(schema, parameter["name"]))]
        found += [parameter["example"]] if "example" in parameter else []
        if parameter["name"] == "skinning":
            found += [method["id"] for method in self.service["skinning_methods"]]
        if parameter["name"] in ("joint", "node"):
            found += ["Head", "3", "", "no such"]
        for value in found:
            if isinstance(value, bool):
                yield str(value).lower()
            elif isinstance(value, (str, int, float)):
                yield value
        yield ""

    def signed(self):
        """Links without a signature, each parameter as a segment."""
        operation = self.api.operations["getFrame"]
        signed = self.api.operations["getSignedFrame"]
        base = "w:40/h:40"
        for form in signed.choices("format"):
            yield self.link(signed, f"/i/unsafe/clip:Walk/{base}/background:%23ffffff/humanoid.{form}", {})
        for parameter in operation.queries():
            for value in self.query_values(parameter):
                segment = f"{parameter['name']}:{urllib.parse.quote(str(value), safe='')}"
                taken = base if parameter["name"] not in ("width", "height") else "samples:1"
                yield self.link(signed, f"/i/unsafe/{taken}/{segment}/humanoid.png", {})


def flat(name):
    """As the name of a rig."""
    return name.replace("/", " ").replace("..", " ")[:120]
