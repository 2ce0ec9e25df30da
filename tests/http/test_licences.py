"""`--uses`: pictures and files of avatars whose licence does not allow them are refused. The values of
each member, and which of them allow what, are those of the schemas of VRM 1.0 and VRM 0.x."""
import os
import subprocess
import tempfile

import rigs
from case import DaemonCase
from client import rig_path
from daemon import ROOT
from test_vrm import META, avatar

POSE = os.environ.get("POSE_BINARY", ROOT / "build" / "pose")
# Each member that limits a use: the values that allow it, those that do not (None = it is absent).
TERMS_1 = {
    "any-user": ("avatarPermission", ["everyone"], ["onlySeparatelyLicensedPerson", "onlyAuthor", None]),
    "violent": ("allowExcessivelyViolentUsage", [True], [False, None]),
    "sexual": ("allowExcessivelySexualUsage", [True], [False, None]),
    "commercial": ("commercialUsage", ["personalProfit", "corporation"], ["personalNonProfit", None]),
    "corporate": ("commercialUsage", ["corporation"], ["personalProfit", "personalNonProfit", None]),
    "political": ("allowPoliticalOrReligiousUsage", [True], [False, None]),
    "antisocial": ("allowAntisocialOrHateUsage", [True], [False, None]),
    "uncredited": ("creditNotation", ["unnecessary"], ["required", None]),
}
TERMS_0 = {
    "any-user": ("allowedUserName", ["Everyone"], ["OnlyAuthor", "ExplicitlyLicensedPerson", None]),
    "violent": ("violentUssageName", ["Allow"], ["Disallow", None]),
    "sexual": ("sexualUssageName", ["Allow"], ["Disallow", None]),
    "commercial": ("commercialUssageName", ["Allow"], ["Disallow", None]),
    "corporate": ("commercialUssageName", ["Allow"], ["Disallow", None]),
}


def licensed(version="1.0", **meta):
    tiny = avatar(version)
    name = "VRMC_vrm" if version == "1.0" else "VRM"
    base = {key: META[key] for key in ("name", "authors", "licenseUrl")} if version == "1.0" else {"title": "x"}
    tiny.json["extensions"][name]["meta"] = {**base, **{key: value for key, value in meta.items() if value is not None}}
    return tiny.glb()


class Refusals(DaemonCase):
    daemon_args = ("--uses", "commercial,redistribution,modification")

    @classmethod
    def prepare(cls):
        files = {"allowRedistribution": True, "modification": "allowModification"}
        cls.put_rig("free", licensed(commercialUsage="corporation", **files))
        cls.put_rig("shown", licensed(commercialUsage="personalProfit", modification="allowModification"))
        cls.put_rig("fixed", licensed(commercialUsage="personalProfit", allowRedistribution=True))
        cls.put_rig("private", licensed())
        cls.put_rig("old", licensed("0.0", commercialUssageName="Allow", licenseName="CC_BY_NC"))
        cls.put_rig("square", rigs.square().glb())

    def frame(self, rig):
        return self.client.frame(rig, width=16, height=16)

    def crowd(self, accept, *names):
        return self.client.post("crowd", {"instances": [{"rig": name} for name in names], "width": 16,
                                          "height": 16}, accept=accept)

    def files(self, rig):
        yield self.client.get(rig_path(rig) + "/source")
        yield self.client.get(rig_path(rig) + "/mesh.glb")
        yield self.client.vertices(rig, "rest")
        yield self.client.post("bake", {"rig": rig, "pose": "rest", "duration": 1, "as": "joints"})
        turned = {"set": "rest", "joints": {"0": {"rotation": [0, 1, 0, 0]}}}
        yield self.client.post("compress", {"rig": rig, "pose": turned, "duration": 1})
        yield self.crowd("application/octet-stream", "square", rig)

    def refuse(self, reply, *words):
        self.assertProblem(reply, 403, "licence", says=words)

    def test_pictures_need_the_uses_of_pictures(self):
        for name in ("free", "shown", "fixed", "old", "square"):
            self.assertStatus(self.frame(name), 200)
        self.refuse(self.frame("private"), "private", "commercialUsage", "not given", "personalNonProfit",
                    "personalProfit, corporation")
        self.refuse(self.client.picture_link("private", width=16, height=16), "commercialUsage")
        self.refuse(self.client.post("frames", {"rig": "private", "turntable": 2, "width": 16, "height": 16}),
                    "commercialUsage")
        self.refuse(self.client.post("compare", {"rig": "private", "methods": ["lbs", "dqs"]}), "commercialUsage")

    def test_one_figure_of_a_crowd_is_enough(self):
        self.assertStatus(self.crowd("image/png", "square", "free"), 200)
        self.refuse(self.crowd("image/png", "square", "private"), "private", "commercialUsage")
        self.refuse(self.crowd("image/png", "private", "square"), "private", "commercialUsage")

    def test_files_need_those_of_files_too(self):
        for reply in (*self.files("free"), *self.files("square")):
            self.assertStatus(reply, 200)
        for name, words in (("shown", ("allowRedistribution", "not given", "false", "true")),
                            ("fixed", ("modification", "prohibited", "allowModification")),
                            ("old", ("licenseName", "CC_BY_NC", "CC0"))):
            for reply in self.files(name):
                self.refuse(reply, name, *words)

    def test_the_rest_is_told_and_deleted(self):
        self.assertEqual(self.description("private")["meta"]["name"], META["name"])
        self.assertStatus(self.client.pose("private", "rest"), 200)
        self.put_rig("gone", licensed())
        self.assertStatus(self.client.request("DELETE", rig_path("gone")), 204)

    def test_a_new_licence_counts_at_once(self):
        self.put_rig("changing", licensed())
        self.refuse(self.frame("changing"), "commercialUsage")
        self.put_rig("changing", licensed(commercialUsage="corporation"))
        self.assertStatus(self.frame("changing"), 200)


class WithoutUses(DaemonCase):
    def test_nothing_is_refused_by_default(self):
        self.put_rig("private", licensed())
        for reply in (self.client.frame("private", width=16, height=16),
                      self.client.get(rig_path("private") + "/source")):
            self.assertStatus(reply, 200)


class CachedResponses(DaemonCase):
    """What a daemon without the option has left in its cache on the disk is not served with it."""
    own_daemon = True

    def test_caches_of_other_uses_do_not_count(self):
        from daemon import Daemon
        from client import Client
        with tempfile.TemporaryDirectory() as folder:
            for uses, status in (("none", 200), ("commercial", 403), ("none", 200)):
                daemon = Daemon(args=["--cache", folder, "--uses", uses]).start()
                try:
                    client = Client(daemon.port)
                    assert client.put("private", licensed()).status == 201
                    for _ in range(2):
                        self.assertStatus(client.frame("private", width=16, height=16), status)
                finally:
                    daemon.stop()


class Program(DaemonCase):
    """Every value of every member, by `pose frame FILE --uses`."""

    def run_pose(self, *words):
        command = [str(POSE), *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    def draw(self, body, use, *words):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "avatar.vrm")
            with open(path, "wb") as file:
                file.write(body)
            return self.run_pose("frame", path, "--uses", use, "--width", "8", "--height", "8",
                                 "-o", os.path.join(folder, "a.png"), *words)

    def test_each_value_allows_what_the_schema_says(self):
        for version, terms in (("1.0", TERMS_1), ("0.0", TERMS_0)):
            for use, (key, allowing, forbidding) in terms.items():
                for value in allowing + forbidding:
                    with self.subTest(version=version, use=use, value=value):
                        done = self.draw(licensed(version, **{key: value}), use)
                        self.assertEqual(done.returncode == 0, value in allowing, done.stderr)
                        if value not in allowing:
                            self.assertIn(key, done.stderr)

    def test_a_conversion_is_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path, out = os.path.join(folder, "avatar.vrm"), os.path.join(folder, "out.glb")
            with open(path, "wb") as file:
                file.write(licensed(modification="allowModification"))
            done = self.run_pose("convert", path, "-o", out, "--uses", "modification,redistribution")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("allowRedistribution", done.stderr)
            self.assertFalse(os.path.exists(out))
            self.assertEqual(self.run_pose("convert", path, "-o", out, "--uses", "modification").returncode, 0)

    def test_unknown_uses_are_refused(self):
        for use in ("trade", "commercial,commercial", "", "commercial,"):
            with self.subTest(use=use):
                self.assertEqual(self.draw(licensed(), use).returncode, 2)

    def test_options_of_files_are_refused_with_rigs(self):
        for option in (("--uses", "commercial"), ("--units", "cm"), ("--up", "z")):
            for command in (("frame", "fox"), ("frames", "fox"), ("sheet", "fox"), ("turntable", "fox"),
                            ("compare", "fox", "lbs", "dqs")):
                with self.subTest(command=command, option=option):
                    done = self.run_pose(*command, *option, "--server", f"http://127.0.0.1:{self.daemon.port}",
                                         *([] if command[0] == "compare" else ["-o", "/dev/null"]))
                    self.assertEqual(done.returncode, 2, done.stderr)
                    self.assertIn(option[0] + " is of a FILE", done.stderr)
