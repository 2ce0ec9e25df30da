"""The decoder of .pclip in C as one file, as a user builds it: against the separate files, with and without SSE2."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from daemon import ROOT

FOLDER = ROOT / "clients" / "c"
SEEDS = ROOT / "tests" / "fuzz" / "seeds" / "fuzz_pclip"
FLAGS = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-pedantic"]
sys.path.insert(0, str(ROOT / "clients" / "python"))

# Prints the integers of all samples and poses at any times, for joints that rest at the origin.
PROGRAM = r"""
#include "pclip.h"
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
	static unsigned char bytes[1 << 20];
	FILE *in = fopen(argv[argc - 1], "rb");
	const size_t size = fread(bytes, 1, sizeof bytes, in);
	struct pclip_file file;
	const char *why;
	fclose(in);
	if (!pclip_read(bytes, size, &file, &why)) {
		puts(why);
		return 1;
	}
	const size_t joints = (size_t)file.joint_count, weights = (size_t)file.weight_count;
	struct pclip_transform *rest = calloc(joints + 1, sizeof *rest), *pose = calloc(joints + 1, sizeof *pose);
	float *out = calloc(weights + 1, sizeof *out);
	int32_t *numbers = calloc(9 * joints + weights + 1, sizeof *numbers);
	void *memory = malloc(pclip_memory(&file));
	for (int i = 0; i < file.clip_count; i++) {
		struct pclip_info info;
		struct pclip *clip = pclip_open(&file, i, rest, memory, &why);
		pclip_describe(&file, i, &info);
		for (int s = 0, count; (count = pclip_numbers(clip, s, numbers)) >= 0; s++) {
			for (int k = 0; k < count; k++) printf("%d ", (int)numbers[k]);
		}
		for (int k = 0; k <= 100; k++) {
			if (!pclip_sample(clip, info.duration_s * (k * 37 % 101) / 100, pose, out)) return 1;
			const float *all = (const float *)pose;
			for (size_t j = 0; j < 10 * joints; j++) printf("%a ", (double)all[j]);
			for (size_t j = 0; j < weights; j++) printf("%a ", (double)out[j]);
		}
		printf("\n");
	}
	free(memory), free(numbers), free(out), free(pose), free(rest);
	return 0;
}
"""


class OneFile(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "program.c").write_text(PROGRAM, encoding="ascii")
        (self.folder / "one").mkdir()
        joined = subprocess.run([FOLDER / "one_file.sh"], check=True, capture_output=True).stdout
        (self.folder / "one" / "pclip.c").write_bytes(joined)
        shutil.copy(FOLDER / "pclip.h", self.folder / "one")

    def build(self, name, compiler, headers, sources, *options):
        program = self.folder / name
        subprocess.run([compiler, *FLAGS, *options, f"-I{headers}", *sources, "-o", program, "-lm"], check=True)
        return program

    def test_it_decodes_as_the_separate_files_do(self):
        program, one = self.folder / "program.c", self.folder / "one"
        separate = self.build("separate", "gcc", FOLDER, [program, *FOLDER.glob("pclip*.c")])
        built = []
        for compiler in ("gcc", "clang"):
            for plain in ("SSE2_IF_THERE", "PCLIP_NO_SSE2"):
                built.append(self.build(f"{compiler}_{plain}", compiler, one, [program, one / "pclip.c"],
                                        f"-D{plain}", "-ffp-contract=off"))
        for seed in sorted(SEEDS.glob("*.pclip")):
            expected = subprocess.run([separate, seed], check=True, capture_output=True).stdout
            self.assertGreater(len(expected), 1000, seed)
            for each in built:
                found = subprocess.run([each, seed], check=True, capture_output=True).stdout
                self.assertEqual(found, expected, f"{each.name} {seed.name}")

    def test_the_example_prints_poses(self):
        from posed.pclip import PclipFile
        one = self.folder / "one"
        example = self.build("example", "cc", one, [FOLDER / "examples" / "clip.c", one / "pclip.c"])
        file = PclipFile((SEEDS / "head.pclip").read_bytes())
        printed = subprocess.run([example, SEEDS / "head.pclip", "0.7"], check=True, capture_output=True,
                                 text=True).stdout.splitlines()
        pose = file.open(0).sample(0.7)
        self.assertEqual(len(printed), len(file.joints))
        for line, joint, translation, rotation in zip(printed, file.joints, pose.translations, pose.rotations):
            name, numbers = line.split(": ")
            self.assertEqual(name, f"{joint.name} (parent {joint.parent})")
            for text, number in zip(numbers.replace(",", "").split(), [*translation, *rotation]):
                self.assertAlmostEqual(float(text), float(number), delta=1e-5 * max(1, abs(number)))
        refused = subprocess.run([example, __file__, "0"], capture_output=True, text=True)
        self.assertEqual((refused.returncode, refused.stderr), (1, "it does not begin with PCLP\n"))


if __name__ == "__main__":
    unittest.main()
