// Several poses skinned at once on the GPU, checked against the same poses one after the other: the
// same shader must write the same numbers, whichever copy a vertex belongs to.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/check.h"
#include "../unit/rigs.h"
#include "base/memory.h"
#include "context.h"
#include "gl/gpu_skin.h"
#include "skinned/skin.h"
#include "state/context.h"
#include "state/state.h"

#define COPIES 3

/* A plan of a method for the rig; false where it wants examples or a clip. */
static bool plan_for(
	const struct skinning_method *method, const struct rig *rig, struct skin_plan *plan) {
	const bool general =
		!method->recipe || (!method->recipe->needs_examples && !method->recipe->needs_clip);
	if (general) {
		*plan = plan_of(method, rig, gpu_test_renderer()->library);
	}
	return general;
}

/* True if a plan's work on one copy does not touch the others'. */
static bool has_copies(const struct skin_plan *plan) {
	size_t batches = 0;
	const struct skin_kernel_stage *kernel = &plan->base.method->kernel;
	if (kernel->batches) {
		kernel->batches(plan->base.data, &batches);
	}
	return batches == 0 && plan->requested.method->finish.scratch_floats == 0;
}

static void prepare_poses(const struct skin_plan *plan, float stretch, struct arena *arena,
	struct prepared *prepared) {
	unsigned seed = 5;
	for (int i = 0; i < COPIES; i++) {
		struct pose pose = pose_rest(plan->rig, arena);
		for (int j = 0; j < pose.joint_count; j++) {
			for (int k = 0; k < 4; k++) {
				pose.local[j].rotation[k] += 0.3f * (float)random_number(&seed);
				pose.local[j].translation[k % 3] +=
					0.1f * (float)random_number(&seed);
				pose.local[j].scale[k % 3] += stretch * (float)random_number(&seed);
			}
		}
		struct error err = {0};
		if (!prepare_from_pose(plan, &pose, arena, &prepared[i], &err)) {
			fail_msg("%s", err.text);
		}
	}
}

static void skin(const struct prepared *prepared, struct gpu_rig *gpu, size_t floats, float *out) {
	struct error err = {0};
	if (!skin_on_gpu(gpu_test_renderer(), prepared, false, &gpu->drawn, &err) ||
		!gpu_skin_read(gpu, 0, floats, out, &err)) {
		fail_msg("%s", err.text);
	}
}

/* The rig's place on the GPU with room for all copies. */
static struct gpu_rig make_room(const struct gpu_rig *one, size_t floats) {
	struct gpu_rig all = *one;
	all.drawn.copies = COPIES;
	all.displaced = 0;
	glGenBuffers(1, &all.skinned);
	glBindBuffer(GL_SHADER_STORAGE_BUFFER, all.skinned);
	glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)(COPIES * floats * sizeof(float)), NULL,
		GL_DYNAMIC_COPY);
	glBindBuffer(GL_SHADER_STORAGE_BUFFER, 0);
	return all;
}

static void check_plan(const struct skin_plan *plan, float stretch) {
	struct arena *arena = arena_create();
	struct prepared prepared[COPIES];
	prepare_poses(plan, stretch, arena, prepared);
	const size_t floats = gpu_rig_stream_floats(plan->rig);
	float *one = xcalloc(COPIES * floats, sizeof *one);
	float *all = xcalloc(COPIES * floats, sizeof *all);
	struct drawn_rig *drawn = drawn_rigs_get(gpu_test_renderer(), plan->rig, NULL);
	assert_non_null(drawn);
	struct gpu_rig *gpu = gpu_rig_of(drawn);
	for (size_t i = 0; i < COPIES; i++) {
		skin(&prepared[i], gpu, floats, one + i * floats);
	}
	struct gpu_rig room = make_room(gpu, floats);
	skin(prepared, &room, COPIES * floats, all);
	for (size_t i = 0; i < COPIES * floats; i++) {
		// Of two programs, with joints that stretch and without, roundings may differ.
		if (!(fabsf(all[i] - one[i]) <= 1e-5f)) {
			fail_msg("%s: number %zu is %g, alone %g", plan->requested.method->id, i,
				(double)all[i], (double)one[i]);
		}
	}
	glDeleteBuffers(1, &room.skinned);
	glDeleteBuffers(1, &room.displaced);
	free(all);
	free(one);
	arena_destroy(arena);
}

static void check_methods(float stretch) {
	for (size_t i = 0; skin_method(i); i++) {
		struct rig *rig = rig_random((unsigned)i + 1, 7, 333, 4);
		struct skin_plan plan;
		if (plan_for(skin_method(i), rig, &plan)) {
			if (has_copies(&plan)) {
				check_plan(&plan, stretch);
			}
			skin_plan_finish(&plan);
		}
		rig_release(rig);
	}
}

static void rigid_poses_at_once_are_those_one_by_one(void **state) {
	(void)state;
	check_methods(0);
}

static void scaled_poses_at_once_are_those_one_by_one(void **state) {
	(void)state;
	check_methods(0.3f);
}

int main(void) {
	gpu_test_renderer();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rigid_poses_at_once_are_those_one_by_one),
		cmocka_unit_test(scaled_poses_at_once_are_those_one_by_one),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	gpu_test_finish();
	return failed;
}
