// Crowds inside: what is kept of a figure, and that both ways to draw many draw the same.
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/check.h"
#include "../unit/json_value.h"
#include "../unit/rigs.h"
#include "base/mat.h"
#include "base/memory.h"
#include "context.h"
#include "crowd/batches.h"
#include "gl/draw.h"
#include "gl/gl_back_end.h"
#include "state/state.h"

#define SIZE 64
#define FIGURES 24

static const char *const texts[] = {
	"{'clip': 'Walk', 'time': 0.4}",
	"{'clip': 'Run', 'phase': 0.7}",
	"{'blend': [{'pose': {'clip': 'Wave', 'time': 1}}, {'pose': 'rest'}]}",
};

static struct rig *demo(void) {
	static char bytes[4 << 20];
	FILE *file = fopen("assets/demo/humanoid.glb", "rb");
	assert_non_null(file);
	const size_t size = fread(bytes, 1, sizeof bytes, file);
	fclose(file);
	struct error err = {0};
	struct rig *rig = renderer_import(bytes, size, &err);
	if (!rig) {
		fail_msg("%s", err.text);
	}
	return rig;
}

/* So many of a rig in a row, every third mirrored. */
static struct crowd_instance *stand(struct arena *arena, const struct rig *rig, size_t count) {
	static const double identity[12] = MAT_IDENTITY;
	struct crowd_instance *instances = arena_alloc(arena, count, sizeof *instances);
	for (size_t i = 0; i < count; i++) {
		instances[i].subject.rig = rig;
		instances[i].subject.pose = json_value(arena, texts[i % 3]);
		memcpy(instances[i].placement, identity, sizeof identity);
		instances[i].placement[0] = i % 3 == 2 ? -1 : 1;
		instances[i].placement[3] = (double)i;
		instances[i].placement[11] = (double)i / -2;
	}
	return instances;
}

static struct crowd_job job_of(const struct crowd_instance *instances, size_t count) {
	return (struct crowd_job){
		.instances = instances,
		.count = count,
		.picture = {.width = SIZE,
			.height = SIZE,
			.samples = 4,
			.camera = {.yaw_deg = 30, .pitch_deg = 20, .fov_deg = 35}},
		.max_vertices = (size_t)1 << 28,
	};
}

static void prepare_crowd(struct crowd *crowd, const struct crowd_job *job) {
	struct error err = {0};
	size_t culprit;
	*crowd = (struct crowd){.renderer = gpu_test_renderer(), .job = job};
	if (!crowd_prepare(crowd, &culprit, &err)) {
		fail_msg("figure %zu: %s", culprit, err.text);
	}
}

static void a_figure_costs_its_palette(void **state) {
	(void)state;
	struct rig *rig = demo();
	struct arena *arena = arena_create();
	size_t bytes[2];
	for (size_t i = 0; i < 2; i++) {
		const size_t count = i == 0 ? 1 : 1000;
		const struct crowd_job job = job_of(stand(arena, rig, count), count);
		struct crowd crowd;
		prepare_crowd(&crowd, &job);
		assert_int_equal(crowd.plan_count, 1);
		assert_int_equal(crowd.vertex_count, count * (size_t)rig->vertex_count);
		bytes[i] = crowd.member_bytes;
		crowd_finish(&crowd);
	}
	// As many bytes for each, whatever their number; with 24 joints less than 8 KiB.
	assert_int_equal(bytes[1], 1000 * bytes[0]);
	assert_true(bytes[0] < 8192);
	print_message("a figure of %d joints takes %zu bytes\n", rig->joint_count, bytes[0]);
	arena_destroy(arena);
	rig_release(rig);
}

static void palettes_are_those_of_poses_alone(void **state) {
	(void)state;
	struct rig *rig = demo();
	struct arena *arena = arena_create();
	const struct crowd_job job = job_of(stand(arena, rig, FIGURES), FIGURES);
	struct crowd crowd;
	prepare_crowd(&crowd, &job);
	for (size_t i = 0; i < FIGURES; i++) {
		const struct skinning_settings settings = {0};
		const struct prepare_params params = {
			.subject = {.rig = rig,
				.pose = job.instances[i].subject.pose,
				.skinning = settings},
		};
		struct prepared alone;
		assert_true(prepare(gpu_test_renderer(), &params, arena, &alone, NULL));
		const struct crowd_member *member = &crowd.members[i];
		assert_int_equal(member->palette.count, alone.palette.count);
		assert_memory_equal(member->palette.floats, alone.palette.floats,
			alone.palette.count * sizeof(float));
		assert_int_equal((uintptr_t)member->palette.floats % 64, 0);
		assert_int_equal(member->mirrored[0], i % 3 == 2);
		prepared_finish(&alone);
	}
	crowd_finish(&crowd);
	arena_destroy(arena);
	rig_release(rig);
}

static void draw(const struct crowd_job *job, unsigned char *rgba) {
	struct buffer png = {0};
	struct skinning_report report;
	struct error err = {0};
	size_t culprit;
	if (!renderer_crowd(gpu_test_renderer(), job, &png, &report, &culprit, &err)) {
		fail_msg("%s", err.text);
	}
	png_image image = {.version = PNG_IMAGE_VERSION};
	assert_true(png_image_begin_read_from_memory(&image, png.data, png.size));
	image.format = PNG_FORMAT_RGBA;
	assert_true(png_image_finish_read(&image, NULL, rgba, 0, NULL));
	buffer_finish(&png);
}

/* Drivers whose vertex shaders see no storage buffers draw figure by figure. */
static void figure_by_figure_is_the_same_picture(void **state) {
	(void)state;
	struct renderer *renderer = gpu_test_renderer();
	if (renderer->back_end->kind != &gl_back_end) {
		skip();
	}
	const bool software = strcmp(renderer_info(renderer)->device, "software") == 0;
	struct rig *rig = demo();
	struct arena *arena = arena_create();
	const struct crowd_job job = job_of(stand(arena, rig, FIGURES), FIGURES);
	struct gl_back_end *gl = (struct gl_back_end *)renderer->back_end;
	struct draw *standard = gl->draw;
	static unsigned char pixels[2][SIZE * SIZE * 4];
	for (int fetches = 0; fetches < 2; fetches++) {
		gl->draw = draw_create(software, fetches);
		assert_non_null(gl->draw);
		draw(&job, pixels[fetches]);
		draw_destroy(gl->draw);
	}
	gl->draw = standard;
	size_t seen = 0, far = 0;
	for (size_t i = 0; i < sizeof pixels[0]; i++) {
		seen += pixels[0][i] > 0;
		far += abs(pixels[0][i] - pixels[1][i]) > 1;
	}
	assert_true(seen > 100);
	assert_int_equal(far, 0);
	arena_destroy(arena);
	rig_release(rig);
}

static void nothing_of_a_crowd_stays_on_the_gpu(void **state) {
	(void)state;
	if (!renderer_has_shaders(renderer_info(gpu_test_renderer()))) {
		skip();
	}
	struct rig *rig = demo();
	struct arena *arena = arena_create();
	static unsigned char rgba[SIZE * SIZE * 4];
	struct renderer_stats before, after;
	for (int device = DEVICE_AUTO; device <= DEVICE_CPU; device++) {
		for (size_t count = 1; count <= FIGURES; count += FIGURES - 1) {
			struct crowd_instance *instances = stand(arena, rig, count);
			for (size_t i = 0; i < count; i++) {
				instances[i].subject.skinning.device = (enum device)device;
			}
			const struct crowd_job job = job_of(instances, count);
			draw(&job, rgba);
			renderer_stats(gpu_test_renderer(), &before);
			draw(&job, rgba);
			renderer_stats(gpu_test_renderer(), &after);
			assert_int_equal(before.gpu_rig_bytes, after.gpu_rig_bytes);
			assert_int_equal(after.frames_drawn, before.frames_drawn + 1);
		}
	}
	arena_destroy(arena);
	rig_release(rig);
}

int main(void) {
	gpu_test_renderer();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_figure_costs_its_palette),
		cmocka_unit_test(palettes_are_those_of_poses_alone),
		cmocka_unit_test(figure_by_figure_is_the_same_picture),
		cmocka_unit_test(nothing_of_a_crowd_stays_on_the_gpu),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	gpu_test_finish();
	return failed;
}
