"""<posed-viewer> on a page of another origin: one script tag, against the daemon's own pictures."""
import json

from client import PNG
from host import serve
from page_case import BACKDROP, BACKDROP_PIXEL, PageCase, area, overlap
from picture import Picture

FAINT = 12  # alpha of 255 that is seen as another colour
MEET = 0.95  # intersection over union; edges have their samples at other places
SIDE = 256
ELEMENT = "document.querySelector('posed-viewer')"


class Element(PageCase):
    def shown(self, attributes):
        """A page with the element on it, opened."""
        host = serve(self, f"""<!doctype html><title>a page</title>
            <script>
            window.seen = {{ load: 0, frame: 0, error: [], first: null }};
            for (const name of ['load', 'frame', 'error']) {{
                document.addEventListener(name, (event) => {{
                    if (event.target.localName !== 'posed-viewer') return;
                    if (name === 'error') seen.error.push(event.detail.message);
                    else seen[name]++;
                    if (name === 'frame') seen.first ??= performance.now();
                }}, true);
            }}
            </script>
            <script type="module" src="{self.address}js/element/posed-viewer.js"></script>
            <style>body {{ margin: 0; background: {BACKDROP} }}
            posed-viewer {{ display: block; width: {SIDE}px; height: {SIDE}px }}</style>
            <posed-viewer {attributes}></posed-viewer>""")
        page = self.browser.open(SIDE, SIDE)
        self.addCleanup(page.close)
        page.go(host.address)
        return page

    def test_plays_without_complaint(self):
        page = self.shown('rig="humanoid" clip="Walk"')
        page.wait("seen.frame > 10")
        self.assertEqual(page.evaluate("seen.load"), 1)
        self.assertEqual(page.complaints, [])
        walk = next(c for c in self.description("humanoid")["clips"] if c["name"] == "Walk")
        self.assertAlmostEqual(page.evaluate(ELEMENT + ".duration"), walk["duration"], 6)
        page.evaluate(ELEMENT + ".pause()")
        self.assertTrue(page.evaluate(ELEMENT + ".paused"))

    def test_shows_what_the_daemon_draws(self):
        page = self.shown('rig="humanoid" clip="Run" time="0.2" paused yaw="40" pitch="20"')
        page.wait("seen.frame > 0")
        page.settle()
        self.assertAlmostEqual(page.evaluate(ELEMENT + ".currentTime"), 0.2, 6)
        rows = Picture(page.picture()).rows
        seen = [[tuple(pixel[:3]) != BACKDROP_PIXEL for pixel in row] for row in rows]
        reply = self.client.post("frame", {
            "rig": "humanoid", "pose": {"clip": "Run", "time": 0.2}, "width": SIDE, "height": SIDE,
            "camera": page.evaluate(ELEMENT + ".camera")}, accept=PNG)
        drawn = [[pixel[3] > FAINT for pixel in row]
                 for row in Picture(self.assertStatus(reply, 200).body).rows]
        self.assertGreater(area(seen), SIDE * SIDE * 0.02)
        self.assertGreater(overlap(seen, drawn), MEET)

    def test_attributes_change_what_is_shown(self):
        page = self.shown('rig="cyl2" clip="bend" paused')
        page.wait("seen.frame > 0")
        page.settle()
        before = page.picture()
        page.evaluate(ELEMENT + ".setAttribute('time', 1)")
        page.settle()
        bent = page.picture()
        self.assertNotEqual(before, bent)
        page.evaluate(ELEMENT + ".setAttribute('skinning', 'dqs')")
        page.settle()
        self.assertNotEqual(page.picture(), bent)
        page.evaluate(ELEMENT + ".removeAttribute('clip')")
        pose = json.dumps({"clip": "bend", "time": 1})
        page.evaluate(ELEMENT + f".setAttribute('pose', {pose!r})")
        page.evaluate(ELEMENT + ".setAttribute('skinning', 'lbs')")
        page.settle()
        self.assertEqual(page.picture(), bent)
        page.evaluate(ELEMENT + ".setAttribute('rig', 'humanoid')")
        page.wait("seen.load === 2")

    def test_what_is_wrong_comes_as_an_event(self):
        page = self.shown('rig="humanoid" clip="Wlak"')
        page.wait("seen.error.length > 0")
        self.assertIn("Walk", page.evaluate("seen.error[0]"))
        page = self.shown('rig="nobody"')
        page.wait("seen.error.length > 0")
        self.assertIn('no rig "nobody"', page.evaluate("seen.error[0]"))

    def test_goes_and_comes_back(self):
        page = self.shown('rig="cyl2" clip="bend"')
        page.wait("seen.frame > 0")
        page.evaluate("window.kept = " + ELEMENT + "; kept.remove()")
        page.settle()
        page.evaluate("document.body.append(kept); undefined")
        frames = page.evaluate("seen.frame")
        page.wait(f"seen.load === 2 && seen.frame > {frames}")
        self.assertEqual(page.complaints, [])
