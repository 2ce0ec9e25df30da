// Shaders checked against their twins in C where options choose other code (METHODS T6).
#include <stdlib.h>
#include <string.h>

#include "../unit/check.h"
#include "../unit/json_value.h"
#include "../unit/rigs.h"
#include "../unit/skinned.h"
#include "../unit/tube23.h"
#include "base/memory.h"
#include "context.h"
#include "view/camera.h"

static const enum attribute_bits order[] = {
	ATTRIBUTE_POSITION, ATTRIBUTE_NORMAL, ATTRIBUTE_TANGENT};

/* Positions, normals and tangents in a pose, written as JSON; NULL = rest. */
static void skin_pose_on(enum device device, const struct rig *rig, const char *pose,
	const char *skinning, float *out) {
	struct arena *arena = arena_create();
	struct vertices_job job = {
		.subject = {.rig = rig,
			.pose = pose ? json_value(arena, pose) : NULL,
			.skinning = settings_of(arena, skinning)},
		.order = order,
		.count = 3,
		.vertices = rig->vertex_count,
	};
	job.subject.skinning.device = device;
	struct skinning_report report;
	struct error err = {0};
	if (!renderer_vertices(gpu_test_renderer(), &job, out, &report, &err)) {
		fail_msg("%s: %s", skinning, err.text);
	}
	assert_string_equal(report.device, device == DEVICE_GPU ? "gpu" : "cpu");
	arena_destroy(arena);
}

static void skin_on(enum device device, const struct rig *rig, const char *skinning, float *out) {
	skin_pose_on(device, rig, NULL, skinning, out);
}

static void assert_same(const struct rig *rig, const float *gpu, const float *cpu) {
	const size_t count = (size_t)rig->vertex_count;
	const struct bounds box = bounds_of_points(cpu, count);
	double diagonal = 0;
	for (int k = 0; k < 3; k++) {
		diagonal += pow(box.max[k] - box.min[k], 2);
	}
	for (size_t i = 0; i < count * 3; i++) {
		assert_near(gpu[i], cpu[i], 1e-5 * sqrt(diagonal));
	}
	for (size_t i = 0; i < count; i++) {
		const float *a = cpu + (count + i) * 3, *b = gpu + (count + i) * 3;
		const double cosine =
			(double)a[0] * b[0] + (double)a[1] * b[1] + (double)a[2] * b[2];
		assert_true(cosine > cos(0.1 * 3.14159265 / 180));
	}
	for (size_t i = count * 6; i < count * 10; i++) {
		assert_near(gpu[i], cpu[i], 2e-3);
	}
}

static void add_tangents(struct rig *rig) {
	rig->tangents =
		rig_storage(rig, (size_t)rig->vertex_count * 4, sizeof *rig->tangents, "", NULL);
	for (int i = 0; i < rig->vertex_count; i++) {
		const float *n = rig->normals + i * 3;
		float *t = rig->tangents + i * 4;
		const double length = hypot(n[0], n[1]) + 1e-9;
		t[0] = (float)(-n[1] / length), t[1] = (float)(n[0] / length);
		t[3] = i % 2 ? 1 : -1;
	}
}

/* Turns the joints' rest away from where the slots were bound, and stretches them. */
static void disturb(struct rig *rig, double degrees, float scale) {
	struct arena *arena = arena_create();
	struct pose pose = pose_rest(rig, arena);
	tube23_pose(rig, degrees, &pose);
	for (int i = 0; i < rig->joint_count; i++) {
		rig->joints[i].rest = pose.local[i];
		rig->joints[i].rest.scale[i % 3] = scale;
	}
	arena_destroy(arena);
}

/* Runs settings, ended by NULL, on both devices with several rigs. */
static void assert_twins(const char *const *settings, bool with_single) {
	for (int which = 0; which < 3 + with_single; which++) {
		struct rig *rig = which == 0 || which == 1 ? rig_tube23()
			: which == 2                       ? rig_random(3, 40, 500, 4)
							   : rig_random(4, 6, 100, 1);
		add_tangents(rig);
		disturb(rig, 12, which == 1 ? 1.1f : 1);
		const size_t count = (size_t)rig->vertex_count;
		float *gpu = xcalloc(count * 10, sizeof *gpu);
		float *cpu = xcalloc(count * 10, sizeof *cpu);
		for (const char *const *one = settings; *one; one++) {
			skin_on(DEVICE_CPU, rig, *one, cpu);
			skin_on(DEVICE_GPU, rig, *one, gpu);
			assert_same(rig, gpu, cpu);
		}
		free(cpu);
		free(gpu);
		rig_release(rig);
	}
}

static void ways_of_lbs(void **state) {
	(void)state;
	static const char *const settings[] = {
		"{'method': 'lbs', 'impl': 'ffp1'}",
		"{'method': 'lbs', 'impl': 'ffp2'}",
		"{'method': 'lbs', 'impl': 'vsp1'}",
		"{'method': 'lbs', 'impl': 'vsp2'}",
		"{'method': 'lbs', 'impl': 'cg4m'}",
		"{'method': 'lbs', 'impl': 'ffp1', 'normals': 'same'}",
		"{'method': 'lbs', 'impl': 'ffp2', 'normals': 'same'}",
		"{'method': 'lbs', 'impl': 'vsp1', 'normals': 'same'}",
		"{'method': 'lbs', 'impl': 'vsp2', 'normals': 'same'}",
		"{'method': 'lbs', 'impl': 'cg4m', 'normals': 'same'}",
		"{'method': 'lbs', 'impl': 'ffp1', 'normals': 'exact'}",
		"{'method': 'lbs', 'impl': 'vsp1', 'normals': 'exact'}",
		NULL,
	};
	assert_twins(settings, true);
}

static void twist_bones(void **state) {
	(void)state;
	static const char *const settings[] = {
		"{'method': 'twist_bones', 'helpers': 2}",
		"{'method': 'twist_bones', 'helpers': 8, 'normals': 'same'}",
		NULL,
	};
	assert_twins(settings, true);
}

static void stretchable_bones(void **state) {
	(void)state;
	static const char *const settings[] = {
		"{'method': 'stbs', 'blend': 'lbs'}",
		"{'method': 'stbs', 'blend': 'dqs'}",
		"{'method': 'stbs', 'blend': 'dqs', 'normals': 'same'}",
		NULL,
	};
	assert_twins(settings, true);
}

/* Two keys between which joint 1 turns by 100 degrees. */
static void add_clip(struct rig *rig) {
	static const float times[2] = {0, 1};
	float *values = rig_storage(rig, 8, sizeof *values, "", NULL);
	struct transform turned;
	set_rotation(&turned, 0, 0, 1, 100);
	values[3] = 1;
	memcpy(values + 4, turned.rotation, sizeof turned.rotation);
	struct channel *channel = xcalloc(1, sizeof *channel);
	*channel = (struct channel){.joint = 1,
		.path = CHANNEL_ROTATION,
		.interpolation = INTERPOLATION_LINEAR,
		.key_count = 2,
		.width = 4,
		.times = times,
		.values = values};
	rig->clips = rig_storage(rig, 1, sizeof *rig->clips, "", NULL);
	rig->clips[0] = (struct clip){.name = xstrndup("turn", 4),
		.duration_s = 1,
		.channel_count = 1,
		.channels = channel};
	rig->clip_count = 1;
}

static void baked_clips(void **state) {
	(void)state;
	static const char *const settings[] = {
		"{'method': 'vertex_keyframe', 'rate': 4}",
		"{'method': 'vertex_keyframe', 'rate': 4, 'base': 'dqs', 'interpolation': "
		"'catmull_rom'}",
	};
	static const char *const poses[] = {"{'clip': 'turn', 'time': 0.35}",
		"{'clip': 'turn', 'time': 0.5}", "{'clip': 'turn', 'time': 0.999}"};
	struct rig *rig = rig_random(5, 9, 444, 4);
	float *gpu = xcalloc(4440, sizeof *gpu), *cpu = xcalloc(4440, sizeof *cpu);
	add_tangents(rig);
	add_clip(rig);
	for (int i = 0; i < 6; i++) {
		skin_pose_on(DEVICE_CPU, rig, poses[i / 2], settings[i % 2], cpu);
		skin_pose_on(DEVICE_GPU, rig, poses[i / 2], settings[i % 2], gpu);
		assert_same(rig, gpu, cpu);
	}
	free(cpu);
	free(gpu);
	rig_release(rig);
}

static void the_cpus_way_runs_on_the_cpu(void **state) {
	(void)state;
	struct rig *rig = rig_tube23();
	add_tangents(rig);
	float *out = xcalloc((size_t)rig->vertex_count * 10, sizeof *out);
	skin_on(DEVICE_CPU, rig, "{'method': 'lbs', 'impl': 'sw'}", out);
	free(out);
	rig_release(rig);
}

int main(void) {
	gpu_test_renderer();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ways_of_lbs),
		cmocka_unit_test(twist_bones),
		cmocka_unit_test(stretchable_bones),
		cmocka_unit_test(baked_clips),
		cmocka_unit_test(the_cpus_way_runs_on_the_cpu),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	gpu_test_finish();
	return failed;
}
