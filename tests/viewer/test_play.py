"""Playing, methods, a slow or busy daemon, and a daemon that wants a token."""
import time

from case import DEMO
from page_case import PageCase, area, overlap

# Two refusals in a row before the list of rigs comes.
BUSY = """{
    const real = window.fetch;
    let left = 2;
    window.fetch = async (path, request) =>
        path.endsWith('rigs') && left-- > 0
            ? new Response('{}', { status: 503, headers: { 'Retry-After': '0.1' } })
            : real(path, request);
}"""
# A daemon that takes one token only.
LOCKED = """{
    const real = window.fetch;
    window.fetch = async (path, request) =>
        request.headers.Authorization === 'Bearer open sesame'
            ? real(path, request)
            : new Response('{"detail": "a token, please"}', { status: 401 });
}"""


class Plays(PageCase):
    keeps_times = True

    def test_plays_until_it_is_paused(self):
        page = self.opened("humanoid", "Run")
        page.wait("document.getElementById('figures').textContent.includes('frames/s')")
        first = self.stage(page)
        deadline = time.monotonic() + 120
        while self.stage(page) == first:
            self.assertLess(time.monotonic(), deadline, "nothing moved")
        page.click("#play")
        page.settle()
        stopped, count = self.stage(page), len(page.requests)
        time.sleep(0.4)
        self.assertTrue(self.stage(page) == stopped, "something moved")
        self.assertEqual(len(page.requests), count, "nothing is asked for while it stands")
        self.assertEqual(len(page.sent("/v1/stream")), 1)
        self.assertEqual(page.sent("/v1/vertices"), [])
        self.assertEqual(page.complaints, [])

    def test_plays_pictures_one_at_a_time(self):
        page = self.opened("humanoid", "Run")
        page.click("[value=pictures]")
        page.wait("document.getElementById('figures').textContent.includes('encode')")
        count = len(page.sent("/v1/frame"))
        deadline = time.monotonic() + 120
        while len(page.sent("/v1/frame")) < count + 3:
            self.assertLess(time.monotonic(), deadline, "it does not play on")
            time.sleep(0.05)
        poses = [request["pose"]["time"] for request in page.sent("/v1/frame")]
        self.assertEqual(len(set(poses)), len(poses))
        self.assertEqual(page.most_open[self.address + "v1/frame"], 1)
        self.assertEqual(page.complaints, [])

    def test_scrubbing_asks_for_that_moment(self):
        page = self.held("humanoid", "Walk", 0.25)
        duration = next(
            c["duration"] for c in self.description("humanoid")["clips"] if c["name"] == "Walk"
        )
        members = page.streamed()
        self.assertEqual((members["pose"], members["paused"]), ({"clip": "Walk"}, True))
        self.assertAlmostEqual(members["time"], 0.25 * duration, places=6)

    def test_clip_that_plays_once_stops_at_its_end(self):
        page = self.opened("humanoid", "Run")
        page.choose("#speed", "4")
        page.choose("#loop", "clamp")
        page.wait("document.querySelector('#play').ariaLabel === 'Play'")
        page.settle()
        self.assertEqual(page.evaluate("Number(document.querySelector('#scrub').value)"), 1)

    def test_method_changes_requests_and_what_is_seen(self):
        page = self.held("cyl2", "twist", 0.5)
        linear = self.mask(page)
        page.choose("#method", "dqs")
        page.settle()
        self.assertEqual(page.streamed()["skinning"]["method"], "dqs")
        # Linear blending pinches a twisted tube, dual quaternions do not.
        self.assertGreater(area(self.mask(page)), area(linear))
        self.assertLess(overlap(linear, self.mask(page)), 0.98)
        page.wait("document.getElementById('figures').textContent.startsWith('dqs on ')")

    def test_device_changes_requests(self):
        page = self.held("cyl2", "twist", 0.5)
        page.choose("#device", "cpu")
        page.settle()
        self.assertEqual(page.streamed()["skinning"]["device"], "cpu")
        page.wait("document.getElementById('figures').textContent.includes('on cpu')")


class Refused(PageCase):
    def test_busy_daemon_is_asked_again(self):
        page = self.page(script=BUSY)
        page.wait(self.RIGS_ARE_LISTED)

    def test_token_is_asked_for_once_and_kept_for_the_tab(self):
        page = self.page("#rig=cyl2", script=LOCKED)
        for token in ("wrong", "open sesame"):
            page.wait("document.getElementById('question').open")
            page.evaluate(f"document.getElementById('question-input').value = {token!r}")
            page.click("#question-yes")
        page.wait("document.getElementById('name').textContent === 'cyl2'")
        kept = page.evaluate("Object.values(sessionStorage)")
        self.assertEqual(kept, ["open sesame"])
        self.assertEqual(page.evaluate("Object.values(localStorage)"), [])

    def test_question_for_a_token_that_is_declined_shows_why(self):
        page = self.page(script=LOCKED)
        page.wait("document.getElementById('question').open")
        page.click("#question-no")
        self.assertStatusLine(page, "a token, please")

    def test_refusal_while_playing_stops_and_says_why(self):
        file = (DEMO / "cyl2.glb").read_bytes()
        self.put_rig("fleeting", file)
        page = self.opened("fleeting", "bend")
        page.wait("document.getElementById('figures').textContent.includes('frames/s')")
        self.client.delete("fleeting")
        self.assertStatusLine(page, 'no rig "fleeting"')
        page.wait("document.querySelector('#play').ariaLabel === 'Play'")
        self.put_rig("fleeting", file)
        stopped = page.evaluate("document.querySelector('#scrub').value")
        page.click("#play")
        page.wait(f"document.querySelector('#scrub').value !== {stopped!r}")
        self.assertEqual(page.evaluate("document.querySelector('#play').ariaLabel"), "Pause")
