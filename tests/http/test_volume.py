"""Volume correction says where it stops short of the volume: checked against the volume that a
comparison measures of what it gave."""
import unittest

from case import DaemonCase
from client import PNG
from oracle import turn

# The missing share of volume that the method reports as short; with rigid joints the volume must be
# that at rest.
SHARE = 1e-4
POSES = {
    "rest": {},
    "a twist": {"rotation": turn((0, 1, 0), 90)},
    "a bend": {"rotation": turn((0, 0, 1), 120)},
    "half a turn": {"rotation": turn((0, 1, 0), 179)},
    "far away": {"translation": [0, 5, 0]},
    "too near": {"translation": [0, -1, 0]},
}
SHORT_OF_ALL = ("far away", "too near")
SMALL = {"width": 32, "height": 32}


def pose_of(name):
    return {"set": "rest", "joints": {"J1": POSES[name]}}


class Volume(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("cyl2")

    def header_says_short(self, reply):
        skinning = self.assertStatus(reply, 200).headers["Posed-Skinning"]
        return "VOLUME_SHORT" in skinning

    def skinnings(self):
        return [{"method": "vol_correct", "mu": mu, "device": device}
                for mu in ("joint", "global") for device in self.devices()]

    def test_it_is_said_where_volume_is_missing(self):
        found = {True: 0, False: 0}
        for skinning in self.skinnings():
            for name in POSES:
                with self.subTest(name, **skinning):
                    reply = self.client.compare("cyl2", pose_of(name), methods=[skinning, "lbs"])
                    one, other = self.assertStatus(reply, 200).json()["methods"]
                    short = abs(one["volume_ratio"] - 1) > SHARE
                    self.assertEqual(one["flags"], ["VOLUME_SHORT"] if short else [])
                    self.assertEqual(other["flags"], [])
                    found[short] += 1
        self.assertGreater(min(found.values()), 4)

    def test_every_answer_says_so(self):
        for skinning in self.skinnings():
            for name in ("a twist", *SHORT_OF_ALL):
                request = {"rig": "cyl2", "pose": pose_of(name), "skinning": skinning}
                motion = {**request, "duration": 1, "rate": 1}
                crowd = [{"rig": "cyl2", "pose": pose_of(name)}, {"rig": "cyl2"}]
                for what, reply in (
                    ("vertices", self.client.post("vertices", request)),
                    ("glb", self.client.post("vertices", request, accept="model/gltf-binary")),
                    ("frame", self.client.post("frame", {**request, **SMALL}, accept=PNG)),
                    ("bake", self.client.post("bake", {**motion, "as": "morph"})),
                    ("crowd", self.client.crowd(crowd, skinning=skinning, **SMALL)),
                ):
                    with self.subTest(what, pose=name, **skinning):
                        self.assertEqual(self.header_says_short(reply), name in SHORT_OF_ALL)


if __name__ == "__main__":
    unittest.main()
