"""The files that `make install` installs, and their consistency."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from daemon import ROOT, binary

INSTALL = ROOT / "server" / "deploy" / "install.sh"


class Install(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="posed-install-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def install(self, prefix, **env):
        done = subprocess.run(
            [INSTALL, binary().parent], capture_output=True, text=True, timeout=300,
            env={**os.environ, "DESTDIR": str(self.root), "PREFIX": prefix, **env},
        )
        self.assertEqual(done.returncode, 0, done.stderr)

    def files(self):
        return sorted(str(path.relative_to(self.root)) for path in self.root.rglob("*.*")
                      if path.is_file() and path.suffix != ".glb")

    def test_everything_has_its_place(self):
        self.install("/usr", UNITDIR="/lib/systemd/system")
        self.assertEqual(self.files(), [
            "etc/posed/posed.conf",
            "lib/systemd/system/posed.service",
            "usr/share/fish/vendor_completions.d/pose.fish",
            "usr/share/man/man1/pose.1",
            "usr/share/man/man1/posed.1",
            "usr/share/posed/c/pclip.c",
            "usr/share/posed/c/pclip.h",
            "usr/share/posed/c/posed.c",
            "usr/share/posed/c/posed.h",
            "usr/share/posed/openapi.yaml",
        ])
        for program in ("posed", "pose"):
            self.assertTrue(os.access(self.root / "usr/bin" / program, os.X_OK))
        for script in ("bash-completion/completions/pose", "zsh/vendor-completions/_pose"):
            self.assertIn("_pose_candidates", (self.root / "usr/share" / script).read_text())
        rigs = {path.name for path in (self.root / "usr/share/posed/rigs").iterdir()}
        self.assertEqual(rigs, {path.name for path in (ROOT / "assets/demo").glob("*.glb")})

    def test_the_client_for_c_is_built_from_what_is_installed(self):
        self.install("/usr")
        program = self.root / "program.c"
        program.write_text('#include "pclip.h"\n#include "posed.h"\n'
                           'int main(void) { return posed_open && pclip_open ? 0 : 1; }\n')
        sources = self.root / "usr/share/posed/c"
        subprocess.run(["cc", "-std=c11", f"-I{sources}", program, sources / "posed.c",
                        sources / "pclip.c", "-o", self.root / "program", "-lcurl", "-lm"], check=True, timeout=300)

    def test_a_prefix_of_one_s_own_holds_all_of_it(self):
        self.install("/opt/posed")
        self.assertTrue(all(name.startswith("opt/posed/") for name in self.files()), self.files())
        unit = (self.root / "opt/posed/lib/systemd/system/posed.service").read_text()
        self.assertIn("ExecStart=/opt/posed/bin/posed --config /opt/posed/etc/posed/posed.conf", unit)
        self.assertNotRegex(unit, r"(?m)^[^#]*@[A-Z]+@")

    def test_a_changed_configuration_is_kept(self):
        self.install("/usr")
        file = self.root / "etc/posed/posed.conf"
        file.write_text("queue = 5\n")
        self.install("/usr")
        self.assertEqual(file.read_text(), "queue = 5\n")

    def test_the_configuration_is_right_with_its_comments_and_without(self):
        text = (ROOT / "server/deploy/posed.conf").read_text()
        file = self.root / "posed.conf"
        for variant in (text, re.sub(r"(?m)^#(?! )(?=\S)", "", text)):
            file.write_text(variant.replace("/var/lib/posed", str(self.root / "data")))
            done = subprocess.run(
                [binary(), "--check-config", "--config", file], capture_output=True, text=True,
                timeout=300,
            )
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_man_pages_have_the_help(self):
        self.install("/usr")
        page = (self.root / "usr/share/man/man1/posed.1").read_text().replace("\\-", "-")
        text = subprocess.run([binary(), "--help"], capture_output=True, text=True).stdout
        for line in text.splitlines():
            self.assertIn(line, page)


if __name__ == "__main__":
    unittest.main()
