"""What "Copy as" gives is run, and gives the very picture that is on the screen."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from case import ROOT
from client import PNG
from page_case import PageCase


class Copies(PageCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="posed-copies-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def shown(self):
        page = self.held("humanoid", "Walk", 0.25, width=1000, height=500)
        page.click("#add-layer")
        page.choose(".layer select", "Wave")
        page.choose(".layer input", "0.4")
        page.choose("#turn-y", "35")
        page.choose("#shading", "matcap")  # which only pictures show
        page.click("#overlay-skeleton")
        page.key("1")
        page.settle()
        return page

    def text(self, page, form):
        page.click("#copy")
        page.choose("#copy-form", form)
        text = page.evaluate("document.querySelector('#copy-text').value")
        page.click("#copy-close")
        return text

    def picture(self, page):
        """The bytes of the picture that is on the screen, asked for again."""
        request = page.sent("/v1/frame")[-1]
        return self.assertStatus(self.client.post("frame", request, accept=PNG), 200).body

    def run_here(self, *command, **more):
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "clients" / "python"), **more}
        subprocess.run(command, cwd=self.folder, env=environment, check=True, timeout=60)
        return (self.folder / "humanoid.png").read_bytes()

    def test_json_is_the_request_itself(self):
        page = self.shown()
        request = json.loads(self.text(page, "json"))
        self.assertEqual(request, page.sent("/v1/frame")[-1])
        self.assertEqual(request["shading"], "matcap")
        self.assertIn("blend", request["pose"]["set"])

    def test_curl_runs(self):
        page = self.shown()
        self.assertEqual(self.run_here("sh", "-c", self.text(page, "curl")), self.picture(page))

    def test_python_runs(self):
        page = self.shown()
        self.assertEqual(self.run_here("python3", "-c", self.text(page, "python")),
                         self.picture(page))

    @unittest.skipUnless(shutil.which("node"), "there is no node")
    def test_javascript_runs(self):
        page = self.shown()
        modules = self.folder / "node_modules"
        modules.mkdir()
        (modules / "posed").symlink_to(ROOT / "clients" / "js")
        (self.folder / "copied.mjs").write_text(self.text(page, "javascript"))
        self.assertEqual(self.run_here("node", "copied.mjs"), self.picture(page))

    def test_link_opens_what_was_shown(self):
        page = self.shown()
        page.click("#add-layer")
        page.click(".layer:last-child .row button")
        page.evaluate("[...document.querySelectorAll('#joints button')]"
                      ".find((b) => b.innerText === 'Neck').click()")
        page.choose("#method", "dqs")
        page.settle()
        request = page.sent("/v1/frame")[-1]
        self.assertIn("layers", request["pose"]["set"])
        link = self.text(page, "link")
        other = self.browser.open(1000, 500)
        self.addCleanup(other.close)
        other.go(link)
        other.wait("document.getElementById('name').textContent === 'humanoid'")
        other.settle()
        self.assertEqual(other.sent("/v1/frame")[-1], request)
        self.assertEqual(other.complaints, [])

    def test_link_that_was_cut_off_still_opens_the_rig(self):
        page = self.page("#rig=humanoid&state=%7B%22layers")
        page.wait("document.getElementById('name').textContent === 'humanoid'")
        page.settle()
        self.assertEqual(page.complaints, [])

    def test_comparison_is_copied_as_one(self):
        page = self.held("cyl2", "bend", 0.5)
        page.choose("#beside", "dqs")
        page.click("[value=pictures]")
        page.settle()
        text = self.text(page, "curl")
        self.assertIn("/v1/compare", text)
        self.assertEqual(json.loads(self.text(page, "json")), page.sent("/v1/compare")[-1])
        python = self.text(page, "python").replace("cyl2.png", "humanoid.png")
        request = page.sent("/v1/compare")[-1]
        self.assertEqual(self.run_here("python3", "-c", python),
                         self.assertStatus(self.client.post("compare", request, accept=PNG), 200).body)

    def test_copies_to_the_clipboard(self):
        page = self.shown()
        page.evaluate("""Object.defineProperty(navigator, 'clipboard', {
            value: { writeText: async (text) => { window.copied = text; } } })""")
        text = self.text(page, "curl")
        page.click("#copy")
        page.choose("#copy-form", "curl")
        page.click("#copy-yes")
        page.wait("window.copied")
        self.assertEqual(page.evaluate("window.copied"), text)
