#!/usr/bin/env python3
"""A small store with all that a store can have, and its answers, for what must not change.

sample_store.py FOLDER makes one in FOLDER/store with POSED_BINARY, and writes what it answers to
FOLDER/answers.json; tests/faults/stores/README.md says which are kept."""
import array
import hashlib
import json
import os
import pathlib
import shutil
import sys
import time
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "http"))
import rigs  # noqa: E402
from client import JSON, OCTETS, Client, rig_path  # noqa: E402
from daemon import ROOT, Daemon  # noqa: E402

COLUMN = [(0.1, 0.25 * i, 0.2 * (i % 3)) for i in range(6)]
BEND = {"clip": "bend", "time": 1}
HALF = {"clip": "bend", "time": 0.5}
RIGS = ("cyl2", "column", "plain", "the same", "größe")
EXAMPLES = ("bent", "halfway")
CLIPS = (("column", "nod"), ("cyl2", "wave"), ("cyl2", "a pause"))
# Those of a store of compressed clips besides: of several segments of 64 frames each.
LONG = {"scale_time": {"clip": "bend", "loop": "repeat"}, "factor": 0.7}
COMPRESSED = {("cyl2", "swing"): LONG, ("column", "slow nod"): LONG,
              ("größe", "to and fro"): {"clip": "go", "loop": "ping_pong"}}
COMPRESSION = {"duration": 5, "rate": 30, "tolerance": 1e-3}
FITS = (("cyl2", {"method": "cor"}), ("column", {"method": "psd"}))
PATIENCE_S = 120


def checked(reply):
    assert reply.status in (200, 201, 202), str(reply)
    return reply


def put_rigs(client):
    checked(client.put("cyl2", (ROOT / "assets" / "demo" / "cyl2.glb").read_bytes()))
    checked(client.put("column", rigs.column(COLUMN).glb()))
    checked(client.put("plain", rigs.triangle().glb()))
    checked(client.put("the same", rigs.triangle().glb()))
    checked(client.put("größe", rigs.mover(
        go=("translation", [0, 1], [(0, 0, 0), (2, 0, 0)], "LINEAR")).glb()))


def example_request(rig, name, pose, rows):
    """rows: of floats, positions and then, if there are any, normals."""
    body = array.array("f", [number for row in rows for number in row]).tobytes()
    query = {"pose": json.dumps(pose)}
    if len(rows) == 2 * len(COLUMN):
        query["attributes"] = "position,normal"
    path = rig_path(rig, f"/examples/{name}?" + urllib.parse.urlencode(query))
    return "PUT", path, body, {"Content-Type": OCTETS}


def put_example(client, *example):
    checked(client.request(*example_request(*example)))


def clip_path(rig, name, query=""):
    return rig_path(rig, "/clips/" + urllib.parse.quote(name, safe="") + query)


def clip_request(rig, name, pose, **members):
    # With all their keys, as earlier versions stored them: the same bytes are to be answered.
    body = {"pose": pose, "duration": 1, "rate": 4, "tolerance": "raw", **members}
    return "PUT", clip_path(rig, name), json.dumps(body).encode(), {"Content-Type": JSON}


def put_clip(client, *clip, **members):
    return checked(client.request(*clip_request(*clip, **members)))


def put_items(client):
    moved = [(x + 0.1, y, z - 0.1) for x, y, z in COLUMN]
    put_example(client, "column", "bent", BEND, moved)
    put_example(client, "column", "halfway", HALF, [*COLUMN, *[(0, 0, 1)] * len(COLUMN)])
    put_clip(client, "column", "nod", {"clip": "bend", "loop": "repeat"})
    put_clip(client, "cyl2", "wave", {"clip": "bend", "loop": "repeat"})
    put_clip(client, "cyl2", "a pause", "rest")


def fit(client, rig, skinning):
    """Makes a fit, which leaves a file in derived/."""
    path = rig_path(rig, "/fits")
    begun = client.request("POST", path, json.dumps(skinning).encode(), {"Content-Type": JSON})
    made, end = checked(begun).json(), time.monotonic() + PATIENCE_S
    while made["state"] in ("waiting", "running"):
        assert time.monotonic() < end, made
        time.sleep(0.01)
        made = client.get(path + "/" + made["id"]).json()
    assert made["state"] == "done", made


def fill(client):
    put_rigs(client)
    put_items(client)
    for rig, skinning in FITS:
        fit(client, rig, skinning)


def fill_with_compressed(client):
    fill(client)
    for (rig, name), pose in COMPRESSED.items():
        assert "compressed" in put_clip(client, rig, name, pose, **COMPRESSION).json()


def post(route, request):
    return "POST", "/v1/" + route, json.dumps(request).encode(), {
        "Content-Type": JSON, "Accept": OCTETS}


def requests(clips=CLIPS):
    """The requests that read the whole store: names to (rig, (method, path, body, headers))."""
    found = {f"source of {rig}": (rig, ("GET", rig_path(rig, "/source"), None, {}))
             for rig in RIGS}
    for name in EXAMPLES:
        path = rig_path("column", "/examples/" + name)
        found[f"example {name}"] = "column", ("GET", path, None, {"Accept": OCTETS})
    for rig, clip in clips:
        body = {"rig": rig, "pose": {"clip": clip, "time": 0.4}}
        found[f"{clip} of {rig}"] = rig, post("pose", body)
        found[f"vertices of {rig} in {clip}"] = rig, post("vertices", body)
    for rig, skinning in FITS:
        body = {"rig": rig, "pose": HALF, "skinning": skinning}
        found[f"vertices of {rig} with {skinning['method']}"] = rig, post("vertices", body)
    for rig, clip in (clip for clip in clips if clip in COMPRESSED):
        stored = clip_path(rig, clip, f"?as=pclip&segment=64&tolerance={COMPRESSION['tolerance']}")
        found[f"file of {clip} of {rig}"] = rig, ("GET", stored, None, {})
        found[f"keys of {clip} of {rig}"] = rig, ("GET", clip_path(rig, clip), None, {"Accept": JSON})
    found["examples"] = "column", ("GET", rig_path("column", "/examples"), None, {})
    return found


def answers(client, clips=CLIPS):
    """The responses of a sound store: names of requests to hashes of bodies, and its rigs."""
    found = {name: hashlib.sha256(checked(client.request(*request)).body).hexdigest()
             for name, (_, request) in requests(clips).items()}
    known = ("name", "content", "vertices", "joints", "clips")
    found["rigs"] = [{key: rig[key] for key in known} for rig in listed(client)]
    return found


def listed(client):
    return client.get("/v1/rigs").json()["rigs"]


def main(folder):
    store = folder / "store"
    shutil.rmtree(store, ignore_errors=True)
    os.makedirs(store)
    daemon = Daemon(data=store, args=("--renderer", "none")).start()
    client = Client(daemon.port)
    fill_with_compressed(client)
    said = json.dumps(answers(client, (*CLIPS, *COMPRESSED)), indent=1, ensure_ascii=False) + "\n"
    daemon.stop()
    (folder / "answers.json").write_text(said)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
