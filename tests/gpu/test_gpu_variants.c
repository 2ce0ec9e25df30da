// Shaders under options other than the standard ones, held against their twins in C.
#include <stdlib.h>
#include <string.h>

#include "../unit/check.h"
#include "../unit/rigs.h"
#include "../unit/skinned.h"
#include "base/memory.h"
#include "context.h"
#include "view/camera.h"

#define VERTICES 777

static const char *const variants[] = {
	"{'method':'dqs_bulgefree','smooth':true}",
	"{'method':'dqs_bulgefree','sign':'hierarchy'}",
	"{'method':'lbs_dqs_mix','mix':0.2}",
	"{'method':'lbs_dqs_mix','by':'paint'}",
	"{'method':'lbs_dqs_mix','by':'twist','normals':'same'}",
};

static void skin_on(enum device device, const struct rig *rig, const char *skinning, float *out) {
	static const enum attribute_bits order[] = {ATTRIBUTE_POSITION, ATTRIBUTE_NORMAL};
	struct arena *arena = arena_create();
	struct vertices_job job = {.rig = rig, .order = order, .count = 2};
	job.skinning = settings_of(arena, skinning);
	job.skinning.device = device;
	struct skinning_report report;
	struct error err = {0};
	if (!renderer_vertices(context_renderer(), &job, out, &report, &err)) {
		fail_msg("%s: %s", skinning, err.text);
	}
	arena_destroy(arena);
}

/* METHODS T6. */
static void assert_twins(const struct rig *rig, const char *skinning) {
	static float cpu[VERTICES * 6], gpu[VERTICES * 6];
	skin_on(DEVICE_CPU, rig, skinning, cpu);
	skin_on(DEVICE_GPU, rig, skinning, gpu);
	const struct bounds box = bounds_of_points(cpu, VERTICES);
	const double diagonal = sqrt(pow(box.max[0] - box.min[0], 2) +
		pow(box.max[1] - box.min[1], 2) + pow(box.max[2] - box.min[2], 2));
	for (int i = 0; i < VERTICES * 3; i++) {
		assert_near(gpu[i], cpu[i], 1e-5 * diagonal);
	}
	for (int i = VERTICES * 3; i < VERTICES * 6; i += 3) {
		const double cosine = (double)cpu[i] * (double)gpu[i] +
			(double)cpu[i + 1] * (double)gpu[i + 1] +
			(double)cpu[i + 2] * (double)gpu[i + 2];
		assert_true(cosine > cos(0.1 * 3.14159265 / 180));
	}
}

/* A painted rig whose joints are turned and, by stretch, scaled away from where they were bound. */
static struct rig *disturbed_rig(unsigned seed, float stretch) {
	struct rig *rig = rig_random(seed, 9, VERTICES, 4);
	rig->dqs_mix = rig_storage(rig, VERTICES, sizeof *rig->dqs_mix, "", NULL);
	for (int i = 0; i < VERTICES; i++) {
		rig->dqs_mix[i] = (float)(i % 7) / 6;
	}
	for (int i = 0; i < rig->joint_count; i++) {
		struct transform *rest = &rig->joints[i].rest;
		for (int k = 0; k < 4; k++) {
			rest->rotation[k] += 0.3f * (float)random_number(&seed);
		}
		for (int k = 0; k < 3; k++) {
			rest->scale[k] += stretch * (float)random_number(&seed);
		}
	}
	return rig;
}

static void variants_agree(void **state) {
	(void)state;
	for (unsigned seed = 1; seed <= 4; seed++) {
		struct rig *rig = disturbed_rig(seed, seed % 2 ? 0 : 0.4f);
		for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
			assert_twins(rig, variants[i]);
		}
		rig_release(rig);
	}
}

int main(void) {
	context_renderer();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variants_agree),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	context_finish();
	return failed;
}
