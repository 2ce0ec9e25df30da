"""Playing, methods, a slow or busy daemon, and a daemon that wants a token."""
import time

from page_case import PageCase, area, overlap
from picture import Picture

# Answers calls of vertices a second late.
SLOW = """{
    const real = window.fetch;
    window.fetch = async (path, request) => {
        const response = await real(path, request);
        if (path.endsWith('vertices')) await new Promise((go) => setTimeout(go, 1000));
        return response;
    };
}"""
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
    def stage(self, page):
        return Picture(page.picture("#stage")).rows

    def test_plays_until_it_is_paused(self):
        page = self.opened("humanoid", "Run")
        page.wait("document.getElementById('figures').textContent.includes('frames/s')")
        first = self.stage(page)
        time.sleep(0.2)
        self.assertNotEqual(self.stage(page), first)
        page.click("#play")
        page.settle()
        stopped, count = self.stage(page), len(page.requests)
        time.sleep(0.4)
        self.assertEqual(self.stage(page), stopped)
        self.assertEqual(len(page.requests), count, "nothing is asked for while it stands")
        self.assertEqual(page.most_open[self.address + "v1/vertices"], 1)

    def test_plays_pictures_one_at_a_time(self):
        page = self.opened("humanoid", "Run")
        page.click("[value=pictures]")
        page.wait("document.getElementById('figures').textContent.includes('encode')")
        count = len(page.sent("/v1/frame"))
        time.sleep(0.5)
        poses = [request["pose"]["time"] for request in page.sent("/v1/frame")]
        self.assertGreater(len(poses), count)
        self.assertEqual(len(set(poses)), len(poses))
        self.assertEqual(page.most_open[self.address + "v1/frame"], 1)
        self.assertEqual(page.complaints, [])

    def test_scrubbing_asks_for_that_moment(self):
        page = self.held("humanoid", "Walk", 0.25)
        duration = next(c["duration"] for c in self.description("humanoid")["clips"] if c["name"] == "Walk")
        pose = page.sent("/v1/vertices")[-1]["poses"]
        self.assertEqual(len(pose), 1)
        self.assertAlmostEqual(pose[0]["time"], 0.25 * duration, places=6)

    def test_clip_that_plays_once_stops_at_its_end(self):
        page = self.opened("humanoid", "Run")
        page.choose("#speed", "4")
        page.choose("#loop", "clamp")
        page.wait("document.querySelector('#play').ariaLabel === 'Play'")
        page.settle()
        self.assertEqual(page.evaluate("Number(document.querySelector('#scrub').value)"), 1)

    def test_slow_daemon_is_never_asked_for_what_is_past(self):
        page = self.opened("humanoid", "Idle", script=SLOW)
        page.wait("document.getElementById('time').textContent > '3'")
        # All of it is within the first round of the clip's four seconds.
        chunks = [
            [pose["time"] for pose in request["poses"]] for request in page.sent("/v1/vertices")
        ]
        playing = [times for times in chunks if len(times) > 1]
        self.assertGreaterEqual(len(playing), 2)
        for earlier, later in zip(playing, playing[1:]):
            self.assertGreater(later[0] - earlier[-1], 0.3)
        self.assertEqual(page.most_open[self.address + "v1/vertices"], 1)

    def test_method_changes_requests_and_what_is_seen(self):
        page = self.held("cyl2", "twist", 0.5)
        linear = self.mask(page)
        page.choose("#method", "dqs")
        page.settle()
        self.assertEqual(page.sent("/v1/vertices")[-1]["skinning"]["method"], "dqs")
        # Linear blending pinches a twisted tube, dual quaternions do not.
        self.assertGreater(area(self.mask(page)), area(linear))
        self.assertLess(overlap(linear, self.mask(page)), 0.98)
        page.wait("document.getElementById('figures').textContent.startsWith('dqs on ')")

    def test_device_changes_requests(self):
        page = self.held("cyl2", "twist", 0.5)
        page.choose("#device", "cpu")
        page.settle()
        self.assertEqual(page.sent("/v1/vertices")[-1]["skinning"]["device"], "cpu")
        page.wait("document.getElementById('figures').textContent.includes('on cpu')")


class Refused(PageCase):
    def test_busy_daemon_is_asked_again(self):
        page = self.page(script=BUSY)
        page.wait("document.querySelectorAll('#rigs a').length === 4")

    def test_token_is_asked_for_once_and_kept_for_the_tab(self):
        page = self.page("#rig=cyl2", script=LOCKED)
        for token in ("wrong", "open sesame"):
            page.wait("document.getElementById('question').open")
            page.evaluate(f"document.getElementById('question-secret').value = {token!r}")
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
