"""VRM avatars: what their rigs' descriptions say, and the meshes that each view shows."""
import json
import os
import pathlib
import subprocess

import picture
import rigs
from case import DaemonCase
from client import rig_path
from daemon import ROOT
from tiny import Tiny

BODY = (("hips", None), ("spine", "hips"), ("head", "spine"),
        ("leftUpperLeg", "hips"), ("leftLowerLeg", "leftUpperLeg"), ("leftFoot", "leftLowerLeg"),
        ("rightUpperLeg", "hips"), ("rightLowerLeg", "rightUpperLeg"), ("rightFoot", "rightLowerLeg"),
        ("leftUpperArm", "spine"), ("leftLowerArm", "leftUpperArm"), ("leftHand", "leftLowerArm"),
        ("rightUpperArm", "spine"), ("rightLowerArm", "rightUpperArm"), ("rightHand", "rightLowerArm"))
META = {"name": "Alicia", "authors": ["a", "b"], "licenseUrl": "https://vrm.dev/licenses/1.0/",
        "allowRedistribution": False}
# Where the squares stand, one above the other, and the colours that they have.
GREY, RED, GREEN, BLUE = (128, 128, 128), (255, 0, 0), (0, 255, 0), (0, 0, 255)


def linear(channel):
    return 1 if channel == 255 else 0 if channel == 0 else 0.21586


def square(tiny, height, color, **more):
    """A primitive of two triangles, the lower one first."""
    corners = [(-0.4, height, 0), (0.4, height, 0), (0.4, height + 0.8, 0), (-0.4, height + 0.8, 0)]
    factor = {"baseColorFactor": [*map(linear, color), 1]}
    return {**tiny.primitive(corners, [0, 1, 2, 0, 2, 3], NORMAL=tiny.normals([(0, 0, 1)] * 4), **more),
            "material": tiny.material(pbrMetallicRoughness=factor, extensions={"KHR_materials_unlit": {}})}


def add_thumbnail(tiny, picture, kind):
    """The index of an image, and of a texture of it."""
    view = tiny.view(picture)
    tiny.json.setdefault("images", []).append({"bufferView": view, "mimeType": kind})
    tiny.json.setdefault("textures", []).append({"source": len(tiny.json["images"]) - 1})
    return len(tiny.json["images"]) - 1, len(tiny.json["textures"]) - 1


def avatar(version="1.0", views=True, thumbnail=None, kind="image/png"):
    """Of four squares: one of no annotation, whose upper triangle the head moves alone, a rigid one at
    the head, one for others, one for itself."""
    tiny = Tiny()
    nodes = {name: tiny.node(name="j_" + name) for name, _ in BODY}
    for name, parent in BODY:
        if parent:
            tiny.json["nodes"][nodes[parent]].setdefault("children", []).append(nodes[name])
    tiny.json["scenes"][0]["nodes"] = [nodes["hips"]]
    # Of the corners of the second triangle the last is the head's alone.
    joints, weights = tiny.influences([[0, 1, 0, 0]] * 4, [[1, 0, 0, 0]] * 3 + [[0, 1, 0, 0]])
    body = square(tiny, 0, GREY, JOINTS_0=joints, WEIGHTS_0=weights)
    skin = tiny.skin([nodes["hips"], nodes["head"]])
    tiny.node(root=True, name="body", mesh=tiny.mesh(body), skin=skin)
    face = tiny.node(name="face", mesh=tiny.mesh(square(tiny, 1, RED)))
    tiny.json["nodes"][nodes["head"]]["children"] = [face]
    hat = tiny.node(root=True, name="hat", mesh=tiny.mesh(square(tiny, 2, GREEN)))
    arms = tiny.node(root=True, name="arms", mesh=tiny.mesh(square(tiny, 3, BLUE)))
    if version == "1.0":
        bones = {name: {"node": node} for name, node in nodes.items()}
        annotations = [{"node": hat, "type": "thirdPersonOnly"}, {"node": arms, "type": "firstPersonOnly"}]
        extension = {"VRMC_vrm": {
            "specVersion": "1.0", "humanoid": {"humanBones": bones}, "meta": META,
            "firstPerson": {"meshAnnotations": annotations} if views else {},
            "expressions": {"preset": {"blink": {"isBinary": True, "overrideMouth": "block"}},
                            "custom": {"wink": {}}},
            "lookAt": {"type": "bone", "offsetFromHeadBone": [0, 0.1, 0]}},
            "VRMC_springBone": {"specVersion": "1.0", "springs": []}}
    else:
        bones = [{"bone": name, "node": node} for name, node in nodes.items()]
        extension = {"VRM": {"humanoid": {"humanBones": bones}, "meta": {"title": "Alicia"}}}
    if thumbnail:
        image, texture = add_thumbnail(tiny, thumbnail, kind)
        extension = json.loads(json.dumps(extension))
        meta = next(iter(extension.values()))["meta"]
        meta.update({"thumbnailImage": image} if version == "1.0" else {"texture": texture})
    tiny.json["extensionsUsed"] = ["KHR_materials_unlit", *extension]
    tiny.json["extensions"] = extension
    return tiny


def hanging():
    """With a spring that gravity alone moves: the head, which carries the face, hangs down; and a clip."""
    tiny = avatar()
    names = {node.get("name"): i for i, node in enumerate(tiny.json["nodes"])}
    tip = tiny.node(name="tip", translation=[0, 1, 0])
    tiny.json["nodes"][names["j_head"]]["children"].append(tip)
    spring = {"joints": [{"node": names["j_head"], "stiffness": 0, "gravityPower": 1}, {"node": tip}]}
    tiny.json["extensions"]["VRMC_springBone"]["springs"] = [spring]
    tiny.clip([(names["j_hips"], "translation", [0, 1], [(0, 0, 0), (1, 0, 0)], "LINEAR")], name="sway")
    return tiny


def blushing():
    """Whose "wink" turns its grey square blue."""
    tiny = avatar()
    bind = {"material": 0, "type": "color", "targetValue": [0, 0, 1, 1]}
    tiny.json["extensions"]["VRMC_vrm"]["expressions"]["custom"]["wink"] = {"materialColorBinds": [bind]}
    return tiny


def near(one, other):
    return max(abs(a - b) for a, b in zip(one, other)) < 12


class Avatars(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_rig("avatar", avatar().glb())
        cls.put_rig("plain", avatar(views=False).glb())
        cls.put_rig("old", avatar("0.0").glb())
        cls.put_rig("square", rigs.square().glb())

    def test_cameras_without_a_yaw_look_at_the_front(self):
        """VRM 0.x: Avatars face -Z. A yaw that is given counts from +Z for all."""
        def pixels(name, **camera):
            return self.client.frame(name, camera=camera, width=48, height=48).body
        for front, name in ((0, "avatar"), (180, "old")):
            self.assertEqual(pixels(name), pixels(name, yaw=front + 30))
            self.assertEqual(pixels(name, preset="front"), pixels(name, yaw=front, pitch=0))
            self.assertEqual(pixels(name, preset="left"), pixels(name, yaw=front + 90, pitch=0))
            self.assertEqual(pixels(name, preset="front", yaw=10), pixels(name, yaw=10, pitch=0))
            self.assertNotEqual(pixels(name), pixels(name, yaw=front + 210))
        frames = [self.client.post("frames", {"rig": "old", "turntable": 2, "camera": camera,
                                              "width": 48, "height": 48}).body
                  for camera in ({}, {"yaw": 210})]
        self.assertEqual(*frames)

    def test_descriptions_say_what_the_file_says(self):
        described = self.description("avatar")
        self.assertEqual(described["humanoid"], {
            "version": "1.0", "front": "+z", "bones": {name: "j_" + name for name, _ in BODY}})
        self.assertEqual(described["expressions"], [
            {"name": "blink", "preset": "blink", "binary": True,
             "overrides": {"blink": "none", "look_at": "none", "mouth": "block"}},
            {"name": "wink", "preset": None, "binary": False,
             "overrides": {"blink": "none", "look_at": "none", "mouth": "none"}}])
        self.assertEqual(described["look_at"]["by"], "bones")
        self.assertEqual(described["look_at"]["offset"], [0, 0.1, 0])
        self.assertEqual(described["look_at"]["ranges"]["up"], {"input_max": 90, "output": 10})
        self.assertEqual((described["springs"], described["constraints"]), ([], []))
        self.assertEqual(described["meta"], META)
        self.assertEqual(described["warnings"], [])

    def test_avatars_of_0x_face_away(self):
        humanoid = self.description("old")["humanoid"]
        self.assertEqual((humanoid["version"], humanoid["front"]), ("0.0", "-z"))
        self.assertEqual(self.description("old")["meta"], {"title": "Alicia"})

    def test_other_rigs_have_none_of_it(self):
        described = self.description("square")
        for member in ("humanoid", "expressions", "look_at", "springs", "constraints", "meta"):
            self.assertNotIn(member, described)

    def test_heads_that_morph_are_warned_of(self):
        tiny = avatar()
        head = next(node for node in tiny.json["nodes"] if node.get("name") == "j_head")
        shape = square(tiny, 1, RED)
        moved = tiny.accessor([(0, 0, 0.1)] * 4, "VEC3", bounds=True)
        head["mesh"] = tiny.mesh({**shape, "targets": [{"POSITION": moved}]})
        self.put_rig("morphing", tiny.glb())
        self.assertIn("head is itself a mesh that morphs", " ".join(self.description("morphing")["warnings"]))
        # What an expression does to morph targets needs no face.
        pose = {"expression": {"wink": 1}}
        self.assertStatus(self.client.frame("morphing", pose=pose, width=16, height=16), 200)

    def colors(self, rig, **members):
        """The colours of a picture, with the number of pixels of each."""
        reply = self.client.frame(rig, width=64, height=256, samples=1, tone_mapping="linear",
                                  camera="front", fit="rest", **members)
        found = {}
        for pixel in picture.Picture(self.assertStatus(reply, 200).body).pixels():
            if pixel[3]:
                found[pixel[:3]] = found.get(pixel[:3], 0) + 1
        return found

    def expect(self, found, *colors):
        names = {GREY: "grey", RED: "red", GREEN: "green", BLUE: "blue"}
        near = [name for color, name in names.items()
                if any(max(abs(a - b) for a, b in zip(color, one)) < 12 for one in found)]
        self.assertEqual(near, [names[color] for color in colors], found)

    def test_each_view_shows_its_meshes(self):
        third, first = self.colors("avatar"), self.colors("avatar", view="first_person")
        self.expect(third, GREY, RED, GREEN)
        self.expect(first, GREY, BLUE)
        self.assertEqual(third, self.colors("avatar", view="third_person"))
        # The triangle that the head moves is half of the square.
        whole, half = max(third.values()), [count for color, count in first.items() if color[0] > 100]
        self.assertAlmostEqual(half[0] / whole, 0.5, delta=0.05)

    def test_meshes_without_annotations_are_seen_without_the_head(self):
        self.expect(self.colors("plain"), GREY, RED, GREEN, BLUE)
        self.expect(self.colors("plain", view="first_person"), GREY, GREEN, BLUE)

    def test_other_rigs_are_shown_whole(self):
        self.assertEqual(self.colors("square"), self.colors("square", view="first_person"))

    def drawn(self, kind, **members):
        request = {"rig": "square", "width": 24, "height": 16, **members}
        return self.assertStatus(self.client.post("frame", request, accept=kind), 200).body

    def test_thumbnails_are_the_file_s_own_bytes(self):
        for version in ("1.0", "0.0"):
            for kind in ("png", "jpeg"):
                drawn = self.drawn("image/" + kind, background="#ffffff")
                with self.subTest(version=version, kind=kind):
                    self.put_rig("shown", avatar(version, thumbnail=drawn, kind="image/" + kind).glb())
                    path = rig_path("shown", "/thumbnail")
                    self.assertEqual(self.description("shown")["thumbnail"], path)
                    reply = self.assertStatus(self.client.get(path), 200)
                    self.assertEqual((reply.body, reply.kind), (drawn, "image/" + kind))
                    known = self.client.get(path, if_none_match=reply.headers["ETag"])
                    self.assertEqual((known.status, known.body), (304, b""))
                    self.assertProblem(self.client.get(path, accept="image/webp"), 406, "not-acceptable")

    def test_other_thumbnails_become_png(self):
        drawn = self.drawn("image/webp")
        self.put_rig("webp", avatar(thumbnail=drawn, kind="image/webp").glb())
        reply = self.assertStatus(self.client.get(rig_path("webp", "/thumbnail")), 200)
        same = self.client.frame("square", width=24, height=16)
        self.assertEqual(reply.kind, "image/png")
        self.assertEqual(list(picture.Picture(reply.body).pixels()), list(picture.Picture(same.body).pixels()))

    def test_where_there_is_no_thumbnail_there_is_a_reason(self):
        self.put_rig("torn", avatar(thumbnail=b"\x89PNG\r\n\x1a\nnot at all").glb())
        for rig, words in (("avatar", "has no thumbnail"), ("torn", "can be read"), ("square", "no VRM avatar")):
            with self.subTest(rig):
                self.assertProblem(self.client.get(rig_path(rig, "/thumbnail")), 404, "unknown-route", says=[words])
        self.assertIsNone(self.description("avatar")["thumbnail"])
        self.assertProblem(self.client.get(rig_path("nobody", "/thumbnail")), 404, "unknown-rig")

    def test_the_program_puts_the_avatar_on_top_as_links_do(self):
        self.put_rig("hanging", hanging().glb())
        program = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose")).resolve()
        server = ("--server", f"http://127.0.0.1:{self.daemon.port}", "-o", "-", "--format", "png")
        size = ("--width", "32", "--height", "64")
        def drawn(*options):
            command = [program, "frame", "hanging", *options, *size, *server]
            return subprocess.run(command, capture_output=True, timeout=60, check=True).stdout
        def linked(**query):
            return self.assertStatus(self.client.picture_link("hanging", width=32, height=64, **query), 200).body
        plain = linked()
        self.assertEqual(drawn(), plain)
        for options, query in ((("--avatar",), {"avatar": "true"}),
                               (("--avatar", "--clip", "sway", "--time", "0.5"),
                                {"avatar": "true", "clip": "sway", "time": "0.5"})):
            self.assertEqual(drawn(*options), linked(**query))
            self.assertNotEqual(drawn(*options), plain)
        self.assertEqual(drawn("--avatar", "--pose", '{"clip": "sway", "time": 0.5}'),
                         linked(avatar="true", clip="sway", time="0.5"))

    def crowd(self, *figures, **members):
        instances = [{"rig": rig, "pose": pose, "translation": [4 * i, 0, 0]} for i, (rig, pose) in enumerate(figures)]
        reply = self.client.post("crowd", {"instances": instances, "width": 96, "height": 96, "samples": 1, "fit": "rest",
                                           "tone_mapping": "linear", "camera": "front", **members}, accept="image/png")
        return self.counted(reply)

    def counted(self, reply):
        found = {}
        for pixel in picture.Picture(self.assertStatus(reply, 200).body).pixels():
            if pixel[3]:
                found[pixel[:3]] = found.get(pixel[:3], 0) + 1
        return found

    def test_a_view_holds_for_all_figures_of_a_crowd(self):
        figures = [("avatar", "rest"), ("square", "rest"), ("avatar", "rest")]
        third, first = self.crowd(*figures[::2]), self.crowd(*figures[::2], view="first_person")
        self.expect(third, GREY, RED, GREEN)
        self.expect(first, GREY, BLUE)
        self.assertEqual(third, self.crowd(*figures[::2], view="third_person"))
        self.assertEqual(self.crowd(figures[1]), self.crowd(figures[1], view="first_person"))

    def test_figures_of_a_crowd_have_colours_of_their_own(self):
        """An expression that turns the grey square blue, on one figure of three and on none."""
        self.put_rig("blushing", blushing().glb())
        plain, blue = ("blushing", "rest"), ("blushing", {"expression": {"wink": 1}})
        self.expect(self.crowd(plain, plain, plain), GREY, RED, GREEN)
        self.expect(self.crowd(plain, blue, plain), GREY, RED, GREEN, BLUE)
        self.expect(self.crowd(blue, blue), RED, GREEN, BLUE)
        some, all_ = self.crowd(plain, blue, plain), self.crowd(blue, blue, blue)
        count = {name: sum(n for color, n in found.items() if near(color, BLUE))
                 for name, found in (("some", some), ("all", all_))}
        self.assertAlmostEqual(count["all"] / count["some"], 3, delta=0.1)

    def test_compared_methods_show_expressions(self):
        self.put_rig("blushing", blushing().glb())
        def compared(pose):
            return self.counted(self.client.post("compare", {
                "rig": "blushing", "pose": pose, "methods": ["lbs", "dqs"], "view": "side_by_side", "width": 128,
                "height": 160, "samples": 1, "tone_mapping": "linear", "camera": "front"}, accept="image/png"))
        def has(found, color):
            return sum(n for one, n in found.items() if near(one, color)) > 50
        self.assertFalse(has(compared("rest"), BLUE))
        self.assertTrue(has(compared({"expression": {"wink": 1}}), BLUE))

    def test_unknown_views_are_refused(self):
        self.assertProblem(self.client.frame("avatar", view="second_person"), 400, "invalid-value",
                           says="must be one of: third_person, first_person")

    def test_links_have_the_view_too(self):
        one = self.client.picture_link("avatar", width=32, height=64, view="first_person")
        other = self.client.picture_link("avatar", width=32, height=64)
        self.assertNotEqual(self.assertStatus(one, 200).body, self.assertStatus(other, 200).body)
