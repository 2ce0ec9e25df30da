// Pose expressions that make sense more often than not: the bytes choose among what the language
// has.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/expressions.h"
#include "../unit/made_avatars.h"
#include "base/memory.h"
#include "fuzz.h"
#include "import/import.h"
#include "json_text.h"
#include "pose/operations.h"

#define SIZE_MAX_BYTES 4096
#define DEPTH 4

/* Limits of one expression: as much as a fuzzer can wait for. */
#define JOINTS 200000

/* It lives as long as the process. */
static struct rig *read_humanoid(void) {
	FILE *file = fopen("assets/demo/humanoid.glb", "rb");
	assert(file);
	fseek(file, 0, SEEK_END);
	const size_t size = (size_t)ftell(file);
	rewind(file);
	void *bytes = xcalloc(size, 1);
	const size_t got = fread(bytes, 1, size, file);
	fclose(file);
	struct rig *rig = import_rig(bytes, got, NULL);
	free(bytes);
	assert(rig);
	dress_as_avatar(rig);
	return rig;
}

static void expect_sound(const struct pose *pose) {
	for (int i = 0; i < pose->joint_count; i++) {
		const struct transform *local = &pose->local[i];
		double square = 0;
		for (int k = 0; k < 4; k++) {
			square += (double)local->rotation[k] * local->rotation[k];
		}
		assert(fabs(square - 1) < 1e-4);
		for (int k = 0; k < 3; k++) {
			assert(isfinite(local->translation[k]) && isfinite(local->scale[k]));
		}
	}
}

/* As a picture is asked for, and as a clip is baked: on and on with one run. */
static void evaluate(const struct rig *rig, const struct value *expression, struct arena *arena) {
	const struct pose_source other = {"other", rig};
	const struct pose_sources sources = {&other, 1};
	struct pose_run run = {
		.arena = arena, .sources = &sources, .joints = POSE_RUN_JOINTS - JOINTS};
	for (int i = 0; i < 3; i++) {
		struct pose_context context = pose_context_make(rig, arena, &run);
		struct pose pose;
		struct error err = {0};
		context.time.clock_s = 0.25 * i;
		if (!pose_evaluate(&context, expression, &pose, &err)) {
			assert(err.code != ERROR_NONE && err.code != ERROR_INTERNAL);
			assert(err.has_pointer);
			return;
		}
		expect_sound(&pose);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	static struct rig *rig;
	if (size > SIZE_MAX_BYTES) {
		return 0;
	}
	rig = rig ? rig : read_humanoid();
	struct arena *arena = arena_create();
	struct decisions decisions = {.bytes = data, .left = size, .seed = 1, .wild = true};
	const char *text = expression_make(&decisions, rig, arena, DEPTH);
	struct error err = {0};
	const struct value *expression = json_read(arena, text, strlen(text), &err);
	if (expression) {
		evaluate(rig, expression, arena);
	}
	arena_destroy(arena);
	return 0;
}
