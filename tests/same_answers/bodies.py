"""Requests with JSON bodies: each operation with each member of its schema in turn."""
import json

import golden
from client import JSON, OCTETS, PNG
from exchange import Request

GLB = "model/gltf-binary"
HUMANOID = {"rig": "humanoid", "pose": {"clip": "Walk", "time": 0.4}}
BEND = {"rig": "cyl3", "pose": {"clip": "bend", "time": 0.7}}
SMALL = {"width": 40, "height": 40}
# A request that is answered, which each member is changed in.
BASES = {
    "postPose": HUMANOID,
    "postVertices": {**BEND, "attributes": ["position", "normal"]},
    "postFrame": {**HUMANOID, **SMALL, "background": "#ffffff"},
    "postFrames": {**BEND, **SMALL, "times": {"count": 2}, "format": "apng"},
    "postStream": {**BEND, "duration": 0.02},
    "postBake": {**BEND, "as": "morph", "duration": 0.2, "rate": 10},
    "postTransitions": {"rig": "humanoid", "from": "Walk", "to": "Run", "count": 2, "rate": 10},
    "postCompress": {"rig": "cyl3", "clips": ["bend"], "tolerance": 0.01},
    "postShaders": {**BEND, "skinning": "dqs", "buffers": ["palette"]},
    "postCompare": {**BEND, "methods": ["lbs", "dqs"], **SMALL},
    "postCrowd": {**SMALL, "instances": [BEND, {**BEND, "translation": [0.5, 0, 0], "scale": 0.5}]},
}
ACCEPT = {"postCompare": PNG, "postCrowd": PNG}
VERTEX_MEMBERS = ["attributes", "bits", "compression"]
# A second base for members that want another one.
MORE_BASES = {
    "postVertices": ("packed", {**BEND, "attributes": ["position:u16x3", "normal:oct8x2"],
                                "compression": "meshopt"}, VERTEX_MEMBERS + ["poses"]),
    "postFrames": ("tar", {**BEND, **SMALL, "times": {"count": 2}, "format": "tar"},
                   ["quality", "lossless", "shading", "poses", "turntable"]),
    "postFrame": ("lit", {"rig": "lit_humanoid", **SMALL, "environment": "none", "shading": "material"},
                  ["lights", "exposure", "tone_mapping", "samples", "shadow", "grid", "camera"]),
    "postCompress": ("pose", {**BEND, "duration": 0.2, "rate": 10}, ["duration", "pose"]),
    "postBake": ("joints", {**BEND, "as": "joints", "duration": 0.2, "rate": 10}, ["prune", "name"]),
}
MALFORMED = [
    b"", b" ", b"{", b"}", b"[]", b"null", b"7", b'"rest"', b"{}", b"{'rig': 'cyl3'}", b'{"rig": "cyl3",}',
    b'{"rig": "cyl3"} x', b'{"rig": "cyl3", "rig": "cyl3"}', b'{"rig": 1e999}', b'{"rig": NaN}',
    b'{"rig": "\xff"}', b'{"rig": "\\ud800"}', b'{"rig": "a\\u0000b"}', b'{"rig": "no such rig"}',
    b'\xef\xbb\xbf{"rig": "cyl3"}', b"[" * 100 + b"]" * 100, b'{"rig": ""}', b'{"rig": 5}',
    b'{"rig": "..", "pose": "rest"}', b'{"rig": "cyl3", "": 1}', b'{"rig": "cyl3", "pose": tru}',
    b'{"rig": "cyl3", "pose": {"set": ' + b'{"set": ' * 70 + b'"rest"' + b"}" * 71 + b"}",
]


def post(operation, label, body, accept=None, how="once"):
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = (("Content-Type", JSON), *((("Accept", accept),) if accept else ()))
    return Request(f"{operation.id} {label}", operation.id, "POST", operation.path, headers, text, how=how)


def how(operation, body):
    timed = operation.id == "postStream" or (isinstance(body, dict) and body.get("format") == "multipart")
    return "frames" if timed else "once"


def posts(plan):
    for operation in plan.api.operations.values():
        if operation.id in BASES:
            yield from answered(plan, operation)
            yield from refused(plan, operation)


def answered(plan, operation):
    accept = ACCEPT.get(operation.id)
    base = BASES[operation.id]
    values = plan.human if base.get("rig") == "humanoid" else plan.column
    for name, body in operation.examples:
        if operation.id == "postStream":
            body = {**body, "duration": 0.05}
        yield post(operation, f"example {name}", cheaper(body), how=how(operation, body))
    for place, body in values.changes(operation.body, base, leave=("format",) if accept else ()):
        body = bounded(operation, body)
        yield post(operation, f"{place} = {short(body, place)}", body, accept, how(operation, body))
    label, base, members = MORE_BASES.get(operation.id, ("", {}, []))
    for place, body in values.changes(operation.body, base) if base else ():
        if place[1:] in members:
            yield post(operation, f"{label} {place} = {short(body, place)}", body, accept,
                       how(operation, body))


def bounded(operation, body):
    """A stream that ends soon, and a sequence that is shown once."""
    if operation.id == "postStream" and body.get("duration", 1) > 0.1:
        return {**body, "duration": 0.05}
    if body.get("format") in ("multipart", "gif", "mp4", "webm"):
        return {**body, "loops": 1, "fps": 20, "background": "#ffffff"}
    return body


def cheaper(body):
    """An example of the description with smaller pictures."""
    sizes = {key: min(value, 64) for key, value in body.items() if key in ("width", "height")}
    drawn = "turntable" in body or "camera" in body or "overlays" in body
    return {**body, **(SMALL if drawn else {}), **sizes}


def refused(plan, operation):
    accept = ACCEPT.get(operation.id)
    values = plan.human if BASES[operation.id].get("rig") == "humanoid" else plan.column
    for place, body in values.changes_refused(operation.body, BASES[operation.id]):
        if operation.id == "postStream":
            body = {"duration": 0.02, **body}
        yield post(operation, f"refused {place} = {short(body, place)}", body, accept, how(operation, body))
    for text in MALFORMED:
        yield post(operation, f"malformed {text[:40]!r}", text, accept)
    for kind in ("text/plain", "application/octet-stream", "", "application/json; charset=latin1"):
        yield Request(f"{operation.id} as {kind!r}", operation.id, "POST", operation.path,
                      (("Content-Type", kind),), b"{}")
    for deadline in ("0", "-1", "x", "3600001", "1.5", ""):
        yield Request(f"{operation.id} deadline {deadline!r}", operation.id, "POST", operation.path,
                      (("Content-Type", JSON), ("Posed-Deadline-Ms", deadline)), b"{}")


def poses(plan):
    """Each kind of pose expression, with each of its members."""
    operation = plan.api.operations["postPose"]
    for schema in plan.api.pose_operations():
        name = schema.get("required", ["rest"])[0]
        base = plan.human.base(schema) if "properties" in schema else schema["const"]
        label = f"pose {name}"
        yield post(operation, label, {"rig": "humanoid", "pose": base})
        yield post(operation, f"{label} as octets", {"rig": "humanoid", "pose": base}, OCTETS)
        for rig in ("head", "cyl3", "tube23", "scene"):
            yield post(operation, f"{label} of {rig}", {"rig": rig, "pose": base})
        yield post(plan.api.operations["postVertices"], label, {"rig": "humanoid", "pose": base})
        if "properties" not in schema:
            continue
        for place, pose in plan.human.changes(schema, base):
            yield post(operation, f"{label} {place} = {short(pose, place)}",
                       {"rig": "humanoid", "pose": pose})
        for place, pose in plan.human.changes_refused(schema, base):
            yield post(operation, f"{label} refused {place} = {short(pose, place)}",
                       {"rig": "humanoid", "pose": pose})


def methods(plan):
    """Each skinning method with each way to make normals on each device, and each of its options."""
    vertices, frame = plan.api.operations["postVertices"], plan.api.operations["postFrame"]
    normals = plan.api.document["components"]["schemas"]["Normals"]["enum"]
    devices = plan.api.document["components"]["schemas"]["Device"]["enum"]
    for method in plan.service["skinning_methods"]:
        for device in devices:
            for normal in normals:
                skinning = {"method": method["id"], "device": device, "normals": normal}
                yield post(vertices, f"skinning {compact(skinning)}",
                           {**BEND, "skinning": skinning, "attributes": ["position", "normal"]})
            skinning = {"method": method["id"], "device": device}
            yield post(frame, f"skinning {compact(skinning)}", {**BEND, **SMALL, "skinning": skinning})
            yield post(vertices, f"humanoid skinning {compact(skinning)}",
                       {**HUMANOID, "skinning": skinning})
        for accept in vertices.answers:
            yield post(vertices, f"skinning {method['id']} as {accept}",
                       {**BEND, "skinning": method["id"]}, accept)
        for option in method["options"]:
            for value in option_values(option):
                skinning = {"method": method["id"], option["name"]: value}
                yield post(vertices, f"skinning {compact(skinning)}", {**BEND, "skinning": skinning})
        yield post(plan.api.operations["postCompare"], f"{method['id']} with lbs",
                   {**BEND, "methods": ["lbs", method["id"]]}, JSON)
        yield post(plan.api.operations["postBake"], f"of {method['id']}",
                   {**BASES["postBake"], "skinning": method["id"]})
        yield post(plan.api.operations["postShaders"], f"of {method['id']}",
                   {**BEND, "skinning": method["id"]})
        for version in ("", "?version=300", "?version=310", "?version=100"):
            yield Request(f"getShader {method['id']}{version}", "getShader", "GET",
                          f"/v1/shaders/{method['id']}{version}")


def option_values(option):
    if option["type"] == "choice":
        return [*option["choices"], "no-such-choice", 3]
    if option["type"] == "boolean":
        return [True, False, 1]
    least, most = option["least"], option["most"]
    step = 1 if option["type"] == "integer" else 0.001
    # The greatest of some numbers would have a method work for minutes.
    greatest = min(most, max(least, 8 if option["type"] == "integer" else 100))
    return [least, greatest, option["default"], least - step, most + step, "1"]


def compact(value):
    return json.dumps(value, separators=(",", ":"))


def short(body, place):
    """The member that was changed, as text."""
    member = place.split("/")[1]
    if not isinstance(body, dict) or member not in body:
        return "nothing"
    text = compact(body[member])
    return text if len(text) < 120 else f"{text[:100]}… of {len(text)} ({sum(text.encode()) % 9973})"


def golden_scenes():
    """The scenes of tests/golden: materials, lights, cameras, overlays."""
    for scene in golden.TABLE["pictures"]:
        text = json.dumps({"width": 48, "height": 48, **scene["request"]}).encode()
        route = scene["route"]
        yield Request(f"golden {scene['name']}", "post" + route.capitalize(), "POST", f"/v1/{route}",
                      (("Content-Type", JSON), ("Accept", PNG)), text)
