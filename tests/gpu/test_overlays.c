// Overlays, as far as they can only be tested inside the renderer.
#include <stdlib.h>
#include <string.h>

#include "../unit/check.h"
#include "../unit/json_value.h"
#include "../unit/rigs.h"
#include "context.h"
#include "picture.h"

#define SIZE 96

/* A picture as a file, with overlays as a request lists them. */
static struct buffer draw(
	const struct rig *rig, const char *overlays, enum device device, int samples) {
	struct arena *arena = arena_create();
	struct error err = {0};
	struct frame_job job = {
		.subject = {.rig = rig, .skinning = {.device = device}},
		.picture = {.width = SIZE,
			.height = SIZE,
			.samples = samples,
			.camera = {.yaw_deg = 30, .pitch_deg = 15, .fov_deg = 30}},
	};
	struct skinning_report report;
	struct buffer png = {0};
	const struct value *list = json_value(arena, overlays);
	if (!overlays_read(list, &job.picture.overlays, &err) ||
		!renderer_frame(gpu_test_renderer(), &job, &png, &report, &err)) {
		fail_msg("%s", err.text);
	}
	arena_destroy(arena);
	return png;
}

/* True where this renderer does not skin on a device. */
static bool lacks(int device) {
	return device == DEVICE_GPU && !renderer_has_shaders(renderer_info(gpu_test_renderer()));
}

/* True if two files, which this frees, are equal. */
static bool are_same(struct buffer a, struct buffer b) {
	const bool same = a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
	buffer_finish(&a);
	buffer_finish(&b);
	return same;
}

static const char all[] = "[\"wireframe\",\"normals\",\"bounds\","
			  "{\"overlay\":\"skeleton\",\"names\":true,\"axes\":true},"
			  "{\"overlay\":\"trails\",\"times\":[-1,1]},"
			  "{\"overlay\":\"onion\",\"times\":[-1,1]}]";

static void same_request_gives_the_same_pixels(void **state) {
	(void)state;
	struct rig *rig = rig_random(7, 12, 300, 4);
	for (int samples = 1; samples <= 4; samples += 3) {
		for (int device = DEVICE_AUTO; device <= DEVICE_CPU; device++) {
			if (lacks(device)) {
				continue;
			}
			const struct buffer first = draw(rig, all, (enum device)device, samples);
			assert_true(are_same(first, draw(rig, all, (enum device)device, samples)));
		}
	}
	rig_release(rig);
}

static void pictures_without_them_stay_as_they_are(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	for (int device = DEVICE_AUTO; device <= DEVICE_CPU; device++) {
		if (lacks(device)) {
			continue;
		}
		const struct buffer before = draw(rig, "[]", (enum device)device, 4);
		struct buffer between = draw(rig, all, (enum device)device, 4);
		assert_true(between.size > before.size);
		assert_true(are_same(before, draw(rig, "[]", (enum device)device, 4)));
		buffer_finish(&between);
	}
	rig_release(rig);
}

static void draw_once(const struct rig *rig, const char *overlays) {
	struct buffer png = draw(rig, overlays, DEVICE_AUTO, 1);
	buffer_finish(&png);
}

static void edges_are_counted_with_the_rig(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct renderer_stats before, behind, again;
	draw_once(rig, "[]");
	renderer_stats(gpu_test_renderer(), &before);
	draw_once(rig, "[\"wireframe\"]");
	draw_once(rig, "[]");
	renderer_stats(gpu_test_renderer(), &behind);
	// Of a closed surface, by Euler's formula.
	const unsigned long long edges =
		(unsigned long long)(rig->vertex_count + rig->index_count / 3 - 2);
	assert_int_equal(behind.gpu_rig_bytes - before.gpu_rig_bytes, edges * 8);
	draw_once(rig, "[\"wireframe\"]");
	renderer_stats(gpu_test_renderer(), &again);
	assert_int_equal(again.gpu_rig_bytes, behind.gpu_rig_bytes);
	rig_release(rig);
}

int main(void) {
	gpu_test_renderer();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_request_gives_the_same_pixels),
		cmocka_unit_test(pictures_without_them_stay_as_they_are),
		cmocka_unit_test(edges_are_counted_with_the_rig),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	gpu_test_finish();
	return failed;
}
