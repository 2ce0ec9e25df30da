"""MToon beside three-vrm: every avatar of the shared files that has it, and the colours and texture
transforms of expressions. Skipped without three-vrm, whose folder THREE_VRM_MODULES names."""
import json
import unittest

from case import DaemonCase

try:
    import avatars_beside as beside
    MISSING = None if (beside.MODULES / "@pixiv/three-vrm").exists() else (
        f"no three-vrm in {beside.MODULES}: npm install @pixiv/three-vrm three elsewhere, and name "
        "its node_modules by THREE_VRM_MODULES")
except unittest.SkipTest as why:
    MISSING = str(why)


def has_mtoon(document):
    old = document.get("extensions", {}).get("VRM", {}).get("materialProperties", [])
    return (any(properties.get("shader") == "VRM/MToon" for properties in old)
            or any("VRMC_materials_mtoon" in material.get("extensions", {})
                   for material in document.get("materials", [])))


def colouring(document):
    """The names of expressions that change materials."""
    extensions = document["extensions"]
    groups = extensions.get("VRM", {}).get("blendShapeMaster", {}).get("blendShapeGroups", [])
    names = [group["name"] for group in groups if group.get("materialValues")]
    for kind in extensions.get("VRMC_vrm", {}).get("expressions", {}).values():
        names += [name for name, one in kind.items()
                  if one.get("materialColorBinds") or one.get("textureTransformBinds")]
    return names


class Avatars(DaemonCase):
    @classmethod
    def setUpClass(cls):
        if MISSING:
            raise unittest.SkipTest(MISSING)
        super().setUpClass()

    @classmethod
    def prepare(cls):
        cls.files, cls.documents = {}, {}
        for path in sorted(beside.FILES.glob("vrm/*/*.vrm")):
            glb = path.read_bytes()
            document = beside.chunks(glb)[0]
            if has_mtoon(document):
                side = -1 if beside.front(document) else 1
                cls.documents[path.stem] = document
                cls.files[path.stem] = beside.with_lamp(glb, (0.5 * side, 0.6, 0.8 * side))
                cls.put_rig(path.stem, cls.files[path.stem])
        if not cls.files:
            raise unittest.SkipTest("no avatars: POSED_SHARED_FILES says where such files are")
        cls.page = beside.Page(cls.files)
        cls.addClassCleanup(cls.page.close)

    def alike(self, name, yaw, pitch, time, expressions=None):
        yaw += beside.front(self.documents[name])
        camera = beside.sight(self.description(name)["bounds"], yaw, pitch)
        ours = beside.ask(self.client, name, camera, time, expressions)
        theirs = self.page.draw(name, camera, time, expressions)
        return beside.likeness.similarity(ours, theirs), ours

    def test_mtoon_is_three_vrms(self):
        for name in self.files:
            for yaw, pitch, time in ((0, 0, 0), (50, 15, 0.7)):
                with self.subTest(name, yaw=yaw):
                    self.assertGreaterEqual(self.alike(name, yaw, pitch, time)[0], beside.LEAST)

    def test_expressions_colour_materials_as_three_vrms_do(self):
        count = 0
        for name, document in self.documents.items():
            for expression in colouring(document):
                with self.subTest(name, expression=expression):
                    plain = self.alike(name, 0, 0, 0)[1]
                    alike, ours = self.alike(name, 0, 0, 0, {expression: 0.7})
                    self.assertGreaterEqual(alike, beside.LEAST)
                    self.assertGreater(abs(ours - plain).max(), 20, json.dumps(expression))
                    count += 1
        self.assertGreater(count, 0)
