// VRM's extensions damaged one word at a time: the rest is imported, and sound, or refused.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "import/import.h"
#include "model/rig_pack.h"
#include "shared_files.h"

#define ROUNDS 3000
#define FILE_BYTES 65536

static unsigned next(unsigned *seed) {
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* A whole file of the repository, and the room behind it for what gets longer. */
static size_t read_seed(const char *path, char *bytes) {
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	const size_t size = fread(bytes, 1, FILE_BYTES / 2, file);
	fclose(file);
	return size;
}

static unsigned read_u32(const char *bytes) {
	unsigned value;
	memcpy(&value, bytes, sizeof value);
	return value;
}

/* Puts a text in the place of some bytes of the JSON chunk, which stays a multiple of four. */
static size_t replace(
	char *glb, size_t size, size_t at, size_t length, const char *text, size_t count) {
	memmove(glb + at + count, glb + at + length, size - at - length);
	memcpy(glb + at, text, count);
	size = size + count - length;
	unsigned json = read_u32(glb + 12) + (unsigned)count - (unsigned)length;
	while (json % 4 != 0) {
		memmove(glb + 20 + json + 1, glb + 20 + json, size - 20 - json);
		glb[20 + json++] = ' ';
		size++;
	}
	const unsigned whole = (unsigned)size;
	memcpy(glb + 12, &json, sizeof json);
	memcpy(glb + 8, &whole, sizeof whole);
	return size;
}

/* The length of the JSON value at a place: a number, a word, a string, or a whole list or object.
 */
static size_t value_length(const char *json, size_t left) {
	size_t at = 0;
	int depth = 0;
	bool quoted = false;
	for (; at < left; at++) {
		const char c = json[at];
		quoted = c == '"' ? !quoted : quoted;
		if (!quoted && (c == ',' || c == ']' || c == '}') && depth == 0) {
			break;
		}
		depth += quoted ? 0 : (c == '[' || c == '{') - (c == ']' || c == '}');
	}
	return at;
}

/* Replaces the value behind a colon, a comma or a bracket by another. */
static size_t damage(char *glb, size_t size, unsigned *seed) {
	static const char *const values[] = {"-1", "0", "1", "14", "19", "20", "1e38", "1e300",
		"-0.5", "4294967296", "null", "true", "\"\"", "\"happy\"", "\"X\"", "\"\\u0000\"",
		"[]", "{}", "[0,0,0]", "[17,16,15,2,1,0]", "{\"node\":16}", "\"firstPersonOnly\""};
	const size_t json = read_u32(glb + 12);
	size_t at = 20 + next(seed) % json;
	while (at < 20 + json && !strchr(":,[", glb[at])) {
		at++;
	}
	if (at + 1 >= 20 + json) {
		return size;
	}
	const size_t length = value_length(glb + at + 1, 20 + json - at - 1);
	const char *text = values[next(seed) % (sizeof values / sizeof values[0])];
	return replace(glb, size, at + 1, length, text, strlen(text));
}

static bool drop(void *context, const void *bytes, size_t size) {
	(void)context;
	(void)bytes;
	(void)size;
	return true;
}

/* A rig goes from the process that reads it to the daemon as a block, or not at all. */
static void expect_packable(const struct rig *rig) {
	assert_true(!rig || rig_pack(rig, drop, NULL));
}

static void survive(const char *path) {
	static char seed_bytes[FILE_BYTES];
	const size_t seed_size = read_seed(path, seed_bytes);
	unsigned seed = 7;
	int avatars = 0, others = 0;
	for (int round = 0; round < ROUNDS; round++) {
		char *bytes = xcalloc(FILE_BYTES, 1);
		memcpy(bytes, seed_bytes, seed_size);
		size_t size = seed_size;
		for (int k = round % 3; k >= 0; k--) {
			size = damage(bytes, size, &seed);
		}
		unsigned char *exact = xcalloc(size, 1);
		memcpy(exact, bytes, size);
		struct error err = {0};
		struct rig *rig = import_rig(exact, size, &err);
		assert_true(rig || err.code != ERROR_NONE);
		assert_int_not_equal(err.code, ERROR_INTERNAL);
		expect_packable(rig);
		avatars += rig && rig->avatar;
		others += rig && !rig->avatar;
		rig_release(rig);
		free(exact);
		free(bytes);
	}
	// Both happen a lot, or this tests nothing.
	assert_in_range(avatars, ROUNDS / 20, ROUNDS);
	assert_in_range(others, ROUNDS / 10, ROUNDS);
}

static void damaged_avatars_are_sound_or_left_out(void **state) {
	(void)state;
	survive("tests/fuzz/seeds/fuzz_glb/vrm.glb");
	survive("tests/fuzz/seeds/fuzz_glb/vrm-0x.glb");
}

static void avatars_of_the_seeds_are_whole(void **state) {
	(void)state;
	struct rig *rig = own_rig("tests/fuzz/seeds/fuzz_glb/vrm.glb");
	assert_non_null(rig->avatar);
	assert_int_equal(rig->avatar->constraint_count, 3);
	assert_int_equal(rig->avatar->expression_count, 3);
	assert_int_equal(rig->avatar->springs[0].joint_count, 2);
	expect_packable(rig);
	rig_release(rig);
	rig = own_rig("tests/fuzz/seeds/fuzz_glb/vrm-0x.glb");
	assert_non_null(rig->avatar);
	assert_int_equal(rig->avatar->springs[0].joint_count, 4);
	assert_int_equal(rig->avatar->expressions[0].tint_count, 1);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(avatars_of_the_seeds_are_whole),
		cmocka_unit_test(damaged_avatars_are_sound_or_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
