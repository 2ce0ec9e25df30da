"""The page's display: the list, a rig, and its vertices against the daemon's own picture."""
from client import rig_path
from page_case import BACKDROP_PIXEL, SCRUB, PageCase, area, middle, overlap
from picture import Picture
from rigs import armour
from test_materials import BLUE, GREEN, RED, WHITE, faded, textured
from tiny import FLOAT

MEAN_DIFFERENCE = 1.25  # of 255: an even surface may round to the next byte, and edges differ by more
SHIFT = 8  # in the protocol's modifiers
NAMED_ROLES = ("button", "checkbox", "combobox", "dialog", "image", "link", "radio", "searchbox",
               "slider", "tab", "tablist", "tabpanel", "textbox")
TABS = [f"#tab-{name}" for name in ("pose", "joints", "skin", "look", "about")]


class Shows(PageCase):
    def test_loads_without_complaint_from_this_host_only(self):
        page = self.page()
        page.wait(self.RIGS_ARE_LISTED)
        page.wait("document.getElementById('figures').textContent.includes('frames/s')")
        self.assertEqual(page.complaints, [])
        for request in page.requests:
            self.assertTrue(request["url"].startswith((self.address, "blob:")), request["url"])

    def test_lists_the_rigs_with_their_counts_and_filters_them(self):
        page = self.page()
        page.wait(self.RIGS_ARE_LISTED)
        rows = page.evaluate("[...document.querySelectorAll('#rigs a')].map((a) => a.innerText)")
        listed = self.client.get("/v1/rigs").json()["rigs"]
        self.assertEqual([row.split("\n")[0] for row in rows], [rig["name"] for rig in listed])
        for row, rig in zip(rows, listed):
            self.assertIn(f"{rig['vertices']:,} vertices", row)
            self.assertIn(f"{rig['joints']} joint", row)
        page.choose("#filter", "TUBE")
        rows = page.evaluate(
            "[...document.querySelectorAll('#rigs strong')].map((a) => a.innerText)"
        )
        self.assertEqual(rows, ["tube23"])

    def test_choosing_a_rig_draws_it_and_names_it_in_the_address(self):
        page = self.page("#rig=cyl2")
        page.wait(self.RIGS_ARE_LISTED)
        page.click("#rigs li:nth-child(4) a")
        page.wait("document.getElementById('name').textContent === 'humanoid'")
        page.wait("location.hash.includes('rig=humanoid')")
        page.choose("#scrub", "0.3")
        page.settle()
        mask = self.mask(page)
        covered = area(mask) / sum(len(row) for row in mask)
        self.assertGreater(covered, 0.02)
        self.assertLess(covered, 0.6)

    def test_description_is_the_daemon_s(self):
        page = self.opened("humanoid")
        rig = self.description("humanoid")
        text = page.evaluate("document.getElementById('facts').innerText")
        for number in (rig["vertices"], rig["triangles"], len(rig["joints"])):
            self.assertIn(f"{number:,}", text)
        clips = page.evaluate("[...document.querySelector('#clip').options].map((o) => o.value)")
        self.assertEqual(clips, [""] + [clip["name"] for clip in rig["clips"]])

    def test_link_opens_rig_clip_method_and_mode(self):
        page = self.page("#rig=cyl2&clip=bend&skinning=dqs&show=pictures")
        page.wait("document.getElementById('name').textContent === 'cyl2'")
        values = page.evaluate(
            "['#clip', '#method', 'input[name=mode]:checked']"
            ".map((selector) => document.querySelector(selector).value)"
        )
        self.assertEqual(values, ["bend", "dqs", "pictures"])

    def test_link_to_no_rig_shows_the_daemon_s_sentence(self):
        page = self.page("#rig=nobody")
        detail = self.client.get(rig_path("nobody")).json()["detail"]
        self.assertStatusLine(page, detail)

    def test_rest_pose_where_no_clip_is_chosen(self):
        page = self.opened("humanoid", "Walk")
        page.choose("#clip", "")
        page.settle()
        self.assertEqual(page.streamed()["pose"], "rest")
        self.assertTrue(page.evaluate("document.querySelector('#play').disabled"))
        self.assertGreater(area(self.mask(page)), 1000)

    def test_no_sideways_scrolling(self):
        page = self.opened("humanoid")
        for width in (360, 600, 1000, 1920):
            page.resize(width, 700)
            self.assertEqual(page.evaluate("innerWidth"), width)
            self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)

    def test_figures_leave_the_stage_as_high_as_it_is(self):
        page = self.idle()
        heights = page.evaluate("""Array.from({ length: 40 }, (_, count) => {
            document.querySelector('#status').textContent = 'word '.repeat(5 * count);
            return ['-', 'lbs on cpu', 'word '.repeat(20)].map((text) => {
                document.querySelector('#figures').textContent = text;
                return document.querySelector('#stage').clientHeight;
            });
        })""")
        for count, seen in enumerate(heights):
            self.assertEqual(len(set(seen)), 1, f"{5 * count} words: {seen}")
        self.assertLess(heights[-1][0], heights[0][0])  # the line is long enough to matter

    def test_resized_stage_is_never_shown_empty(self):
        page = self.idle()
        self.assertStaysDrawn(page, "document.querySelector('#surface')", 1100, 400)

    def test_every_control_has_a_name(self):
        page = self.opened("humanoid")
        page.click("#add-layer")
        seen = set()
        for opener in (*TABS, "#copy", "#help-open"):
            page.click(opener)
            for node in page.call("Accessibility.getFullAXTree")["nodes"]:
                role = node.get("role", {}).get("value")
                if role in NAMED_ROLES and not node["ignored"]:
                    seen.add(role)
                    self.assertTrue(node.get("name", {}).get("value"), node)
            page.evaluate("document.querySelector('dialog[open]')?.close()")
        self.assertEqual(set(NAMED_ROLES), seen)


class Silhouettes(PageCase):
    """Vertices drawn by the page against the daemon's own pictures."""

    def test_of_a_clip(self):
        self.assertMeets(self.held("humanoid", "Run", 0.3))

    def test_of_a_blend(self):
        page = self.held("humanoid", "Walk", 0.25)
        page.click("#add-layer")
        page.choose(".layer select", "Wave")
        page.choose(".layer input", "0.5")
        page.settle()
        blend = self.pose(page)["blend"]
        self.assertEqual([part["weight"] for part in blend], [1, 0.5])
        clips = [part["pose"]["scale_time"]["clip"] for part in blend]
        self.assertEqual(clips, ["Walk", "Wave"])
        self.assertMeets(page)

    def test_of_clips_one_after_another(self):
        page = self.held("humanoid", "Walk", 0.25)
        page.click("#add-layer")
        page.choose(".layer select", "Run")
        page.choose("#order", "listed")
        page.choose("#fade", "0.2")
        clips = {clip["name"]: clip["duration"] for clip in self.description("humanoid")["clips"]}
        start = clips["Walk"] - 0.2
        page.choose(SCRUB, str((start + 0.1) / (start + clips["Run"])))
        pose = self.pose(page)
        self.assertEqual([entry["pose"] for entry in pose["playlist"]],
                         [{"clip": "Walk"}, {"clip": "Run"}])
        self.assertEqual([entry.get("fade", 0) for entry in pose["playlist"]], [0, 0.2])
        self.assertAlmostEqual(pose["playlist"][1]["start"], start, 6)
        self.assertAlmostEqual(pose["time"], start + 0.1, 3)
        self.assertMeets(page)
        page.choose("#order", "mixed")
        self.assertIn("blend", self.pose(page))

    def test_of_a_clip_of_another_rig(self):
        self.put_rig("armour", armour())
        self.addCleanup(self.client.delete, "armour")
        page = self.page("#rig=armour")
        page.wait("document.getElementById('name').textContent === 'armour'")
        page.choose("#other-rig", "humanoid")
        page.wait("document.querySelector('#clip').value.endsWith('Idle')")
        page.choose("#clip", "\u0001Walk")
        page.wait("document.querySelector('#play').ariaLabel === 'Pause' || "
                  "!document.querySelector('#play').disabled")
        page.choose(SCRUB, "0.25")
        pose = self.pose(page)
        self.assertEqual(pose["rig"], "humanoid")
        self.assertEqual(pose["copy"]["clip"], "Walk")
        self.assertMeets(page)
        page.choose("#other-way", "retarget")
        self.assertEqual(self.pose(page)["retarget"]["clip"], "Walk")
        page.choose("#other-rig", "")
        self.assertEqual(self.pose(page), "rest")

    def test_of_another_camera_by_mouse_keys_and_wheel(self):
        page = self.held("tube23", "wave", 0.6)
        before = self.mask(page)
        page.drag((400, 250), (520, 200))
        page.evaluate("document.querySelector('#surface').focus()")
        page.key("ArrowUp")
        page.key("ArrowRight", modifiers=SHIFT)
        page.key("+")
        page.settle()
        self.assertLess(overlap(before, self.mask(page)), 0.9)
        self.assertMeets(page)
        camera = page.sent("/v1/frame")[-1]["camera"]
        self.assertNotEqual(camera["target"][0], 0)

    def test_dragged_with_shift_goes_where_the_mouse_goes(self):
        page = self.held("humanoid", "Idle", 0)
        before = middle(self.mask(page))
        page.drag((450, 250), (500, 220), modifiers=SHIFT)
        page.settle()
        after = middle(self.mask(page))
        self.assertAlmostEqual(after[0] - before[0], 50, delta=5)
        self.assertAlmostEqual(after[1] - before[1], -30, delta=5)


def with_vertex_colours():
    tiny = faded(1)
    attributes = tiny.json["meshes"][0]["primitives"][0]["attributes"]
    rows = [(1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 1), (1, 1, 1, 1)]
    attributes["COLOR_0"] = tiny.accessor(rows, "VEC4", FLOAT)
    return tiny


def mirrored():
    """With a second node, so that plain and mirrored ones are in one rig."""
    tiny = textured([[RED, GREEN], [BLUE, WHITE]])
    tiny.node(root=True, mesh=0, scale=[-0.5, 1, 1], translation=[2, 0, 0])
    return tiny


def with_all_maps(metallic=1.0):
    """One picture as every map of a surface: colour, metal, dents, glow and shade, some of them
    moved."""
    tiny = textured([[(255, 120, 90), (90, 250, 140)], [(140, 100, 230), (128, 128, 255)]])
    moved = {"KHR_texture_transform": {"offset": [0.1, 0.2], "rotation": 0.4, "scale": [1.5, 0.7]}}
    material = tiny.json["materials"][0]
    surface = material.setdefault("pbrMetallicRoughness", {})
    surface.update(metallicFactor=metallic, roughnessFactor=0.7,
                   metallicRoughnessTexture={"index": 0, "extensions": moved})
    material.update(normalTexture={"index": 0, "scale": 0.6},
                    occlusionTexture={"index": 0, "strength": 0.8, "extensions": moved},
                    emissiveTexture={"index": 0}, emissiveFactor=[0.1, 0.05, 0.2])
    tiny.json["extensionsUsed"] = ["KHR_texture_transform"]
    return tiny


def plain_metal():
    tiny = textured([[WHITE, WHITE], [WHITE, WHITE]], (0.9, 0.7, 0.4))
    tiny.json["materials"][0]["pbrMetallicRoughness"].update(metallicFactor=1, roughnessFactor=0.3)
    return tiny


RIGS = {
    "all maps": with_all_maps,
    "all maps, no metal": lambda: with_all_maps(0),
    "metal": plain_metal,
    "textured": lambda: textured([[RED, GREEN], [BLUE, WHITE]], (0.8, 0.6, 0.4)),
    "mirrored": mirrored,
    "half-transparent": lambda: faded(0.5, alphaMode="BLEND"),
    "holes": lambda: faded(0.5, alphaMode="MASK", alphaCutoff=0.4),
    "vertex colours": with_vertex_colours,
}


class Colours(PageCase):
    """Both ways of showing a rig look alike, although the page has shaders of its own."""

    def test_are_those_of_the_daemon_s_pictures(self):
        page = self.page()
        page.wait("document.querySelector('#play').ariaLabel === 'Pause'")
        for name, make in RIGS.items():
            with self.subTest(rig=name):
                self.put_rig(name, make().glb())
                page.click("[value=vertices]")
                page.evaluate(f"location.hash = new URLSearchParams({{ rig: {name!r} }})")
                page.wait(f"document.getElementById('name').textContent === {name!r}")
                page.settle()
                drawn = self.stage(page)
                page.click("[value=pictures]")
                page.settle()
                self.assertAlike(drawn, self.stage(page))

    def assertAlike(self, rows, others):
        differences = [
            max(abs(x - y) for x, y in zip(a[:3], b[:3]))
            for row, other in zip(rows, others, strict=True)
            for a, b in zip(row, other, strict=True)
            if a[:3] != BACKDROP_PIXEL or b[:3] != BACKDROP_PIXEL
        ]
        self.assertGreater(len(differences), 5000)
        self.assertLess(sum(differences) / len(differences), MEAN_DIFFERENCE)
