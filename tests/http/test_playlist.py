"""Playlists over HTTP: baked, streamed and in sequences they are what they are at each moment."""
from live import END
from test_clips import ClipCase
from test_live import LiveCase
from tiny import float32

LIST = {"playlist": [
    {"pose": {"clip": "Walk", "loop": "repeat"}, "start": 0.25},
    {"pose": {"clip": "Run", "loop": "repeat"}, "start": 0.9, "fade": 0.3},
    {"pose": {"clip": "Wave"}, "start": 1.1, "fade": 0.2, "mask": {"Spine": 1}},
], "rotation": "slerp"}


class Baked(ClipCase):
    def test_each_frame_is_the_list_at_its_time(self):
        self.humanoid("listed")
        self.assertStatus(self.put_pose("listed", "mix", LIST, rate=20, tolerance="raw"), 201)
        clips = self.clips("listed")
        want = max(1.1 + clips["Wave"]["duration"], 0.9 + clips["Run"]["duration"])
        self.assertAlmostEqual(clips["mix"]["duration"], want, 6)
        for i in (31, 0, 4, 5, 18, 21, 24, 29, 40):
            time = float32(i / 20)
            self.assertEqual(self.matrices("listed", {"clip": "mix", "time": time}),
                             self.matrices("listed", {**LIST, "time": time}), i)

    def test_alone_in_view_a_clip_is_as_by_itself(self):
        self.humanoid("alone")
        entries = [{"pose": {"clip": "Walk"}, "start": 0}, {"pose": {"clip": "Run"}, "start": 2.5}]
        for time in (2.75, 0.5, 2.5, 9, -1):
            direct = {"clip": "Run", "time": time - 2.5} if time >= 2.5 else {"clip": "Walk",
                                                                             "time": time}
            self.assertEqual(self.matrices("alone", {"playlist": entries, "time": time}),
                             self.matrices("alone", direct if time >= 0 else "rest"), time)

    def test_problems_name_the_entry(self):
        self.humanoid("wrong")
        entries = [{"pose": "rest", "start": 1}, {"pose": {"clip": "Flee"}, "start": 0.5}]
        reply = self.client.pose("wrong", {"playlist": entries})
        self.assertProblem(reply, 400, "invalid-value", pointer="/pose/playlist/1/start",
                           says="order")
        entries[1]["start"] = 1.5
        reply = self.client.pose("wrong", {"playlist": entries})
        self.assertProblem(reply, 404, "unknown-clip", pointer="/pose/playlist/1/pose/clip",
                           says="Flee")


class Streamed(LiveCase):
    def test_frames_are_the_list_at_their_times(self):
        live = self.open({"rig": "humanoid", "pose": LIST, "fps": 40, "time": 0.7,
                          "duration": 1})
        frames = live.read_all()
        self.assertTrue(frames[-1].has(END))
        self.assertGreater(len(frames), 2)
        for frame in frames[:-1]:
            self.assertEqual(frame.payload, self.floats_at("humanoid", LIST, frame.time))
