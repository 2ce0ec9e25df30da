"""build/pose check: how it ends, what it finds, what it reads and writes."""
import json
import math
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import unittest
import urllib.parse
import xml.etree.ElementTree

from case import DEMO, DaemonCase
from client import rig_path
from daemon import ROOT

POSE = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose")).resolve()
HUMANOID = DEMO / "humanoid.glb"
# Facts of the demo humanoid: its figure's length, and the reach of its left forearm.
LENGTH, FOREARM = 1.73011, 0.442945
# Rules that look at keys alone, which take no time.
QUICK = ("--only", "motion/pop", "--only", "clip/*")
NASTY = "qu\"ote's <tag> & \u00e9\U0001f98a\nline.glb"


def run(*args, text=True, **kwargs):
    kwargs.setdefault("env", {**os.environ, "POSED_SERVER": "http://127.0.0.1:1", "NO_COLOR": "1"})
    return subprocess.run([POSE, "check", *map(str, args)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=text, timeout=120, **kwargs)


class Glb:
    """A GLB whose document and bytes can be changed."""

    def __init__(self, path):
        data = path.read_bytes()
        size, = struct.unpack_from("<I", data, 12)
        self.document = json.loads(data[20:20 + size])
        self.bytes = bytearray(data[28 + size:])

    def write(self, path):
        text = json.dumps(self.document).encode()
        text += b" " * (-len(text) % 4)
        body = bytes(self.bytes) + b"\0" * (-len(self.bytes) % 4)
        path.write_bytes(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(body)) +
                         struct.pack("<I4s", len(text), b"JSON") + text +
                         struct.pack("<I4s", len(body), b"BIN\0") + body)
        return path

    def start(self, accessor):
        row = self.document["accessors"][accessor]
        view = self.document["bufferViews"][row["bufferView"]]
        return view.get("byteOffset", 0) + row.get("byteOffset", 0), row["count"]

    def channel(self, clip, joint, path):
        """The starts of a channel's times and values, and their number."""
        animation = next(a for a in self.document["animations"] if a["name"] == clip)
        node = next(i for i, n in enumerate(self.document["nodes"]) if n.get("name") == joint)
        sampler = next(animation["samplers"][c["sampler"]] for c in animation["channels"]
                       if c["target"] == {"node": node, "path": path})
        times, count = self.start(sampler["input"])
        return times, self.start(sampler["output"])[0], count

    def pop(self, clip, joint, key, degrees):
        """Turns one key of a joint about its x axis; -> its time."""
        times, values, _ = self.channel(clip, joint, "rotation")
        x, y, z, w = struct.unpack_from("<4f", self.bytes, values + 16 * key)
        s, c = math.sin(math.radians(degrees / 2)), math.cos(math.radians(degrees / 2))
        struct.pack_into("<4f", self.bytes, values + 16 * key,
                         x * c + w * s, y * c + z * s, z * c - y * s, w * c - x * s)
        return struct.unpack_from("<f", self.bytes, times + 4 * key)[0]


class CheckCase(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="posed-check-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def ends(self, status, *args, says="", **kwargs):
        done = run(*args, **kwargs)
        self.assertEqual(done.returncode, status, f"{args}: {done.stdout[:2000]}{done.stderr}")
        self.assertIn(says, done.stderr)
        return done

    def report(self, *args, status=0, **kwargs):
        """The report as JSON."""
        done = self.ends(status, *args, "--json", "-", **kwargs)
        return json.loads(done.stdout)

    def popped(self, name="popped.glb", degrees=12):
        glb = Glb(HUMANOID)
        self.time = glb.pop("Idle", "LeftForeArm", 20, degrees)
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return glb.write(path)

    def put(self, name, source=HUMANOID):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, path)
        return path


class Findings(CheckCase):
    def test_a_popped_key_is_found_where_and_as_large_as_it_is(self):
        """A turn of one key by 12 degrees moves what follows the joint by 2 sin(6 degrees) reach."""
        path = self.popped()
        report = self.report(path, status=5)
        found = [f for f in report["files"][0]["findings"] if f["level"] != "note"]
        self.assertEqual([f["rule"] for f in found], ["motion/pop"])
        pop = found[0]
        self.assertEqual((pop["level"], pop["clip"], pop["joint"], pop["sample"]),
                         ("error", "Idle", "LeftForeArm", 20))
        self.assertAlmostEqual(pop["time"], self.time, delta=1e-4)
        want = 2 * math.sin(math.radians(6)) * FOREARM / LENGTH
        self.assertAlmostEqual(want, 0.05352, delta=1e-5)
        self.assertAlmostEqual(pop["value"], want, delta=0.002 * want)
        self.assertAlmostEqual(pop["absolute"], want * LENGTH, delta=0.002 * want * LENGTH)
        self.assertEqual(pop["threshold"], 0.03)
        self.assertAlmostEqual(report["files"][0]["length"], LENGTH, delta=1e-5)

    def test_a_smaller_pop_is_a_warning(self):
        """2 sin(3 degrees) 0.442945 / 1.73011 = 0.0268, and an error begins at 0.03."""
        report = self.report(self.popped(degrees=6))
        found = [f for f in report["files"][0]["findings"] if f["level"] != "note"]
        self.assertEqual([(f["rule"], f["level"]) for f in found], [("motion/pop", "warning")])
        self.assertEqual(report["summary"]["verdict"], "warning")

    def test_the_demo_rigs_are_quiet(self):
        report = self.report(DEMO / "humanoid.glb", DEMO / "head.glb", DEMO / "tube23.glb",
                             "--fail-on", "warning")
        self.assertEqual(report["summary"]["warnings"] + report["summary"]["errors"], 0)
        self.assertEqual(report["summary"]["files"], 3)

    def test_rules_and_clips_can_be_chosen(self):
        path = self.popped()
        def rules(*args, status=0):
            file = self.report(path, *args, status=status)["files"][0]
            return ({m["rule"] for m in file["measurements"]} | {s["rule"] for s in file["skipped"]},
                    {c["name"] for c in file["clips"]})
        self.assertEqual(rules("--only", "motion/pop", status=5)[0], {"motion/pop"})
        self.assertEqual(rules("--only", "motion/p*", "--only=motion/jump", status=5)[0],
                         {"motion/pop", "motion/jump"})
        every, clips = rules("--skip", "motion/*", "--skip", "surface/spike")
        self.assertFalse({rule for rule in every if rule.startswith("motion/")})
        self.assertIn("clip/still", every)
        self.assertEqual(len(clips), 4)
        self.assertEqual(rules("--clip", "Walk", "--clip", "Ru*")[1], {"Walk", "Run"})
        self.assertEqual(rules("--clip", "Idle", status=5)[1], {"Idle"})
        self.ends(2, path, "--clip", "Idl", says='no clip is called "Idl"')

    def test_profiles_differ(self):
        path = self.popped(degrees=1.6)  # 0.0071 L
        level = {}
        for profile in ("web", "game", "cinematic"):
            report = self.report(path, "--profile", profile, "--only", "motion/pop")
            self.assertEqual(report["profile"]["name"], profile)
            level[profile] = report["summary"]["worst"]
        self.assertEqual(level, {"web": "ok", "game": "warning", "cinematic": "warning"})


class Ends(CheckCase):
    def test_the_status_says_what_was_found(self):
        error, warning = self.popped("error.glb"), self.popped("warning.glb", degrees=6)
        broken = self.folder / "broken.glb"
        broken.write_bytes(b"glTF but no more")
        self.ends(0, HUMANOID, *QUICK)
        self.ends(0, warning, *QUICK)
        self.ends(5, error, *QUICK)
        self.ends(5, warning, "--fail-on", "warning", *QUICK)
        self.ends(5, HUMANOID, "--fail-on=note", *QUICK)
        self.ends(0, error, "--fail-on", "never", *QUICK)
        self.ends(0, warning, "--fail-on", "error", *QUICK)
        self.ends(3, HUMANOID, broken, *QUICK)
        self.ends(3, error, broken, *QUICK)
        self.ends(3, broken, "--fail-on", "never", *QUICK)

    def test_a_refused_asset_is_a_finding_and_the_rest_is_checked(self):
        self.popped("b.glb")
        (self.folder / "a.glb").write_bytes(b"no asset")
        (self.folder / "c.glb").write_bytes(HUMANOID.read_bytes()[:5000])
        self.put("d.glb")
        report = self.report(self.folder, status=3)
        files = {pathlib.Path(f["path"]).name: f for f in report["files"]}
        self.assertEqual(list(files), ["a.glb", "b.glb", "c.glb", "d.glb"])
        for name in ("a.glb", "c.glb"):
            self.assertEqual([f["rule"] for f in files[name]["findings"]], ["file/refused"])
            self.assertEqual(files[name]["findings"][0]["level"], "error")
        self.assertEqual(files["b.glb"]["findings"][0]["rule"], "motion/pop")
        self.assertGreater(len(files["d.glb"]["measurements"]), 50)

    def test_wrong_usage_is_2(self):
        (self.folder / "empty" / "deeper").mkdir(parents=True)
        (self.folder / "empty" / "readme.txt").write_text("no asset")
        for args, says in (
            ((), "usage: pose check FILE|FOLDER|RIG..."),
            ((self.folder / "empty",), "there is no asset in this folder: no file named *.glb *."),
            ((HUMANOID, self.folder / "empty"), "in this folder"),
            ((HUMANOID, "--only", "motoin/*"), 'no rule matches "motoin/*"'),
            ((HUMANOID, "--only", "motion/*", "--only", "nothing/*"), 'no rule matches "nothing/*"'),
            ((HUMANOID, "--skip", "motion/pip"), "did you mean motion/pop"),
            ((HUMANOID, "--explain", "motion/pip"), "did you mean motion/pop"),
            ((HUMANOID, "--profile", "games"), "there are: web, mobile, game"),
            ((HUMANOID, "--fail-on", "errors"), "error, warning, note or never"),
            ((HUMANOID, "--jobs", "0"), "--jobs takes a whole number"),
            ((HUMANOID, "--jobs", "two"), "--jobs takes a whole number"),
            ((HUMANOID, "--json", "-", "--sarif", "-"), "--json and --sarif both go"),
            ((HUMANOID, "--json", "a", "--json", "b"), "given twice"),
            ((HUMANOID, "--yaw", "3"), 'not for "pose check"'),
            ((HUMANOID, "--json"), "a value is missing"),
        ):
            with self.subTest(args=args):
                done = self.ends(2, *args, says=says)
                self.assertEqual(done.stdout, "")

    def test_other_failures_have_their_own_status(self):
        self.ends(1, self.folder / "none.glb", says="No such file")
        self.ends(4, "none", says="rig's name")
        self.ends(4, "none.glb", says='there is no file "none.glb"')
        self.ends(1, HUMANOID, "--json", self.folder / "none" / "report.json", says="No such file")

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_a_file_that_may_not_be_read_is_refused(self):
        self.put("a.glb").chmod(0)
        self.put("b.glb")
        report = self.report(self.folder, status=3)
        self.assertIn("Permission denied", report["files"][0]["findings"][0]["message"])
        self.assertEqual(report["summary"]["errors"], 1)


class Rules(CheckCase):
    def rules(self, **members):
        path = self.folder / "rules.json"
        path.write_text(json.dumps({"version": 1, **members}))
        return path

    def test_a_rules_file_changes_limits(self):
        path = self.popped()
        looser = self.rules(rules={"motion/pop": {"error": 0.06}})
        for option in ("--rules", "--profile"):
            report = self.report(path, option, looser)
            pop = next(f for f in report["files"][0]["findings"] if f["rule"] == "motion/pop")
            self.assertEqual((pop["level"], pop["threshold"]), ("warning", 0.006))
            self.assertEqual(report["profile"]["name"], str(looser))
        self.assertEqual(self.report(path, "--rules", self.rules(rules={"motion/*": "off"}))["summary"]
                         ["worst"], "note")

    def test_a_rules_file_extends_the_profile_that_is_named(self):
        path, rules = self.popped(), self.rules(rules={"clip/still": "off"})
        def limits(*args):
            report = self.report(path, "--only", "motion/pop", *args, status=5)
            return report["rules"][next(i for i, r in enumerate(report["rules"])
                                        if r["id"] == "motion/pop")]["limits"]
        self.assertEqual(limits("--rules", rules), {"warning": 0.006, "error": 0.03})
        self.assertEqual(limits("--rules", rules, "--profile", "web"), {"warning": 0.008, "error": 0.04})
        web = self.rules(extends="web")
        self.assertEqual(limits("--rules", web), {"warning": 0.008, "error": 0.04})
        self.assertEqual(limits("--rules", web, "--profile", "web"), {"warning": 0.008, "error": 0.04})
        self.ends(2, path, "--rules", web, "--profile", "vrm", says='extends "web"')
        self.ends(2, path, "--rules", web, "--profile", web, says="--profile takes a name")

    def test_suppressed_findings_stay_and_do_not_count(self):
        path = self.popped()
        def suppress(*rows):
            return self.rules(suppress=list(rows))
        row = {"rule": "motion/pop", "clip": "Idle", "joint": "LeftFore*", "reason": "as wanted"}
        report = self.report(path, "--rules", suppress(row))
        pop = next(f for f in report["files"][0]["findings"] if f["rule"] == "motion/pop")
        self.assertEqual((report["summary"]["errors"], report["summary"]["suppressed"]), (0, 1))
        self.assertIn("as wanted", json.dumps(pop))
        self.assertEqual(report["remarks"], [])
        report = self.report(path, "--rules", suppress({**row, "at_most": 0.05}), status=5)
        self.assertEqual(report["summary"]["suppressed"], 0)
        report = self.report(path, "--rules", suppress({**row, "until": "2020-01-31"}), status=5)
        self.assertEqual(report["remarks"], [
            "suppression/over: that of motion/pop, clip Idle, joint LeftFore* ended on 2020-01-31"])
        report = self.report(path, "--rules", suppress(row, {**row, "clip": "Walk"}))
        self.assertEqual(report["remarks"], [
            "suppression/unused: that of motion/pop, clip Walk, joint LeftFore* matches no finding"])
        # What was left out may be what it is for.
        report = self.report(path, "--rules", suppress({**row, "clip": "Walk"}), "--clip", "Run")
        self.assertEqual(report["remarks"], [])

    def test_the_digest_tells_profiles_apart(self):
        def digest(*args):
            return self.report(DEMO / "cyl2.glb", "--only", "file/*", *args)["profile"]["digest"]
        self.assertRegex(digest(), "^sha256:[0-9a-f]{64}$")
        self.assertEqual(digest(), digest("--profile", "game"))
        self.assertNotEqual(digest(), digest("--profile", "web"))
        self.assertNotEqual(digest(), digest("--rules", self.rules(rules={"file/*": "off"})))

    def test_a_broken_rules_file_is_wrong_usage(self):
        for members, says in (({"rules": {"motion/pip": "off"}}, "motion/pop"),
                              ({"rule": {}}, "rule"),
                              ({"suppress": [{"rule": "motion/pop"}]}, "reason")):
            self.ends(2, HUMANOID, "--rules", self.rules(**members), says=says)
        path = self.folder / "broken.json"
        path.write_text("{")
        self.ends(2, HUMANOID, "--rules", path, says="broken.json")
        self.ends(2, HUMANOID, "--profile", path, says="broken.json")
        self.ends(1, HUMANOID, "--rules", self.folder / "none.json", says="No such file")


class Inputs(CheckCase):
    def paths(self, *args, status=0):
        return [f["path"] for f in self.report(*args, "--only", "file/*", "--only", "mesh/*",
                                               status=status)["files"]]

    def test_folders_are_read_in_order_and_links_are_not_followed(self):
        for name in ("b/z.glb", "b/a.GLB", "a.glb", "c.gltf.bak", "b/c/deep.glb", "b.glb", ".glb"):
            self.put(name, DEMO / "cyl2.glb")
        (self.folder / "link.glb").symlink_to(self.folder / "a.glb")
        (self.folder / "folder").symlink_to(self.folder / "b")
        (self.folder / "gone.glb").symlink_to(self.folder / "nothing")
        os.mkfifo(self.folder / "pipe.glb")
        self.assertEqual(self.paths(self.folder),
                         [str(self.folder / p) for p in
                          ("a.glb", "b.glb", "b/a.GLB", "b/c/deep.glb", "b/z.glb")])
        self.assertEqual(self.paths(f"{self.folder}/b/", self.folder / "a.glb"),
                         [f"{self.folder}/b/{p}" for p in ("a.GLB", "c/deep.glb", "z.glb")] +
                         [str(self.folder / "a.glb")])
        # What is named itself is followed.
        self.assertEqual(len(self.paths(self.folder / "folder")), 3)
        self.assertEqual(len(self.paths(self.folder / "link.glb")), 1)

    def test_many_files_can_be_named(self):
        self.put("a.glb", DEMO / "cyl2.glb")
        names = ["a.glb"] * 40
        done = self.ends(0, *names, "--only", "mesh/*", "--json", "-", cwd=self.folder)
        self.assertEqual([f["path"] for f in json.loads(done.stdout)["files"]], names)

    def test_standard_input_is_an_asset(self):
        path = self.popped()
        done = run("-", "--json", "-", text=False, input=path.read_bytes())
        self.assertEqual(done.returncode, 5)
        piped = json.loads(done.stdout)["files"][0]
        named = self.report(path, status=5)["files"][0]
        self.assertEqual(piped["path"], "-")
        self.assertEqual(piped["content"], named["content"])
        self.assertEqual(piped["measurements"], named["measurements"])
        self.assertEqual(run("-", text=False, input=b"").returncode, 3)

    def test_a_gltf_is_read_with_the_files_beside_it(self):
        glb = Glb(self.popped())
        (self.folder / "data.bin").write_bytes(glb.bytes)
        glb.document["buffers"][0]["uri"] = "data.bin"
        glb.document["images"] = [{"uri": "none.png"}]
        path = self.folder / "rig.gltf"
        path.write_text(json.dumps(glb.document))
        report = self.report(path, status=5)
        self.assertEqual(report["files"][0]["findings"][0]["rule"], "motion/pop")
        self.assertEqual(report["remarks"], [
            f'{path}: there is no none.png, which images[0].uri "none.png" names'])
        (self.folder / "data.bin").unlink()
        report = self.report(path, HUMANOID, status=3)
        self.assertIn("data.bin", report["files"][0]["findings"][0]["message"])
        self.assertEqual(report["files"][1]["findings"][0]["level"], "note")


class Outputs(CheckCase):
    FORMATS = ("json", "jsonl", "sarif", "junit", "html", "markdown", "openmetrics")

    def everything(self, *args, status=5, prefix="r"):
        """All reports of one run: names to bytes."""
        paths = {name: self.folder / "out" / f"{prefix}.{name}" for name in self.FORMATS}
        (self.folder / "out").mkdir(exist_ok=True)
        options = [part for name, path in paths.items() for part in (f"--{name}", path)]
        done = self.ends(status, *args, "--metrics-labels", "--github",
                         "--html-pictures", "none", *options)
        self.assertEqual(done.stderr, "")
        return {**{name: path.read_bytes() for name, path in paths.items()},
                "text": done.stdout.encode()}

    def test_several_reports_come_from_one_run(self):
        self.popped("rigs/popped.glb")
        self.put("rigs/humanoid.glb")
        out = self.everything(self.folder / "rigs")
        want = json.loads(out["json"])["files"][1]["findings"][0]["fingerprint"]
        self.assertIn(want, out["sarif"].decode())
        suites = xml.etree.ElementTree.fromstring(out["junit"]).findall(".//testsuite")
        self.assertEqual(len(suites), 2)
        self.assertEqual(len(out["jsonl"].splitlines()), 2)
        self.assertIn(b"<!DOCTYPE html>", out["html"])
        self.assertIn(b"motion/pop", out["markdown"])
        self.assertTrue(out["openmetrics"].endswith(b"# EOF\n"))
        self.assertIn(b"\n::error file=", out["text"])
        self.assertEqual(sorted(p.name for p in (self.folder / "out").iterdir()),
                         sorted(f"r.{name}" for name in self.FORMATS))

    def test_the_same_bytes_for_any_number_of_threads(self):
        for name in ("humanoid", "head", "cyl2", "tube23"):
            self.put(f"rigs/{name}.glb", DEMO / f"{name}.glb")
        self.popped("rigs/a.glb")
        (self.folder / "rigs" / "b.glb").write_bytes(b"no asset")
        runs = [self.everything(self.folder / "rigs", "--jobs", jobs, status=3, prefix=f"{jobs}")
                for jobs in (1, 2, 8)]
        for name in runs[0]:
            self.assertEqual(runs[0][name], runs[1][name], f"{name}, 2 threads")
            self.assertEqual(runs[0][name], runs[2][name], f"{name}, 8 threads")
        self.assertNotIn(b'"timing"', runs[0]["json"])
        timed = self.report(self.folder / "rigs" / "a.glb", "--timing", status=5)
        self.assertGreater(timed["files"][0]["timing"]["ms"], 0)

    def test_names_of_any_kind_stay_whole(self):
        glb = Glb(HUMANOID)
        glb.pop("Idle", "LeftForeArm", 20, 12)
        for node in glb.document["nodes"]:
            if node.get("name") == "LeftForeArm":
                node["name"] = "\"<&>'\n\u0001arm"
        path = glb.write(self.folder / NASTY)
        out = self.everything(self.folder)
        report = json.loads(out["json"])
        self.assertEqual(report["files"][0]["path"], str(path))
        self.assertEqual(report["files"][0]["findings"][0]["joint"], "\"<&>'\n\u0001arm")
        self.assertEqual(json.loads(out["jsonl"])["path"], str(path))
        self.assertEqual(json.loads(out["sarif"])["runs"][0]["results"][0]["ruleId"], "motion/pop")
        suite = xml.etree.ElementTree.fromstring(out["junit"]).find(".//testsuite")
        self.assertEqual(suite.get("name"), str(path))
        self.assertNotIn(b"<tag>", out["html"])
        annotations = [line for line in out["text"].decode().split("\n") if line.startswith("::")]
        self.assertTrue(annotations)
        self.assertTrue(all("%0Aline.glb" in line for line in annotations), annotations)
        self.assertNotIn("\x01", out["text"].decode())

    def test_text_makes_way_for_a_report(self):
        path = self.popped()
        plain = self.ends(5, path, *QUICK)
        self.assertIn("motion/pop", plain.stdout)
        self.assertEqual(plain.stderr, "")
        self.assertNotIn("\x1b", plain.stdout)
        for name in self.FORMATS:
            done = self.ends(5, path, *QUICK, f"--{name}", "-", "--github")
            self.assertTrue(done.stderr.startswith(plain.stdout), name)
            self.assertIn("::error", done.stderr)
            self.assertNotIn("::error", done.stdout)
        done = self.ends(5, path, *QUICK, "--quiet")
        self.assertEqual(done.stdout + done.stderr, "")
        done = self.ends(5, path, *QUICK, "--quiet", "--json", "-")
        self.assertEqual(done.stderr, "")
        json.loads(done.stdout)

    def test_a_report_is_whole_or_not_there(self):
        old = self.folder / "report.json"
        old.write_text("old")
        blocked = self.folder / "no" / "report.sarif"
        self.ends(1, HUMANOID, "--json", old, "--sarif", blocked, says="report.sarif")
        self.assertEqual(json.loads(old.read_text())["summary"]["files"], 1)
        self.assertFalse(blocked.parent.exists())
        old.write_text("old")
        self.ends(2, HUMANOID, "--json", old, "--only", "nothing")
        self.assertEqual(old.read_text(), "old")
        self.assertEqual([p.name for p in self.folder.iterdir()], ["report.json"])
        if os.path.exists("/dev/full"):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([POSE, "check", HUMANOID], stdout=full, stderr=subprocess.PIPE,
                                      text=True, timeout=120)
            self.assertEqual(done.returncode, 1)
            self.assertIn("standard output", done.stderr)

    def test_lines_for_trends_are_added(self):
        path = self.folder / "trend.jsonl"
        path.write_text('{"before": true}\n')
        for _ in range(2):
            self.ends(0, DEMO / "cyl2.glb", "--only", "mesh/*", "--jsonl", path)
        lines = path.read_text().splitlines()
        self.assertEqual(len(lines), 3)
        self.assertEqual(json.loads(lines[0]), {"before": True})
        self.assertEqual(lines[1], lines[2])


class Baselines(CheckCase):
    def ends(self, status, *args, **kwargs):
        return super().ends(status, *args, *QUICK, **kwargs)

    def states(self, report):
        return sorted((f["rule"], f["state"]) for f in report["files"][0]["findings"]
                      if f["rule"].startswith("motion/"))

    def test_only_what_is_new_or_worse_counts(self):
        path, base = self.popped(degrees=6), self.folder / "base.json"
        self.ends(5, path, "--fail-on", "warning", "--update-baseline", base)
        self.assertEqual(json.loads(base.read_text())["summary"]["warnings"], 1)
        report = self.report(path, "--fail-on", "warning", "--baseline", base)
        self.assertEqual(self.states(report), [("motion/pop", "unchanged")])
        self.assertEqual((report["summary"]["new"], report["summary"]["worst"]), (0, "ok"))
        # 6.3 degrees are less than a tenth more.
        self.popped(degrees=6.3)
        self.ends(0, path, "--fail-on", "note", "--baseline", base)
        self.popped(degrees=12)
        report = self.report(path, "--baseline", base, status=5)
        self.assertEqual(self.states(report), [("motion/pop", "updated")])
        shutil.copy(HUMANOID, path)
        report = self.report(path, "--fail-on", "warning", "--baseline", base)
        self.assertEqual(self.states(report), [("motion/pop", "absent")])
        shutil.copy(HUMANOID, path)
        self.ends(0, path, "--update-baseline", base)
        self.popped(degrees=6)
        report = self.report(path, "--fail-on", "warning", "--baseline", base, status=5)
        self.assertEqual(self.states(report), [("motion/pop", "new")])

    def test_a_baseline_can_be_read_and_written_in_one_run(self):
        path, base = self.popped(), self.folder / "base.json"
        self.ends(5, path, "--update-baseline", base)
        first = base.read_bytes()
        self.ends(0, path, "--baseline", base, "--update-baseline", base)
        self.assertEqual(base.read_bytes(), first)
        shutil.copy(HUMANOID, path)
        self.ends(0, path, "--baseline", base, "--update-baseline", base)
        self.assertNotIn("motion/pop", [f["rule"] for f in
                                        json.loads(base.read_text())["files"][0]["findings"]])

    def test_another_profile_is_said_and_not_refused(self):
        path, base = self.popped(), self.folder / "base.json"
        self.ends(5, path, "--update-baseline", base)
        report = self.report(path, "--baseline", base, "--profile", "cinematic")
        self.assertEqual(len(report["remarks"]), 1)
        self.assertIn("baseline", report["remarks"][0])

    def test_what_is_no_baseline_is_refused(self):
        path = self.folder / "base.json"
        self.ends(1, HUMANOID, "--baseline", path, says="No such file")
        for text in ("", "[]", '{"files": 3}', '{"files": [{}]}'):
            path.write_text(text)
            self.ends(2, HUMANOID, "--baseline", path, says="base.json: ")
        self.ends(2, HUMANOID, "--update-baseline", "-", says="takes a file")


class Against(CheckCase):
    ONLY = ("--only", "diff/*", "--only", "motion/pop")

    def test_what_differs_is_measured(self):
        """One joint that is turned by an angle differs by 2 sin(angle / 2) reach / length."""
        path = self.popped()
        report = self.report(path, "--against", HUMANOID, *self.ONLY, status=5)
        file = report["files"][0]
        found = {m["rule"]: m for m in file["measurements"] if m.get("clip") == "Idle"}
        want = 2 * math.sin(math.radians(6)) * FOREARM / LENGTH
        self.assertAlmostEqual(found["diff/motion"]["value"], want, delta=1e-5)
        self.assertEqual(found["diff/motion"]["joint"], "LeftForeArm")
        self.assertEqual(found["motion/pop"]["before"], 0)
        self.assertEqual({f["rule"] for f in file["findings"]},
                         {"motion/pop", "diff/motion", "diff/surface"})

    def test_an_asset_does_not_differ_from_itself(self):
        report = self.report(HUMANOID, "--against", HUMANOID, "--only", "diff/*", "--jobs", "3")
        self.assertGreater(len(report["files"][0]["measurements"]), 10)
        self.assertEqual({m["value"] for m in report["files"][0]["measurements"]}, {0})
        self.assertEqual(report["files"][0]["findings"], [])
        self.assertEqual(report, self.report(HUMANOID, "--against", HUMANOID, "--only", "diff/*",
                                             "--jobs", "1"))

    def test_the_better_version_is_shown_as_such(self):
        """A popped key is an error that the demo does not have, and its only difference in findings."""
        path, said = self.popped(), self.folder / "said"
        only = ("--only", "motion/*", "--only", "diff/motion", "--clip", "Idle")
        want = 2 * math.sin(math.radians(6)) * FOREARM / LENGTH
        for now, before, better, word, errors, values in (
                (path, HUMANOID, "before", "worse", (0, 1), (0, want)),
                (HUMANOID, path, "after", "better", (1, 0), (want, 0)),
                (path, path, "neither", None, (1, 1), (want, want))):
            with self.subTest(better):
                done = self.ends(5 if errors[1] else 0, now, "--against", before, *only, "--json",
                                 said, "--html", self.folder / "page", "--html-pictures", "none",
                                 "--markdown", self.folder / "markdown")
                file = json.loads(said.read_text())["files"][0]
                versions = file["versions"]
                self.assertEqual(versions["better"], better)
                self.assertEqual((versions["before"]["errors"], versions["after"]["errors"]), errors)
                measured = {m["rule"]: m for m in file["measurements"]}
                pop = measured.pop("motion/pop")
                self.assertEqual(pop["better"], better)
                self.assertEqual(pop["after"], pop["value"])
                self.assertAlmostEqual(pop["before"], values[0], delta=0.002 * want)
                self.assertAlmostEqual(pop["after"], values[1], delta=0.002 * want)
                self.assertNotIn("better", measured["diff/motion"])
                self.assertEqual({m["better"] for m in measured.values() if "better" in m},
                                 {"neither"})
                page, markdown = ((self.folder / n).read_text() for n in ("page", "markdown"))
                texts = (done.stdout, page, markdown)
                for text in texts:
                    self.assertIn(f"{errors[0]} error{'s' * (errors[0] != 1)}, ", text)
                    self.assertIn(" in the earlier version; ", text)
                    self.assertEqual(f" in this one, which is {word}" in text, word is not None)
                if word:
                    self.assertRegex(done.stdout, rf"(?m)^  {word} +motion/pop of Idle: ")
                    self.assertEqual(len(re.findall(rf"<td>{word}</td>", page)), 1)
                    self.assertIn(f"| {word} | motion/pop | Idle | ", markdown)
                else:
                    self.assertNotRegex("".join(texts), "better|worse (?!than)")
        report = self.report(path, *only, status=5)
        self.assertNotIn("versions", report["files"][0])
        self.assertNotIn("before", report["files"][0]["measurements"][0])

    def test_pictures_of_both_are_compared(self):
        """Half way through the clip, where pictures are taken, one joint is turned."""
        glb = Glb(HUMANOID)
        self.assertAlmostEqual(glb.pop("Idle", "LeftForeArm", 30, 60), 2, delta=1e-6)
        path = glb.write(self.folder / "turned.glb")
        only = ("--only", "picture/*", "--clip", "Idle")
        report = self.report(path, "--against", HUMANOID, *only)
        if any("pictures are missing" in remark for remark in report.get("remarks", [])):
            self.skipTest("no driver draws here")
        found = {m["rule"]: m for m in report["files"][0]["measurements"]}
        self.assertGreater(found["picture/flip"]["value"], 0.01)
        self.assertLess(found["picture/ssim"]["value"], 0.99)
        self.assertAlmostEqual(found["picture/flip"]["time"], 2, delta=1e-6)
        same = self.report(HUMANOID, "--against", HUMANOID, *only)["files"][0]
        self.assertEqual({m["rule"]: m["value"] for m in same["measurements"]},
                         {"picture/difference": 0, "picture/ssim": 1, "picture/flip": 0})

    def test_names_of_what_differs_are_told(self):
        """They outlive both rigs."""
        report = self.report(HUMANOID, "--against", DEMO / "head.glb", *self.ONLY, status=5)
        joints = next(f for f in report["files"][0]["findings"] if f["rule"] == "diff/joints")
        self.assertIn("Hips, Spine, ", joints["message"])

    def test_without_an_earlier_version_nothing_is_said_of_one(self):
        file = self.report(HUMANOID, "--only", "diff/*")["files"][0]
        self.assertEqual((file["measurements"], file["findings"]), ([], []))

    def test_one_asset_is_held_against_one(self):
        broken = self.folder / "broken.glb"
        broken.write_bytes(b"no asset")
        self.ends(2, HUMANOID, HUMANOID, "--against", HUMANOID, says="one asset against one other")
        self.ends(2, HUMANOID, "--against", DEMO, says="one asset against one other")
        self.ends(1, HUMANOID, "--against", self.folder / "none.glb", says="No such file")
        report = self.report(HUMANOID, "--against", broken, status=3)
        self.assertIn(f"--against {broken}", report["files"][0]["findings"][0]["message"])
        self.ends(3, broken, "--against", HUMANOID)


class Pictures(CheckCase):
    def test_the_page_shows_findings(self):
        path, page = self.popped(), self.folder / "page.html"
        def images(*args):
            self.ends(5, path, *QUICK, "--html", page, *args)
            return re.findall(r'src="data:(image/[\w]+);base64,', page.read_text())
        self.assertEqual(images("--html-pictures", "none"), [])
        done = self.ends(5, path, *QUICK, "--html", page)
        if "pictures are missing" in done.stdout:
            self.skipTest("no driver draws here")
        self.assertGreaterEqual(len(images()), 3)
        self.assertEqual(set(images("--html-pictures", "stills")), {"image/png"})
        self.assertGreater(len(images("--html-pictures=animated")), 0)
        # Other reports of the same run are as without pictures.
        want = self.ends(5, path, *QUICK, "--json", "-").stdout
        self.assertEqual(self.ends(5, path, *QUICK, "--json", "-", "--html", page).stdout, want)
        self.assertIn('"camera"', want)
        self.assertNotIn('"pictures"', want)

    def test_the_page_shows_both_versions_of_what_differs(self):
        path, page = self.popped(), self.folder / "page.html"
        def figures(now, before, *only):
            done = self.ends(0, now, "--against", before, *only, "--clip", "Idle", "--html", page)
            if "pictures are missing" in done.stdout:
                self.skipTest("no driver draws here")
            return re.findall(r'<figure><img alt="([^"]+)" src="data:image/png;base64,([^"]+)"',
                              page.read_text())
        changed = figures(path, HUMANOID, "--only", "diff/motion")
        self.assertEqual([label for label, _ in changed], ["earlier version", "this version"])
        # The same camera, and what is marked on the later version is not on the earlier one.
        back = figures(HUMANOID, path, "--only", "diff/motion")
        self.assertEqual([label for label, _ in back], ["earlier version", "this version"])
        self.assertEqual(len({data for _, data in changed + back}), 4)

    def test_pictures_are_for_the_page(self):
        self.ends(2, HUMANOID, "--html-pictures", "stills", says="is for --html")
        self.ends(2, HUMANOID, "--html", "a.html", "--html-pictures", "all",
                  says="none, stills or animated")


class Explained(CheckCase):
    def test_every_rule_is_listed_and_can_be_explained(self):
        lines = self.ends(0, "--list-rules").stdout.splitlines()
        ids = [line.split()[0] for line in lines[1:]]
        self.assertGreater(len(ids), 30)
        self.assertEqual(len(ids), len(set(ids)))
        self.assertEqual(set(re.findall(r"(?m)^\w+/\w+$", subprocess.run(
            [POSE, "completion", "rules"], stdout=subprocess.PIPE, text=True, check=True).stdout)),
            set(ids))
        for rule in {rule.split("/")[0]: rule for rule in ids}.values():
            text = self.ends(0, "--explain", rule).stdout
            for part in (f"{rule}: ", "What is measured\n", "What a player sees\n",
                         'Limits of the profile "game"'):
                self.assertIn(part, text)
            self.assertLess(max(map(len, text.splitlines())), 140, rule)

    def test_limits_are_those_of_the_profile(self):
        def pop(*args):
            lines = self.ends(0, "--list-rules", "--only", "motion/pop", *args).stdout.splitlines()
            self.assertEqual(len(lines), 2)
            return lines[1].split()[1:5]
        self.assertEqual(pop(), ["L", "-", "0.006", "0.03"])
        self.assertEqual(pop("--profile", "cinematic"), ["L", "-", "0.002", "0.01"])
        text = self.ends(0, "--explain", "motion/pop", "--profile", "web").stdout
        self.assertRegex(text, r"warning +0\.008\n +error +0\.04\n")


class WithDaemon(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("humanoid")

    def check(self, *args):
        return run(*args, env={**os.environ, "POSED_SERVER": f"http://127.0.0.1:{self.daemon.port}"})

    def test_a_rig_is_checked_by_its_name(self):
        done = self.check("humanoid", HUMANOID, "--json", "-", "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        rig, file = json.loads(done.stdout)["files"]
        self.assertEqual((rig["path"], file["path"]), ("humanoid", str(HUMANOID)))
        for part in ("content", "length", "clips", "measurements", "skipped"):
            self.assertEqual(rig[part], file[part])

    def put_clip(self, rig, clip, body, query=""):
        self.assertStatus(self.client.request(
            "PUT", rig_path(rig, f"/clips/{urllib.parse.quote(clip)}{query}"), body,
            {"Content-Type": "model/gltf-binary"}), 201)

    def of_both(self, rig, *args, **members):
        """The report's file and the status of the command, which has to report what the daemon does."""
        reply = self.assertStatus(self.client.post("checks", {"rig": rig, **members}), 200)
        done = self.check(rig, *args, "--json", "-", "--quiet")
        self.assertIn(done.returncode, (0, 5), done.stderr)
        reports = json.loads(done.stdout), reply.json()
        for report in reports:
            self.assertRegex(report.pop("build"), "^posed ")  # one's has a digest of the program
        self.assertEqual(*reports)
        return reports[0]["files"][0], done.returncode

    def test_clips_stored_beside_a_rig_are_checked(self):
        """A stored run whose forearm is turned by 12 degrees for one frame."""
        glb = Glb(HUMANOID)
        time = glb.pop("Idle", "LeftForeArm", 20, 12)
        with tempfile.TemporaryDirectory(prefix="posed-check-") as folder:
            body = glb.write(pathlib.Path(folder) / "popped.glb").read_bytes()
        self.put_rig("stored", HUMANOID.read_bytes())
        self.put_clip("stored", "of a file: \u00e9", body, "?clip=Idle")
        self.assertStatus(self.client.request("PUT", rig_path("stored", "/clips/baked"), json.dumps(
            {"pose": {"clip": "Run"}, "duration": 0.5, "rate": 30}).encode(),
            {"Content-Type": "application/json"}), 201)
        file, status = self.of_both("stored")
        self.assertEqual(status, 5)
        self.assertEqual([clip["name"] for clip in file["clips"]],
                         ["Idle", "Walk", "Run", "Wave", "baked", "of a file: \u00e9"])
        pop = next(f for f in file["findings"] if f["rule"] == "motion/pop")
        self.assertEqual((pop["clip"], pop["joint"], pop["level"]),
                         ("of a file: \u00e9", "LeftForeArm", "error"))
        self.assertAlmostEqual(pop["time"], time, delta=1e-4)

    def test_stored_clips_of_an_earlier_version_are_compared(self):
        self.put_rig("before", HUMANOID.read_bytes())
        self.put_rig("after", HUMANOID.read_bytes())
        self.put_clip("before", "mine", HUMANOID.read_bytes(), "?clip=Walk")
        self.put_clip("after", "mine", HUMANOID.read_bytes(), "?clip=Run")
        only = ("--only", "diff/*")
        file, status = self.of_both(
            "after", "--against", "before", *only, against={"rig": "before"}, only=["diff/*"])
        self.assertEqual(status, 5)
        self.assertEqual({f["clip"] for f in file["findings"] if f["rule"] == "diff/motion"}, {"mine"})
        file, _ = self.of_both(
            "humanoid", "--against", "before", *only, against={"rig": "before"}, only=["diff/*"])
        gone = next(f for f in file["findings"] if f["rule"] == "diff/clips_removed")
        self.assertIn("mine", gone["message"])

    def test_stored_clips_of_weights_are_checked(self):
        self.put_demo("head")
        self.put_clip("head", "mine", (DEMO / "head.glb").read_bytes(), "?clip=Expressions")
        file, _ = self.of_both("head")
        self.assertIn("mine", [clip["name"] for clip in file["clips"]])

    def test_the_page_leads_into_the_viewer(self):
        with tempfile.TemporaryDirectory(prefix="posed-check-") as folder:
            page = pathlib.Path(folder) / "page.html"
            link = f'href="http://127.0.0.1:{self.daemon.port}/#rig=humanoid&amp;clip='
            for subjects, linked in ((("humanoid",), True), (("humanoid", HUMANOID), False)):
                done = self.check(*subjects, *QUICK, "--html", page, "--html-pictures", "none")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(link in page.read_text(), linked)

    def test_an_unknown_rig_is_refused(self):
        done = self.check("humanoid", "nobody")
        self.assertEqual(done.returncode, 3)
        self.assertIn("nobody", done.stderr)


if __name__ == "__main__":
    unittest.main()
