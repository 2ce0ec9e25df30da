// Every skinning method's shader checked against its twin in C (METHODS T6).
#include <stdlib.h>
#include <string.h>

#include "../unit/check.h"
#include "../unit/rigs.h"
#include "../unit/skinned.h"
#include "base/memory.h"
#include "context.h"
#include "view/camera.h"

static const enum attribute_bits order[] = {ATTRIBUTE_POSITION, ATTRIBUTE_NORMAL};

/* settings as a request has them. */
static void skin_on(enum device device, const struct rig *rig,
	const struct skinning_settings *settings, float *out) {
	struct vertices_job job = {
		.subject = {.rig = rig, .skinning = *settings},
		.order = order,
		.count = 2,
	};
	job.subject.skinning.device = device;
	struct skinning_report report;
	struct error err = {0};
	if (!renderer_vertices(gpu_test_renderer(), &job, out, &report, &err)) {
		fail_msg("%s", err.text);
	}
	assert_string_equal(report.device, device == DEVICE_GPU ? "gpu" : "cpu");
	assert_string_equal(report.method, settings->method->string);
}

static void assert_twin(const struct rig *rig, const struct skinning_settings *settings) {
	const size_t count = (size_t)rig->vertex_count;
	float *cpu = xcalloc(count * 6, sizeof *cpu), *gpu = xcalloc(count * 6, sizeof *gpu);
	skin_on(DEVICE_CPU, rig, settings, cpu);
	skin_on(DEVICE_GPU, rig, settings, gpu);
	const struct bounds box = bounds_of_points(cpu, count);
	double diagonal = 0;
	for (int k = 0; k < 3; k++) {
		diagonal += pow(box.max[k] - box.min[k], 2);
	}
	diagonal = sqrt(diagonal);
	for (size_t v = 0; v < count * 3; v++) {
		assert_near(gpu[v], cpu[v], 1e-5 * diagonal);
	}
	for (size_t v = count; v < count * 2; v++) {
		const float *a = cpu + v * 3, *b = gpu + v * 3;
		const double cosine =
			(double)a[0] * b[0] + (double)a[1] * b[1] + (double)a[2] * b[2];
		if (!(cosine > cos(0.1 * 3.14159265 / 180))) {
			fail_msg("%s: normal %zu is %g away", settings->method->string, v - count,
				acos(cosine));
		}
	}
	free(gpu);
	free(cpu);
}

static void assert_twins(const struct rig *rig) {
	struct renderer_method method;
	for (size_t i = 0; renderer_method(i, &method); i++) {
		if (method.needs_examples || method.needs_clip) {
			continue; // test_gpu_fitted.c has examples
		}
		const struct value id = {.kind = VALUE_STRING, .string = method.id};
		const struct skinning_settings settings = {.method = &id};
		assert_twin(rig, &settings);
	}
}

/* Turns and moves the joints away from where the slots were bound, so that something happens. */
static void disturb(struct rig *rig, unsigned seed, float stretch) {
	for (int i = 0; i < rig->joint_count; i++) {
		struct transform *rest = &rig->joints[i].rest;
		for (int k = 0; k < 4; k++) {
			rest->rotation[k] += 0.3f * (float)random_number(&seed);
		}
		for (int k = 0; k < 3; k++) {
			rest->translation[k] += 0.2f * (float)random_number(&seed);
			rest->scale[k] += stretch * (float)random_number(&seed);
		}
	}
}

static void rigid_joints_agree(void **state) {
	(void)state;
	for (unsigned seed = 1; seed <= 6; seed++) {
		struct rig *rig = rig_random(seed, 5 + (int)seed * 9, 777, 4 * (1 + (int)seed % 3));
		disturb(rig, seed, 0);
		assert_twins(rig);
		rig_release(rig);
	}
}

static void scaled_joints_agree(void **state) {
	(void)state;
	for (unsigned seed = 1; seed <= 4; seed++) {
		struct rig *rig = rig_random(seed, 4, 500, 4);
		disturb(rig, seed, 0.4f);
		assert_twins(rig);
		rig_release(rig);
	}
}

/* Leaves two influences to every other vertex: a joint and its parent, or two of a hub's. */
static void thin_out(struct rig *rig) {
	const int count = rig->primitives[0].influence_count;
	for (int i = 0; i < rig->vertex_count; i += 2) {
		float *weights = rig->influence_weights + i * count;
		memset(weights, 0, (size_t)count * sizeof *weights);
		weights[0] = 0.625f, weights[1] = 0.375f;
	}
}

static void bones_that_meet_agree(void **state) {
	(void)state;
	for (unsigned seed = 1; seed <= 4; seed++) {
		struct rig *rig = seed % 2 ? rig_hub(seed, 6, 500, 4) : rig_random(seed, 6, 500, 4);
		thin_out(rig);
		disturb(rig, seed, seed > 2 ? 0.4f : 0);
		assert_twins(rig);
		rig_release(rig);
	}
}

/* Triangles between neighbours in the numbering: some surface for the weights' gradients. */
static void add_surface(struct rig *rig) {
	rig->index_count = rig->primitives[0].index_count = (rig->vertex_count - 2) * 3;
	rig->indices = rig_storage(rig, (size_t)rig->index_count, sizeof *rig->indices, "", NULL);
	for (int i = 0; i < rig->index_count; i++) {
		rig->indices[i] = (uint32_t)(i / 3 + i % 3);
	}
}

static void options_agree(void **state) {
	(void)state;
	static const char *const settings[] = {
		"{'method': 'dqs', 'normals': 'exact'}",
		"{'method': 'dqs', 'normals': 'exact', 'sign': 'hierarchy'}",
		"{'method': 'sjb', 'normals': 'exact'}",
		"{'method': 'sjb', 'sign': 'pivot', 'normals': 'same'}",
		"{'method': 'sbs', 'normals': 'exact'}",
		"{'method': 'sbs', 'sign': 'hierarchy'}",
		"{'method': 'bones_blend', 'scale': 'ignore'}",
		"{'method': 'log_blend', 'pivot': 'none'}",
		"{'method': 'swing_twist', 'twist': 'bone'}",
		"{'method': 'swing_twist', 'sign': 'hierarchy'}",
	};
	for (unsigned seed = 1; seed <= 4; seed++) {
		struct rig *rig = rig_random(seed, 6, 300, seed % 2 ? 4 : 8);
		add_surface(rig);
		thin_out(rig);
		disturb(rig, seed, seed > 2 ? 0.4f : 0);
		for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
			struct arena *arena = arena_create();
			const struct skinning_settings requested = settings_of(arena, settings[i]);
			assert_twin(rig, &requested);
			arena_destroy(arena);
		}
		rig_release(rig);
	}
}

static void many_joints_and_vertices_agree(void **state) {
	(void)state;
	// More joints than a uniform block of the least size holds.
	struct rig *rig = rig_random(3, 900, 20000, 4);
	for (int i = 0; i < rig->joint_count; i++) {
		rig->joints[i].parent = i > 8 ? 8 : i - 1;
	}
	disturb(rig, 8, 0);
	assert_twins(rig);
	rig_release(rig);
}

static void morphs_come_before_skinning(void **state) {
	(void)state;
	struct rig *rig = rig_random(23, 6, 300, 4);
	unsigned seed = 77;
	float *deltas = rig_storage(rig, 300 * 6, sizeof *deltas, "", NULL);
	for (int i = 0; i < 300 * 6; i++) {
		deltas[i] = 0.3f * (float)random_number(&seed);
	}
	struct morph_target *target = xcalloc(1, sizeof *target);
	*target = (struct morph_target){.positions = deltas, .normals = deltas + 900};
	rig->primitives[0].target_count = 1;
	rig->primitives[0].targets = target;
	rig->weight_count = rig->joints[0].weight_count = 1;
	rig->rest_weights = rig_storage(rig, 1, sizeof *rig->rest_weights, "", NULL);
	disturb(rig, 8, 0);
	assert_twins(rig);
	rig->rest_weights[0] = 0.7f;
	assert_twins(rig);
	// And the rig's own vertices are back when the weight is gone.
	rig->rest_weights[0] = 0;
	assert_twins(rig);
	rig_release(rig);
}

int main(void) {
	gpu_test_renderer();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rigid_joints_agree),
		cmocka_unit_test(scaled_joints_agree),
		cmocka_unit_test(bones_that_meet_agree),
		cmocka_unit_test(options_agree),
		cmocka_unit_test(many_joints_and_vertices_agree),
		cmocka_unit_test(morphs_come_before_skinning),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	gpu_test_finish();
	return failed;
}
