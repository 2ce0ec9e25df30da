"""Whatever changes in a store's files is found by posed verify, and never served.

tests/unit/test_store_verify.c changes every byte of a smaller store. With EVERY_BYTE=1 every
byte of every file here is changed, too, which takes some minutes."""
import hashlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import tempfile

import sample_store
from client import Client, rig_path
from daemon import Daemon, binary
from store_case import StoreCase

SEED = 20290218
CHANGES = 100  # of single bytes
ASKED = 4  # of which a daemon is started on
EVERY_BYTE = os.environ.get("EVERY_BYTE") == "1"
FOLDERS = ("rigs", "objects", "derived")
KEPT = pathlib.Path(__file__).resolve().parent / "stores"


def files_of(folder):
    return sorted(path for part in FOLDERS for path in (folder / part).iterdir())


def contents_of(folder):
    return {path.relative_to(folder): path.read_bytes() for path in files_of(folder)}


def overwrite(path, content):
    """In place: some file systems sync a file that was truncated and rewritten."""
    with open(path, "r+b") as file:
        file.write(content)
        file.truncate()


def telling_offsets(path, size):
    """Positions of changes that are least likely to be noticed: heads with their lengths and checksums, ends,
    and the numbers and checksums in the lines of records."""
    if path.parent.name == "rigs":
        return range(size)
    return {at for at in (*range(128), *range(size - 8, size)) if 0 <= at < size}


class Sample(StoreCase):
    @classmethod
    def setUpClass(cls):
        if not binary().exists():
            raise AssertionError(f"no daemon at {binary()}")
        cls.sound = pathlib.Path(tempfile.mkdtemp(prefix="posed-sample-"))
        cls.addClassCleanup(shutil.rmtree, cls.sound, ignore_errors=True)
        daemon = Daemon(data=cls.sound, args=cls.args).start()
        client = Client(daemon.port)
        sample_store.fill(client)
        cls.answers = sample_store.answers(client)
        daemon.stop()

    def setUp(self):
        super().setUp()
        shutil.copytree(self.sound, self.data, dirs_exist_ok=True)
        self.folder = pathlib.Path(self.data)

    def damage(self):
        """The places that `posed verify` reports as damaged."""
        command = [binary(), "verify", "--json", "--data", self.data]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        found = json.loads(done.stdout)
        self.assertEqual(done.returncode, 0 if found["sound"] else 1, done.stdout)
        self.assertEqual(found["sound"], not found["damage"])
        return [one["place"] for one in found["damage"]]

    def assertNothingFalseIsServed(self, what):
        """Each answer is as it was, or tells of the damage."""
        client = self.start()
        self.assertListed(client, what)
        for name, (_, request) in sample_store.requests().items():
            reply = client.request(*request)
            if reply.status == 200:
                digest = hashlib.sha256(reply.body).hexdigest()
                self.assertEqual(digest, self.answers[name], (what, name))
            else:
                self.assertProblem(reply, 507, "store-damaged")
        self.assertListed(client, what)
        self.daemon.stop()

    def assertListed(self, client, what):
        """All rigs, each as it was, or at least that it is damaged."""
        rigs = sample_store.listed(client)
        self.assertEqual([rig["name"] for rig in rigs],
                         [rig["name"] for rig in self.answers["rigs"]], what)
        for rig, wanted in zip(rigs, self.answers["rigs"]):
            if rig.pop("damaged", False) and rig["content"] is None:
                wanted = {"name": wanted["name"], "content": None,
                          "vertices": 0, "joints": 0, "clips": 0}
            self.assertEqual(rig, wanted, what)


class Changes(Sample):
    def changes(self):
        """(file, offset) of the bytes to change."""
        random_ = random.Random(SEED)
        sizes = {path: path.stat().st_size for path in files_of(self.folder)}
        every = [(path, at) for path, size in sizes.items() for at in range(size)]
        if EVERY_BYTE:
            return every
        telling = [(path, at) for path, size in sizes.items()
                   for at in telling_offsets(path, size)]
        return random_.sample(telling, CHANGES // 2) + random_.sample(every, CHANGES // 2)

    def test_each_changed_byte_is_found(self):
        random_ = random.Random(SEED)
        changes = self.changes()
        asked = set(random_.sample(range(len(changes)), ASKED))
        for number, (path, at) in enumerate(changes):
            was = path.read_bytes()
            change = 1 << random_.randrange(8)
            overwrite(path, was[:at] + bytes([was[at] ^ change]) + was[at + 1 :])
            what = f"{path.relative_to(self.folder)} byte {at} ^ {change}"
            self.assertTrue(self.damage(), what)
            if number in asked:
                self.assertNothingFalseIsServed(what)
                shutil.rmtree(self.folder)
                shutil.copytree(self.sound, self.folder)
            overwrite(path, was)
        self.assertEqual(self.damage(), [])


class Exchanges(Sample):
    def test_exchanged_and_renamed_files_are_found(self):
        files = files_of(self.folder)
        random_ = random.Random(SEED)
        pairs = [(one, other) for one in files for other in files
                 if one < other and one.read_bytes() != other.read_bytes()]
        within = [(one, other) for one, other in pairs if one.parent == other.parent]
        for one, other in {*random_.sample(pairs, 20), *random_.sample(within, 20)}:
            was = one.read_bytes(), other.read_bytes()
            overwrite(one, was[1])
            overwrite(other, was[0])
            self.assertEqual(len(self.damage()) > 0, True, (one, other))
            overwrite(one, was[0])
            overwrite(other, was[1])
        for path in files:
            last = path.name[-1]
            renamed = path.rename(path.parent / (path.name[:-1] + ("0" if last != "0" else "1")))
            self.assertNotEqual(self.damage(), [], path)
            renamed.rename(path)
        self.assertEqual(self.damage(), [])

    def test_another_rig_s_record_is_not_served(self):
        rigs = self.folder / "rigs"
        for name, other in (("cyl2", "column"), ("plain", "the same")):
            shutil.copy(rigs / other, rigs / name)
        self.assertEqual(sorted(self.damage()), ["rigs/cyl2", "rigs/plain"])
        self.assertNothingFalseIsServed("records of others")

    def test_changed_numbers_and_exchanged_clips_are_not_served(self):
        record = self.folder / "rigs" / "cyl2"
        text = record.read_text()
        lines = text.splitlines(keepends=True)
        wave, pause = (next(i for i, line in enumerate(lines) if line.endswith(f" {name}\n"))
                       for name in ("wave", "a pause"))
        exchanged = list(lines)
        exchanged[wave] = lines[pause].replace("a pause", "wave")
        exchanged[pause] = lines[wave].replace("wave", "a pause")
        for changed in (text.replace("vertices 658", "vertices 659"), "".join(exchanged)):
            self.assertNotEqual(changed, text)
            record.write_text(changed)
            self.assertEqual(self.damage(), ["rigs/cyl2"])
            self.assertNothingFalseIsServed(changed)


class FoundAtTheStart(Sample):
    """507 and in the list, whatever is asked, until it is put again or deleted."""

    def setUp(self):
        super().setUp()
        record = self.folder / "rigs" / "column"
        content = record.read_bytes()
        overwrite(record, content.replace(b"vertices 6", b"vertices 7"))
        digest = self.answers["source of plain"]
        (self.folder / "objects" / digest).unlink()

    def marks(self, client):
        return {rig["name"]: rig.get("damaged", False) for rig in sample_store.listed(client)}

    def test_whatever_is_asked(self):
        client = self.start()
        marks = {"column": True, "plain": True, "the same": True, "cyl2": False, "größe": False}
        self.assertEqual(self.marks(client), marks)
        for rig in ("column", "plain"):
            for path in ("", "/source", "/mesh.glb", "/clips", "/examples", "/influences?joint=0",
                         "/compatibility?with=cyl2"):
                reply = client.get(rig_path(rig, path))
                self.assertProblem(reply, 507, "store-damaged")
                self.assertIn(f'"{rig}"', reply.json()["detail"])
            self.assertProblem(client.vertices(rig), 507, "store-damaged")
            self.assertProblem(client.pose(rig), 507, "store-damaged")
            self.assertProblem(client.request("DELETE", rig_path(rig, "/clips/nod")),
                               507, "store-damaged")
        self.assertEqual(self.marks(client), marks)
        self.daemon.stop()

    def test_putting_it_again_mends_it(self):
        client = self.start()
        column = sample_store.rigs.column(sample_store.COLUMN).glb()
        self.assertEqual(client.put("column", column).status, 200)
        self.assertEqual(client.put("plain", sample_store.rigs.triangle().glb()).status, 200)
        self.assertEqual(set(self.marks(client).values()), {False})
        self.assertEqual(client.vertices("column").status, 200)
        self.assertEqual(client.vertices("the same").status, 200)
        self.assertEqual(client.get(rig_path("column", "/examples")).json(), {"examples": []})
        sample_store.put_items(client)
        self.daemon.stop()
        client = self.start()
        self.assertEqual(sample_store.answers(client), self.answers)
        self.daemon.stop()
        self.assertVerified()

    def test_deleting_it_removes_it_and_all_that_it_had(self):
        client = self.start()
        for rig in ("column", "plain", "the same"):
            self.assertEqual(client.delete(rig).status, 204)
        self.assertEqual(list(self.marks(client)), ["cyl2", "größe"])
        self.assertProblem(client.vertices("column"), 404, "unknown-rig")
        self.daemon.stop()
        self.start()
        self.daemon.stop()
        self.assertVerified()
        self.assertEqual(len(os.listdir(self.folder / "objects")), 4)

    def test_what_a_damaged_record_names_is_left(self):
        """A backup of the record repairs all of it."""
        self.start()
        self.daemon.stop()
        for part in ("rigs/column", "objects/" + self.answers["source of plain"]):
            shutil.copy(self.sound / part, self.folder / part)
        client = self.start()
        self.assertEqual(sample_store.answers(client), self.answers)
        self.daemon.stop()
        self.assertVerified()


class Older(StoreCase):
    """A store from before records had checksums."""

    def setUp(self):
        super().setUp()
        kept = KEPT / "without_checksums"
        shutil.copytree(kept / "store", self.data, dirs_exist_ok=True)
        self.folder = pathlib.Path(self.data)
        self.answers = json.loads((kept / "answers.json").read_text())

    def found(self):
        done = subprocess.run([binary(), "verify", "--json", "--data", self.data],
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual((found["damage"], found["leftover"]), ([], []))
        return sorted(one["place"] for one in found["older"])

    def assertNoOlderRecords(self):
        """Derived data may have a key that is not requested any more."""
        self.assertEqual([place for place in self.found() if not place.startswith("derived/")], [])

    def versions(self):
        return {path.name: path.read_text().split("\n")[0]
                for path in (self.folder / "rigs").iterdir()}

    def test_it_is_read_upgraded_and_answers_the_same_bytes(self):
        before = contents_of(self.folder)
        places = sorted(str(path) for path in before if path.parts[0] in ("rigs", "derived"))
        self.assertEqual(self.found(), places)
        self.assertEqual(contents_of(self.folder), before)  # verify changes nothing
        client = self.start()
        self.assertEqual(sample_store.answers(client), self.answers)
        self.daemon.stop()
        self.assertNoOlderRecords()
        self.assertEqual(set(self.versions().values()), {"posed rig 4"})
        after = contents_of(self.folder)
        for path, content in before.items():
            if path.parts[0] != "derived":
                self.assertEqual(content == after[path], path.parts[0] == "objects", path)
        client = self.start()
        self.assertEqual(sample_store.answers(client), self.answers)
        self.daemon.stop()
        self.assertEqual(contents_of(self.folder), after)

    def test_a_new_store_answers_the_same_bytes(self):
        shutil.rmtree(self.folder)
        client = self.start()
        sample_store.fill(client)
        self.assertEqual(sample_store.answers(client), self.answers)
        self.daemon.stop()

    def test_a_kill_amid_the_upgrade_loses_nothing(self):
        """Before the first of its renames, amid them, and behind the last."""
        names = sorted(self.versions())
        for renamed in (0, 2, len(names)):
            (self.folder / "tmp").mkdir(exist_ok=True)
            upgraded = {path: path.read_bytes() for path in (self.folder / "rigs").iterdir()}
            shutil.rmtree(self.folder)
            shutil.copytree(KEPT / "without_checksums" / "store", self.folder)
            (self.folder / "tmp").mkdir()
            if renamed:
                for name in names[:renamed]:
                    path = self.folder / "rigs" / name
                    path.write_bytes(upgraded[path])
            (self.folder / "tmp" / "record-4").write_text("posed rig 4\nsha256 ")
            client = self.start()
            self.assertEqual(sample_store.answers(client), self.answers)
            self.daemon.stop()
            self.assertNoOlderRecords()
            self.assertEqual(os.listdir(self.folder / "tmp"), [])


class Compressed(StoreCase):
    """A store with compressed clips of an earlier version."""

    def test_it_is_left_as_it_is_and_answers_the_same_bytes(self):
        kept, folder = KEPT / "compressed_clips", pathlib.Path(self.data)
        shutil.copytree(kept / "store", self.data, dirs_exist_ok=True)
        before = contents_of(folder)
        kinds = [content[:13] for content in before.values()]
        self.assertEqual(kinds.count(b"posed clip 2\n"), len(sample_store.COMPRESSED))
        self.assertVerified()
        answers = json.loads((kept / "answers.json").read_text())
        clips = (*sample_store.CLIPS, *sample_store.COMPRESSED)
        for _ in range(2):
            client = self.start()
            self.assertEqual(sample_store.answers(client, clips), answers)
            self.daemon.stop()
            self.assertVerified()
            after = contents_of(folder)
            for path, content in before.items():
                if path.parts[0] != "derived":
                    self.assertEqual(after[path], content, path)
