"""Checks over HTTP: reports, events, tasks in the background, and what is refused."""
import json
import math
import socket
import struct
import time
import unittest
import xml.etree.ElementTree

import rigs
from case import DEMO, DaemonCase
from client import JSON, rig_path
from makers import product
from oracle import turn
from tiny import FLOAT, glb, split_glb

PATIENCE_S = 120
GLB = "model/gltf-binary"
EVENTS = "application/x-ndjson"

# What 12 degrees at LeftForeArm move: its reach and the figure's length are those of the rig at rest.
POP_DEG = 12
REACH, LENGTH = 0.442945, 1.73011
POP = 2 * math.sin(math.radians(POP_DEG) / 2) * REACH / LENGTH


def humanoid():
    return (DEMO / "humanoid.glb").read_bytes()


def popped(clip="Idle", joint="LeftForeArm", sample=20, degrees=POP_DEG):
    """The humanoid with one key of a joint's rotation out of line; and the time of that key."""
    document, binary = split_glb(humanoid())
    binary = bytearray(binary)
    node = next(i for i, n in enumerate(document["nodes"]) if n.get("name") == joint)
    animation = next(a for a in document["animations"] if a["name"] == clip)
    channel = next(c for c in animation["channels"]
                   if c["target"] == {"node": node, "path": "rotation"})
    sampler = animation["samplers"][channel["sampler"]]
    times, keys = (array_of(document, binary, sampler[name]) for name in ("input", "output"))
    half = math.radians(degrees) / 2
    keys[sample] = product(keys[sample], (math.sin(half), 0, 0, math.cos(half)))
    accessor = document["accessors"][sampler["output"]]
    view = document["bufferViews"][accessor["bufferView"]]
    at = view.get("byteOffset", 0) + accessor.get("byteOffset", 0) + 16 * sample
    struct.pack_into("<4f", binary, at, *keys[sample])
    return glb(json.dumps(document).encode(), bytes(binary)), times[sample][0]


def array_of(document, binary, accessor):
    """Rows of a float accessor without gaps."""
    accessor = document["accessors"][accessor]
    assert accessor["componentType"] == FLOAT, accessor
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
    view = document["bufferViews"][accessor["bufferView"]]
    at = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    numbers = struct.unpack_from(f"<{accessor['count'] * width}f", binary, at)
    return [numbers[i:i + width] for i in range(0, len(numbers), width)]


def long_clips(number):
    """A tube with clips of an hour: a second or more of checks each, and no two files are the same."""
    tiny = rigs.column([(0.1 * (i % 7), i / 2000, 0.1 * (i % 5)) for i in range(2001)])
    for clip in range(40):
        keys = [turn((0, 1, 0), 10 * k + clip) for k in range(3)]
        tiny.clip([(1, "rotation", [0, 1800, 3600], keys, "LINEAR")], name=f"hour{clip}")
    tiny.json["extras"] = {"number": number}
    return tiny.glb()


class CheckCase(DaemonCase):
    def check(self, rig="humanoid", headers=None, **members):
        return self.client.post("checks", {"rig": rig, **members}, **(headers or {}))

    def check_asset(self, body, query="", kind=GLB, **headers):
        headers = {name.replace("_", "-").title(): value for name, value in headers.items()}
        return self.client.request(
            "POST", "/v1/checks" + query, body, {"Content-Type": kind, **headers})

    def report(self, reply):
        self.assertStatus(reply, 200)
        self.assertEqual(reply.kind, JSON)
        report = reply.json()
        self.assertEqual(report["schema"], "posed-check/1")
        return report

    def findings(self, reply, rule=None):
        files = self.report(reply)["files"]
        return [f for file in files for f in file["findings"] if rule in (None, f["rule"])]

    def events(self, reply):
        self.assertStatus(reply, 200)
        self.assertEqual(reply.kind, EVENTS)
        self.assertTrue(reply.body.endswith(b"\n"))
        return [json.loads(line) for line in reply.body.decode().splitlines()]

    def metrics(self):
        """The samples by their name with its labels."""
        lines = self.client.get("/metrics").body.decode().splitlines()
        pairs = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
        return {name: float(value) for name, value in pairs}


class Reports(CheckCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("humanoid")
        cls.put_demo("cyl2")
        body, cls.time = popped()
        cls.put_rig("popped", body)

    def test_seeded_fault_is_found_where_it_is_and_as_large_as_it_is(self):
        body, time_s = popped()
        self.assertEqual(round(time_s, 4), 1.3333)
        for reply in (self.check("popped"), self.check_asset(body)):
            found = self.findings(reply, "motion/pop")
            self.assertEqual(len(found), 1, found)
            self.assertEqual((found[0]["clip"], found[0]["joint"], found[0]["level"]),
                             ("Idle", "LeftForeArm", "error"))
            self.assertAlmostEqual(found[0]["time"], time_s, places=4)
            self.assertAlmostEqual(found[0]["value"] / POP, 1, delta=0.15)
        self.assertEqual(self.findings(self.check("humanoid"), "motion/pop"), [])

    def test_same_report_for_rig_link_and_body_and_all_bytes_again(self):
        by_rig = self.check("popped")
        again = self.check("popped")
        self.assertEqual((by_rig.body, by_rig.headers["ETag"]), (again.body, again.headers["ETag"]))
        link = self.assertStatus(self.client.get(rig_path("popped", "/check?profile=game")), 200)
        self.assertEqual(link.body, by_rig.body)
        body = self.report(self.check_asset(popped()[0], "?path=popped&profile=game"))
        self.assertEqual(body, self.report(by_rig))

    def test_several_rigs_are_reported_in_the_order_asked(self):
        reply = self.client.post("checks", {"rigs": ["popped", "cyl2", "humanoid"]})
        report = self.report(reply)
        self.assertEqual([file["path"] for file in report["files"]], ["popped", "cyl2", "humanoid"])
        self.assertEqual(report["summary"]["files"], 3)
        alone = [self.report(self.check(rig))["files"][0] for rig in ("popped", "cyl2", "humanoid")]
        self.assertEqual(report["files"], alone)

    def test_content_is_the_rig_s_and_the_hash_of_a_body(self):
        content = self.description("popped")["content"]
        for reply in (self.check("popped"), self.check_asset(popped()[0])):
            self.assertEqual(self.report(reply)["files"][0]["content"], content)

    def test_etag_is_strong_and_changes_with_all_that_the_report_depends_on(self):
        tags = [self.assertStatus(reply, 200).headers["ETag"] for reply in (
            self.check("popped"), self.check("popped", profile="strict"),
            self.check("popped", only=["motion/*"]), self.check("cyl2"),
            self.check("popped", headers={"accept": "text/html"}))]
        self.assertEqual(len(set(tags)), len(tags))
        for tag in tags:
            self.assertTrue(tag.startswith('"'), tag)

    def test_304_comes_before_any_work(self):
        tag = self.check("popped", skip=["surface/*"]).headers["ETag"]
        before = self.metrics()
        reply = self.check("popped", skip=["surface/*"], headers={"if_none_match": tag})
        self.assertEqual((reply.status, reply.body), (304, b""))
        body = popped()[0]
        tag = self.check_asset(body, "?skip=surface/*").headers["ETag"]
        middle = self.metrics()
        reply = self.check_asset(body, "?skip=surface/*", if_none_match=tag)
        self.assertEqual((reply.status, reply.body), (304, b""))
        name = "posed_check_seconds_count"
        self.assertEqual(middle[name], before[name] + 1)
        self.assertEqual(self.metrics()[name], middle[name])

    def test_another_content_of_the_name_is_another_report(self):
        self.put_rig("changing", humanoid())
        first = self.check("changing")
        self.put_rig("changing", popped()[0])
        second = self.check("changing", headers={"if_none_match": first.headers["ETag"]})
        self.assertEqual(len(self.findings(second, "motion/pop")), 1)

    def test_formats(self):
        kinds = {"application/json", "application/sarif+json", "application/junit+xml", "text/html",
                 "text/plain", "text/markdown", "application/openmetrics-text",
                 "application/jsonl"}
        for kind in kinds:
            with self.subTest(kind):
                reply = self.check("popped", headers={"accept": kind})
                self.assertStatus(reply, 200)
                self.assertEqual(reply.kind, kind)
                self.assertIn("ETag", reply.headers)
                self.assertIn(b"motion", reply.body)
        sarif = self.check("popped", headers={"accept": "application/sarif+json"}).json()
        self.assertEqual(sarif["version"], "2.1.0")
        self.assertIn("motion/pop", [r["ruleId"] for r in sarif["runs"][0]["results"]])
        junit = self.check("popped", headers={"accept": "application/junit+xml"}).body
        self.assertIsNotNone(xml.etree.ElementTree.fromstring(junit).find(".//failure"))
        reply = self.check("popped", headers={"accept": "image/png"})
        self.assertProblem(reply, 406, "not-acceptable", says=("application/json", EVENTS))

    def test_rules_clips_and_profiles_can_be_chosen(self):
        only = self.findings(self.check("popped", only=["motion/pop"]))
        self.assertEqual([f["rule"] for f in only], ["motion/pop"])
        self.assertEqual(self.findings(self.check("popped", skip=["motion/*"]), "motion/pop"), [])
        self.assertEqual(self.findings(self.check("popped", clips=["Walk", "R*"]), "motion/pop"), [])
        clips = self.report(self.check("popped", clips=["Walk", "R*"]))["files"][0]["clips"]
        self.assertEqual([clip["name"] for clip in clips], ["Walk", "Run"])
        link = self.client.get(rig_path("popped", "/check?only=motion/pop,motion/jump&clips=Idle"))
        self.assertEqual({f["rule"] for f in self.findings(link)}, {"motion/pop"})
        limits = {p: self.findings(self.check("popped", only=["motion/pop"], profile=p))[0]
                  ["threshold"] for p in ("web", "game", "strict")}
        self.assertEqual(limits, {"web": 0.04, "game": 0.03, "strict": 0.01})

    def test_times_are_told_only_on_request_and_then_there_is_no_tag(self):
        self.assertNotIn("timing", self.report(self.check("popped"))["files"][0])
        reply = self.check("popped", timing=True)
        self.assertIn("timing", self.report(reply)["files"][0])
        self.assertNotIn("ETag", reply.headers)
        self.assertEqual(reply.headers["Cache-Control"], "no-store")

    def test_unchanged_rig_comes_from_the_cache(self):
        self.check("popped", only=["rig/*"])
        before = self.metrics()
        reply = self.check("popped", only=["rig/*"])
        after = self.metrics()
        self.assertStatus(reply, 200)
        self.assertNotIn("Server-Timing", reply.headers)
        hits = 'posed_cache_hits_total{layer="memory"}'
        self.assertEqual(after[hits], before[hits] + 1)

    def test_broken_assets_are_findings(self):
        for body in (b"", b"glTF", b"not an asset", humanoid()[:4000]):
            with self.subTest(body[:12]):
                report = self.report(self.check_asset(body))
                file = report["files"][0]
                self.assertEqual([f["rule"] for f in file["findings"]], ["file/refused"])
                self.assertEqual(report["summary"]["verdict"], "refused")
                self.assertEqual(file["path"], "asset")

    def test_nothing_of_a_body_is_stored(self):
        names = [rig["name"] for rig in self.client.get("/v1/rigs").json()["rigs"]]
        self.check_asset(popped(degrees=5)[0], "?path=elsewhere.glb")
        after = [rig["name"] for rig in self.client.get("/v1/rigs").json()["rigs"]]
        self.assertEqual(after, names)

    def test_a_form_s_file_is_an_asset(self):
        body = (b'--x\r\nContent-Disposition: form-data; name="a"; filename="a.glb"\r\n\r\n' +
                popped()[0] + b"\r\n--x--\r\n")
        reply = self.check_asset(body, kind="multipart/form-data; boundary=x")
        self.assertEqual(len(self.findings(reply, "motion/pop")), 1)

    def test_rules_are_listed_with_the_limits_of_every_profile(self):
        reply = self.assertStatus(self.client.get("/v1/checks/rules"), 200)
        rules = {rule["id"]: rule for rule in reply.json()["rules"]}
        profiles = self.client.get("/v1").json()["check_profiles"]
        self.assertEqual(profiles, ["web", "mobile", "game", "vrm", "cinematic", "strict"])
        self.assertEqual(sorted(rules["motion/pop"]["profiles"]), sorted(profiles))
        self.assertEqual(rules["motion/pop"]["profiles"]["game"]["warning"], 0.006)
        for rule in rules.values():
            self.assertTrue(rule["definition"] and rule["effect"] and rule["fix"], rule)
        tag = reply.headers["ETag"]
        self.assertEqual(self.client.get("/v1/checks/rules", if_none_match=tag).status, 304)

    def test_profile_is_a_rules_file_that_says_the_same(self):
        tag = None
        for name in ("game", "strict"):
            reply = self.assertStatus(self.client.get("/v1/checks/profiles/" + name), 200)
            self.assertNotEqual(reply.headers["ETag"], tag)
            tag = reply.headers["ETag"]
            rules = reply.json()
            self.assertEqual(rules["version"], 1)
            by_file = self.report(self.check("popped", profile=rules))["files"]
            self.assertEqual(by_file, self.report(self.check("popped", profile=name))["files"])
        reply = self.client.get("/v1/checks/profiles/gaem")
        self.assertProblem(reply, 404, "unknown-route", says=("gaem", "game"))

    def test_rules_file_of_the_request_counts(self):
        rules = {"version": 1, "extends": "game", "rules": {"motion/pop": {"error": 0.06}}}
        found = self.findings(self.check("popped", profile=rules), "motion/pop")
        self.assertEqual([f["level"] for f in found], ["warning"])
        rules["suppress"] = [{"rule": "motion/pop", "joint": "Left*", "reason": "wanted",
                              "until": "9999-12-31"}]
        found = self.findings(self.check("popped", profile=rules), "motion/pop")
        self.assertIn("wanted", json.dumps(found[0]["suppressed"]))
        rules["suppress"][0]["until"] = "2020-01-01"
        found = self.findings(self.check("popped", profile=rules), "motion/pop")
        self.assertFalse(found[0].get("suppressed"))

    def test_suppressions_that_are_over_or_match_nothing_are_remarked(self):
        """The sentences of the command, of which test_pose_check has the same."""
        row = {"rule": "motion/pop", "clip": "Idle", "joint": "LeftFore*", "reason": "wanted"}

        def remarks(*rows, **members):
            slow = {"surface/*": "off", "contact/*": "off"}
            profile = {"version": 1, "rules": slow, "suppress": list(rows)}
            report = self.report(self.check("popped", profile=profile, **members))
            events = self.events(self.check("popped", profile=profile, **members,
                                            headers={"accept": EVENTS}))
            self.assertEqual(events[-1]["remarks"], report["remarks"])
            return report["remarks"]

        over = "suppression/over: that of motion/pop, clip Idle, joint LeftFore* ended on 2020-01-31"
        unused = "suppression/unused: that of motion/pop, clip Walk, joint LeftFore* matches no finding"
        self.assertEqual(remarks(row), [])
        self.assertEqual(remarks({**row, "until": "2020-01-31"}), [over])
        self.assertEqual(remarks(row, {**row, "clip": "Walk"}), [unused])
        self.assertEqual(remarks({**row, "clip": "Walk"}, clips=["Run"]), [])
        baseline = self.report(self.check("popped", profile="strict"))
        found = remarks({**row, "clip": "Walk"}, baseline=baseline)
        self.assertEqual((found[0], len(found)), (unused, 2), found)

    def test_baseline_tells_what_is_new(self):
        known = self.report(self.check("popped", only=["motion/pop"]))
        found = self.report(self.check("popped", only=["motion/pop"], baseline=known))
        self.assertEqual([f["state"] for f in found["files"][0]["findings"]], ["unchanged"])
        self.assertEqual((found["summary"]["new"], found["summary"]["worst"]), (0, "ok"))
        sound = self.report(self.check("humanoid", only=["motion/pop"]))
        found = self.report(self.check("popped", only=["motion/pop"], baseline=sound))
        self.assertEqual([f["state"] for f in found["files"][0]["findings"]], ["new"])
        reply = self.check("popped", baseline={"schema": "another"})
        self.assertProblem(reply, 400, "invalid-value")
        self.assertTrue(reply.json()["pointer"].startswith("/baseline"), reply.json())

    def test_findings_have_cameras_and_pictures_on_request(self):
        found = self.findings(self.check("popped", only=["motion/pop"]))[0]
        self.assertGreater(found["evidence"]["camera"]["distance"], 0)
        self.assertNotIn("pictures", found["evidence"])
        reply = self.check("popped", only=["motion/pop"], evidence="pictures")
        pictures = self.findings(reply)[0]["evidence"]["pictures"]
        self.assertEqual([p["label"] for p in pictures], ["before", "at", "after"])
        for picture in pictures:
            self.assertTrue(picture["uri"].startswith("data:image/png;base64,"))
        self.assertEqual(len({p["uri"] for p in pictures}), 3)
        page = self.check("popped", headers={"accept": "text/html"}, only=["motion/pop"],
                          evidence="pictures")
        self.assertGreaterEqual(page.body.count(b"data:image/png;base64,"), 3)

    def test_versions_are_compared(self):
        def changes(reply):
            return [f for f in self.findings(reply) if f["rule"].startswith("diff/")]

        same = self.check("popped", only=["diff/*"], against={"rig": "popped"})
        self.assertEqual(changes(same), [])
        rules = {"version": 1, "rules": {"diff/*": {"note": 1e-6}}}
        found = changes(self.check("popped", profile=rules, against={"rig": "humanoid"}))
        self.assertTrue([f for f in found if f.get("clip") == "Idle"], found)
        self.assertFalse([f for f in found if f.get("clip") in ("Walk", "Run", "Wave")], found)
        reply = self.check("popped", against={"rig": "none"})
        self.assertProblem(reply, 404, "unknown-rig", "/against/rig")
        reply = self.client.post("checks", {"rigs": ["popped", "cyl2"], "against": {"rig": "cyl2"}})
        self.assertProblem(reply, 400, "invalid-value", "/against")

    def test_pictures_of_versions_are_compared_with_the_evidence(self):
        def values(**options):
            file = self.report(self.check("popped", only=["picture/*"], **options))["files"][0]
            return {(m["rule"], m["clip"]): m["value"] for m in file["measurements"]}

        self.assertEqual(values(against={"rig": "humanoid"}), {})
        same = values(against={"rig": "popped"}, evidence="pictures")
        self.assertEqual(len(same), 12)
        for (rule, clip), value in same.items():
            self.assertEqual(value, 1 if rule == "picture/ssim" else 0, clip)
        body, time_s = popped(sample=30, degrees=60)
        self.assertAlmostEqual(time_s, 2, delta=1e-6)
        self.put_rig("turned", body)
        report = self.report(self.client.post("checks", {
            "rig": "turned", "only": ["picture/*", "diff/motion"], "clips": ["Idle", "Walk"],
            "against": {"rig": "humanoid"}, "evidence": "pictures"}))
        found = {(m["rule"], m["clip"]): m for m in report["files"][0]["measurements"]}
        self.assertEqual(len(found), 8)
        self.assertGreater(found["picture/flip", "Idle"]["value"], 0.01)
        self.assertLess(found["picture/ssim", "Idle"]["value"], 0.99)
        self.assertAlmostEqual(found["picture/flip", "Idle"]["time"], 2, delta=1e-6)
        self.assertEqual(found["picture/difference", "Walk"]["value"], 0)
        self.assertGreater(found["diff/motion", "Idle"]["value"], 0.1)

    def put_clip(self, rig, name, body, kind=JSON):
        reply = self.client.request("PUT", rig_path(rig, "/clips/" + name), body,
                                    {"Content-Type": kind})
        self.assertIn(reply.status, (200, 201), str(reply))

    def test_one_exporter_s_signs_are_one_finding_of_each_clip(self):
        """Every second rotation of all joints of Walk negated: the same motion, and one thing to say of it."""
        document, binary = split_glb((DEMO / "humanoid.glb").read_bytes())
        data = bytearray(binary)
        walk = next(clip for clip in document["animations"] if clip["name"] == "Walk")
        turned = {channel["sampler"]: channel["target"]["node"] for channel in walk["channels"]
                  if channel["target"]["path"] == "rotation"}
        for sampler in turned:
            accessor = document["accessors"][walk["samplers"][sampler]["output"]]
            view = document["bufferViews"][accessor["bufferView"]]
            start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
            for key in range(1, accessor["count"], 2):
                numbers = struct.unpack_from("<4f", data, start + 16 * key)
                struct.pack_into("<4f", data, start + 16 * key, *(-number for number in numbers))
        self.put_rig("signs", glb(json.dumps(document).encode(), bytes(data)))
        self.addCleanup(self.client.request, "DELETE", "/v1/rigs/signs")
        report = self.assertStatus(self.client.post("checks", {"rig": "signs", "only": ["clip/quat_sign"]}), 200).json()
        found = [finding for finding in report["files"][0]["findings"] if finding["clip"] == "Walk"]
        self.assertEqual(len(found), 1)
        self.assertIn(f"(and {len(set(turned.values())) - 1} other joints)", found[0]["message"])

    def test_clips_beside_the_file_are_checked_as_its_own(self):
        """The popped clip of another file, with its keys as they are, beside the sound one."""
        self.put_rig("animated", humanoid())
        alone = self.check("animated")
        self.put_clip("animated", "BesideIdle?clip=Idle", popped()[0], GLB)
        reply = self.check("animated", headers={"if_none_match": alone.headers["ETag"]})
        file = self.report(reply)["files"][0]
        self.assertEqual(file["not_covered"], [])
        self.assertEqual([clip["name"] for clip in file["clips"]],
                         ["Idle", "Walk", "Run", "Wave", "BesideIdle"])
        facts = [{**clip, "name": None} for clip in file["clips"]]
        want = self.report(self.check("popped"))["files"][0]
        self.assertEqual(facts[4], {**want["clips"][0], "name": None})

        def pops(findings, clip):
            return [(f["joint"], f["time"], f["value"], f["level"], f["evidence"]["camera"])
                    for f in findings if (f["rule"], f["clip"]) == ("motion/pop", clip)]

        self.assertEqual(pops(file["findings"], "BesideIdle"), pops(want["findings"], "Idle"))
        self.assertEqual(len(pops(file["findings"], "BesideIdle")), 1)
        self.assertEqual(pops(file["findings"], "Idle"), [])
        events = self.events(self.check("animated", headers={"accept": EVENTS}))
        self.assertEqual((events[0]["clips"], [e["clip"] for e in events if e["event"] == "clip"]),
                         (5, ["Idle", "Walk", "Run", "Wave", "BesideIdle"]))
        # The file is the same, and another clip of the name is another report.
        self.put_clip("animated", "BesideIdle?clip=Walk", humanoid(), GLB)
        changed = self.check("animated", headers={"if_none_match": reply.headers["ETag"]})
        self.assertEqual(pops(self.findings(changed), "BesideIdle"), [])
        self.client.request("DELETE", rig_path("animated", "/clips/BesideIdle"))
        again = self.check("animated")
        self.assertEqual((again.body, again.headers["ETag"]), (alone.body, alone.headers["ETag"]))

    def test_versions_are_compared_with_the_clips_beside_their_files(self):
        for rig, body in (("earlier", humanoid()), ("later", popped()[0])):
            self.put_rig(rig, humanoid())
            self.put_clip(rig, "BesideIdle?clip=Idle", body, GLB)
        rules = {"version": 1, "rules": {"diff/*": {"note": 1e-6}}}
        reply = self.check("later", profile=rules, only=["diff/*"], against={"rig": "earlier"})
        self.assertEqual({f.get("clip") for f in self.findings(reply)}, {"BesideIdle"})

    def test_schema_is_of_rules_files(self):
        reply = self.assertStatus(self.client.get("/v1/checks/schema"), 200)
        self.assertEqual(reply.kind, "application/schema+json")
        self.assertIn("suppress", reply.json()["properties"])

    def test_metrics_count_files_and_findings(self):
        before = self.metrics()
        self.check("popped", clips=["Idle"], only=["motion/pop"])
        self.check("humanoid", clips=["Idle"], only=["motion/pop"])
        after = self.metrics()

        def added(name):
            return after[name] - before[name]

        self.assertEqual(added('posed_checks_total{verdict="error"}'), 1)
        self.assertEqual(added('posed_checks_total{verdict="ok"}'), 1)
        self.assertEqual(added('posed_check_findings_total{rule="motion/pop",level="error"}'), 1)
        self.assertEqual(added("posed_check_seconds_count"), 2)
        self.assertGreater(added("posed_check_seconds_sum"), 0)


class Events(CheckCase):
    @classmethod
    def prepare(cls):
        cls.put_rig("popped", popped()[0])
        cls.put_demo("cyl2")

    def test_every_line_is_an_event_and_the_last_is_the_end(self):
        request = {"rigs": ["popped", "cyl2"]}
        reply = self.client.post("checks", request, accept=EVENTS)
        events = self.events(reply)
        kinds = [event["event"] for event in events]
        self.assertEqual((kinds[0], kinds[-1]), ("start", "end"))
        self.assertEqual((events[0]["files"], events[0]["clips"]), (2, 6))
        clips = [event for event in events if event["event"] == "clip"]
        self.assertEqual([event["clip"] for event in clips],
                         ["Idle", "Walk", "Run", "Wave", "twist", "bend"])
        self.assertEqual([event["done"] for event in clips], [1, 2, 3, 4, 5, 6])
        self.assertEqual({event["of"] for event in clips}, {6})
        self.assertTrue(all(event["ms"] >= 0 for event in clips))
        report = self.report(self.client.post("checks", request))
        found = [f for file in report["files"] for f in file["findings"]]
        self.assertEqual(kinds.count("finding"), len(found))
        self.assertEqual([e["rule"] for e in events if e["event"] == "finding"],
                         [f["rule"] for f in found])
        self.assertEqual(kinds.count("file"), 2)
        self.assertEqual(events[-1]["summary"], report["summary"])
        self.assertNotIn("ETag", reply.headers)

    def test_events_come_as_they_happen(self):
        connection = self.client.connect()
        connection.request("POST", "/v1/checks", long_clips(1),
                           {"Content-Type": GLB, "Accept": EVENTS})
        response = connection.getresponse()
        self.assertEqual(response.status, 200)
        self.assertEqual(response.headers["Transfer-Encoding"], "chunked")
        first = json.loads(response.readline())
        self.assertEqual((first["event"], first["clips"]), ("start", 42))
        self.assertEqual(json.loads(response.readline())["event"], "clip")
        in_progress = self.metrics()
        # This one, and that for the metrics.
        self.assertEqual(in_progress['posed_requests_in_progress'], 2)
        connection.close()

    def test_a_broken_asset_has_events_too(self):
        reply = self.check_asset(b"nothing", accept=EVENTS)
        kinds = [event["event"] for event in self.events(reply)]
        self.assertEqual(kinds, ["start", "finding", "file", "end"])


class Leaving(CheckCase):
    daemon_args = ("--cpu-threads", "1")

    def busy(self):
        return self.metrics()['posed_workers_utilization{kind="cpu"}']

    def await_busy(self, busy):
        end = time.monotonic() + PATIENCE_S
        while (self.busy() > 0) != busy:
            self.assertLess(time.monotonic(), end, "the pool should be busy" if busy else
                            "the work of a client that disconnected goes on")
            time.sleep(0.01)

    def test_work_ends_when_the_client_disconnects(self):
        for number, accept in enumerate((JSON, EVENTS)):
            with self.subTest(accept):
                body = long_clips(10 + number)
                connection = socket.create_connection(("127.0.0.1", self.client.port))
                connection.sendall(
                    f"POST /v1/checks HTTP/1.1\r\nHost: localhost\r\nContent-Type: {GLB}\r\n"
                    f"Accept: {accept}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
                self.await_busy(True)
                before = self.metrics()["posed_check_seconds_count"]
                connection.close()
                self.await_busy(False)
                self.assertEqual(self.metrics()["posed_check_seconds_count"], before)

    def test_work_ends_at_the_deadline(self):
        reply = self.check_asset(long_clips(20), posed_deadline_ms="300")
        self.assertProblem(reply, 504, "deadline")
        self.await_busy(False)


class Background(CheckCase):
    @classmethod
    def prepare(cls):
        cls.put_rig("popped", popped()[0])
        cls.put_rig("long", long_clips(30))

    def begin(self, rig, accept=JSON, **members):
        headers = {"prefer": "respond-async", "accept": accept}
        reply = self.assertStatus(self.check(rig, headers=headers, **members), 202)
        self.assertEqual(reply.headers["Preference-Applied"], "respond-async")
        task = reply.json()
        self.assertEqual(reply.headers["Location"], f"/v1/checks/{task['id']}")
        return reply.headers["Location"]

    def await_end(self, path):
        end = time.monotonic() + PATIENCE_S
        while (task := self.assertStatus(self.client.get(path), 200).json())["state"] in (
                "waiting", "running"):
            self.assertTrue(0 <= task["progress"] <= 1, task)
            self.assertLess(time.monotonic(), end, task)
            time.sleep(0.01)
        return task

    def test_report_is_the_one_of_a_plain_request(self):
        for kind in (JSON, "application/sarif+json"):
            with self.subTest(kind):
                path = self.begin("popped", kind, only=["motion/*"])
                task = self.await_end(path)
                self.assertEqual((task["state"], task["progress"], task["clips_done"]),
                                 ("done", 1, 4))
                plain = self.check("popped", only=["motion/*"], headers={"accept": kind})
                report = self.client.get(path + "/report")
                self.assertStatus(report, 200)
                self.assertEqual((report.kind, report.body, report.headers["ETag"]),
                                 (kind, plain.body, plain.headers["ETag"]))
                tag = report.headers["ETag"]
                self.assertEqual(self.client.get(path + "/report", if_none_match=tag).status, 304)
                # What is cached needs no background.
                headers = {"prefer": "respond-async", "accept": kind}
                again = self.check("popped", only=["motion/*"], headers=headers)
                self.assertEqual((again.status, again.body), (200, plain.body))

    def test_asset_that_is_the_body_goes_on_without_the_request(self):
        reply = self.check_asset(popped(degrees=20)[0], prefer="respond-async")
        path = self.assertStatus(reply, 202).headers["Location"]
        self.assertEqual(self.await_end(path)["state"], "done")
        self.assertEqual(len(self.findings(self.client.get(path + "/report"), "motion/pop")), 1)

    def test_progress_cancel_and_forget(self):
        path = self.begin("long")
        end = time.monotonic() + PATIENCE_S
        while (task := self.client.get(path).json())["clips_done"] == 0:
            self.assertIn(task["state"], ("waiting", "running"))
            self.assertLess(time.monotonic(), end, task)
        self.assertEqual((task["state"], task["clips"]), ("running", 42))
        self.assertProblem(self.client.get(path + "/report"), 409, "conflict", says="not done")
        self.assertEqual(self.begin("long"), path)
        self.assertStatus(self.client.request("DELETE", path), 204)
        self.assertEqual(self.await_end(path)["state"], "cancelled")
        self.assertProblem(self.client.get(path + "/report"), 409, "conflict", says="cancelled")
        self.assertStatus(self.client.request("DELETE", path), 204)
        for method, rest in (("GET", ""), ("GET", "/report"), ("DELETE", "")):
            reply = self.client.request(method, path + rest)
            self.assertProblem(reply, 404, "unknown-check")

    def test_client_has_its_share(self):
        rules = [rule["id"] for rule in self.client.get("/v1/checks/rules").json()["rules"]]
        paths = [self.begin("long", skip=[rule]) for rule in rules[:16]]
        reply = self.check("long", headers={"prefer": "respond-async"}, skip=[rules[16]])
        self.assertProblem(reply, 429, "client-share", says="16")
        for path in paths:
            self.assertStatus(self.client.request("DELETE", path), 204)
        for path in paths:
            self.assertEqual(self.await_end(path)["state"], "cancelled")

    def test_limits_fail_the_task(self):
        reply = self.check_asset(many_clips(10000), prefer="respond-async")
        path = self.assertStatus(reply, 202).headers["Location"]
        task = self.await_end(path)
        self.assertEqual(task["state"], "failed")
        self.assertEqual(task["error"]["type"], "urn:posed:too-large")
        self.assertProblem(self.client.get(path + "/report"), 413, "too-large", says="10000")


def many_clips(count):
    tiny = rigs.column([(0, 0, 0), (1, 0, 0), (0, 1, 0)])
    animation = tiny.json["animations"][0]
    tiny.json["animations"] = [{**animation, "name": f"clip{i}"} for i in range(count)]
    return tiny.glb()


class Refused(CheckCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("cyl2")

    def test_members_and_their_values(self):
        for members, code, pointer, says in (
                ({"profile": "gaem"}, "invalid-value", "/profile", "game"),
                ({"profile": 7}, "invalid-value", "/profile", "profile"),
                ({"profile": {"version": 1, "rules": {"motion/popp": "off"}}}, "invalid-value",
                 "/profile/rules/motion~1popp", "motion/pop"),
                ({"only": ["motion/*", "motoin/pop"]}, "invalid-value", "/only/1", "motoin/pop"),
                ({"skip": ["nothing*"]}, "invalid-value", "/skip/0", "nothing*"),
                ({"only": "motion/*"}, "invalid-value", "/only", "list"),
                ({"only": []}, "invalid-value", "/only", "list"),
                ({"clips": [""]}, "invalid-value", "/clips/0", "empty"),
                ({"rule": "motion/pop"}, "unknown-member", "/rule", "only"),
                ({"rigs": ["cyl2"]}, "invalid-value", "/rigs", "rigs"),
                ({"timing": 1}, "invalid-value", "/timing", "timing")):
            with self.subTest(members):
                self.assertProblem(self.check("cyl2", **members), 400, code, pointer, says=says)
        for body, pointer in (({}, ""), ({"rigs": []}, "/rigs"), ({"rigs": ["cyl2", 1]}, "/rigs/1"),
                              ({"rigs": ["cyl2", "cyl2"]}, "/rigs/1"), ({"rig": 1}, "/rig")):
            with self.subTest(body):
                reply = self.client.post("checks", body)
                self.assertProblem(reply, 400, "invalid-value", pointer)
        for body, pointer in (({"rig": "none"}, "/rig"), ({"rigs": ["cyl2", "none"]}, "/rigs/1")):
            with self.subTest(body):
                reply = self.client.post("checks", body)
                self.assertProblem(reply, 404, "unknown-rig", pointer, says="none")

    def test_parameters(self):
        for query, code, parameter in (
                ("profile=gaem", "invalid-value", "profile"),
                ("only=motion/*,motoin/pop", "invalid-value", "only"),
                ("rig=cyl2", "unknown-member", "rig"), ("timing=1", "invalid-value", "timing")):
            for ask in (lambda q: self.client.get(rig_path("cyl2", "/check" + q)),
                        lambda q: self.check_asset(b"x", q)):
                with self.subTest(query):
                    self.assertProblem(ask("?" + query), 400, code, parameter=parameter)
        reply = self.client.get(rig_path("cyl2", "/check?path=a.glb"))
        self.assertProblem(reply, 400, "unknown-member", parameter="path")
        self.assertProblem(self.client.get(rig_path("none", "/check")), 404, "unknown-rig")
        reply = self.client.request(
            "POST", "/v1/checks?profile=game", b'{"rig": "cyl2"}', {"Content-Type": JSON})
        self.assertProblem(reply, 400, "unknown-member", says="profile")

    def test_sizes(self):
        reply = self.client.post("checks", {"rigs": [f"r{i}" for i in range(65)]})
        self.assertProblem(reply, 413, "too-large", "/rigs", says="64")
        reply = self.check("cyl2", only=["*"] * 257)
        self.assertProblem(reply, 413, "too-large", "/only", says="256")
        reply = self.client.post("checks", b" " * (4 << 20) + b'{"rig": "cyl2"}')
        self.assertProblem(reply, 413, "too-large", says="4194304")
        self.assertProblem(self.check_asset(many_clips(10000)), 413, "too-large", says="4096")
        self.assertStatus(self.check_asset(many_clips(1000), "?only=motion/*"), 200)
        reply = self.client.request(
            "POST", "/v1/checks", b"", {"Content-Type": GLB, "Content-Length": str(1 << 30)})
        self.assertProblem(reply, 413, "too-large")

    def test_other_bodies(self):
        reply = self.client.request("POST", "/v1/checks", b"<x/>", {"Content-Type": "text/xml"})
        self.assertProblem(reply, 415, "unsupported-media-type")
        self.assertProblem(self.client.post("checks", b"{"), 400, "invalid-json")


if __name__ == "__main__":
    unittest.main()
