// The shaders of methods that are fitted to examples checked against their twins in C (METHODS T6).
#include <stdlib.h>
#include <string.h>

#include "../unit/check.h"
#include "../unit/json_value.h"
#include "../unit/rigs.h"
#include "../unit/sculpted.h"
#include "base/memory.h"
#include "context.h"
#include "model/examples.h"

static const enum attribute_bits order[] = {ATTRIBUTE_POSITION, ATTRIBUTE_NORMAL};

/* A rig with examples, and a request for it. */
struct request {
	const struct sculpted *s;
	const struct examples *examples;
	const struct value *pose, *skinning;
};

static void skin_on(enum device device, const struct request *request, float *out) {
	const struct value *object = request->skinning;
	const struct vertices_job job = {
		.subject = {.rig = request->s->rig,
			.pose = request->pose,
			.skinning = {.method = value_member(object, "method"),
				.object = object,
				.device = device},
			.examples = request->examples},
		.order = order,
		.count = 2,
	};
	struct skinning_report report;
	struct error err = {0};
	if (!renderer_vertices(gpu_test_renderer(), &job, out, &report, &err)) {
		fail_msg("%s", err.text);
	}
	assert_string_equal(report.device, device == DEVICE_GPU ? "gpu" : "cpu");
}

static void assert_twins(const struct request *request) {
	const struct rig *rig = request->s->rig;
	const size_t count = (size_t)rig->vertex_count;
	float *cpu = xcalloc(count * 6, sizeof *cpu), *gpu = xcalloc(count * 6, sizeof *gpu);
	skin_on(DEVICE_CPU, request, cpu);
	skin_on(DEVICE_GPU, request, gpu);
	const double diagonal = fit_size(cpu, rig->vertex_count);
	for (size_t i = 0; i < count * 3; i++) {
		assert_near(gpu[i], cpu[i], 1e-5 * diagonal);
	}
	for (size_t v = count; v < count * 2; v++) {
		double cosine = 0;
		for (size_t i = v * 3; i < v * 3 + 3; i++) {
			cosine += (double)cpu[i] * gpu[i];
		}
		assert_true(cosine > cos(0.1 * 3.14159265 / 180));
	}
	free(cpu);
	free(gpu);
}

/* Every method that needs examples, with its standard options, and some with others. */
static void check_all(struct sculpted *s, const char *const *poses, const char *const *skinnings) {
	struct examples *examples = sculpted_examples(s);
	for (int p = 0; poses[p]; p++) {
		struct renderer_method method;
		struct request request = {s, examples, json_value(s->arena, poses[p]), NULL};
		for (size_t i = 0; renderer_method(i, &method); i++) {
			if (method.needs_examples) {
				request.skinning = json_value(s->arena,
					arena_printf(s->arena, "{'method':'%s'}", method.id));
				assert_twins(&request);
			}
		}
		for (int i = 0; skinnings[i]; i++) {
			request.skinning = json_value(s->arena, skinnings[i]);
			assert_twins(&request);
		}
	}
	examples_release(examples);
	sculpted_destroy(s);
}

static const char *const others[] = {"{'method':'psd','base':'dqs'}",
	"{'method':'sbe','base':'dqs','clamp':false}", "{'method':'eigenskin','modes':1}",
	"{'method':'sjbbe','kernel':'chord','clamp':true}", "{'method':'mwe','pcr':true}", NULL};

static void bent_cylinders_agree(void **state) {
	(void)state;
	struct sculpted *s = sculpted_create(rig_cyl2(), "lbs", "dqs");
	for (int i = 1; i <= 6; i++) {
		const struct pose pose = sculpted_pose(s);
		set_rotation(&pose.local[1], 0.6, i % 2 * 0.8, 0.8 - i % 2 * 0.8, 20 * i);
		sculpted_add(s, "bent", &pose, 0);
	}
	static const char *const poses[] = {"'rest'",
		"{'set':'rest','joints':{'J1':{'rotation':[0.2,0.3,0.1,0.9]}}}",
		"{'set':'rest','joints':{'J0':{'rotation':[0.5,0.1,-0.4,0.7],"
		"'translation':[1,2,3]},'J1':{'rotation':[-0.4,0.3,0.1,0.8]}}}",
		NULL};
	check_all(s, poses, others);
}

static void random_rigs_agree(void **state) {
	(void)state;
	struct sculpted *s = sculpted_create(rig_random(9, 6, 700, 8), "lbs", "dqs");
	for (int i = 1; i <= 5; i++) {
		const struct pose pose = sculpted_pose(s);
		set_rotation(&pose.local[i], 0.6, 0, 0.8, 30 * i);
		sculpted_add(s, "turned", &pose, 0);
	}
	static const char *const poses[] = {
		"{'set':'rest','joints':{'J2':{'rotation':[0.2,0.3,0.1,0.9]},"
		"'J3':{'rotation':[0.5,0.1,-0.4,0.7]}}}",
		NULL};
	check_all(s, poses, others);
}

int main(void) {
	gpu_test_renderer();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bent_cylinders_agree),
		cmocka_unit_test(random_rigs_agree),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	gpu_test_finish();
	return failed;
}
