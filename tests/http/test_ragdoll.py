"""Rag dolls over HTTP: a fall of the demo humanoid, and what can be done with it."""
import unittest

from case import DaemonCase
from client import JSON
from picture import Picture

RUN = {"clip": "Run", "time": 0.4}


class Falls(DaemonCase):
    rig = "humanoid"

    @classmethod
    def prepare(cls):
        cls.put_demo(cls.rig)

    def frames(self, times, **members):
        """World matrices by joint, of one fall at some times."""
        poses = [{"ragdoll": RUN, "time": time, **members} for time in times]
        reply = self.client.post("pose", {"rig": self.rig, "poses": poses}, Accept=JSON)
        self.assertStatus(reply, 200)
        return [
            {joint["name"]: joint["world"] for joint in frame["joints"]}
            for frame in reply.json()["frames"]
        ]

    def test_a_fall_ends_on_the_ground_and_at_rest(self):
        frames = self.frames([0, 0.2, 0.5, 1, 2, 4, 4.5])
        heights = [frame["Head"][13] for frame in frames]
        self.assertGreater(heights[0], 1.3)
        self.assertLess(heights[-1], 0.5)
        for frame in frames:
            for name, world in frame.items():
                if name != self.rig:  # the mesh's own node stays where it is
                    self.assertGreater(world[13], -0.03, name)
        self.assertEqual(frames[-1], frames[-2])

    def test_frames_in_any_order_are_the_same(self):
        times = [0.5, 1.2, 0.1, 0.5, 2]
        together = self.frames(times)
        self.assertEqual(together[0], together[3])
        for time, frame in zip(times, together):
            self.assertEqual(self.frames([time])[0], frame)

    def test_vertices_stay_on_the_ground(self):
        positions = self.positions(self.rig, {"ragdoll": RUN, "time": 6})
        lowest = min(y for _, y, _ in positions)
        self.assertGreater(lowest, -0.08)
        self.assertLess(lowest, 0.01)
        self.assertLess(max(y for _, y, _ in positions), 0.6)
        raised = self.positions(
            self.rig,
            {
                "ragdoll": RUN,
                "time": 1,
                "ground": {"point": [0, 0.5, 0], "normal": [0, 2, 0]},
            },
        )
        self.assertGreater(min(y for _, y, _ in raised), 0.4)

    def test_a_picture_shows_it_lying(self):
        camera = {"target": [0, 0.5, 0], "distance": 6, "yaw": 60, "pitch": 5}
        boxes = []
        for time in (0, 6):
            pose = {"ragdoll": RUN, "time": time}
            reply = self.client.frame(self.rig, pose, width=200, height=200, camera=camera)
            left, top, right, bottom = Picture(self.assertStatus(reply, 200).body).box()
            boxes.append((right - left, bottom - top))
        self.assertGreater(boxes[0][1], boxes[0][0])
        self.assertGreater(boxes[1][0], boxes[1][1])

    def test_what_cannot_be_simulated_is_refused(self):
        for pose, pointer, says in (
            ({"ragdoll": RUN, "time": 31}, "/pose/time", "30"),
            ({"ragdoll": RUN, "bodies": ["Hips", "Tail"]}, "/pose/bodies/1", "Tail"),
            ({"ragdoll": RUN, "time": 1, "gravity": [0, -1e7, 0]}, "/pose", "faster"),
            ({"blend": [{"pose": {"reverse": {"ragdoll": RUN}}}]}, "/pose/blend/0/pose/reverse", "end"),
        ):
            with self.subTest(pose=pose):
                reply = self.client.pose(self.rig, pose)
                codes = ("invalid-value", "unknown-joint")
                self.assertIn(reply.status, (400, 404))
                self.assertProblem(reply, reply.status, codes, pointer=pointer, says=says)


if __name__ == "__main__":
    unittest.main()
