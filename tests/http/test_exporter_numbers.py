"""Joints to whose names an exporter has added a number each: left and right are found as without."""
import json

import tiny
from case import DEMO, DaemonCase, shared_file

WALK = {"clip": "Walk", "time": 0.3}


def humanoid(rename):
    """The demo rig with other names: rename(name, index)."""
    document, binary = tiny.split_glb((DEMO / "humanoid.glb").read_bytes())
    for i, node in enumerate(document["nodes"]):
        node["name"] = rename(node["name"], i)
    return tiny.glb(json.dumps(document).encode(), binary)


class ExporterNumbers(DaemonCase):
    daemon_args = ("--renderer", "none")

    def skipped(self, rig):
        reply = self.assertStatus(self.client.post("checks", {"rig": rig}), 200).json()
        return {rule["rule"] for rule in reply["files"][0]["skipped"]}

    def places(self, rig, pose, plain=lambda name: name):
        return {plain(name): joint["world"] for name, joint in self.joints(rig, pose).items()}

    def test_mirrored_poses_are_those_of_the_plain_names(self):
        self.put_demo("humanoid")
        self.put_rig("numbered", humanoid(lambda name, i: f"b_{name}_{(i * 7) % 101:03}"))
        mirrored = {"mirror": WALK}
        want = self.places("humanoid", mirrored)
        found = self.places("numbered", mirrored, lambda name: name[2:-4])
        for name, world in want.items():
            self.assertNumbers(found[name], world, 0, name)
        self.assertNotEqual(want["LeftLeg"], self.places("humanoid", WALK)["LeftLeg"])

    def test_checks_pair_left_and_right(self):
        self.put_demo("humanoid")
        self.put_rig("numbered", humanoid(lambda name, i: f"{name}_{i:02}"))
        self.assertEqual(self.skipped("numbered"), self.skipped("humanoid"))

    def test_a_number_is_a_part_of_the_name_where_not_all_have_one(self):
        self.put_rig("mixed", humanoid(lambda name, i: name if name == "Spine" else f"{name}_{i:02}"))
        self.assertIn("rig/symmetry", self.skipped("mixed"))

    def test_a_number_is_a_part_of_the_name_where_it_tells_joints_apart(self):
        """Names of a count of bones: Left_1, Left_2, … and Right_1, Right_2, …: pairs are of the same number."""
        count = {}

        def rename(name, _):
            side = next((side for side in ("Left", "Right") if name.startswith(side)), "Mid")
            count[side] = count.get(side, 0) + 1
            return f"{side}_{count[side]}"

        self.put_rig("counted", humanoid(rename))
        self.put_demo("humanoid")
        self.assertNotIn("rig/symmetry", self.skipped("counted"))
        want = list(self.joints("humanoid", {"mirror": WALK}).values())
        for joint, own in zip(self.joints("counted", {"mirror": WALK}).values(), want, strict=True):
            self.assertNumbers(joint["world"], own["world"], 0)

    def test_a_real_fox(self):
        self.put_rig("fox", shared_file("khronos-Fox/glTF-Binary/Fox.glb").read_bytes())
        self.assertFalse({"rig/side", "rig/symmetry"} & self.skipped("fox"))


if __name__ == "__main__":
    import unittest

    unittest.main()
