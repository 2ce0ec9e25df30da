// Shaders under options other than the standard ones, checked against their twins in C.
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
	"{'method':'lbs','kmax':1}",
	"{'method':'dqs','kmax':2}",
	"{'method':'lbs_dqs_mix','by':'twist','kmax':3}",
	"{'method':'lbs_dqs_mix','mix':0.2}",
	"{'method':'lbs_dqs_mix','by':'paint'}",
	"{'method':'lbs_dqs_mix','by':'twist','normals':'same'}",
};

/* Positions, then normals, in a block that the caller frees; *count vertices of each. */
static float *skin_on(
	enum device device, const struct rig *rig, const char *skinning, size_t *count) {
	static const enum attribute_bits order[] = {ATTRIBUTE_POSITION, ATTRIBUTE_NORMAL};
	struct arena *arena = arena_create();
	struct vertices_job job = {
		.subject = {.rig = rig},
		.order = order,
		.count = 2,
	};
	job.subject.skinning = settings_of(arena, skinning);
	job.subject.skinning.device = device;
	struct skinning_report report;
	struct error err = {0};
	int vertices = 0;
	if (!renderer_vertex_count(
		    gpu_test_renderer(), rig, &job.subject.skinning, NULL, &vertices, &err)) {
		fail_msg("%s: %s", skinning, err.text);
	}
	*count = (size_t)vertices;
	job.vertices = vertices;
	float *out = xcalloc(*count * 6, sizeof *out);
	if (!renderer_vertices(gpu_test_renderer(), &job, out, &report, &err)) {
		fail_msg("%s: %s", skinning, err.text);
	}
	assert_int_equal(report.vertices, vertices);
	arena_destroy(arena);
	return out;
}

/* METHODS T6. */
static void assert_twins(const struct rig *rig, const char *skinning) {
	size_t count;
	float *cpu = skin_on(DEVICE_CPU, rig, skinning, &count);
	float *gpu = skin_on(DEVICE_GPU, rig, skinning, &count);
	const struct bounds box = bounds_of_points(cpu, count);
	const double diagonal = sqrt(pow(box.max[0] - box.min[0], 2) +
		pow(box.max[1] - box.min[1], 2) + pow(box.max[2] - box.min[2], 2));
	for (size_t i = 0; i < count * 3; i++) {
		assert_near(gpu[i], cpu[i], 1e-5 * diagonal);
	}
	for (size_t i = count * 3; i < count * 6; i += 3) {
		const double cosine = (double)cpu[i] * (double)gpu[i] +
			(double)cpu[i + 1] * (double)gpu[i + 1] +
			(double)cpu[i + 2] * (double)gpu[i + 2];
		assert_true(cosine > cos(0.1 * 3.14159265 / 180));
	}
	free(gpu);
	free(cpu);
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

static void parts_agree(void **state) {
	(void)state;
	static const char *const methods[] = {
		"'parts_rigid'",
		"'joint_ball'",
		"'bridge_blend'",
		"{'method':'bridge_blend','subrings':7,'variant':'linear'}",
		"{'method':'bridge_blend','normals':'recompute'}",
	};
	struct rig *rig = rig_cyl2();
	for (int degrees = 0; degrees <= 120; degrees += 40) {
		set_rotation(&rig->joints[1].rest, 0.6, 0, 0.8, degrees);
		rig->joints[1].rest.scale[1] = degrees == 80 ? 1.5f : 1;
		for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
			assert_twins(rig, methods[i]);
		}
	}
	rig_release(rig);
}

int main(void) {
	gpu_test_renderer();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variants_agree),
		cmocka_unit_test(parts_agree),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	gpu_test_finish();
	return failed;
}
