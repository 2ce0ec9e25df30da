"""/metrics counts what really happened, in a form that Prometheus' own parser reads."""
import shutil
import subprocess
import unittest

from case import DaemonCase
from client import rig_path
from debian import debian_module
from test_clips import put_pose


class Metrics(DaemonCase):
    own_daemon = True  # whose counters begin at 0

    @classmethod
    def prepare(cls):
        cls.put_demo("cyl2")
        cls.parser = debian_module("prometheus_client.parser")

    def text(self):
        reply = self.assertStatus(self.client.get("/metrics"), 200)
        self.assertEqual(reply.headers["Content-Type"], "text/plain; version=0.0.4; charset=utf-8")
        return reply.body.decode()

    def read(self):
        families = self.parser.text_string_to_metric_families(self.text())
        return {
            (sample.name, tuple(sorted(sample.labels.items()))): sample.value
            for family in families
            for sample in family.samples
        }

    def change(self, act):
        """The increase of every sample by an action."""
        before = self.read()
        act()
        after = self.read()
        return lambda name, **labels: (
            after[name, tuple(sorted(labels.items()))]
            - before.get((name, tuple(sorted(labels.items()))), 0)
        )

    def test_pictures_count_where_they_should(self):
        def act():
            for i in range(5):
                self.client.frame("cyl2", {"clip": "bend", "time": 0.1 + i / 10}, width=8, height=8)

        added = self.change(act)
        vertices = self.description("cyl2")["vertices"]
        self.assertEqual(added("posed_requests_total", method="POST", route="/v1/frame"), 5)
        self.assertEqual(added("posed_frames_rendered_total"), 5)
        self.assertEqual(added("posed_vertices_skinned_total", method="lbs"), 5 * vertices)
        self.assertEqual(added("posed_request_span_duration_seconds_count", span="draw"), 5)
        self.assertEqual(added("posed_request_span_duration_seconds_count", span="queue"), 5)
        self.assertGreater(added("posed_request_span_duration_seconds_sum", span="draw"), 0)
        self.assertEqual(added("posed_cache_misses_total", layer="memory"), 5)

    def test_kept_answers_are_hits(self):
        ask = lambda: self.client.vertices("cyl2", {"clip": "bend", "time": 0.77})
        ask()
        ask()
        added = self.change(lambda: [ask() for _ in range(3)])
        self.assertEqual(added("posed_cache_hits_total", layer="memory"), 3)
        self.assertEqual(added("posed_vertices_skinned_total", method="lbs"), 0)

    def test_errors_count_by_their_type(self):
        added = self.change(lambda: [self.client.get(rig_path("nobody")) for _ in range(4)])
        self.assertEqual(added("posed_errors_total", type="unknown-rig"), 4)
        self.assertEqual(added("posed_status_codes_total", status="404"), 4)

    def test_bodies_and_connections_count(self):
        replies = []
        added = self.change(lambda: replies.append(self.client.vertices("cyl2")))
        self.assertGreaterEqual(added("posed_bytes_sent_total"), len(replies[0].body))
        self.assertGreaterEqual(self.read()["posed_connections", ()], 1)
        self.assertGreaterEqual(self.read()["posed_requests_in_progress", ()], 1)

    def test_gauges_know_the_rigs_and_threads(self):
        samples = self.read()
        self.assertEqual(samples["posed_rigs", ()], 1)
        self.assertEqual(samples["posed_workers", (("kind", "render"),)], 2)
        self.assertGreater(samples["posed_asset_bytes", (("kind", "cpu"),)], 0)

    def test_decoded_segments_of_clips_count(self):
        frames, rate = 150, 30
        made = put_pose(self.client, "cyl2", "swing", {"scale_time": {"clip": "bend", "loop": "repeat"}, "factor": 0.7},
                        duration=(frames - 1) / rate, rate=rate, tolerance=1e-4)
        self.assertIn("compressed", self.assertStatus(made, 201).json())

        def sample(*frames):
            for frame in frames:
                time = frame / rate
                self.assertStatus(self.client.pose("cyl2", {"clip": "swing", "time": time}), 200)

        # 64 frames are a segment; a key is a time and one rotation, and a segment has the first of the next.
        for frames, misses, keys in (((10.2,), 1, 65), ((70.2, 140.2), 2, 65 + 22),
                                     ((10.3, 20.3, 63.9, 70.3, 148.2), 0, 0)):
            added = self.change(lambda: sample(*frames))
            self.assertEqual(added("posed_clip_cache_misses_total"), misses)
            self.assertEqual(added("posed_clip_cache_hits_total"), len(frames) - misses)
            self.assertEqual(added("posed_clip_cache_entries"), misses)
            bytes_ = added("posed_clip_cache_bytes")
            self.assertGreaterEqual(bytes_, keys * 5 * 4)
            self.assertLessEqual(bytes_, keys * 5 * 4 + misses * 1024)
            if misses != 1:  # then the rig is loaded, too
                self.assertEqual(added("posed_asset_bytes", kind="cpu"), bytes_)

    def test_promtool_has_no_complaint(self):
        if not shutil.which("promtool"):
            self.skipTest("promtool is not installed")
        done = subprocess.run(["promtool", "check", "metrics"], input=self.text(), text=True,
                              capture_output=True)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
