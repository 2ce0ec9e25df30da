"""The attributes of <posed-viewer> about how it looks on a page, what it shows before its first frame, its
controls and warnings."""
import json
import struct

import browser
from case import DEMO
from host import serve
from page_case import PageCase, differ
from picture import Picture

SIDE = 200
ELEMENT = "document.querySelector('posed-viewer')"
ROOT = ELEMENT + ".shadowRoot"
MAGENTA = (255, 0, 255)
DIM_STOPS = -3
MOST_OFF = 14  # of 255, in the mean over pixels inside: textures and edges are sampled elsewhere


class Embedding(PageCase):
    def shown(self, attributes, script="", style=""):
        host = serve(self, f"""<!doctype html><title>a page</title>
            <script>
            {script}
            window.seen = {{ load: 0, frame: 0, error: [], warning: [] }};
            for (const name of ['load', 'frame'])
                document.addEventListener(name, (e) => e.target.localName === 'posed-viewer' && seen[name]++, true);
            for (const name of ['error', 'warning'])
                document.addEventListener(name, (e) => seen[name].push(e.detail?.message ?? e.detail), true);
            </script>
            <script type="module" src="{self.address}js/element/posed-viewer.js"></script>
            <style>body {{ margin: 0; background: rgb{MAGENTA} }} {style}
            posed-viewer {{ display: block; width: {SIDE}px; height: {SIDE}px }}</style>
            <posed-viewer {attributes}></posed-viewer>""")
        page = self.browser.open(SIDE, SIDE)
        self.addCleanup(page.close)
        page.go(host.address)
        return page

    def still(self, attributes):
        page = self.shown(attributes)
        page.wait("seen.frame > 0")
        page.evaluate(browser.FRAMES_GO_BY)
        return page

    def corner(self, page):
        return tuple(Picture(page.picture()).rows[2][2][:3])

    def test_background(self):
        page = self.still('rig="cyl2" paused')
        self.assertEqual(self.corner(page), MAGENTA)
        page.evaluate(ELEMENT + ".setAttribute('background', 'rgb(10, 200, 30)')")
        page.evaluate(browser.FRAMES_GO_BY)
        self.assertEqual(self.corner(page), (10, 200, 30))

    def test_alt(self):
        label = ROOT + ".querySelector('canvas').getAttribute('aria-label')"
        page = self.still('rig="cyl2" paused')
        self.assertEqual(page.evaluate(label), "cyl2")
        page.evaluate(ELEMENT + ".setAttribute('alt', 'A bent pipe')")
        self.assertEqual(page.evaluate(label), "A bent pipe")

    def test_auto_rotate_until_it_is_touched(self):
        yaw = ELEMENT + ".camera.yaw"
        page = self.still('rig="cyl2" paused yaw="10" auto-rotate="40"')
        begun = page.evaluate(f"[performance.now(), {yaw}]")
        page.wait(f"{yaw} > {begun[1]} + 5")
        ended = page.evaluate(f"[performance.now(), {yaw}]")
        self.assertLessEqual(ended[1] - begun[1], 40 * (ended[0] - begun[0]) / 1000 + 4)
        page.drag((50, 50), (51, 50))
        held = page.evaluate(yaw)
        page.evaluate("new Promise((resolve) => setTimeout(resolve, 300))")
        self.assertEqual(page.evaluate(yaw), held)

    def test_auto_rotate_is_not_for_those_who_want_less_motion(self):
        page = self.still('rig="cyl2" paused yaw="10"')
        page.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
        page.evaluate(ELEMENT + ".setAttribute('auto-rotate', '90')")
        page.evaluate("new Promise((resolve) => setTimeout(resolve, 300))")
        self.assertEqual(page.evaluate(ELEMENT + ".camera.yaw"), 10)

    def test_light_is_the_daemon_s(self):
        page = self.still('rig="humanoid" paused')
        for environment, exposure in (("studio", 0), ("soft", 0), ("neutral", -1), ("studio", DIM_STOPS)):
            with self.subTest(environment, exposure=exposure):
                page.evaluate(f"{ELEMENT}.setAttribute('environment', '{environment}')")
                page.evaluate(f"{ELEMENT}.setAttribute('exposure', '{exposure}')")
                page.evaluate(browser.FRAMES_GO_BY)
                rows = Picture(page.picture()).rows
                reply = self.client.post("frame", {
                    "rig": "humanoid", "width": SIDE, "height": SIDE, "environment": environment,
                    "exposure": exposure, "camera": page.evaluate(ELEMENT + ".camera")}, accept="image/png")
                drawn = Picture(self.assertStatus(reply, 200).body).rows
                off = [abs(a - b) for row, other in zip(rows, drawn) for pixel, want in zip(row, other)
                       if want[3] == 255 and tuple(pixel[:3]) != MAGENTA for a, b in zip(pixel[:3], want[:3])]
                self.assertGreater(len(off), 3000)
                self.assertLess(sum(off) / len(off), MOST_OFF)
        page.evaluate(ELEMENT + ".setAttribute('environment', 'noon')")
        page.wait("seen.error.some((text) => text.includes('must be one of: studio, soft, neutral'))")

    # Has the answers about a rig wait until the test lets them go.
    HOLD = """
        const real = fetch;
        window.waiting = [];
        window.go = () => {
            window.fetch = real;
            for (const each of waiting) each();
        };
        window.fetch = async (url, options) => {
            if (String(url).includes('/v1/')) await new Promise((go) => waiting.push(go));
            return real(url, options);
        };"""

    def test_spinner_until_there_is_a_frame(self):
        page = self.shown('rig="cyl2" paused', script=self.HOLD)
        page.wait("waiting.length > 0")
        # A fifth of a second after the element began.
        opacity = f"getComputedStyle({ROOT}.querySelector('[part=spinner]')).opacity"
        page.evaluate("new Promise((resolve) => setTimeout(resolve, 200))")
        self.assertEqual(page.evaluate(opacity), "1")
        page.evaluate("go()")
        page.wait("seen.frame > 0")
        page.wait(f"!{ROOT}.querySelector('[part=spinner]').checkVisibility()")

    def test_poster_until_there_is_a_frame(self):
        poster = ROOT + ".querySelector('[part=poster]')"
        pixel = "data:image/gif;base64,R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs="
        page = self.shown(f'rig="cyl2" paused poster="{pixel}"', script=self.HOLD)
        page.wait(f"waiting.length > 0 && {poster}.checkVisibility()")
        self.assertEqual(page.evaluate(poster + ".src"), pixel)
        page.evaluate("go()")
        page.wait(f"seen.frame > 0 && !{poster}.checkVisibility()")

    def test_poster_of_the_daemon(self):
        page = self.shown('rig="cyl2" clip="bend" paused poster="auto" environment="soft"')
        page.wait("seen.frame > 0")
        asked = [request["url"] for request in page.requests if "/frame.webp" in request["url"]]
        self.assertEqual(len(asked), 1)
        self.assertIn("environment=soft", asked[0])
        self.assertIn("clip=bend", asked[0])

    def test_loading(self):
        away = "posed-viewer { margin-top: 4000px }"
        page = self.shown('rig="cyl2" clip="bend"', style=away)
        page.evaluate("new Promise((resolve) => setTimeout(resolve, 400))")
        self.assertEqual([r["url"] for r in page.requests if "/v1/" in r["url"]], [])
        page.evaluate("scrollTo(0, 4000)")
        page.wait("seen.frame > 0")
        page = self.shown('rig="cyl2" clip="bend" loading="eager"', style=away)
        page.wait("seen.load > 0")

    def test_controls(self):
        page = self.shown('rig="head" clip="Nod" paused controls')
        row = ROOT + ".querySelector('[part=controls]')"
        page.wait(f"seen.frame > 0 && {row}.checkVisibility()")
        self.assertEqual(page.evaluate(f"[...{row}.querySelectorAll('option')].map((o) => o.value)"),
                         ["", *(clip["name"] for clip in self.description("head")["clips"])])
        weights = [w for joint in self.description("head")["joints"] for w in joint.get("weights", ())]
        self.assertGreater(len(weights), 0)
        self.assertEqual(page.evaluate(f"{row}.querySelectorAll('input').length"), len(weights))
        before = page.picture()
        page.evaluate(f"""{{
            const slider = {row}.querySelector('input');
            slider.value = 1;
            slider.dispatchEvent(new Event('input'));
        }}""")
        page.wait("seen.frame > 1")
        page.evaluate(browser.FRAMES_GO_BY)
        self.assertEqual(page.evaluate(ELEMENT + ".morphs[0].weight"), 1)
        pairs = zip(Picture(before).rows, Picture(page.picture()).rows)
        self.assertTrue(any(differ(a, b) for row, other in pairs for a, b in zip(row, other)))
        page.evaluate(f"{row}.querySelector('button').click()")
        page.wait(f"!{ELEMENT}.paused && seen.frame > 4")

    def test_warnings_are_shown(self):
        glb = (DEMO / "cyl2.glb").read_bytes()
        length, = struct.unpack_from("<I", glb, 12)
        document = json.loads(glb[20:20 + length])
        document["extensionsUsed"] = ["EXT_of_nobody"]
        text = json.dumps(document).encode()
        text += b" " * (-len(text) % 4)
        rest = glb[20 + length:]
        self.put_rig("warned", struct.pack("<III", 0x46546c67, 2, 20 + len(text) + len(rest)) +
                     struct.pack("<II", len(text), 0x4e4f534a) + text + rest)
        warnings = self.description("warned")["warnings"]
        self.assertGreater(len(warnings), 0)
        page = self.shown('rig="warned" paused')
        page.wait(f"seen.frame > 0 && {ROOT}.querySelector('[part=warning]').checkVisibility()")
        self.assertEqual(page.evaluate("seen.warning"), [warnings])
        self.assertEqual(page.evaluate(f"[...{ROOT}.querySelectorAll('[part=warning] li')]"
                                       ".map((item) => item.textContent)"), warnings)
