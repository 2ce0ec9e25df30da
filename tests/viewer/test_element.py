"""<posed-viewer> on a page of another origin: one script tag, against the daemon's own pictures."""
import json

import browser
from case import DEMO
from client import PNG
from host import serve
from page_case import BACKDROP, BACKDROP_PIXEL, PageCase, area, differ, overlap
from picture import Picture

FAINT = 12  # alpha of 255 that is seen as another colour
MEET = 0.95  # intersection over union; edges have their samples at other places
MOST_UNLIKE = 0.005  # share of pixels: edges
SIDE = 256
# Expressions are streamed, clips that play are not.
BEND, TWIST = ('{"clip": "%s", "loop": "repeat"}' % clip for clip in ("bend", "twist"))
ELEMENT = "document.querySelector('posed-viewer')"
# Counts the streams that the page reads. The browser itself notes some time later that one was canceled.
COUNT_STREAMS = """
window.streams = { open: 0, most: 0 };
const fetch_of_browser = window.fetch;
window.fetch = async (url, options) => {
    if (!url.endsWith('/v1/stream')) return fetch_of_browser(url, options);
    streams.most = Math.max(streams.most, ++streams.open);
    let end = () => { streams.open--; end = () => {}; };
    options.signal.addEventListener('abort', () => end());
    try {
        const response = await fetch_of_browser(url, options);
        const reader = response.body.getReader();
        return new Response(new ReadableStream({
            async pull(controller) {
                const { done, value } = await reader.read();
                if (!done) return controller.enqueue(value);
                end();
                controller.close();
            },
            cancel(reason) {
                end();
                return reader.cancel(reason);
            },
        }), response);
    } catch (error) {
        end();
        throw error;
    }
};
"""


class Element(PageCase):
    def shown(self, attributes, count=1, script=""):
        """A page with the element on it, opened; so many of it below one another. script: runs before."""
        host = serve(self, f"""<!doctype html><title>a page</title>
            <script>
            {script}
            window.seen = {{ load: 0, frame: 0, error: [], first: null }};
            window.times_of = Array.from({{ length: {count} }}, () => new Set());
            for (const name of ['load', 'frame', 'error']) {{
                document.addEventListener(name, (event) => {{
                    if (event.target.localName !== 'posed-viewer') return;
                    if (name === 'error') seen.error.push(event.detail.message);
                    else seen[name]++;
                    if (name === 'frame') {{
                        seen.first ??= performance.now();
                        const all = [...document.querySelectorAll('posed-viewer')];
                        times_of[all.indexOf(event.target)]?.add(event.target.currentTime);
                    }}
                }}, true);
            }}
            </script>
            <script type="module" src="{self.address}js/element/posed-viewer.js"></script>
            <style>body {{ margin: 0; background: {BACKDROP} }}
            posed-viewer {{ display: block; width: {SIDE}px; height: {SIDE}px }}</style>
            {f"<posed-viewer {attributes}></posed-viewer>" * count}""")
        page = self.browser.open(SIDE, SIDE * count)
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

    def after(self, page, expression):
        """The frames after a change has come through the stream."""
        frames = page.evaluate("seen.frame")
        page.evaluate(expression)
        page.wait(f"seen.frame > {frames}")
        page.evaluate(browser.FRAMES_GO_BY)
        return page.picture()

    def unlike(self, picture, other):
        """Share of the pixels that differ. Streams that begin otherwise pack into other boxes."""
        pixels = [pixel for row in Picture(picture).rows for pixel in row]
        others = [pixel for row in Picture(other).rows for pixel in row]
        return sum(map(differ, pixels, others)) / len(pixels)

    def assertAlike(self, picture, other):
        self.assertLess(self.unlike(picture, other), MOST_UNLIKE)

    def test_shows_what_the_daemon_draws(self):
        page = self.shown('rig="humanoid" clip="Run" time="0.2" paused yaw="40" pitch="20"')
        page.wait("seen.frame > 0")
        page.evaluate(browser.FRAMES_GO_BY)
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
        page = self.shown('rig="cyl2" clip="twist" loop="clamp" paused')
        page.wait("seen.frame > 0")
        page.evaluate(browser.FRAMES_GO_BY)
        straight = page.picture()
        bent = self.after(page, ELEMENT + ".setAttribute('time', 2)")
        self.assertGreater(self.unlike(straight, bent), MOST_UNLIKE)
        self.assertAlmostEqual(page.evaluate(ELEMENT + ".currentTime"), 2, 6)
        dual = self.after(page, ELEMENT + ".setAttribute('skinning', 'dqs')")
        self.assertGreater(self.unlike(dual, bent), MOST_UNLIKE)
        self.assertAlike(self.after(page, ELEMENT + ".removeAttribute('skinning')"), bent)
        pose = json.dumps({"clip": "twist", "time": 2})
        page.evaluate(ELEMENT + ".setAttribute('time', 0)")
        page.evaluate(ELEMENT + f".setAttribute('pose', {pose!r})")
        self.assertAlike(self.after(page, ELEMENT + ".removeAttribute('clip')"), bent)
        loads = page.evaluate("seen.load")
        self.after(page, ELEMENT + ".setAttribute('pose', '\"rest\"')")
        self.after(page, ELEMENT + ".setAttribute('rig', 'humanoid')")
        self.assertEqual(page.evaluate("seen.load"), loads + 1)
        self.assertEqual(page.complaints, [])

    def test_resized_it_is_never_shown_empty(self):
        page = self.shown('rig="cyl2" paused style="width: 90vw"')
        page.wait("seen.frame > 0")
        page.evaluate(browser.FRAMES_GO_BY)
        canvas = ELEMENT + ".shadowRoot.querySelector('canvas')"
        self.assertStaysDrawn(page, canvas, SIDE + 100, SIDE)

    def test_streams_only_while_it_is_seen(self):
        page = self.shown(f"rig='cyl2' pose='{BEND}'")
        page.wait("seen.frame > 3")
        page.evaluate("document.body.style.paddingTop = '3000px'")
        page.settle(alone=True)
        frames = page.evaluate("seen.frame")
        page.evaluate("new Promise((resolve) => setTimeout(resolve, 500))")
        self.assertEqual(page.evaluate("seen.frame"), frames)
        page.evaluate("document.body.style.paddingTop = 0")
        page.wait(f"seen.frame > {frames + 3}")

    def test_has_no_stream_while_it_is_out_of_sight(self):
        page = self.shown(f"rig='cyl2' pose='{BEND}'")
        page.wait("seen.frame > 3")
        page.evaluate("document.body.style.paddingTop = '3000px'")
        page.settle(alone=True)
        page.evaluate(ELEMENT + f".setAttribute('pose', '{TWIST}')")  # opens none either
        page.settle(alone=True)
        frames = page.evaluate("seen.frame")
        page.evaluate("document.body.style.paddingTop = 0")
        page.wait(f"seen.frame > {frames + 3}")
        self.assertEqual(page.streamed()["pose"]["clip"], "twist")
        page.evaluate(ELEMENT + ".remove()")
        page.settle(alone=True)

    def test_more_of_them_than_a_browser_has_connections(self):
        # So slowly a clip is streamed.
        page = self.shown('rig="cyl2" clip="bend" speed="0.1"', count=8, script=COUNT_STREAMS)
        page.wait("times_of.every((times) => times.size > 5)")
        for i in range(20):  # at whatever point each of them is
            page.evaluate(f"for (const one of document.querySelectorAll('posed-viewer'))"
                          f" one.setAttribute('speed', {0.1 + i % 2 / 50})")
            page.evaluate("new Promise((resolve) => setTimeout(resolve, 30))")
        page.evaluate("document.querySelectorAll('posed-viewer').forEach((one) => one.pause())")
        page.wait("[...document.querySelectorAll('posed-viewer')].every((one) => one.paused)")
        page.evaluate("for (const times of times_of) times.clear()")
        page.evaluate("document.querySelectorAll('posed-viewer')[7].play()")
        page.wait("times_of[7].size > 5")
        self.assertIn(page.evaluate("streams.most"), (4, 5))  # of the six connections
        self.assertEqual(page.evaluate("seen.error"), [])
        self.assertEqual(page.complaints, [])

    def test_all_that_stand_still_are_shown(self):
        page = self.shown('rig="cyl2" clip="bend" time="1" paused', count=8)
        page.wait("times_of.every((times) => times.has(1))")
        page.evaluate("document.querySelectorAll('posed-viewer')[7].currentTime = 2")
        page.wait("times_of[7].has(2)")
        self.assertEqual(page.evaluate("seen.error"), [])

    def test_what_is_wrong_comes_as_an_event(self):
        page = self.shown('rig="humanoid" clip="Wlak"')
        page.wait("seen.error.length > 0")
        self.assertIn("Walk", page.evaluate("seen.error[0]"))
        page = self.shown('rig="nobody"')
        page.wait("seen.error.length > 0")
        self.assertIn('no rig "nobody"', page.evaluate("seen.error[0]"))

    def test_what_is_wrong_can_be_read(self):
        sentence = ELEMENT + ".shadowRoot.querySelector('[part=error]')"
        page = self.shown('rig="cyl2" clip="bned"')
        page.wait(f"{sentence}.checkVisibility() && {sentence}.textContent.includes('bend')")
        page.evaluate(ELEMENT + ".setAttribute('clip', 'bend')")
        page.wait(f"seen.frame > 0 && !{sentence}.checkVisibility()")
        page.evaluate(ELEMENT + ".setAttribute('pose', '{\"clip\": ')")
        page.evaluate("seen.error.length = 0")
        page.evaluate(ELEMENT + ".removeAttribute('clip')")
        page.wait("seen.error.some((text) => text.includes('“pose” is no JSON'))")
        page.evaluate(ELEMENT + ".setAttribute('skinning', '{')")
        page.wait("seen.error.some((text) => text.includes('“skinning” is no JSON'))")
        uncaught = [text for text in page.complaints if "a status of 404" not in text]
        self.assertEqual(uncaught, [])

    def test_wheel_is_the_page_s_until_it_is_meant_for_the_element(self):
        page = self.shown('rig="cyl2" paused')
        page.wait("seen.frame > 0")
        page.evaluate("document.body.style.height = '3000px'")
        distance = ELEMENT + ".camera.distance"
        before = page.evaluate(distance)

        def turn(**more):
            page.call("Input.dispatchMouseEvent", type="mouseWheel", x=50, y=50, deltaX=0,
                      deltaY=40, **more)

        turn()
        page.wait("scrollY > 0")
        self.assertEqual(page.evaluate(distance), before)
        page.evaluate("scrollTo(0, 0)")
        turn(modifiers=2)  # Ctrl
        page.wait(f"{distance} > {before}")
        before = page.evaluate(distance)
        page.evaluate(ELEMENT + ".shadowRoot.querySelector('canvas').focus()")
        turn()
        page.wait(f"{distance} > {before}")

    def test_rig_that_is_replaced_is_shown(self):
        self.put_rig("own", (DEMO / "cyl2.glb").read_bytes())
        page = self.shown('rig="own" loop="clamp" paused')
        page.wait("seen.frame > 0")
        before = page.picture()
        self.put_rig("own", (DEMO / "humanoid.glb").read_bytes())
        page.wait("seen.load === 2 && seen.frame > 1")
        page.evaluate(browser.FRAMES_GO_BY)
        self.assertGreater(self.unlike(before, page.picture()), MOST_UNLIKE)
        frames = page.evaluate("seen.frame")
        self.client.delete("own")  # it stays in sight
        page.evaluate("new Promise((resolve) => setTimeout(resolve, 1500))")
        self.after(page, ELEMENT + ".setAttribute('pose', JSON.stringify({ clip: 'Walk', time: 0.3 }))")
        self.assertGreater(page.evaluate("seen.frame"), frames)
        self.assertEqual(page.evaluate("seen.error"), [])

    def test_changes_before_it_has_opened_count(self):
        page = self.shown('rig="cyl2" clip="Wlak"')
        page.wait("seen.error.length > 0")
        page.evaluate(ELEMENT + ".setAttribute('clip', 'bend')")
        page.wait("seen.frame > 3")

    def test_goes_on_when_the_daemon_comes_back(self):
        page = self.shown('rig="humanoid" clip="Walk"')
        page.wait("seen.frame > 3")
        self.daemon.kill()
        page.wait("seen.error.length > 0")
        held = page.evaluate(ELEMENT + ".currentTime")
        self.daemon.listen = f"127.0.0.1:{self.daemon.port}"
        self.daemon.start()
        frames = page.evaluate("seen.frame")
        page.wait(f"seen.frame > {frames + 3}")
        self.assertNotEqual(page.evaluate(ELEMENT + ".currentTime"), held)

    def test_plays_backwards(self):
        page = self.shown('rig="humanoid" clip="Walk" time="0.1" speed="-1" loop="ping_pong"')
        page.wait("seen.frame > 10")
        self.assertEqual(page.evaluate("seen.error"), [])

    def test_goes_and_comes_back(self):
        page = self.shown('rig="cyl2" clip="bend"')
        page.wait("seen.frame > 0")
        page.evaluate("window.kept = " + ELEMENT + "; kept.remove()")
        page.settle(alone=True)  # no stream is left open
        page.evaluate("document.body.append(kept); undefined")
        frames = page.evaluate("seen.frame")
        page.wait(f"seen.load === 2 && seen.frame > {frames}")
        self.assertEqual(page.complaints, [])
