// The decoders of .pclip in C, JavaScript and Python against one another: the same integers, and
// float32s within one unit of the last place; sound files and damaged ones. PCLIP_KEEP names a
// folder that keeps the files, of which tests/fuzz/seeds/fuzz_pclip has some.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "check.h"
#include "compress/compress.h"
#include "compress/pclip_write.h"
#include "compress/source.h"
#include "pclip.h"
#include "shared_files.h"

#define SAMPLES 48
#define TIMES 40
#define CLIPS 8
#define DAMAGED 150
#define FOLDER "/tmp/posed-pclip-XXXXXX"

/* Where numbers cancel out, a unit of the last place is smaller than what doubles are off by. */
#define NOTHING 1e-13

static void write_to(const char *folder, const char *name, const void *bytes, size_t size) {
	char path[256];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	fclose(file);
}

static struct buffer read_back(const char *folder, const char *name, const char *ending) {
	char path[256];
	struct buffer bytes = {0};
	snprintf(path, sizeof path, "%s/%s.%s", folder, name, ending);
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	for (size_t count = 1; count > 0; bytes.size += count) {
		count = fread(buffer_reserve(&bytes, 1 << 16), 1, 1 << 16, file);
	}
	fclose(file);
	assert_int_equal(remove(path), 0);
	return bytes;
}

/* What another decoder has written: 32 bits each. */
struct numbers {
	const unsigned char *at, *end;
	const char *what;
	bool exact; // floats are not looked at
};

static int32_t take_int(struct numbers *numbers) {
	int32_t number;
	if (numbers->end - numbers->at < 4) {
		fail_msg("%s: too few numbers", numbers->what);
	}
	memcpy(&number, numbers->at, 4);
	numbers->at += 4;
	return number;
}

static void expect_int(struct numbers *numbers, int32_t expected, const char *what) {
	const int32_t number = take_int(numbers);
	if (number != expected) {
		fail_msg("%s: %s is %d, in C %d", numbers->what, what, number, expected);
	}
}

static void expect_floats(struct numbers *numbers, const float *expected, int count) {
	for (int i = 0; i < count; i++) {
		const int32_t bits = take_int(numbers);
		float number;
		memcpy(&number, &bits, 4);
		const double unit =
			(double)(nextafterf(fabsf(expected[i]), INFINITY) - fabsf(expected[i]));
		const double off = fabs((double)number - (double)expected[i]);
		if (!numbers->exact && !(off <= fmax(unit, NOTHING))) {
			fail_msg("%s: %.9g, in C %.9g", numbers->what, (double)number,
				(double)expected[i]);
		}
	}
}

static void compare_pose(struct numbers *numbers, const struct pclip_file *file,
	const struct pclip_transform *joints, const float *weights) {
	for (int i = 0; i < file->joint_count; i++) {
		expect_floats(numbers, joints[i].translation, 3);
	}
	for (int i = 0; i < file->joint_count; i++) {
		expect_floats(numbers, joints[i].rotation, 4);
	}
	for (int i = 0; i < file->joint_count; i++) {
		expect_floats(numbers, joints[i].scale, 3);
	}
	expect_floats(numbers, weights, file->weight_count);
}

static void compare_clip(struct numbers *numbers, const struct pclip_file *file, int i,
	const struct pclip_transform *rest, struct arena *arena) {
	const char *why;
	struct pclip *clip =
		pclip_open(file, i, rest, arena_alloc(arena, 1, pclip_memory(file)), &why);
	expect_int(numbers, clip != NULL, "that it opens");
	if (!clip) {
		return;
	}
	struct pclip_info info;
	assert_true(pclip_describe(file, i, &info));
	int32_t *values = arena_alloc(
		arena, (size_t)(9 * file->joint_count + file->weight_count + 1), sizeof *values);
	expect_int(numbers, info.sample_count, "the number of samples");
	const int count = take_int(numbers);
	for (int s = 0; s < info.sample_count && s < SAMPLES; s++) {
		const int found = pclip_numbers(clip, s, values);
		expect_int(numbers, found >= 0, "that a sample decodes");
		assert_true(found < 0 || found == count);
		for (int k = 0; k < found; k++) {
			expect_int(numbers, values[k], "an integer");
		}
	}
	struct pclip_transform *joints =
		arena_alloc(arena, (size_t)file->joint_count + 1, sizeof *joints);
	float *weights = arena_alloc(arena, (size_t)file->weight_count + 1, sizeof *weights);
	for (int k = 0; k < TIMES; k++) {
		const double time_s = info.duration_s * (k * 7 % TIMES - 1) / (TIMES - 3);
		memset(weights, 0, (size_t)file->weight_count * sizeof *weights);
		const bool sampled = pclip_sample(clip, time_s, joints, weights);
		expect_int(numbers, sampled, "that a moment decodes");
		if (sampled) {
			compare_pose(numbers, file, joints, weights);
		}
	}
}

static struct pclip_transform *rest_in(const struct pclip_file *file, struct arena *arena) {
	struct pclip_transform *rest =
		arena_alloc(arena, (size_t)file->joint_count + 1, sizeof *rest);
	for (int i = 0; i < file->joint_count; i++) {
		const char *name;
		int bytes, parent;
		assert_true(pclip_joint(file, i, &name, &bytes, &parent, &rest[i]));
	}
	return rest;
}

static void compare(struct numbers *numbers, const struct buffer *bytes, const struct rig *rig) {
	struct pclip_file file;
	const char *why;
	if (!pclip_read(bytes->data, bytes->size, &file, &why)) {
		expect_int(numbers, -1, "that the file is refused");
		return;
	}
	struct arena *arena = arena_create();
	const bool fits = file.self_contained || file.joint_count == rig->joint_count;
	const int clips = take_int(numbers);
	_Static_assert(sizeof(struct pclip_transform) == sizeof(struct transform), "the same");
	struct pclip_transform *rest =
		arena_alloc(arena, (size_t)rig->joint_count + 1, sizeof *rest);
	for (int i = 0; i < rig->joint_count; i++) {
		memcpy(&rest[i], &rig->joints[i].rest, sizeof *rest);
	}
	assert_int_equal(clips, fits ? file.clip_count : -2);
	for (int i = 0; clips > 0 && i < clips && i < CLIPS; i++) {
		compare_clip(numbers, &file, i, file.self_contained ? rest_in(&file, arena) : rest,
			arena);
	}
	arena_destroy(arena);
}

static void seal(struct buffer *bytes) {
	const uint32_t sum = pclip_checksum(bytes->data + 12, bytes->size - 12);
	for (int i = 0; i < 4; i++) {
		bytes->data[8 + i] = (unsigned char)(sum >> 8 * i);
	}
}

/* Flips bits or cuts the file, and makes the checksum right again unless that is what is tested. */
static struct buffer damaged(const struct buffer *bytes, unsigned seed) {
	struct buffer out = {0};
	const size_t at = 12 + seed * 7919u % (bytes->size - 12);
	buffer_append(&out, bytes->data, seed % 5 == 4 ? at : bytes->size);
	if (seed % 5 != 4) {
		out.data[at] ^= (unsigned char)(1u << seed % 8);
	}
	if (seed % 7 != 0) {
		seal(&out);
	}
	return out;
}

static void run(const char *command, const char *folder) {
	char text[512];
	snprintf(text, sizeof text, "%s %s", command, folder);
	if (system(text) != 0) {
		fail_msg("%s failed", text);
	}
}

static void compare_all(const char *folder, const struct buffer *files, int count, int damaged_from,
	const struct rig *rig, const char *ending) {
	for (int i = 0; i < count; i++) {
		char name[32], what[64];
		snprintf(name, sizeof name, "%d.pclip", i);
		snprintf(what, sizeof what, "%s.%s", name, ending);
		struct buffer written = read_back(folder, name, ending);
		struct numbers numbers = {
			written.data, written.data + written.size, what, i >= damaged_from};
		compare(&numbers, &files[i], rig);
		buffer_finish(&written);
	}
}

/* Writes files, has them decoded by all, and compares. Files from damaged_from on are damaged. */
static void check_files(
	const struct buffer *files, int count, int damaged_from, const struct rig *rig) {
	char folder[] = FOLDER, clear[256];
	if (system("node --version >/dev/null 2>&1") != 0) {
		print_message("SKIPPED: there is no node\n");
		skip();
	}
	assert_non_null(mkdtemp(folder));
	for (int i = 0; i < count; i++) {
		char name[32];
		snprintf(name, sizeof name, "%d.pclip", i);
		write_to(folder, name, files[i].data, files[i].size);
	}
	struct buffer rest = {0};
	for (int i = 0; i < rig->joint_count; i++) {
		buffer_append(&rest, &rig->joints[i].rest, sizeof rig->joints[i].rest);
	}
	write_to(folder, "rest", rest.data, rest.size);
	buffer_finish(&rest);
	run("node tests/unit/pclip_numbers.mjs", folder);
	compare_all(folder, files, count, damaged_from, rig, "js");
	static const char *const ways[] = {
		"--numpy", "--numpy --bulk", "--without-numpy", "--without-numpy --bulk"};
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		char command[128];
		snprintf(command, sizeof command, "/usr/bin/python3 %s %s",
			"tests/unit/pclip_numbers.py", ways[i]);
		run(command, folder);
		compare_all(folder, files, count, damaged_from, rig, "py");
	}
	const char *keep = getenv("PCLIP_KEEP");
	snprintf(clear, sizeof clear, keep ? "mv %s %s" : "rm -r %s", folder, keep);
	assert_int_equal(system(clear), 0);
}

static struct buffer compressed(const struct rig *rig, int first, int count, int segment,
	bool whole, const struct codec *codec) {
	const struct compress_options options = {
		.tolerance_m = 1e-3 * error_shell_default_radius(rig) / 0.03,
		.segment_samples = segment,
		.codec = codec,
		.self_contained = whole,
		.names = whole};
	struct compress_report reports[CLIPS];
	struct buffer out = {0};
	struct error err = {0};
	int clips[CLIPS];
	assert_true(count <= CLIPS);
	for (int i = 0; i < count; i++) {
		clips[i] = first + i;
	}
	if (!compress_clips(rig, clips, count, &options, NULL, reports, &out, &err)) {
		fail_msg("%s", err.text);
	}
	return out;
}

#define FILES 5

/* Files of a rig by all codecs: all clips with the skeleton, and single ones or two without; and
 * all of them damaged. */
static void check_rig(struct rig *rig, int damaged_count) {
	struct buffer files[FILES + DAMAGED];
	const int clips = rig->clip_count < CLIPS ? rig->clip_count : CLIPS;
	const int two = clips < 2 ? clips : 2;
	files[0] = compressed(rig, 0, clips, 16, true, &codec_best);
	files[1] = compressed(rig, clips - 1, 1, 0, false, &codec_best);
	files[2] = compressed(rig, 0, two, 4, false, &codec_bits);
	files[3] = compressed(rig, 0, clips, 0, true, &codec_bspline);
	files[4] = compressed(rig, clips - 1, 1, 0, false, &codec_bspline);
	for (int i = 0; i < damaged_count; i++) {
		files[FILES + i] = damaged(&files[i % FILES], (unsigned)i);
	}
	check_files(files, FILES + damaged_count, FILES, rig);
	for (int i = 0; i < FILES + damaged_count; i++) {
		buffer_finish(&files[i]);
	}
	rig_release(rig);
}

static void demo_rigs_decode_alike(void **state) {
	(void)state;
	check_rig(own_rig("assets/demo/cyl3.glb"), 0);
	check_rig(own_rig("assets/demo/head.glb"), 0);
}

static void humanoid_decodes_alike(void **state) {
	(void)state;
	check_rig(own_rig("assets/demo/humanoid.glb"), 0);
}

static void damaged_files_are_refused_alike(void **state) {
	(void)state;
	check_rig(own_rig("assets/demo/cyl2.glb"), DAMAGED);
}

static void single_samples_decode_alike(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/cyl2.glb");
	for (int i = 0; i < rig->clip_count; i++) {
		struct clip *clip = (struct clip *)&rig->clips[i];
		clip->duration_s = 0;
		for (int k = 0; k < clip->channel_count; k++) {
			((struct channel *)clip->channels)[k].key_count = 1;
		}
	}
	check_rig(rig, 0);
}

/* One clip by hand, of one sample: the first joint's rotation has this class and base, and no axis
 * of it moves. */
static struct buffer still_part(struct rig *rig, enum pclip_class class, const int8_t base[4],
	struct pclip_track *tracks, const struct pclip_track *first) {
	const struct source source = {.rig = rig,
		.joint_count = rig->joint_count,
		.weight_count = rig->weight_count,
		.sample_count = 1,
		.rate = 30};
	struct layout layout = {.source = &source,
		.tolerance_m = 1,
		.track_count = SOURCE_KINDS * rig->joint_count + rig->weight_count,
		.tracks = tracks};
	const struct pclip_part part = {.codec = &codec_best};
	struct buffer out = {0};
	tracks[0] = (struct pclip_track){.class = (uint8_t) class, .unit = -4, .still = {1, -2, 3}};
	memcpy(tracks[0].base, base, 4);
	pclip_write_part(&layout, &part, first, NULL, &out);
	return out;
}

/* A base of its own, that of the first clip, another one and none, in any order; and tracks that
 * are said to move, but do not. */
static void bases_of_further_clips_decode_alike(void **state) {
	(void)state;
	static const int8_t bases[][4] = {{0, 0, 0, 0}, {16, 0, 0, 28}, {0, 23, 0, 23}};
	enum { COUNT = 6, CHOICES = 3 };
	struct buffer files[2 * CHOICES] = {{0}};
	struct rig *rig = own_rig("assets/demo/cyl2.glb");
	struct pclip_track *tracks[2];
	const size_t count = (size_t)(SOURCE_KINDS * rig->joint_count + rig->weight_count);
	for (int i = 0; i < 2; i++) {
		tracks[i] = calloc(count, sizeof *tracks[i]);
	}
	for (int k = 0; k < 2 * CHOICES; k++) {
		struct buffer parts[COUNT];
		for (int i = 0; i < COUNT; i++) {
			const enum pclip_class class =
				i % 2 == k / CHOICES ? PCLIP_STILL : PCLIP_MOVING;
			parts[i] = still_part(rig, class, bases[(k + i) % CHOICES], tracks[i > 0],
				i > 0 ? tracks[0] : NULL);
		}
		pclip_write_file(rig, k % 2 == 0, false, parts, COUNT, &files[k]);
		for (int i = 0; i < COUNT; i++) {
			buffer_finish(&parts[i]);
		}
	}
	check_files(files, 2 * CHOICES, 2 * CHOICES, rig);
	for (int k = 0; k < 2 * CHOICES; k++) {
		struct pclip_file file;
		const char *why;
		assert_true(pclip_read(files[k].data, files[k].size, &file, &why));
		for (int i = 0; i < COUNT; i++) {
			void *memory = malloc(pclip_memory(&file));
			const struct pclip_transform *rest = (const void *)&rig->joints[0].rest;
			struct pclip_transform *all = calloc(count, sizeof *all);
			memcpy(all, rest, sizeof *rest);
			assert_non_null(pclip_open(&file, i, all, memory, &why));
			free(all);
			free(memory);
		}
		buffer_finish(&files[k]);
	}
	free(tracks[0]);
	free(tracks[1]);
	rig_release(rig);
}

#define SHARED(name, path) \
	static void name(void **state) { \
		(void)state; \
		check_rig(shared_rig(path), 0); \
	}
SHARED(uneven_times_decode_alike, "khronos-Fox/glTF-Binary/Fox.glb")
SHARED(all_interpolations_decode_alike,
	"khronos-InterpolationTest/glTF-Binary/InterpolationTest.glb")
SHARED(steps_decode_alike, "derived-public-fox/Fox.step.glb")
SHARED(morph_weights_decode_alike, "khronos-AnimatedMorphCube/glTF-Binary/AnimatedMorphCube.glb")

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(demo_rigs_decode_alike),
		cmocka_unit_test(humanoid_decodes_alike),
		cmocka_unit_test(damaged_files_are_refused_alike),
		cmocka_unit_test(single_samples_decode_alike),
		cmocka_unit_test(bases_of_further_clips_decode_alike),
		cmocka_unit_test(uneven_times_decode_alike),
		cmocka_unit_test(all_interpolations_decode_alike),
		cmocka_unit_test(steps_decode_alike),
		cmocka_unit_test(morph_weights_decode_alike),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
