// An asset's unit and up axis, said in the line before it: the same figure, turned and scaled.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "check.h"
#include "import/import.h"
#include "import/space.h"
#include "poses.h"
#include "shared_files.h"
#include "skinned.h"

#define TOLERANCE 1e-5 // of the greatest coordinate; float32 after two scales

static void load(const char *path, struct buffer *out) {
	FILE *stream = fopen(path, "rb");
	size_t count;
	if (!stream) {
		print_message(
			"SKIPPED: no %s (POSED_SHARED_FILES says where such files are)\n", path);
		skip();
		return;
	}
	do {
		count = fread(buffer_reserve(out, 1 << 16), 1, 1 << 16, stream);
		out->size += count;
	} while (count > 0);
	fclose(stream);
}

static struct rig *import_in(
	const struct asset_space *space, const struct buffer *asset, struct error *err) {
	char line[ASSET_SPACE_BYTES];
	struct buffer placed = {0};
	buffer_append(&placed, line, space_write(space, line));
	buffer_append(&placed, asset->data, asset->size);
	struct rig *rig = import_rig(placed.data, placed.size, err);
	buffer_finish(&placed);
	return rig;
}

/* axes: which coordinate of the file, from 1 on, with its sign, each of the rig's is. */
static void expect_change(struct rig *plain, struct rig *changed, double scale,
	const int axes[static 3], const char *expression) {
	struct arena *arena = arena_create();
	const struct pose plain_pose = pose_of(plain, arena, expression);
	const struct pose changed_pose = pose_of(changed, arena, expression);
	const float *from = deformed(plain, &plain_pose, arena);
	const float *to = deformed(changed, &changed_pose, arena);
	double greatest = 0;
	for (int i = 0; i < 3 * plain->vertex_count; i++) {
		greatest = fmax(greatest, fabs((double)from[i]) * scale);
	}
	assert_int_equal(plain->vertex_count, changed->vertex_count);
	for (int i = 0; i < 3 * plain->vertex_count; i++) {
		const int axis = axes[i % 3], at = i / 3 * 3 + abs(axis) - 1;
		const double want = (double)from[at] * (axis < 0 ? -scale : scale);
		if (!(fabs((double)to[i] - want) <= TOLERANCE * greatest)) {
			fail_msg("%s: %g, not %g", expression, (double)to[i], want);
		}
	}
	arena_destroy(arena);
}

static void check_file(const char *path) {
	static const int same[3] = {1, 2, 3}, z_up[3] = {1, 3, -2}, x_up[3] = {-2, 1, 3};
	char full[4096];
	struct buffer asset = {0};
	struct error err = {0};
	snprintf(full, sizeof full, "%s/%s", shared_files(), path);
	load(full, &asset);
	struct rig *plain = import_rig(asset.data, asset.size, &err);
	assert_non_null(plain);
	// These files are in centimetres with y up.
	assert_near(plain->space.unit_m, 0.01, 1e-12);
	const struct {
		struct asset_space space;
		double scale;
		const int *axes;
	} rows[] = {
		{{0.01, 'y'}, 1, same},
		{{1, 0}, 100, same},
		{{0.0254, 0}, 2.54, same},
		{{0, 'z'}, 1, z_up},
		{{1, 'x'}, 100, x_up},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct rig *changed = import_in(&rows[i].space, &asset, &err);
		if (!changed) {
			fail_msg("%s", err.text);
		}
		expect_change(plain, changed, rows[i].scale, rows[i].axes, "'rest'");
		if (plain->clip_count > 0) {
			char text[64];
			snprintf(text, sizeof text, "{'clip': %d, 'time': %g}",
				plain->clips[0].index, plain->clips[0].duration_s * 0.37);
			expect_change(plain, changed, rows[i].scale, rows[i].axes, text);
		}
		rig_release(changed);
	}
	rig_release(plain);
	buffer_finish(&asset);
}

static void files_are_in_the_space_that_is_said(void **state) {
	(void)state;
	check_file("ufbx-data/maya_transformed_skin_7700_binary.fbx");
	check_file("ufbx-data/maya_game_sausage_7500_ascii_wiggle.fbx");
	check_file("ufbx-data/maya_anim_interpolation_7700_binary.fbx");
}

static void gltf_takes_none(void **state) {
	(void)state;
	struct buffer asset = {0};
	struct error err = {0};
	const struct asset_space space = {.unit_m = 0.01};
	load("assets/demo/cyl2.glb", &asset);
	assert_null(import_in(&space, &asset, &err));
	assert_int_equal(err.code, ERROR_UNSUPPORTED_ASSET);
	buffer_finish(&asset);
}

static void lines_have_one_spelling(void **state) {
	(void)state;
	static const char *const broken[] = {"posed-asset \n", "posed-asset units=1 up=y",
		"posed-asset units=1 up=w\n", "posed-asset units=-1 up=y\n",
		"posed-asset units=inf up=y\n", "posed-asset units=1.0 up=y\n",
		"posed-asset units=0 up=-\n", "posed-asset up=y units=1\n",
		"posed-asset units=1 up=y \n"};
	struct asset_space space;
	char line[ASSET_SPACE_BYTES];
	for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
		struct error err = {0};
		assert_true(space_read((const unsigned char *)broken[i], strlen(broken[i]), &space,
				    &err) == SIZE_MAX);
		assert_int_equal(err.code, ERROR_BROKEN_ASSET);
	}
	assert_int_equal(space_read((const unsigned char *)"Kaydara", 7, &space, NULL), 0);
	assert_int_equal(space_write(&(struct asset_space){0}, line), 0);
	const struct asset_space inches = {0.0254, 'z'};
	const size_t length = space_write(&inches, line);
	assert_int_equal(length, strlen(line));
	assert_int_equal(space_read((const unsigned char *)line, length, &space, NULL), length);
	assert_true(space.unit_m == inches.unit_m && space.up == 'z');
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_in_the_space_that_is_said),
		cmocka_unit_test(gltf_takes_none),
		cmocka_unit_test(lines_have_one_spelling),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
