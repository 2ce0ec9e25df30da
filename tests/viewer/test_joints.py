"""Joints on the picture: skeleton, choosing, rings that turn them, masks; against /v1/pose."""
import math

from page_case import PageCase, area

JOINTS = "document.querySelectorAll('#joints button')"


class OnPicture(PageCase):
    def last(self, page):
        page.settle()
        return self.pose(page)

    def place(self, page, rig, pose, joint):
        """The position of a joint in the window, by the page's own request for a picture."""
        page.evaluate("document.querySelector('#copy').click()")
        page.choose("#copy-form", "json")
        request = page.evaluate("JSON.parse(document.querySelector('#copy-text').value)")
        page.click("#copy-close")
        reply = self.client.post("pose", {"rig": rig, "pose": pose, "space": "world"})
        joints = self.assertStatus(reply, 200).json()["joints"]
        world = next(one["world"][12:15] for one in joints if one["name"] == joint)
        camera = request["camera"]
        yaw, pitch = math.radians(camera["yaw"]), math.radians(camera["pitch"])
        right = (math.cos(yaw), 0, -math.sin(yaw))
        up = (-math.sin(yaw) * math.sin(pitch), math.cos(pitch),
              -math.cos(yaw) * math.sin(pitch))
        back = (math.sin(yaw) * math.cos(pitch), math.sin(pitch),
                math.cos(yaw) * math.cos(pitch))
        offset = [a - b for a, b in zip(world, camera["target"])]
        x, y, z = (sum(a * b for a, b in zip(axis, offset)) for axis in (right, up, back))
        height = request["height"]
        scale = height / 2 / math.tan(math.radians(camera["fov"]) / 2) / (camera["distance"] - z)
        left, top = page.evaluate(
            "(({ left, top }) => [left, top])"
            "(document.querySelector('#stage').getBoundingClientRect())")
        return left + request["width"] / 2 + x * scale, top + height / 2 - y * scale

    def click_at(self, page, place):
        page.drag(place, place)
        page.settle()

    def marked(self, page):
        """The number of non-empty pixels of the page's own overlay."""
        return page.evaluate("""(() => {
            const canvas = document.querySelector('#overlay');
            const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
            let count = 0;
            for (let i = 3; i < data.length; i += 4) count += data[i] > 0;
            return count;
        })()""")

    def test_skeleton_is_drawn_over_vertices(self):
        page = self.held("humanoid", "Walk", 0.3)
        self.assertEqual(self.marked(page), 0)
        self.assertEqual(len(page.sent("/v1/pose")), 0)
        page.key("s")
        page.wait("document.querySelector('#overlay-skeleton').checked")
        page.settle()
        self.assertGreater(self.marked(page), 300)
        self.assertEqual(page.sent("/v1/pose")[-1]["poses"][0], self.last(page))
        self.assertEqual(page.evaluate("document.querySelector('#vertices').checked"), True)
        page.click("[value=pictures]")
        page.settle()
        self.assertEqual(page.sent("/v1/frame")[-1]["overlays"], ["skeleton"])
        self.assertEqual(self.marked(page), 0)  # the daemon has drawn it

    def test_click_on_the_picture_chooses_the_joint_that_is_there(self):
        page = self.held("humanoid", "Walk", 0.3)
        page.click("#tab-joints")
        page.settle()
        pose = self.last(page)
        for joint in ("LeftHand", "RightFoot"):
            self.click_at(page, self.place(page, "humanoid", pose, joint))
            self.assertEqual(page.evaluate("document.querySelector('#joint-name').innerText"), joint)
            pressed = page.evaluate(
                f"[...{JOINTS}].filter((b) => b.ariaPressed === 'true').map((b) => b.innerText)")
            self.assertEqual(pressed, [joint])

    def test_ring_turns_the_joint_from_where_it_stands(self):
        page = self.held("humanoid", "Walk", 0.3)
        page.click("#tab-joints")
        page.settle()
        pose = self.last(page)
        before = self.mask(page)
        self.assertEqual(page.evaluate("document.querySelector('#overlay').style.visibility"),
                         "hidden")  # so that masks are of the rig alone
        hand = self.place(page, "humanoid", pose, "LeftArm")
        self.click_at(page, hand)
        self.assertEqual(page.evaluate("document.querySelector('#joint-name').innerText"), "LeftArm")
        local = self.client.post("pose", {"rig": "humanoid", "pose": pose, "space": "local"}).json()
        rotation = next(one["rotation"] for one in local["joints"] if one["name"] == "LeftArm")
        # Rings of a fifth of the stage's height, or 64 pixels, about the joint.
        radius = min(page.evaluate("document.querySelector('#stage').clientHeight") / 5, 64)
        start = next(
            (hand[0] + radius * math.cos(angle), hand[1] + radius * math.sin(angle))
            for angle in (math.radians(a) for a in range(0, 360, 5))
            if self.is_ring(page, (hand[0] + radius * math.cos(angle),
                                   hand[1] + radius * math.sin(angle))))
        page.drag(start, (start[0] + 25, start[1] - 25))
        page.settle()
        turned = self.last(page)
        self.assertEqual(turned["set"], pose)
        ((joint, change),) = turned["joints"].items()
        self.assertEqual(joint, "LeftArm")
        cosine = abs(sum(a * b for a, b in zip(change["rotation"], rotation)))
        angle = math.degrees(2 * math.acos(min(cosine, 1)))
        self.assertGreater(angle, 3)
        self.assertLess(angle, 120)
        self.assertNotEqual(area(self.mask(page)), area(before))
        page.click("#unturn-one")
        self.assertEqual(self.last(page), pose)

    def is_ring(self, page, place):
        """True if the overlay has one of the rings' colours there."""
        left, top = page.evaluate(
            "(({ left, top }) => [left, top])"
            "(document.querySelector('#stage').getBoundingClientRect())")
        x, y = place[0] - left, place[1] - top
        red, green, blue, alpha = page.evaluate(
            f"[...document.querySelector('#overlay').getContext('2d')"
            f".getImageData({round(x)}, {round(y)}, 1, 1).data]")
        return alpha > 200 and max(red, green, blue) - min(red, green, blue) > 80

    def test_camera_turns_where_there_is_no_ring(self):
        page = self.held("humanoid", "Walk", 0.3)
        page.click("#tab-joints")
        page.settle()
        before = page.evaluate("document.querySelector('#view').value")
        page.drag((320, 330), (350, 330))
        self.assertNotIn("set", self.last(page))
        self.assertNotEqual(page.evaluate("document.querySelector('#view').value"), before)

    def test_mask_is_of_the_joints_that_are_chosen(self):
        page = self.held("humanoid", "Walk", 0.25)
        page.click("#add-layer")
        page.choose(".layer select", "Wave")
        page.click(".layer .row button")
        self.assertEqual(page.evaluate("document.body.dataset.tab"), "joints")
        self.assertNotIn("layers", self.last(page))  # a mask of nothing lays nothing over
        pick = f"[...{JOINTS}].find((b) => b.innerText === %r).click()"
        page.evaluate(pick % "RightShoulder")
        layers = self.last(page)["layers"]
        self.assertEqual(layers[0]["clip"], "Walk")
        self.assertEqual(layers[1]["pose"]["scale_time"]["clip"], "Wave")
        self.assertEqual(layers[1]["mask"], {"RightShoulder": 1})
        page.evaluate(pick % "RightHand")  # with what is below it out again
        self.assertEqual(self.last(page)["layers"][1]["mask"], {"RightShoulder": 1, "RightHand": 0})
        # The same on the picture.
        plain = {"clip": "Walk", "time": layers[0]["time"]}
        world = self.place(page, "humanoid", self.last(page), "LeftFoot")
        self.click_at(page, world)
        mask = self.last(page)["layers"][1]["mask"]
        self.assertEqual(mask["LeftFoot"], 1)
        page.click("#mask-done")
        page.click("#tab-pose")
        page.click(".layer .row button:last-child")
        self.assertEqual(self.last(page), plain)
