"""The stream that the page plays: one of it, changed in turn, never behind, and begun anew when the rig
is another or the daemon was away."""
import json
import time

import rigs
from case import DEMO
from client import JSON, rig_path
from host import serve
from page_case import PageCase, area, overlap

PLACE = "Number(document.querySelector('#scrub').value)"
PATIENCE_S = 120  # until a page on a busy machine has shown what it plays
# Messages of browsers about a daemon that is away, or finishes its last requests.
STILL_AWAY = ("net::ERR", "net_error", "errorText", "a status of 503")


def turns_of(places):
    """The number of reversals along a series of positions."""
    ways = [b > a for a, b in zip(places, places[1:])]
    return sum(a != b for a, b in zip(ways, ways[1:]))


class Playing(PageCase):
    def duration(self, rig, clip):
        return next(c["duration"] for c in self.description(rig)["clips"] if c["name"] == clip)

    def places(self, page, seconds, enough):
        """Positions of the scrub bar as it moves: for so long, and longer until there are enough."""
        seen = []
        begun = time.monotonic()
        while (passed_s := time.monotonic() - begun) < seconds or (
                not enough(seen) and passed_s < PATIENCE_S):
            place = page.evaluate(PLACE)
            if seen[-1:] != [place]:
                seen.append(place)
        return seen

    def assertMoves(self, page):
        for _ in range(4):
            place = page.evaluate(PLACE)
            page.wait(f"{PLACE} !== {place}")

    def test_goes_there_and_back(self):
        page = self.held("humanoid", "Walk", 0.4)
        page.choose("#loop", "ping_pong")
        page.key("[")
        page.choose("#scrub", "0.8")
        page.key("]")
        begun = time.monotonic()
        page.click("#play")
        seen = self.places(page, 2, lambda seen: turns_of(seen) >= 2)
        passed_s = time.monotonic() - begun
        self.assertGreaterEqual(min(seen), 0.399)
        self.assertLessEqual(max(seen), 0.801)
        turns = turns_of(seen)
        self.assertGreaterEqual(turns, 2)
        self.assertLessEqual(turns, passed_s / (0.4 * self.duration("humanoid", "Walk")) + 1)
        self.assertEqual(page.complaints, [])

    def test_goes_backwards(self):
        page = self.held("humanoid", "Idle", 0.8)
        page.choose("#speed", "-1")
        page.click("#play")
        seen = self.places(page, 0.8, lambda seen: len(seen) > 1)
        self.assertGreater(len(seen), 1)
        self.assertEqual(seen, sorted(seen, reverse=True))
        page.choose("#loop", "clamp")
        page.wait("document.querySelector('#play').ariaLabel === 'Play'")
        page.settle()
        self.assertEqual(page.evaluate(PLACE), 0)
        page.click("[value=pictures]")
        page.choose("#loop", "repeat")
        page.click("#play")
        seen = self.places(page, 0.8, lambda seen: len(seen) > 1)
        self.assertGreater(len(seen), 1)
        self.assertEqual(seen[1:], sorted(seen[1:], reverse=True))
        self.assertEqual(page.complaints, [])

    def test_goes_on_from_where_it_stands(self):
        page = self.held("humanoid", "Idle", 0.5)
        page.click("#play")
        self.assertGreaterEqual(min(self.places(page, 0.5, lambda seen: len(seen) > 1)), 0.5)
        page.choose("#speed", "0.1")
        page.settle()
        begun = time.monotonic()
        seen = self.places(page, 0.6, lambda seen: len(seen) > 1)
        passed_s = time.monotonic() - begun
        duration = self.duration("humanoid", "Idle")
        self.assertLess((seen[-1] - seen[0]) * duration, 0.1 * passed_s + 0.1)
        page.click("#play")
        page.settle()
        held = page.evaluate(PLACE)
        self.assertAlmostEqual(page.streamed()["time"], held * duration, places=6)

    def test_changes_go_one_at_a_time_and_the_last_counts(self):
        page = self.held("cyl2", "twist", 0)
        for i in range(30):
            page.choose("#scrub", str(i / 30))
        page.choose("#scrub", "0.55")
        page.settle()
        patches = [url for url in page.most_open if "/v1/streams/" in url]
        self.assertEqual([page.most_open[url] for url in patches], [1] * len(patches))
        self.assertEqual(len(page.sent("/v1/stream")), 1)
        seen = self.mask(page)
        page.choose("#scrub", "0")
        page.settle()
        self.assertLess(overlap(seen, self.mask(page)), 0.98)
        page.choose("#scrub", "0.55")
        page.settle()
        self.assertGreater(overlap(seen, self.mask(page)), 0.999)

    def test_page_that_is_slow_takes_fewer_frames(self):
        page = self.opened("humanoid", "Run")
        page.wait("document.getElementById('figures').textContent.includes('frames/s')")
        page.call("Emulation.setCPUThrottlingRate", rate=40)
        deadline = time.monotonic() + 120
        while not page.streamed()["fps"] < 30:
            self.assertLess(time.monotonic(), deadline, "what it cannot take piles up")
            time.sleep(0.1)
        page.call("Emulation.setCPUThrottlingRate", rate=1)

    def test_pictures_let_the_stream_stand(self):
        page = self.opened("humanoid", "Walk")
        page.wait("document.getElementById('figures').textContent.includes('frames/s')")
        page.click("[value=pictures]")
        page.wait("document.getElementById('figures').textContent.includes('encode')")
        self.assertTrue(page.streamed()["paused"])
        page.click("[value=vertices]")
        first = page.evaluate(PLACE)
        page.wait(f"{PLACE} !== {first}")
        self.assertFalse(page.streamed()["paused"])
        self.assertEqual(len(page.sent("/v1/stream")), 1)

    def test_two_methods_are_one_stream_of_the_same_moments(self):
        page = self.held("cyl2", "bend", 0.7)
        page.choose("#beside", "dqs")
        page.settle()
        page.click("#play")
        for view, attributes in (("side", "normal:oct8x2"), ("heat", "normal")):
            page.choose("#comparison", view)
            page.evaluate("new Promise((resolve) => setTimeout(resolve, 500))")
            members = page.streamed()
            self.assertEqual([way["method"] for way in members["skinning"]], ["lbs", "dqs"])
            self.assertEqual(members["attributes"][1], attributes)
            self.assertEqual(list(page.open.values()).count(self.address + "v1/stream"), 1)
            self.assertMoves(page)
        page.choose("#beside", "")
        page.wait("document.getElementById('scale').hidden")
        self.assertMoves(page)
        self.assertEqual(page.complaints, [])

    def test_methods_are_switched_while_it_plays(self):
        page = self.opened("cyl2", "bend")
        for method in ("dqs", "parts_rigid", "ddm", "lbs"):
            page.choose("#method", method)
            page.wait(f"document.getElementById('figures').textContent.startsWith('{method} on ')")
            self.assertMoves(page)
        self.assertEqual(page.complaints, [])

    def test_morphs_are_played(self):
        page = self.held("head", "Expressions", 0)
        page.settle()
        seen = self.mask(page)
        inks = self.stage(page)
        page.choose("#scrub", "0.4")
        page.settle()
        self.assertGreater(overlap(seen, self.mask(page)), 0.8)
        self.assertNotEqual(inks, self.stage(page))

    def test_more_tabs_than_a_browser_has_connections(self):
        pages = []
        for _ in range(7):
            pages.append(self.opened("cyl2", "bend"))
            pages[-1].show(False)
        for page in pages:
            page.show()
            self.assertMoves(page)
            self.assertEqual(page.complaints, [])
            page.show(False)

    def test_pages_that_were_left_keep_no_connection(self):
        host = serve(self, "<!doctype html><title>elsewhere</title>")
        page = self.opened("cyl2", "bend")
        self.assertMoves(page)
        for i in range(7):
            page.go(f"{host.address}?{i}")
            page.go(f"{self.address}?{i}#rig=cyl2&clip=bend")
            page.wait("document.querySelector('#play')?.ariaLabel === 'Pause'")
            self.assertMoves(page)
        page.evaluate("void setTimeout(() => history.go(-2))")
        page.wait(f"location.search === '?5' && document.readyState === 'complete'")
        self.assertMoves(page)


class Exact(PageCase):
    """Frames that were changed by the stream against pictures of the daemon."""

    def test_of_a_clip_after_it_played(self):
        page = self.opened("humanoid", "Run")
        page.wait("document.getElementById('figures').textContent.includes('frames/s')")
        page.click("#play")
        page.settle()
        self.assertMeets(page)

    def test_of_a_clip_mixed_with_the_rest_pose(self):
        page = self.held("humanoid", "Walk", 0.6)
        page.choose("#clip", "")
        page.click("#add-layer")
        page.choose(".layer select", "Wave")
        page.choose("#scrub", "0.3")
        page.settle()
        time = 0.3 * next(c["duration"] for c in self.description("humanoid")["clips"]
                          if c["name"] == "Wave")
        blend = page.streamed()["pose"]["blend"]
        self.assertEqual([part["weight"] for part in blend], [1, 1])
        self.assertEqual(blend[0]["pose"], "rest")
        self.assertAlmostEqual(page.streamed()["time"], time, 5)
        self.assertMeets(page)

    def test_of_layers(self):
        page = self.held("humanoid", "Walk", 0.6)
        page.click("#add-layer")
        page.choose(".layer select", "Wave")
        page.choose("#scrub", "0.3")
        page.settle()
        self.assertMeets(page)


class Renewed(PageCase):
    def playing(self, rig, clip):
        page = self.opened(rig, clip)
        page.wait("document.getElementById('figures').textContent.includes('frames/s')")
        return page

    def assertPlays(self, page):
        self.assertEqual(page.evaluate("document.querySelector('#play').ariaLabel"), "Pause")
        first = page.evaluate(PLACE)
        page.wait(f"{PLACE} !== {first}")

    def test_rig_that_is_replaced_is_shown(self):
        self.put_rig("own", (DEMO / "cyl2.glb").read_bytes())
        page = self.playing("own", "bend")
        self.put_rig("own", (DEMO / "tube23.glb").read_bytes())
        page.wait("document.getElementById('facts').innerText.includes('13,206')")
        page.wait("document.querySelector('#clip').value === 'wave'")
        self.assertPlays(page)
        self.assertGreater(area(self.mask(page)), 1000)
        self.assertEqual(page.complaints, [])

    def test_rig_of_the_same_vertices_is_another(self):
        self.put_rig("own", rigs.half_bent_square(0.4).glb())
        page = self.held("own", "bend", 1)
        page.evaluate("document.querySelector('#surface').focus()")
        page.key("ArrowLeft")  # the camera stays where it was put
        page.evaluate("document.activeElement.blur()")
        before = self.mask(page)
        content = page.evaluate("document.getElementById('facts').innerText")
        self.put_rig("own", rigs.half_bent_square(0.1).glb())
        page.wait(f"document.getElementById('facts').innerText !== {json.dumps(content)}")
        page.settle()
        after = self.mask(page)
        self.assertEqual(page.evaluate(PLACE), 1)  # what was chosen is kept
        self.assertAlmostEqual(area(after), area(before) / 16, delta=area(before) / 160)

    def test_new_clips_can_be_chosen(self):
        self.put_rig("own", (DEMO / "cyl2.glb").read_bytes())
        page = self.playing("own", "bend")
        clip = {"pose": {"clip": "bend"}, "duration": 1, "rate": 10}
        self.client.request("PUT", rig_path("own", "/clips/new"), json.dumps(clip),
                            {"Content-Type": JSON})
        page.wait("[...document.querySelector('#clip').options].some((o) => o.value === 'new')")
        page.choose("#clip", "new")
        self.assertPlays(page)
        self.assertEqual(page.complaints, [])


class Away(PageCase):
    """A daemon that goes, and comes back at the same address."""

    def come_back(self):
        self.daemon.listen = f"127.0.0.1:{self.daemon.port}"
        self.daemon.start()

    def check(self, go):
        page = self.opened("humanoid", "Idle")
        page.wait("document.getElementById('figures').textContent.includes('frames/s')")
        go()
        self.assertStatusLine(page, "trying again")
        held = page.evaluate(PLACE)
        self.come_back()
        page.wait("document.getElementById('status').textContent === ''")
        page.wait(f"{PLACE} !== {held}")
        self.assertGreater(area(self.mask(page)), 1000)
        self.assertEqual(page.evaluate("document.querySelector('#play').ariaLabel"), "Pause")
        ours = [text for text in page.complaints if not any(word in text for word in STILL_AWAY)]
        self.assertEqual(ours, [])

    def test_killed(self):
        self.check(self.daemon.kill)

    def test_stopped(self):
        def stop():
            self.daemon.terminate()
            self.daemon.process.communicate()

        self.check(stop)
