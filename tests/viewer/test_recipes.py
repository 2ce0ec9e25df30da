"""The example pages of the JavaScript client as they stand, but for the daemon's address, on a host of another
origin."""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from daemon import ROOT
from host import serve
from page_case import PageCase

EXAMPLES = ROOT / "clients" / "js" / "examples"
MODULES = ROOT / "tests" / "conformance" / "node_modules"
ADDRESS = "http://127.0.0.1:8600"
ELEMENT = "document.querySelector('posed-viewer')"
COUNT_FRAMES = """
window.frames_of = {};
document.addEventListener('frame', (event) => {
    const shown = event.target.getAttribute('rig') + ' ' + event.target.getAttribute('clip');
    frames_of[shown] = (frames_of[shown] ?? 0) + 1;
}, true);
"""


class Recipes(PageCase):
    def example(self, name):
        text = (EXAMPLES / name).read_text(encoding="utf-8")
        self.assertIn(ADDRESS, text)
        return text.replace(ADDRESS, f"http://127.0.0.1:{self.daemon.port}")

    def show(self, html, folders=None):
        page = self.browser.open(700, 700)
        self.addCleanup(page.close)
        page.call("Page.addScriptToEvaluateOnNewDocument", source=COUNT_FRAMES)
        page.go(serve(self, html, folders).address)
        return page

    def test_plain_page(self):
        page = self.show(self.example("page.html"))
        page.wait("frames_of['humanoid Run'] > 3")
        page.wait("[...document.images].every((image) => image.complete && image.naturalWidth === 256)")
        page.evaluate("document.querySelector('button[value=head]').click()")
        page.wait("frames_of['head null'] > 0")
        self.assertEqual(page.complaints, [])

    def bundle(self):
        """The page's script as an application is built for the web."""
        if not (MODULES / "esbuild").exists() or not shutil.which("node"):
            raise unittest.SkipTest("esbuild is not here: tests/conformance/run.py installs it")
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "react.jsx")
            source.write_text(self.example("react.jsx"), encoding="utf-8")
            modules = pathlib.Path(folder, "node_modules")
            modules.mkdir()
            for name in ("react", "react-dom", "scheduler"):
                (modules / name).symlink_to(MODULES / name)
            (modules / "posed").symlink_to(ROOT / "clients" / "js")
            return subprocess.run(
                ["node", MODULES / ".bin" / "esbuild", source, "--bundle", "--format=esm", "--jsx=automatic",
                 "--preserve-symlinks", "--define:process.env.NODE_ENV=\"production\""],
                check=True, capture_output=True, text=True).stdout

    def test_react(self):
        html = ('<!doctype html><title>React</title><div id="page"></div><script type="module">'
                + self.bundle().replace("</script", "<\\/script") + "</script>")
        page = self.show(html)
        page.wait("frames_of['humanoid Walk'] > 3")
        page.evaluate("[...document.querySelectorAll('button')].find((b) => b.textContent === 'Run').click()")
        page.wait("frames_of['humanoid Run'] > 3")
        self.assertEqual(page.evaluate("document.querySelector('[role=alert]').textContent"), "")
        self.assertEqual(page.complaints, [])
        self.client.request("DELETE", "/v1/rigs/humanoid")
        page = self.show(html)
        page.wait("document.querySelector('[role=alert]').textContent.includes('humanoid')")


if __name__ == "__main__":
    unittest.main()
