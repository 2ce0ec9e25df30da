// Pictures checked against what geometry and the sRGB curve say of single pixels.
#include <png.h>
#include <string.h>

#include "../unit/check.h"
#include "base/srgb.h"
#include "context.h"

#define SIZE 64

struct pixels {
	int width, height;
	unsigned char rgba[SIZE * SIZE * 4];
};

/* A square of two triangles in the plane z = 0, from (-1,-1) to (1,1), facing +Z, with a material
 * of one's own; `more` goes into its node. Other modes than triangles take the same indices. */
static struct rig *square_of(int mode, const char *material, const char *more) {
	char text[2000];
	// Positions (-1,-1,0) (1,-1,0) (1,1,0) (-1,1,0) as float32, indices 0 1 2 0 2 3 as bytes.
	const int length = snprintf(text, sizeof text,
		"{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],"
		"\"nodes\":[{\"mesh\":0%s}],\"meshes\":[{\"primitives\":[{\"attributes\":"
		"{\"POSITION\":0},\"indices\":1,\"material\":0,\"mode\":%d}]}],\"materials\":[%s],"
		"\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,"
		"\"type\":\"VEC3\",\"min\":[-1,-1,0],\"max\":[1,1,0]},{\"bufferView\":1,"
		"\"componentType\":5121,\"count\":6,\"type\":\"SCALAR\"}],"
		"\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},"
		"{\"buffer\":0,\"byteOffset\":48,\"byteLength\":6}],"
		"\"buffers\":[{\"byteLength\":54,\"uri\":\"data:application/octet-stream;base64,"
		"AACAvwAAgL8AAAAAAACAPwAAgL8AAAAAAACAPwAAgD8AAAAAAACAvwAAgD8AAAAAAAECAAID\"}]}",
		more, mode, material);
	assert_true(length < (int)sizeof text);
	struct error err = {0};
	struct rig *rig = renderer_import(text, (size_t)length, &err);
	if (!rig) {
		fail_msg("%s", err.text);
	}
	return rig;
}

static struct rig *square(const char *material, const char *more) {
	return square_of(4, material, more);
}

/* A camera that shows x and y from -2 to 2: the square covers the middle half of the picture. */
static struct picture_settings settings(int samples) {
	return (struct picture_settings){
		.width = SIZE,
		.height = SIZE,
		.samples = samples,
		.camera = {.kind = CAMERA_MATRICES,
			.view = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
			.projection = {0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, -0.1, 0, 0, 0, 0, 1}},
	};
}

static void draw(
	const struct rig *rig, const struct picture_settings *picture, struct pixels *out) {
	const struct frame_job job = {
		.subject = {.rig = rig},
		.picture = *picture,
	};
	struct buffer png = {0};
	struct skinning_report report;
	struct error err = {0};
	if (!renderer_frame(gpu_test_renderer(), &job, &png, &report, &err)) {
		fail_msg("%s", err.text);
	}
	png_image image = {.version = PNG_IMAGE_VERSION};
	assert_true(png_image_begin_read_from_memory(&image, png.data, png.size));
	image.format = PNG_FORMAT_RGBA;
	assert_int_equal(image.width, SIZE);
	assert_true(png_image_finish_read(&image, NULL, out->rgba, 0, NULL));
	buffer_finish(&png);
}

static const unsigned char *at(const struct pixels *pixels, int x, int y) {
	return pixels->rgba + (y * SIZE + x) * 4;
}

static void square_covers_its_pixels(void **state) {
	(void)state;
	struct rig *rig = square("{}", "");
	for (int samples = 1; samples <= 4; samples += 3) {
		const struct picture_settings picture = settings(samples);
		struct pixels pixels;
		draw(rig, &picture, &pixels);
		for (int y = 0; y < SIZE; y++) {
			for (int x = 0; x < SIZE; x++) {
				const bool inside = x >= 16 && x < 48 && y >= 16 && y < 48;
				assert_int_equal(at(&pixels, x, y)[3], inside ? 255 : 0);
			}
		}
	}
	rig_release(rig);
}

static void top_of_the_world_is_on_top(void **state) {
	(void)state;
	struct rig *rig = square("{}", ",\"translation\":[0.5,1,0]");
	const struct picture_settings picture = settings(1);
	struct pixels pixels;
	draw(rig, &picture, &pixels);
	assert_int_equal(at(&pixels, 32, 8)[3], 255);
	assert_int_equal(at(&pixels, 32, 40)[3], 0);
	assert_int_equal(at(&pixels, 52, 8)[3], 255);
	assert_int_equal(at(&pixels, 12, 8)[3], 0);
	rig_release(rig);
}

static void back_faces_are_seen_only_where_double_sided(void **state) {
	(void)state;
	static const struct {
		const char *material, *node;
		int alpha;
	} rows[] = {
		{"{}", ",\"rotation\":[0,1,0,0]", 0},
		{"{\"doubleSided\":true}", ",\"rotation\":[0,1,0,0]", 255},
		// Mirrored geometry keeps its front: glTF flips the winding.
		{"{}", ",\"scale\":[-1,1,1]", 255},
		{"{}", ",\"scale\":[-1,1,1],\"rotation\":[0,1,0,0]", 0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct rig *rig = square(rows[i].material, rows[i].node);
		const struct picture_settings picture = settings(1);
		struct pixels pixels;
		draw(rig, &picture, &pixels);
		assert_int_equal(at(&pixels, 32, 32)[3], rows[i].alpha);
		rig_release(rig);
	}
}

/* The primitives drawn from the indices 0 1 2 0 2 3, one pixel at a time. */
static void every_mode_draws_what_it_names(void **state) {
	(void)state;
	enum { CORNER, BOTTOM, RIGHT, TOP, LEFT, LOWER, UPPER, PLACES };
	static const int places[PLACES][2] = {
		{16, 47}, {32, 47}, {48, 31}, {32, 15}, {16, 31}, {40, 41}, {24, 21}};
	static const char *const drawn[] = {
		"x......", // points
		"xx.x...", // lines: bottom, diagonal, top
		"xxxxx..", // a loop: bottom, right, diagonal twice, top, left
		"xxxx...", // the same without the left
		"?????xx", // triangles
		"?????xx", // a strip
		"?????xx", // a fan
	};
	for (int mode = 0; mode < 7; mode++) {
		// Half a pixel to the side, so that lines run through the middle of pixels.
		struct rig *rig = square_of(mode,
			"{\"doubleSided\":true,\"extensions\":{\"KHR_materials_unlit\":{}}}",
			",\"translation\":[0.03125,0.03125,0]");
		const struct picture_settings picture = settings(1);
		struct pixels pixels;
		draw(rig, &picture, &pixels);
		for (int i = 0; i < PLACES; i++) {
			const unsigned char *pixel = at(&pixels, places[i][0], places[i][1]);
			if (drawn[mode][i] != '?' &&
				(pixel[3] != (drawn[mode][i] == 'x' ? 255 : 0) ||
					(pixel[3] && pixel[1] != 255))) {
				fail_msg("mode %d, place %d: %d %d %d %d", mode, i, pixel[0],
					pixel[1], pixel[2], pixel[3]);
			}
		}
		rig_release(rig);
	}
}

static void background_is_the_colour_asked_for(void **state) {
	(void)state;
	struct rig *rig = square("{}", "");
	struct picture_settings picture = settings(4);
	const double colour[4] = {0x12 / 255.0, 0x80 / 255.0, 0xee / 255.0, 1};
	memcpy(picture.background, colour, sizeof colour);
	struct pixels pixels;
	draw(rig, &picture, &pixels);
	const unsigned char *corner = at(&pixels, 2, 2);
	assert_int_equal(corner[0], 0x12);
	assert_int_equal(corner[1], 0x80);
	assert_int_equal(corner[2], 0xee);
	assert_int_equal(corner[3], 255);
	picture.background[3] = 0.5;
	draw(rig, &picture, &pixels);
	corner = at(&pixels, 2, 2);
	assert_near(corner[1], 0x80, 1);
	assert_near(corner[2], 0xee, 1);
	assert_near(corner[3], 128, 1);
	rig_release(rig);
}

static void edges_are_straight_alpha(void **state) {
	(void)state;
	// A turned square has edges that cut pixels; their colour must be that of the inside.
	struct rig *rig =
		square("{\"doubleSided\":true}", ",\"rotation\":[0,0,0.19509032,0.98078528]");
	const struct picture_settings picture = settings(4);
	struct pixels pixels;
	draw(rig, &picture, &pixels);
	const unsigned char *middle = at(&pixels, 32, 32);
	int edges = 0;
	for (int i = 0; i < SIZE * SIZE; i++) {
		const unsigned char *pixel = pixels.rgba + i * 4;
		if (pixel[3] > 0 && pixel[3] < 255) {
			edges++;
			// 8 bits premultiplied at a quarter coverage leave an error of this size.
			assert_near(pixel[1], middle[1], 6);
		}
	}
	assert_true(edges > 40);
	rig_release(rig);
}

static void light_is_linear_in_the_base_colour(void **state) {
	(void)state;
	// Three even steps of linear base colour, of what is no metal, are even steps of linear
	// light, where tone mapping leaves it as it is.
	static const char *const materials[] = {
		"{\"pbrMetallicRoughness\":{\"baseColorFactor\":[0,0,0,1],\"metallicFactor\":0}}",
		"{\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.2,0.2,0.2,1],\"metallicFactor\":"
		"0}}",
		"{\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.4,0.4,0.4,1],\"metallicFactor\":"
		"0}}",
	};
	double light[3];
	for (int i = 0; i < 3; i++) {
		struct rig *rig = square(materials[i], "");
		struct picture_settings picture = settings(1);
		picture.look = (struct look_settings){
			.environment = ENVIRONMENT_NEUTRAL, .tone_mapping = TONE_LINEAR};
		struct pixels pixels;
		draw(rig, &picture, &pixels);
		light[i] = srgb_to_linear(at(&pixels, 32, 32)[1] / 255.0);
		rig_release(rig);
	}
	assert_true(light[1] > light[0] + 0.05);
	// Half a byte's step is a fiftieth of each.
	assert_near((light[2] - light[1]) / (light[1] - light[0]), 1, 0.04);
}

static void alpha_modes_do_what_gltf_says(void **state) {
	(void)state;
	static const struct {
		const char *material;
		int alpha;
	} rows[] = {
		{"{\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,1,1,0.25]}}", 255},
		{"{\"alphaMode\":\"BLEND\",\"pbrMetallicRoughness\":"
		 "{\"baseColorFactor\":[1,1,1,0.25]}}",
			64},
		{"{\"alphaMode\":\"MASK\",\"pbrMetallicRoughness\":"
		 "{\"baseColorFactor\":[1,1,1,0.25]}}",
			0},
		{"{\"alphaMode\":\"MASK\",\"alphaCutoff\":0.2,\"pbrMetallicRoughness\":"
		 "{\"baseColorFactor\":[1,1,1,0.25]}}",
			255},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct rig *rig = square(rows[i].material, "");
		const struct picture_settings picture = settings(4);
		struct pixels pixels;
		draw(rig, &picture, &pixels);
		assert_near(at(&pixels, 32, 32)[3], rows[i].alpha, 1);
		rig_release(rig);
	}
}

static void same_request_gives_the_same_bytes(void **state) {
	(void)state;
	struct rig *rig = square("{}", ",\"rotation\":[0,0.3826834,0,0.9238795]");
	const struct frame_job job = {
		.subject = {.rig = rig},
		.picture = settings(4),
	};
	struct buffer first = {0}, second = {0};
	struct skinning_report report;
	assert_true(renderer_frame(gpu_test_renderer(), &job, &first, &report, NULL));
	assert_true(renderer_frame(gpu_test_renderer(), &job, &second, &report, NULL));
	assert_int_equal(first.size, second.size);
	assert_memory_equal(first.data, second.data, first.size);
	buffer_finish(&first);
	buffer_finish(&second);
	rig_release(rig);
}

static void too_many_samples_are_refused(void **state) {
	(void)state;
	struct rig *rig = square("{}", "");
	const struct frame_job job = {
		.subject = {.rig = rig},
		.picture = settings(1024),
	};
	struct buffer png = {0};
	struct skinning_report report;
	struct error err = {0};
	assert_false(renderer_frame(gpu_test_renderer(), &job, &png, &report, &err));
	assert_string_equal(err.pointer, "/samples");
	rig_release(rig);
}

int main(void) {
	gpu_test_renderer();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(too_many_samples_are_refused),
		cmocka_unit_test(square_covers_its_pixels),
		cmocka_unit_test(top_of_the_world_is_on_top),
		cmocka_unit_test(back_faces_are_seen_only_where_double_sided),
		cmocka_unit_test(every_mode_draws_what_it_names),
		cmocka_unit_test(background_is_the_colour_asked_for),
		cmocka_unit_test(edges_are_straight_alpha),
		cmocka_unit_test(light_is_linear_in_the_base_colour),
		cmocka_unit_test(alpha_modes_do_what_gltf_says),
		cmocka_unit_test(same_request_gives_the_same_bytes),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	gpu_test_finish();
	return failed;
}
