"""The JavaScript client in Node against the real daemon; the cases are in javascript.mjs."""
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from case import DEMO, DaemonCase
from daemon import ROOT
from openapi import operations

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = ROOT / "clients" / "js"
NODE_MODULES = ROOT / "tests" / "conformance" / "node_modules"


def node(*arguments, **options):
    return subprocess.run(["node", *map(str, arguments)], check=True, capture_output=True,
                          text=True, timeout=120, **options).stdout


def names():
    """The cases; none without Node."""
    return node(HERE / "javascript.mjs", "--list").splitlines() if shutil.which("node") else []


class InNode(DaemonCase):
    daemon_args = ("--load", str(DEMO))

    @classmethod
    def prepare(cls):
        if not shutil.which("node"):
            raise unittest.SkipTest("there is no node")
        address = f"http://127.0.0.1:{cls.daemon.port}"
        lines = node(HERE / "javascript.mjs", address, *names()).splitlines()
        cls.cases = {case["name"]: case for case in map(json.loads, lines)}

    def test_example_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            # As npm would have put it there.
            modules = pathlib.Path(folder, "node_modules")
            modules.mkdir()
            modules.joinpath("posed").symlink_to(PACKAGE)
            program = pathlib.Path(folder, "walk.js")
            program.write_text((PACKAGE / "examples" / "walk.js").read_text(encoding="utf-8"),
                               encoding="utf-8")
            pathlib.Path(folder, "package.json").write_text('{"type": "module"}', encoding="utf-8")
            output = node(program, f"http://127.0.0.1:{self.daemon.port}", cwd=folder)
            picture = pathlib.Path(folder, "walk.png").read_bytes()
        step = {"clip": "Walk", "phase": 0.25}
        self.assertEqual(picture, self.client.frame("humanoid", step, width=256, height=256).body)
        head = self.joints("humanoid", step)["Head"]["world"][12:15]
        self.assertIn(" ".join(f"{x:.3f}" for x in head), output)

    def test_has_a_method_for_every_call_of_the_api(self):
        covered = json.loads(node(HERE / "javascript.mjs", "--operations"))
        self.assertEqual(len(covered), len(set(covered)), "an operation has two methods")
        self.assertEqual(set(covered), operations())

    def test_types(self):
        """The types that the package comes with, made from its sources by the compiler itself."""
        compiler = NODE_MODULES / "typescript" / "bin" / "tsc"
        if not compiler.exists():
            self.skipTest("TypeScript is not here: tests/conformance/run.py installs it")
        with tempfile.TemporaryDirectory() as folder:
            types = pathlib.Path(folder, "types")
            node(compiler, "--project", PACKAGE, "--outDir", types)
            user = pathlib.Path(folder, "user.ts")
            user.write_text(
                "import { Client, Problem, Vertices } from './types/client/posed.js';\n"
                "const client = new Client('http://a', { token: 'b' });\n"
                "export const found: Promise<Vertices | null> ="
                " client.vertices({ rig: 'a', skinning: { method: 'dqs' } });\n"
                "export const status = (error: Problem): number => error.status;\n"
                "// @ts-expect-error\nclient.vertices({ pose: 'rest' });\n",
                encoding="utf-8")
            done = subprocess.run(
                ["node", compiler, "--strict", "--noEmit", "--module", "nodenext", "--target",
                 "es2022", "--lib", "es2022,dom", user],
                capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stdout)


def method_of(name):
    def test(self):
        case = self.cases[name]
        if case["skipped"]:
            self.skipTest(case["skipped"])
        self.assertIsNone(case["failure"], case["failure"])
    return test


for case in names():
    setattr(InNode, "test_" + re.sub(r"\W+", "_", case), method_of(case))
