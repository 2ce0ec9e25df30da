// Animations -> clips: keys, targets, names.
#include <string.h>

#include "check.h"
#include "gltf_builder.h"
#include "pose/sample/sampler.h"

#define NODES "\"nodes\": [{}, {}], "
#define ANIMATION(channels, samplers) \
	NODES "\"animations\": [{\"channels\": [" channels "], \"samplers\": [" samplers "]}]"
#define CHANNEL(path) "{\"sampler\": 0, \"target\": {\"node\": 1, \"path\": \"" path "\"}}"
#define SAMPLER(interpolation) \
	"{\"input\": 0, \"output\": 1, \"interpolation\": \"" interpolation "\"}"

/* Accessor 0 holds the times, accessor 1 the values. */
static struct gltf_builder keys(const float *times, size_t count, const char *type,
	const float *values, size_t value_count) {
	struct gltf_builder b = {0};
	const size_t width = strcmp(type, "SCALAR") == 0 ? 1 : (size_t)(type[3] - '0');
	add_data(&b, "SCALAR", F32, count, times, count * sizeof *times);
	add_data(&b, type, F32, value_count, values, value_count * width * sizeof *values);
	return b;
}

static const float two_times[] = {0, 1};
static const float two_values[] = {1, 2, 3, 4, 5, 6};

static void expect_clip_refusal(const char *members, const char *text) {
	struct gltf_builder b = keys(two_times, 2, "VEC3", two_values, 2);
	expect_built_refusal(&b, members, ERROR_BROKEN_ASSET, text);
}

static void refuses_channels_without_sense(void **state) {
	(void)state;
	expect_clip_refusal(ANIMATION("{\"sampler\": 0}", SAMPLER("LINEAR")),
		"animations[0].channels[0]: has no target");
	expect_clip_refusal(ANIMATION("{\"target\": {\"path\": \"scale\"}}", SAMPLER("LINEAR")),
		"animations[0].channels[0]: has no sampler");
	expect_clip_refusal(
		ANIMATION("{\"sampler\": 1, \"target\": {\"path\": \"scale\"}}", SAMPLER("LINEAR")),
		"animations[0].channels[0].sampler: is 1, but there are only 1");
	expect_clip_refusal(
		ANIMATION("{\"sampler\": 0, \"target\": {\"node\": 1}}", SAMPLER("LINEAR")),
		"animations[0].channels[0].target: has no path");
	expect_clip_refusal(ANIMATION("{\"sampler\": 0, \"target\": {\"node\": 2, \"path\": "
				      "\"scale\"}}",
				    SAMPLER("LINEAR")),
		"animations[0].channels[0].target.node: is 2, but there are only 2");
	expect_clip_refusal(ANIMATION(CHANNEL("scale"), SAMPLER("BEZIER")),
		"animations[0].samplers[0]: interpolation is \"BEZIER\", must be");
	expect_clip_refusal(ANIMATION(CHANNEL("scale"), "{\"output\": 1}"),
		"animations[0].samplers[0]: has no input");
	expect_clip_refusal(ANIMATION(CHANNEL("scale"), "{\"input\": 0}"),
		"animations[0].samplers[0]: has no output");
}

static void refuses_keys_that_do_not_fit(void **state) {
	(void)state;
	expect_clip_refusal(ANIMATION(CHANNEL("rotation"), SAMPLER("LINEAR")),
		"animations[0].samplers[0].output: accessors[1] is VEC3 of FLOAT, must be VEC4 of");
	expect_clip_refusal(ANIMATION(CHANNEL("scale"), SAMPLER("CUBICSPLINE")),
		"animations[0].samplers[0].output: accessors[1] has 2 elements, must have 6");
	expect_clip_refusal(ANIMATION(CHANNEL("scale"), "{\"input\": 1, \"output\": 0}"),
		"animations[0].samplers[0].input: accessors[1] is VEC3 of FLOAT, must be SCALAR of "
		"FLOAT");
}

static void refuses_times_that_do_not_ascend(void **state) {
	(void)state;
	static const struct {
		float times[2];
		const char *text;
	} rows[] = {
		{{1, 0.5f},
			"accessors[0]: key times must ascend, but element 1 is 0.5 s after 1 s"},
		{{0, -1e-42f}, "accessors[0]: key times must ascend"},
		{{0, NAN}, "accessors[0]: element 1 is not finite"},
		{{-INFINITY, 0}, "accessors[0]: element 0 is not finite"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct gltf_builder b = keys(rows[i].times, 2, "VEC3", two_values, 2);
		expect_built_refusal(&b, ANIMATION(CHANNEL("scale"), SAMPLER("LINEAR")),
			ERROR_BROKEN_ASSET, rows[i].text);
	}
}

static void takes_times_that_ascend_by_a_denormal_step(void **state) {
	(void)state;
	static const float times[] = {0, 1e-42f};
	struct gltf_builder b = keys(times, 2, "VEC3", two_values, 2);
	struct rig *rig = import_sound(&b, ANIMATION(CHANNEL("translation"), SAMPLER("LINEAR")));
	float out[3];
	assert_true(rig->clips[0].duration_s > 0);
	for (int i = 0; i <= 4; i++) {
		channel_sample(&rig->clips[0].channels[0], i / 4.0 * (double)times[1], out);
		for (int k = 0; k < 3; k++) {
			assert_near(out[k],
				two_values[k] + i / 4.0 * (two_values[3 + k] - two_values[k]),
				1e-6);
		}
	}
	rig_release(rig);
}

static void reads_a_clip(void **state) {
	(void)state;
	static const float times[] = {-1, 2.5f};
	struct gltf_builder b = keys(times, 2, "VEC3", two_values, 2);
	struct rig *rig = import_sound(&b, ANIMATION(CHANNEL("translation"), SAMPLER("STEP")));
	assert_int_equal(rig->clip_count, 1);
	const struct clip *clip = &rig->clips[0];
	assert_string_equal(clip->name, "clip0");
	assert_true(clip->duration_s == 2.5);
	assert_int_equal(clip->bytes, 2 * (1 + 3) * 4);
	assert_int_equal(clip->channel_count, 1);
	const struct channel *channel = &clip->channels[0];
	assert_int_equal(channel->joint, 1);
	assert_int_equal(channel->path, CHANNEL_TRANSLATION);
	assert_int_equal(channel->interpolation, INTERPOLATION_STEP);
	assert_int_equal(channel->key_count, 2);
	assert_int_equal(channel->width, 3);
	assert_memory_equal(channel->times, times, sizeof times);
	assert_memory_equal(channel->values, two_values, sizeof two_values);
	rig_release(rig);
}

/* Quaternions of other lengths and hemispheres; powers of two, so that unit is exact. */
static const float three_times[] = {0, 1, 2};
static const float quaternions[] = {0, 0, 0, 2, 0, 0, 0, -4, 0.5f, 0, 0, 0};

static void turns_linear_rotations_to_one_side(void **state) {
	(void)state;
	static const float unit[] = {0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0};
	struct gltf_builder b = keys(three_times, 3, "VEC4", quaternions, 3);
	struct rig *rig = import_sound(&b, ANIMATION(CHANNEL("rotation"), SAMPLER("LINEAR")));
	for (int i = 0; i < 12; i++) {
		assert_true(rig->clips[0].channels[0].values[i] == unit[i]);
	}
	rig_release(rig);
}

static void keeps_the_signs_of_step_rotations(void **state) {
	(void)state;
	static const float unit[] = {0, 0, 0, 1, 0, 0, 0, -1, 1, 0, 0, 0};
	struct gltf_builder b = keys(three_times, 3, "VEC4", quaternions, 3);
	struct rig *rig = import_sound(&b, ANIMATION(CHANNEL("rotation"), SAMPLER("STEP")));
	for (int i = 0; i < 12; i++) {
		assert_true(rig->clips[0].channels[0].values[i] == unit[i]);
	}
	rig_release(rig);
}

static void never_touches_cubic_rotations(void **state) {
	(void)state;
	static const float one_time[] = {0.5f};
	struct gltf_builder b = keys(one_time, 1, "VEC4", quaternions, 3);
	struct rig *rig = import_sound(&b, ANIMATION(CHANNEL("rotation"), SAMPLER("CUBICSPLINE")));
	assert_memory_equal(rig->clips[0].channels[0].values, quaternions, sizeof quaternions);
	assert_int_equal(rig->clips[0].channels[0].key_count, 1);
	rig_release(rig);
}

static void takes_a_rotation_of_length_zero_as_none(void **state) {
	(void)state;
	static const float values[] = {0, 0, 0, 0, 0, 0, 1, 0};
	struct gltf_builder b = keys(two_times, 2, "VEC4", values, 2);
	struct rig *rig = import_sound(&b, ANIMATION(CHANNEL("rotation"), SAMPLER("LINEAR")));
	assert_true(rig->clips[0].channels[0].values[3] == 1);
	assert_true(has_warning(rig,
		"accessors[1]: ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION: has "));
	rig_release(rig);
}

static void reads_normalized_integers(void **state) {
	(void)state;
	static const int16_t values[] = {0, 0, 32767, 0, 0, 0, 0, 32767};
	struct gltf_builder b = {0};
	add_data(&b, "SCALAR", F32, 2, two_times, sizeof two_times);
	add_view(&b, values, sizeof values);
	add_accessor(&b,
		"{\"bufferView\": 1, \"componentType\": 5122, \"normalized\": true, "
		"\"count\": 2, \"type\": \"VEC4\"}");
	struct rig *rig = import_sound(&b, ANIMATION(CHANNEL("rotation"), SAMPLER("LINEAR")));
	assert_true(rig->clips[0].channels[0].values[2] == 1);
	assert_true(rig->clips[0].channels[0].values[7] == 1);
	rig_release(rig);
}

static void tolerates_equal_times(void **state) {
	(void)state;
	static const float times[] = {1, 1};
	struct gltf_builder b = keys(times, 2, "VEC3", two_values, 2);
	struct rig *rig = import_sound(&b, ANIMATION(CHANNEL("scale"), SAMPLER("LINEAR")));
	assert_true(has_warning(rig,
		"accessors[0]: ACCESSOR_ANIMATION_INPUT_NON_INCREASING: KEY_DUP on 1 key times"));
	assert_true(rig->clips[0].duration_s == 1);
	rig_release(rig);
}

static void leaves_out_what_no_rig_has(void **state) {
	(void)state;
	struct gltf_builder b = keys(two_times, 2, "VEC3", two_values, 2);
	struct rig *rig = import_sound(&b,
		ANIMATION(CHANNEL("colour") "," CHANNEL("weights") ", {\"sampler\": 0, \"target\": "
								   "{\"path\": \"scale\"}}",
			SAMPLER("LINEAR")));
	assert_int_equal(rig->clips[0].channel_count, 0);
	assert_true(rig->clips[0].duration_s == 0);
	assert_int_equal(count_warnings(rig), 0);
	assert_true(has_warning(
		rig, "channels[0].target: VALUE_NOT_IN_LIST: path is not one of glTF 2.0"));
	assert_true(has_warning(rig,
		"channels[1]: ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS: drives weights"));
	rig_release(rig);
}

#define POINTER(pointer) \
	"{\"sampler\": 0, \"target\": {\"path\": \"pointer\", \"extensions\": " \
	"{\"KHR_animation_pointer\": {\"pointer\": " pointer "}}}}"

static void refuses_pointers_that_lead_nowhere(void **state) {
	(void)state;
	static const struct {
		const char *pointer, *text;
	} rows[] = {
		{ANIMATION(CHANNEL("pointer"), SAMPLER("LINEAR")),
			"animations[0].channels[0].target: path is \"pointer\": needs extensions."},
		{ANIMATION(POINTER("\"nodes\""), SAMPLER("LINEAR")), "a JSON pointer such as"},
		{ANIMATION(POINTER("3"), SAMPLER("LINEAR")),
			"KHR_animation_pointer.pointer: is a number, must be a string"},
		{ANIMATION(POINTER("\"/nodes/2/scale\""), SAMPLER("LINEAR")),
			"pointer is \"/nodes/2/scale\", must be /nodes/, an index below 2 and"},
		{ANIMATION(POINTER("\"/nodes/01/scale\""), SAMPLER("LINEAR")), "must be /nodes/"},
		{ANIMATION(POINTER("\"/nodes/-1/scale\""), SAMPLER("LINEAR")), "must be /nodes/"},
		{ANIMATION(POINTER("\"/nodes/99999999999/scale\""), SAMPLER("LINEAR")),
			"must be /nodes/"},
		{ANIMATION(POINTER("\"/nodes/1\""), SAMPLER("LINEAR")), "must be /nodes/"},
		{ANIMATION(POINTER("\"/nodes/1/rotation\""), SAMPLER("LINEAR")),
			"accessors[1] is VEC3 of FLOAT, must be VEC4 of"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		expect_clip_refusal(rows[i].pointer, rows[i].text);
	}
}

static void follows_pointers_to_nodes(void **state) {
	(void)state;
	struct gltf_builder b = keys(two_times, 2, "VEC3", two_values, 2);
	struct rig *rig = import_sound(&b,
		"\"extensionsRequired\": [\"KHR_animation_pointer\"], " ANIMATION(
			POINTER("\"/nodes/1/scale\"") "," POINTER("\"/nodes/0/translation\""),
			SAMPLER("LINEAR")));
	assert_int_equal(count_warnings(rig), 0);
	assert_int_equal(rig->clips[0].channel_count, 2);
	const struct channel *channels = rig->clips[0].channels;
	assert_int_equal(channels[0].path, CHANNEL_SCALE);
	assert_int_equal(rig->joints[channels[0].joint].index, 1);
	assert_int_equal(channels[1].path, CHANNEL_TRANSLATION);
	assert_int_equal(rig->joints[channels[1].joint].index, 0);
	assert_memory_equal(channels[0].values, two_values, sizeof two_values);
	rig_release(rig);
}

static void drives_morph_weights_by_pointer(void **state) {
	(void)state;
	static const float positions[9] = {0};
	struct gltf_builder b = keys(two_times, 2, "SCALAR", two_values, 2);
	add_data(&b, "VEC3", F32, 3, positions, sizeof positions);
	struct rig *rig = import_sound(&b,
		"\"nodes\": [{}, {\"mesh\": 0}], \"meshes\": [{\"primitives\": [{\"attributes\": "
		"{\"POSITION\": 2}, \"targets\": [{\"POSITION\": 2}]}]}], \"animations\": "
		"[{\"channels\": [" POINTER("\"/nodes/1/weights\"") "], \"samplers\": [" SAMPLER(
			"LINEAR") "]}]");
	assert_int_equal(rig->clips[0].channels[0].path, CHANNEL_WEIGHTS);
	assert_int_equal(rig->clips[0].channels[0].width, 1);
	rig_release(rig);
}

#define OF_MATERIAL POINTER("\"/materials/0/pbrMetallicRoughness/baseColorFactor\"")
#define OF_CAMERA POINTER("\"/cameras/0/perspective/yfov\"")
#define OF_LIGHT POINTER("\"/extensions/KHR_lights_punctual/lights/0/color\"")
#define OF_SCENE POINTER("\"/scenes/0/name\"")
#define OF_NODE POINTER("\"/nodes/1/extensions/KHR_node_visibility/visible\"")
#define OF_ALL OF_MATERIAL "," OF_MATERIAL "," OF_CAMERA "," OF_LIGHT "," OF_SCENE "," OF_NODE

static void counts_pointers_to_what_no_rig_has(void **state) {
	(void)state;
	struct gltf_builder b = keys(two_times, 2, "VEC3", two_values, 2);
	struct rig *rig =
		import_sound(&b, ANIMATION(OF_ALL "," CHANNEL("scale"), SAMPLER("LINEAR")));
	assert_int_equal(rig->clips[0].channel_count, 1);
	assert_int_equal(count_warnings(rig), 1);
	assert_true(has_warning(rig,
		"animations[0]: KHR_animation_pointer: not animated, and as at rest in every "
		"picture: \"/nodes/1/extensions/KHR_node_visibility/visible\", "
		"\"/materials/0/pbrMetallicRoughness/baseColorFactor\" and 1 more of materials, "
		"\"/cameras/0/perspective/yfov\", "
		"\"/extensions/KHR_lights_punctual/lights/0/color\", \"/scenes/0/name\""));
	rig_release(rig);
}

static void the_last_channel_for_a_path_wins(void **state) {
	(void)state;
	struct gltf_builder b = keys(two_times, 2, "VEC3", two_values, 2);
	static const float late[] = {0, 9};
	add_data(&b, "SCALAR", F32, 2, late, sizeof late);
	struct rig *rig = import_sound(&b,
		ANIMATION(
			"{\"sampler\": 1, \"target\": {\"node\": 1, \"path\": \"scale\"}}," CHANNEL(
				"scale") "," CHANNEL("translation"),
			SAMPLER("LINEAR") ", {\"input\": 2, \"output\": 1}"));
	assert_int_equal(rig->clips[0].channel_count, 2);
	assert_true(rig->clips[0].duration_s == 1);
	assert_int_equal(rig->clips[0].channels[0].path, CHANNEL_SCALE);
	assert_true(has_warning(rig,
		"animations[0].channels[1]: ANIMATION_DUPLICATE_TARGETS: drives what an earlier"));
	rig_release(rig);
}

static void stores_shared_keys_once(void **state) {
	(void)state;
	struct gltf_builder b = keys(two_times, 2, "VEC3", two_values, 2);
	struct rig *rig = import_sound(
		&b, ANIMATION(CHANNEL("scale") "," CHANNEL("translation"), SAMPLER("LINEAR")));
	const struct channel *channels = rig->clips[0].channels;
	assert_ptr_equal(channels[0].times, channels[1].times);
	assert_ptr_equal(channels[0].values, channels[1].values);
	rig_release(rig);
}

static void names_clips(void **state) {
	(void)state;
	struct error err = {0};
	struct rig *rig =
		import_text("{\"asset\": {\"version\": \"2.0\"}, \"animations\": [{}, {\"name\": "
			    "\"Walk\"}, {\"name\": \"Walk\"}, {\"name\": \"Walk\"}]}",
			&err);
	static const char *const names[] = {"clip0", "Walk", "Walk#2", "Walk#3"};
	assert_int_equal(rig->clip_count, 4);
	for (int i = 0; i < 4; i++) {
		assert_string_equal(rig->clips[i].name, names[i]);
		assert_int_equal(rig->clips[i].index, i);
	}
	rig_release(rig);
}

static void reads_twenty_thousand_empty_clips(void **state) {
	(void)state;
	struct buffer json = {0};
	static const char head[] = "{\"asset\": {\"version\": \"2.0\"}, \"animations\": [{}";
	buffer_append(&json, head, strlen(head));
	for (int i = 1; i < 20000; i++) {
		buffer_append(&json, ", {}", 4);
	}
	buffer_append(&json, "]}", 3);
	struct rig *rig = import_text((const char *)json.data, NULL);
	assert_int_equal(rig->clip_count, 20000);
	rig_release(rig);
	buffer_finish(&json);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_channels_without_sense),
		cmocka_unit_test(refuses_keys_that_do_not_fit),
		cmocka_unit_test(refuses_times_that_do_not_ascend),
		cmocka_unit_test(takes_times_that_ascend_by_a_denormal_step),
		cmocka_unit_test(refuses_pointers_that_lead_nowhere),
		cmocka_unit_test(reads_a_clip),
		cmocka_unit_test(turns_linear_rotations_to_one_side),
		cmocka_unit_test(keeps_the_signs_of_step_rotations),
		cmocka_unit_test(never_touches_cubic_rotations),
		cmocka_unit_test(takes_a_rotation_of_length_zero_as_none),
		cmocka_unit_test(reads_normalized_integers),
		cmocka_unit_test(tolerates_equal_times),
		cmocka_unit_test(leaves_out_what_no_rig_has),
		cmocka_unit_test(follows_pointers_to_nodes),
		cmocka_unit_test(drives_morph_weights_by_pointer),
		cmocka_unit_test(counts_pointers_to_what_no_rig_has),
		cmocka_unit_test(the_last_channel_for_a_path_wins),
		cmocka_unit_test(stores_shared_keys_once),
		cmocka_unit_test(names_clips),
		cmocka_unit_test(reads_twenty_thousand_empty_clips),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
