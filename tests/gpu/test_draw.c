// Layers that one can see through: the nearer one covers the farther one, in whichever order a file
// lists them.
#include <stdio.h>
#include <string.h>

#include "../unit/check.h"
#include "context.h"
#include "image/encode.h"

#define SIZE 16

/* Two unlit squares of half alpha that face +Z, at these heights: the first is red, the second
 * green. */
static struct rig *two_layers(double red_z, double green_z) {
	static const char layer[] =
		"{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1,"
		"\"material\":%d}]}%s";
	static const char material[] = "{\"alphaMode\":\"BLEND\",\"pbrMetallicRoughness\":"
				       "{\"baseColorFactor\":[%d,%d,0,0.5]},\"extensions\":"
				       "{\"KHR_materials_unlit\":{}}}%s";
	char meshes[300], materials[400], text[2000];
	int length = snprintf(meshes, sizeof meshes, layer, 0, ",");
	snprintf(meshes + length, sizeof meshes - (size_t)length, layer, 1, "");
	length = snprintf(materials, sizeof materials, material, 1, 0, ",");
	snprintf(materials + length, sizeof materials - (size_t)length, material, 0, 1, "");
	length = snprintf(text, sizeof text,
		"{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0,1]}],"
		"\"extensionsUsed\":[\"KHR_materials_unlit\"],"
		"\"nodes\":[{\"mesh\":0,\"translation\":[0,0,%g]},"
		"{\"mesh\":1,\"translation\":[0,0,%g]}],\"meshes\":[%s],\"materials\":[%s],"
		"\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,"
		"\"type\":\"VEC3\",\"min\":[-1,-1,0],\"max\":[1,1,0]},{\"bufferView\":1,"
		"\"componentType\":5121,\"count\":6,\"type\":\"SCALAR\"}],"
		"\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},"
		"{\"buffer\":0,\"byteOffset\":48,\"byteLength\":6}],"
		"\"buffers\":[{\"byteLength\":54,\"uri\":\"data:application/octet-stream;base64,"
		"AACAvwAAgL8AAAAAAACAPwAAgL8AAAAAAACAPwAAgD8AAAAAAACAvwAAgD8AAAAAAAECAAID\"}]}",
		red_z, green_z, meshes, materials);
	assert_true(length < (int)sizeof text);
	struct error err = {0};
	struct rig *rig = renderer_import(text, (size_t)length, &err);
	if (!rig) {
		fail_msg("%s", err.text);
	}
	return rig;
}

/* The middle pixel of a picture by parallel lines of sight along -Z, as RGBA. */
static void draw_middle(const struct rig *rig, unsigned char out[static 4]) {
	struct frame_job job = {
		.subject = {.rig = rig},
		.picture = {.width = SIZE,
			.height = SIZE,
			.samples = 1,
			.camera = {.kind = CAMERA_MATRICES},
			.shading = {.mode = SHADING_MATERIAL},
			.format = picture_format_named("rgba")},
	};
	static const double scales[4] = {2, 2, -0.1, 1};
	for (int i = 0; i < 4; i++) {
		job.picture.camera.view[i * 5] = 1;
		job.picture.camera.projection[i * 5] = scales[i];
	}
	struct buffer rgba = {0};
	struct skinning_report report;
	struct error err = {0};
	if (!renderer_frame(gpu_test_renderer(), &job, &rgba, &report, &err)) {
		fail_msg("%s", err.text);
	}
	memcpy(out, rgba.data + (SIZE / 2 * SIZE + SIZE / 2) * 4, 4);
	buffer_finish(&rgba);
}

static void the_nearer_layer_covers_the_farther_one(void **state) {
	(void)state;
	static const struct {
		double red_z, green_z;
		int nearer; // its channel
	} cases[] = {{1, 0, 0}, {0, 1, 1}, {-2, -3, 0}, {-3, -2, 1}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct rig *rig = two_layers(cases[i].red_z, cases[i].green_z);
		unsigned char pixel[4];
		draw_middle(rig, pixel);
		// A half of the light of what is behind comes through.
		assert_near(pixel[3], 0.75 * 255, 1); // either layer rounds to bytes
		assert_true(pixel[1 - cases[i].nearer] > 0);
		assert_true(pixel[cases[i].nearer] > pixel[1 - cases[i].nearer]);
		rig_release(rig);
	}
}

static int finish(void **state) {
	(void)state;
	gpu_test_finish();
	return 0;
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_nearer_layer_covers_the_farther_one),
	};
	return cmocka_run_group_tests(tests, NULL, finish);
}
