"""Pictures of findings over HTTP: in reports, in events, and of checks in the background."""
import os
import pathlib
import re
import subprocess
import tempfile
import time
import unittest

import rigs
from client import JSON
from daemon import ROOT
from test_checks import EVENTS, GLB, PATIENCE_S, CheckCase, popped

POSE = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose")).resolve()
RULES = ["motion/pop", "motion/jump"]


class Pictures(CheckCase):
    @classmethod
    def prepare(cls):
        cls.put_rig("popped", popped()[0])
        cls.put_rig("jerky", popped(joint="Head", degrees=25)[0])
        cls.put_demo("cyl2")

    def await_report(self, reply):
        path = self.assertStatus(reply, 202).headers["Location"]
        end = time.monotonic() + PATIENCE_S
        while (task := self.client.get(path).json())["state"] in ("waiting", "running"):
            self.assertLess(time.monotonic(), end, task)
            time.sleep(0.01)
        self.assertEqual(task["state"], "done", task)
        return self.client.get(path + "/report")

    def labels(self, finding):
        return [picture["label"] for picture in finding["evidence"]["pictures"]]

    def test_events_have_the_pictures_of_the_report(self):
        request = {"rigs": ["popped", "cyl2", "jerky"], "only": RULES}
        for evidence in ("pictures", "animated"):
            with self.subTest(evidence):
                report = self.report(self.client.post("checks", {**request, "evidence": evidence}))
                reply = self.client.post("checks", {**request, "evidence": evidence}, accept=EVENTS)
                events = self.events(reply)
                self.assertEqual(events[-1]["event"], "end")
                files = [{k: v for k, v in event.items() if k != "event"}
                         for event in events if event["event"] == "file"]
                self.assertEqual(files, report["files"])
                found = [{k: v for k, v in event.items() if k not in ("event", "path")}
                         for event in events if event["event"] == "finding"]
                self.assertEqual(found, [f for file in files for f in file["findings"]])
                stills = ["before", "at", "after"]
                want = stills if evidence == "pictures" else stills + ["animation"]
                self.assertEqual([self.labels(f) for f in found], [want] * len(found))
                self.assertGreaterEqual(len(found), 2)

    def test_events_of_a_file_come_before_the_next_file_is_checked(self):
        events = self.events(self.client.post(
            "checks", {"rigs": ["popped", "jerky"], "only": RULES, "evidence": "pictures"},
            accept=EVENTS))
        kinds = [(e["event"], e.get("path")) for e in events]
        self.assertLess(kinds.index(("file", "popped")), kinds.index(("clip", "jerky")))

    def test_background_has_the_pictures_of_the_report(self):
        for kind in (JSON, "text/html"):
            with self.subTest(kind):
                # The first is not cached.
                headers = {"prefer": "respond-async", "accept": kind}
                reply = self.check("popped", headers=headers, only=RULES, evidence="pictures")
                later = self.await_report(reply)
                plain = self.check("popped", headers={"accept": kind}, only=RULES,
                                   evidence="pictures")
                self.assertEqual((later.kind, later.body, later.headers["ETag"]),
                                 (kind, plain.body, plain.headers["ETag"]))
                self.assertIn(b"data:image/png;base64,", later.body)

    def test_bodies_have_pictures_everywhere(self):
        body, query = popped(degrees=14)[0], "?only=motion/pop&evidence=pictures"
        background = self.check_asset(body, query, prefer="respond-async")
        later = self.findings(self.await_report(background))
        plain = self.findings(self.check_asset(body, query))
        events = self.events(self.check_asset(body, query, accept=EVENTS))
        streamed = [e["evidence"] for e in events if e["event"] == "finding"]
        self.assertEqual(len(plain), 1)
        self.assertEqual(later, plain)
        self.assertEqual(streamed, [f["evidence"] for f in plain])
        self.assertEqual(self.labels(plain[0]), ["before", "at", "after"])

    def test_pictures_are_those_of_the_command(self):
        with tempfile.TemporaryDirectory(prefix="posed-check-") as folder:
            asset, page = pathlib.Path(folder) / "asset", pathlib.Path(folder) / "page.html"
            asset.write_bytes(popped()[0])
            for evidence, kind in (("pictures", "stills"), ("animated", "animated")):
                subprocess.run([POSE, "check", asset, "--only", "motion/*", "--quiet", "--html", page,
                                "--html-pictures", kind], check=False)
                reply = self.check_asset(popped()[0], f"?only=motion/*&evidence={evidence}",
                                         accept="text/html")
                self.assertStatus(reply, 200)
                own = re.findall(r'src="(data:image/\w+;base64,[^"]*)"', page.read_text())
                self.assertGreaterEqual(len(own), 1)
                self.assertEqual(
                    own, re.findall(r'src="(data:image/\w+;base64,[^"]*)"', reply.body.decode()))

    def test_many_files_have_fewer_pictures_each(self):
        """100 findings of a run have pictures, and of each file at least 4: 26 files have 4 each."""
        still = rigs.column([(0, 0, 0), (1, 0, 0), (0, 1, 0)]).glb()
        names = ["cyl2"] + [f"still{i}" for i in range(25)]
        for name in names[1:]:
            self.put_rig(name, still)
        rules = {"version": 1, "rules": {"surface/*": {"note": 1e-9}}}

        def shown(names):
            reply = self.client.post("checks", {
                "rigs": names, "profile": rules, "only": ["surface/*"], "clips": ["bend"],
                "evidence": "pictures"})
            seen = [f["evidence"] for f in self.report(reply)["files"][0]["findings"]
                    if "camera" in f.get("evidence", {})]
            return len(seen), sum("pictures" in evidence for evidence in seen)

        seen, pictures = shown(names[:1])
        self.assertEqual(pictures, seen)
        self.assertGreater(seen, 4)
        self.assertEqual(shown(names), (seen, 4))

    def test_events_and_tasks_compare_pictures_of_versions(self):
        request = {"only": ["picture/*"], "clips": ["Wave"], "against": {"rig": "jerky"},
                   "evidence": "pictures"}
        background = self.check("popped", headers={"prefer": "respond-async"}, **request)
        later = self.report(self.await_report(background))["files"]
        plain = self.report(self.check("popped", **request))["files"]
        self.assertEqual(later, plain)
        self.assertIn("picture/flip", {row["rule"] for row in plain[0]["measurements"]})
        events = self.events(self.check("popped", headers={"accept": EVENTS}, **request))
        files = [event for event in events if event["event"] == "file"]
        self.assertEqual(files, [{"event": "file", **plain[0]}])


class WithoutPictures(CheckCase):
    daemon_args = ("--renderer", "none")

    @classmethod
    def prepare(cls):
        cls.put_rig("popped", popped()[0])

    def test_report_says_why_pictures_are_missing(self):
        report = self.report(self.check("popped", only=["motion/pop"], evidence="pictures"))
        self.assertEqual(len(report["remarks"]), 1)
        self.assertTrue(report["remarks"][0].startswith("pictures are missing: "), report["remarks"])
        self.assertNotIn("pictures", report["files"][0]["findings"][0]["evidence"])
        self.assertIn("camera", report["files"][0]["findings"][0]["evidence"])


if __name__ == "__main__":
    unittest.main()
