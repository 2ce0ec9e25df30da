// Textures as materials name them: KHR_texture_transform, and sets of texture coordinates.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "gltf_builder.h"

/* A PNG of one pixel. */
#define PICTURE \
	"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9Q" \
	"DwADhgGAWjR9awAAAABJRU5ErkJggg=="

/* A point with coordinates (0.5, 0.25) in set 0 and (1, 0) in set 1, whose material shows a texture
 * with these members. */
static struct rig *import_point(const char *texture, struct error *err) {
	static const float position[3] = {0}, first[2] = {0.5f, 0.25f}, second[2] = {1, 0};
	struct gltf_builder b = {0};
	char members[2000];
	add_data(&b, "VEC3", F32, 1, position, sizeof position);
	add_data(&b, "VEC2", F32, 1, first, sizeof first);
	add_data(&b, "VEC2", F32, 1, second, sizeof second);
	snprintf(members, sizeof members,
		"\"extensionsRequired\": [\"KHR_texture_transform\"], \"images\": [{\"uri\": "
		"\"" PICTURE "\"}], "
		"\"textures\": [{\"source\": 0}], \"materials\": [{\"pbrMetallicRoughness\": "
		"{\"baseColorTexture\": {\"index\": 0, %s}}}], \"nodes\": [{\"mesh\": 0}], "
		"\"meshes\": [{\"primitives\": [{\"mode\": 0, \"material\": 0, \"attributes\": "
		"{\"POSITION\": 0, \"TEXCOORD_0\": 1, \"TEXCOORD_1\": 2}}]}]",
		texture);
	return import_built(&b, members, err);
}

#define TRANSFORM(members) "\"extensions\": {\"KHR_texture_transform\": {" members "}}"

static void refuses_what_is_no_transform(void **state) {
	(void)state;
	static const struct {
		const char *texture, *text;
	} rows[] = {
		{TRANSFORM("\"offset\": [1]"),
			"baseColorTexture.extensions.KHR_texture_transform.offset: has 1 numbers, "
			"must have 2"},
		{TRANSFORM("\"rotation\": \"left\""), "rotation: is a string, must be a number"},
		{TRANSFORM("\"scale\": [1, 1e39]"), "scale[1]: is 1e+39, which float32 cannot"},
		{TRANSFORM("\"texCoord\": -1"), "texCoord: is -1, must be a whole number"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct error err = {0};
		assert_null(import_point(rows[i].texture, &err));
		if (!strstr(err.text, rows[i].text)) {
			fail_msg("\"%s\", expected \"%s\"", err.text, rows[i].text);
		}
	}
}

static void changes_coordinates_as_the_registry_says(void **state) {
	(void)state;
	static const struct {
		const char *texture;
		double u, v;
	} rows[] = {
		{"\"texCoord\": 0", 0.5, 0.25},
		{"\"texCoord\": 1", 1, 0},
		{TRANSFORM(""), 0.5, 0.25},
		{TRANSFORM("\"offset\": [0.25, -1]"), 0.75, -0.75},
		{TRANSFORM("\"scale\": [2, -4]"), 1, -1},
		// A quarter turn counter-clockwise, seen with v downwards.
		{TRANSFORM("\"rotation\": 1.5707963267948966"), 0.25, -0.5},
		// The registry's example: the lower left quarter of the picture.
		{TRANSFORM(
			 "\"offset\": [0, 1], \"rotation\": 1.57079632679, \"scale\": [0.5, 0.5]"),
			0.125, 0.75},
		{TRANSFORM("\"offset\": [0, 1], \"rotation\": 1.57079632679, \"scale\": [2, 4]"), 1,
			0},
		{"\"texCoord\": 0, " TRANSFORM("\"texCoord\": 1, \"scale\": [3, 3]"), 3, 0},
		{"\"texCoord\": 1, " TRANSFORM("\"offset\": [1, 1]"), 2, 1},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct error err = {0};
		struct rig *rig = import_point(rows[i].texture, &err);
		assert_string_equal(err.text, "");
		const struct texture_slot *slot = &rig->materials[0].textures[TEXTURE_BASE_COLOR];
		assert_int_equal(slot->texture, 0);
		assert_int_equal(slot->texcoords, 0); // the base colour's set comes first
		const float *at = rig->texcoords[0];
		float m[6];
		texture_slot_rows(slot, m);
		assert_near((double)(m[0] * at[0] + m[1] * at[1] + m[2]), rows[i].u, 1e-6);
		assert_near((double)(m[3] * at[0] + m[4] * at[1] + m[5]), rows[i].v, 1e-6);
		assert_int_equal(count_warnings(rig), 0);
		rig_release(rig);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_what_is_no_transform),
		cmocka_unit_test(changes_coordinates_as_the_registry_says),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
