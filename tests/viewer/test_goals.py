"""Joints that are held where they are, by each way of inverse kinematics; against /v1/pose."""
from page_case import PageCase

SOLVERS = ("ccd", "fabrik", "jacobian", "jacobian_transpose")


class Goals(PageCase):
    def place(self, pose, joint):
        reply = self.client.post("pose", {"rig": "humanoid", "pose": pose, "space": "world"})
        joints = self.assertStatus(reply, 200).json()["joints"]
        return next(one["world"][12:15] for one in joints if one["name"] == joint)

    def chosen(self, joint):
        """The page with a joint chosen, and the pose that it shows."""
        page = self.held("humanoid", "Walk", 0.3)
        page.click("#tab-joints")
        self.choose_joint(page, joint)
        return page, self.pose(page)

    def hold(self, page):
        page.click("#goal")
        page.wait("!document.querySelector('#goal-place').hidden")

    def test_a_joint_is_held_where_it_is_by_each_solver(self):
        page, pose = self.chosen("LeftHand")
        self.hold(page)
        page.choose("#goal-y", "1.05")  # up by a hand's breadth or two: the elbow bends
        for solver in SOLVERS:
            with self.subTest(solver=solver):
                page.choose("#solver", solver)
                held = self.pose(page)
                self.assertEqual(held[solver], pose)
                (goal,) = held["goals"]
                self.assertEqual((goal["end"], goal["root"]), ("LeftHand", "LeftArm"))
                x, _, z = self.place(pose, "LeftHand")
                wanted = [x, 1.05, z]
                self.assertNumbers(goal["target"], wanted, 1e-3)
                self.assertNumbers(self.place(held, "LeftHand"), wanted, 0.02)
        page.click("#goal")
        self.assertEqual(self.pose(page), pose)

    def test_its_chain_may_begin_higher_and_others_be_held_too(self):
        page, pose = self.chosen("LeftHand")
        self.hold(page)
        page.evaluate("document.querySelector('#goal-root').value ="
                      " [...document.querySelectorAll('#goal-root option')]"
                      ".find((option) => option.textContent === 'Spine').value")
        page.choose("#goal-root", page.evaluate("document.querySelector('#goal-root').value"))
        self.choose_joint(page, "RightHand")
        self.assertTrue(page.evaluate("document.querySelector('#goal-place').hidden"))
        self.hold(page)
        goals = self.pose(page)["goals"]
        self.assertEqual([(goal["end"], goal["root"]) for goal in goals],
                         [("LeftHand", "Spine"), ("RightHand", "RightArm")])
        page.evaluate("document.querySelector('#copy').click()")
        page.choose("#copy-form", "link")
        link = page.evaluate("document.querySelector('#copy-text').value")
        other = self.page(link.removeprefix(self.address))
        other.wait("document.getElementById('name').textContent === 'humanoid'")
        other.settle()
        self.assertEqual(other.streamed()["pose"]["goals"], goals)

    def test_a_root_has_nothing_that_could_bring_it(self):
        page, _ = self.chosen("LeftHand")
        page.click("#joints button")
        self.assertTrue(page.evaluate("document.querySelector('#goal').disabled"))
