"""Methods that are fitted to examples, under the rounding noise of poses: joints that do not move are
never turned by exactly nothing. Held against the same method without the noise."""
import json
import random
import unittest

import rigs
from case import DaemonCase
from client import JSON, rig_path

NOISE = 1e-8  # of each number of a rotation
MOVED_MOST = 1e-6  # of the diagonal
TIMES = (0, 0.4, 1, 1.5, 1.9)


class FittedNoise(DaemonCase):
    @classmethod
    def prepare(cls):
        methods = cls.client.get("/v1").json()["skinning_methods"]
        cls.methods = [method["id"] for method in methods if "examples" in method["needs"]]
        for name in ("exact", "noisy"):
            cls.put_rig(name, rigs.centimetre_tube().glb())

    def pose(self, clip, time, chance=None):
        """A clip's pose with its rotations written out, and noise in each of their numbers."""
        base = {"clip": clip, "time": time}
        reply = self.assertStatus(self.client.pose("exact", base, space="local"), 200)
        joints = {}
        for joint in reply.json()["joints"]:
            if joint["name"].startswith("J"):
                noise = [chance.uniform(-NOISE, NOISE) if chance else 0 for _ in range(4)]
                rotation = [a + b for a, b in zip(joint["rotation"], noise)]
                joints[joint["name"]] = {"rotation": rotation}
        return {"set": base, "joints": joints}

    def put_examples(self, rig, chance):
        rest = self.positions(rig)
        examples = [(clip, time) for clip in ("move", "one joint") for time in (0.5, 1, 2)]
        for step, (clip, time) in enumerate(examples):
            body = {"pose": self.pose(clip, time, chance), "positions": rigs.sculpt(rest, step)}
            reply = self.client.request("PUT", rig_path(rig, f"/examples/at{step}"),
                                        json.dumps(body).encode(), {"Content-Type": JSON})
            self.assertStatus(reply, 201)

    def test_noise_in_poses_moves_no_vertex_of_a_fitted_method(self):
        chance = random.Random(7)
        self.put_examples("exact", None)
        self.put_examples("noisy", chance)
        poses = [self.pose("move", time) for time in TIMES]
        unquiet = [self.pose("move", time, chance) for time in TIMES]
        for method in self.methods:
            with self.subTest(method=method):
                want = self.frames("exact", poses, method)
                diagonal = max(max(row) - min(row) for row in zip(*want))
                for what, rig, asked in (("in the pose", "exact", unquiet),
                                         ("in the examples", "noisy", poses)):
                    got = self.frames(rig, asked, method)
                    moved = max(abs(a - b) for row, other in zip(got, want)
                                for a, b in zip(row, other))
                    self.assertLess(moved, MOVED_MOST * diagonal, f"noise {what}")

    def frames(self, rig, poses, method):
        """All vertices of all poses."""
        reply = self.client.post("vertices", {"rig": rig, "poses": poses,
                                              "skinning": {"method": method}},
                                 accept="application/octet-stream")
        return self.assertStatus(reply, 200).triples()


if __name__ == "__main__":
    unittest.main()
