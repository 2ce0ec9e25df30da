// Methods that look at the whole mesh, and normals that do: the shaders checked against their C on
// surfaces (METHODS T6), with all their options.
#include <stdio.h>
#include <stdlib.h>

#include "../unit/check.h"
#include "../unit/json_value.h"
#include "../unit/rigs.h"
#include "../unit/skinned.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "context.h"
#include "view/camera.h"

static const enum attribute_bits order[] = {
	ATTRIBUTE_POSITION, ATTRIBUTE_NORMAL, ATTRIBUTE_TANGENT};

static void skin_on(enum device device, const struct rig *rig, const char *skinning,
	const char *pose, float *out) {
	struct arena *arena = arena_create();
	struct vertices_job job = {
		.subject = {.rig = rig,
			.pose = json_value(arena, pose),
			.skinning = settings_of(arena, skinning)},
		.order = order,
		.count = rig->tangents ? 3 : 2,
	};
	job.subject.skinning.device = device;
	struct skinning_report report;
	struct error err = {0};
	if (!renderer_vertices(gpu_test_renderer(), &job, out, &report, &err)) {
		fail_msg("%s: %s", skinning, err.text);
	}
	arena_destroy(arena);
}

static double diagonal_of(const float *positions, size_t count) {
	const struct bounds box = bounds_of_points(positions, count);
	double square = 0;
	for (int k = 0; k < 3; k++) {
		square += pow(box.max[k] - box.min[k], 2);
	}
	return sqrt(square);
}

static void assert_directions(
	const char *skinning, const float *cpu, const float *gpu, size_t count, int stride) {
	for (size_t v = 0; v < count; v++) {
		const float *a = cpu + v * (size_t)stride, *b = gpu + v * (size_t)stride;
		double sine = 0;
		for (int k = 0; k < 3; k++) {
			const int l = (k + 1) % 3;
			sine += pow((double)a[k] * b[l] - (double)a[l] * b[k], 2);
		}
		if (!(sqrt(sine) < sin(0.1 * 3.14159265 / 180))) {
			fail_msg("%s: direction %zu is %g rad away", skinning, v, sqrt(sine));
		}
	}
}

static void assert_agree(const struct rig *rig, const char *skinning, const char *pose) {
	const size_t count = (size_t)rig->vertex_count;
	float *cpu = xcalloc(count * 10, sizeof *cpu), *gpu = xcalloc(count * 10, sizeof *gpu);
	skin_on(DEVICE_CPU, rig, skinning, pose, cpu);
	skin_on(DEVICE_GPU, rig, skinning, pose, gpu);
	const double most = 1e-5 * diagonal_of(cpu, count);
	for (size_t i = 0; i < count * 3; i++) {
		if (!(fabs((double)gpu[i] - (double)cpu[i]) <= most)) {
			fail_msg("%s: number %zu is %g, on the CPU %g", skinning, i, (double)gpu[i],
				(double)cpu[i]);
		}
	}
	assert_directions(skinning, cpu + count * 3, gpu + count * 3, count, 3);
	if (rig->tangents) {
		assert_directions(skinning, cpu + count * 6, gpu + count * 6, count, 4);
	}
	free(cpu);
	free(gpu);
}

static const char *const all[] = {
	"{'method': 'lbs', 'normals': 'exact'}",
	"{'method': 'lbs', 'normals': 'recompute'}",
	"{'method': 'dqs', 'normals': 'recompute'}",
	"'cor'",
	"{'method': 'cor', 'sign': 'hierarchy', 'scale': 'ignore'}",
	"{'method': 'cor', 'normals': 'recompute'}",
	"'delta_mush'",
	"{'method': 'delta_mush', 'iterations': 0}",
	"{'method': 'delta_mush', 'iterations': 1, 'lambda': 1}",
	"{'method': 'delta_mush', 'iterations': 7, 'base': 'dqs', 'pin': true}",
	"{'method': 'delta_mush', 'normals': 'recompute'}",
	"'ddm'",
	"{'method': 'ddm', 'variant': 'v1'}",
	"{'method': 'ddm', 'variant': 'v2'}",
	"{'method': 'ddm', 'variant': 'v3'}",
	"{'method': 'ddm', 'variant': 'v4'}",
	"{'method': 'ddm', 'variant': 'v5'}",
	"{'method': 'ddm', 'alpha': 0.4, 'kappa': 1, 'laplacian': 'cotangent'}",
	"{'method': 'ddm', 'lambda': 1, 'p': 4, 'normals': 'recompute'}",
	"'vol_correct'",
	"{'method': 'vol_correct', 'mu': 'global'}",
	"{'method': 'vol_correct', 'base': 'dqs', 'normals': 'recompute'}",
};

/* Around the axis of the cylinder. */
static void add_tangents(struct rig *rig) {
	rig->tangents =
		rig_storage(rig, (size_t)rig->vertex_count * 4, sizeof *rig->tangents, "", NULL);
	for (int i = 0; i < rig->vertex_count; i++) {
		const float *n = rig->normals + i * 3;
		const bool cap = fabsf(n[1]) > 0.5f;
		rig->tangents[i * 4] = cap ? 1 : -n[2];
		rig->tangents[i * 4 + 2] = cap ? 0 : n[0];
		rig->tangents[i * 4 + 3] = 1;
	}
}

static void cylinders_agree(void **state) {
	(void)state;
	static const char *const poses[] = {
		"{'set': 'rest', 'joints': {'J1': {'rotation': [0, 0, 0.6427876, 0.7660444]}}}",
		"{'set': 'rest', 'joints': {'J1': {'rotation': [0, 0.9063078, 0, 0.4226183]}}}",
		("{'set': 'rest', 'joints': {'J0': {'scale': [1.5, 1.5, 1.5]},"
		 " 'J1': {'rotation': [0, 0, 0.5, 0.8660254], 'scale': [1.2, 0.7, 1]}}}"),
	};
	struct rig *rig = rig_cyl2();
	add_tangents(rig);
	for (size_t pose = 0; pose < sizeof poses / sizeof *poses; pose++) {
		for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
			assert_agree(rig, all[i], poses[pose]);
		}
	}
	rig_release(rig);
}

static struct rig *humanoid(void) {
	struct buffer bytes = {0};
	FILE *file = fopen("assets/demo/humanoid.glb", "rb");
	assert_non_null(file);
	for (size_t got = 1; got > 0;) {
		got = fread(buffer_reserve(&bytes, 1 << 16), 1, 1 << 16, file);
		bytes.size += got;
	}
	fclose(file);
	struct error err = {0};
	struct rig *rig = renderer_import(bytes.data, bytes.size, &err);
	if (!rig) {
		fail_msg("%s", err.text);
	}
	buffer_finish(&bytes);
	return rig;
}

static void the_humanoid_agrees(void **state) {
	(void)state;
	static const char *const some[] = {
		"{'method': 'lbs', 'normals': 'exact'}",
		"{'method': 'lbs', 'normals': 'recompute'}",
		"'cor'",
		"'delta_mush'",
		"'ddm'",
		"{'method': 'ddm', 'variant': 'v1'}",
		"'vol_correct'",
	};
	struct rig *rig = humanoid();
	for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
		assert_agree(rig, some[i], "{'clip': 'Run', 'phase': 0.3}");
	}
	rig_release(rig);
}

int main(void) {
	gpu_test_renderer();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cylinders_agree),
		cmocka_unit_test(the_humanoid_agrees),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	gpu_test_finish();
	return failed;
}
