"""docs/checks.md: its reference against the program's own, its rules file, and what it has pipelines run."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

import checks_page
from daemon import ROOT

POSE = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build/pose")).resolve()
SOUND = ROOT / "assets/demo/tube23.glb"
FAULTY = ROOT / "assets/demo/cyl2.glb"  # its twist wrings the skin to a point


class Pipelines(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="posed-checks-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "assets").mkdir()
        (self.root / "bin").mkdir()
        (self.root / "bin/pose").symlink_to(POSE)

    def run_line(self, line, **environment):
        return subprocess.run(["sh", "-c", line], cwd=self.root, capture_output=True, text=True, timeout=300, env={
            **os.environ, "PATH": f"{self.root / 'bin'}:{os.environ['PATH']}", **environment})

    def lines(self, kind):
        """The commands in blocks of YAML or Groovy."""
        text = checks_page.PAGE.read_text(encoding="utf-8")
        blocks = re.findall(rf"^```{kind}\n(.*?)^```$", text, re.M | re.S)
        found = [line for block in blocks for line in re.findall(r"(?:run: |- |sh ')(pose check [^'\n]*)", block)]
        self.assertTrue(found, kind)
        return found

    def outcome(self, line):
        """Statuses with a sound asset, then with a faulty one beside it."""
        summary = str(self.root / "summary.md")
        statuses = []
        for asset in (SOUND, FAULTY):
            (self.root / "assets" / asset.name).write_bytes(asset.read_bytes())
            result = self.run_line(line, GITHUB_STEP_SUMMARY=summary)
            statuses.append(result.returncode)
            self.assertIn(result.returncode, (0, 5), result.stderr)
        return statuses, result.stdout

    def test_a_build_fails_by_a_fault_and_not_without(self):
        for line in self.lines("yaml") + self.lines("groovy"):
            with self.subTest(line=line):
                for old in (self.root / "assets").iterdir():
                    old.unlink()
                statuses, _ = self.outcome(line)
                self.assertEqual(statuses, [0, 5])

    def test_reports_that_pipelines_collect_are_there(self):
        github, gitlab = self.lines("yaml")
        _, printed = self.outcome(github)
        self.assertIn("::error file=assets/cyl2.glb,", printed)
        sarif = json.loads((self.root / "checks.sarif").read_text())
        self.assertEqual(sarif["version"], "2.1.0")
        self.assertIn("surface/collapse", {result["ruleId"] for result in sarif["runs"][0]["results"]})
        self.assertIn("cyl2.glb", (self.root / "summary.md").read_text())
        self.outcome(gitlab)
        cases = xml.etree.ElementTree.parse(self.root / "checks.xml").getroot()
        self.assertTrue(cases.findall(".//failure"))
        self.assertIn("cyl2.glb", (self.root / "checks.html").read_text())


class Page(unittest.TestCase):
    maxDiff = 4000

    def test_the_reference_is_what_the_program_explains(self):
        self.assertEqual(checks_page.PAGE.read_text(encoding="utf-8"), checks_page.page(),
                         "renew it with tests/commands/checks_page.py")

    def test_every_rule_has_the_anchor_that_reports_name(self):
        page = checks_page.PAGE.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory(prefix="posed-checks-") as folder:
            report = pathlib.Path(folder, "report.json")
            subprocess.run([POSE, "check", FAULTY, "--quiet", "--fail-on", "never", "--json", report], check=True)
            findings = json.loads(report.read_text())["files"][0]["findings"]
        self.assertTrue(findings)
        for finding in findings:
            self.assertIn(f'<a id="{finding["help"].partition("#")[2]}"></a>{finding["rule"]}\n', page)

    def test_the_rules_file_is_accepted(self):
        text = checks_page.PAGE.read_text(encoding="utf-8")
        rules = re.search(r"^```json\n(.*?)^```$", text, re.M | re.S)[1]
        with tempfile.TemporaryDirectory(prefix="posed-checks-") as folder:
            path = pathlib.Path(folder, "rules.json")
            path.write_text(rules)
            result = subprocess.run([POSE, "check", SOUND, "--rules", path], capture_output=True, text=True)
            self.assertEqual(result.returncode, 0, result.stderr)
            path.write_text(rules.replace("airborne", "airbourne"))
            result = subprocess.run([POSE, "check", SOUND, "--rules", path], capture_output=True, text=True)
            self.assertEqual(result.returncode, 2)
            self.assertIn("airborne", result.stderr)


if __name__ == "__main__":
    unittest.main()
