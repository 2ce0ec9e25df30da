"""The JavaScript client in Node against the real daemon; the cases are in javascript.mjs."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile
import unittest

from case import DEMO, DaemonCase
from daemon import ROOT
from openapi import operations, schemas

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = ROOT / "clients" / "js"
NODE_MODULES = ROOT / "tests" / "conformance" / "node_modules"


def node(*arguments, **options):
    return subprocess.run(["node", *map(str, arguments)], check=True, capture_output=True,
                          text=True, timeout=120, **options).stdout


def npm(*arguments, **options):
    subprocess.run(["npm", *map(str, arguments)], check=True, capture_output=True, timeout=300,
                   **options)


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

    def test_first_example_of_the_readme_runs(self):
        text = (PACKAGE / "README.md").read_text(encoding="utf-8")
        program = re.search(r"```js\n(.*?)```", text, re.DOTALL)[1]
        place = "http://127.0.0.1:8600"
        self.assertIn(place, program)
        with tempfile.TemporaryDirectory() as folder:
            modules = pathlib.Path(folder, "node_modules")
            modules.mkdir()
            modules.joinpath("posed").symlink_to(PACKAGE)
            pathlib.Path(folder, "posed").symlink_to(ROOT)
            pathlib.Path(folder, "first.mjs").write_text(
                program.replace(place, f"http://127.0.0.1:{self.daemon.port}")
                + "console.log(picture.size);\n", encoding="utf-8")
            self.addCleanup(self.client.request, "DELETE", "/v1/rigs/walker")
            printed = node("first.mjs", cwd=folder)
        want = self.client.frame("walker", {"clip": "Walk", "time": 0.4}, width=256).body
        self.assertEqual(int(printed), len(want))

    def test_package_has_types(self):
        """The package as npm makes it, for someone who writes TypeScript."""
        compiler = NODE_MODULES / "typescript" / "bin" / "tsc"
        if not compiler.exists():
            self.skipTest("TypeScript is not here: tests/conformance/run.py installs it")
        with tempfile.TemporaryDirectory() as folder:
            sources = pathlib.Path(folder, "posed", "clients", "js")
            shutil.copytree(PACKAGE, sources,
                            ignore=shutil.ignore_patterns("types", "node_modules", "LICENSE"))
            shutil.copy(ROOT / "LICENSE", pathlib.Path(folder, "posed"))
            user = pathlib.Path(folder, "user")
            user.mkdir()
            path = os.pathsep.join([str(NODE_MODULES / ".bin"), os.environ["PATH"]])
            npm("pack", "--pack-destination", user, cwd=sources, env={**os.environ, "PATH": path})
            user.joinpath("package.json").write_text('{"type": "module"}', encoding="utf-8")
            self.assert_holds_what_is_meant(*user.glob("*.tgz"))
            npm("install", "--offline", "--no-audit", "--no-fund", *user.glob("*.tgz"), cwd=user)
            installed = user / "node_modules" / "posed"
            for file in ("LICENSE", "examples/walk.js"):
                self.assertTrue(installed.joinpath(file).exists(), file)
            shutil.copy(HERE / "user.ts", user)
            shutil.copy(HERE / "three.d.ts", user)
            for way in (("nodenext",), ("esnext", "--moduleResolution", "bundler")):
                done = subprocess.run(
                    ["node", compiler, "--strict", "--noEmit", "--skipDefaultLibCheck", "--target", "es2022", "--lib",
                     "es2022,dom", "--module", *way, "user.ts", "three.d.ts"],
                    cwd=user, capture_output=True, text=True, timeout=300)
                self.assertEqual(done.returncode, 0, done.stdout)

    def assert_holds_what_is_meant(self, archive):
        with tarfile.open(archive) as packed:
            names = {name.removeprefix("package/") for name in packed.getnames()}
        folders = ("client", "element", "three", "examples")
        sources = {str(path.relative_to(PACKAGE)) for folder in folders
                   for pattern in ("*.js", "*.d.ts", "*.jsx", "*.html") for path in (PACKAGE / folder).glob(pattern)}
        types = {f"types/{name[:-3]}.d.ts" for name in sources if name.startswith("client/")}
        self.assertEqual(names, {"package.json", "README.md", "LICENSE"} | sources | types)

    def test_types_of_answers_are_those_of_the_api(self):
        text = (PACKAGE / "client" / "responses.js").read_text(encoding="utf-8")
        types = re.split(r"@typedef \{object\} ", text)[1:]
        described, known = schemas(), 0
        for part in types:
            name = part.split()[0]
            if name not in described:
                continue
            known += 1
            required = re.findall(r"@property \{.*\} (\w+)", part)
            optional = re.findall(r"@property \{.*\} \[(\w+)\]", part)
            self.assertEqual(set(required), set(described[name]["required"]), name)
            self.assertEqual({*required, *optional}, set(described[name]["properties"]), name)
        self.assertEqual(known, 15)


def method_of(name):
    def test(self):
        case = self.cases[name]
        if case["skipped"]:
            self.skipTest(case["skipped"])
        self.assertIsNone(case["failure"], case["failure"])
    return test


for case in names():
    setattr(InNode, "test_" + re.sub(r"\W+", "_", case), method_of(case))
