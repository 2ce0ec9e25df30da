// Lenient imports of animations: flaws of keys that were put in by hand, and the lists of the file.
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "check.h"
#include "gltf_builder.h"

static struct rig *read_built(
	struct gltf_builder *b, const char *members, struct asset_facts **facts) {
	struct error err = {0};
	struct rig *rig = import_built_lenient(b, members, facts, &err);
	if (!rig) {
		fail_msg("%s", err.text);
	}
	struct error broken = {0};
	if (!rig_check(rig, &broken)) {
		fail_msg("%s", broken.text);
	}
	return rig;
}

static void finish(struct rig *rig, struct asset_facts *facts) {
	rig_release(rig);
	asset_facts_destroy(facts);
}

#define CHANNEL(sampler, node, path) \
	"{\"sampler\": " #sampler ", \"target\": {\"node\": " #node ", \"path\": \"" path "\"}}"
#define SAMPLER(input, output, interpolation) \
	"{\"input\": " #input ", \"output\": " #output ", \"interpolation\": \"" interpolation "\"}"
#define ANIMATION(channels, samplers) \
	"\"nodes\": [{}, {}], \"animations\": [{\"channels\": [" channels \
	"], \"samplers\": [" samplers "]}]"

static void expect_flaw(const struct channel_facts *channel, enum key_flaw_kind kind, int count,
	int key, double time_s) {
	const struct key_flaws *flaws = &channel->flaws[kind];
	assert_int_equal(flaws->count, count);
	assert_int_equal(flaws->key, key);
	assert_near((double)flaws->time_s, time_s, 0);
}

/* Keys 2, 4 and 5 are not after the one before: 2 and 5 are before it, and go; 4 is a jump. */
static void drops_keys_that_are_before_the_last_one(void **state) {
	(void)state;
	static const float times[] = {0, 1, 0.5f, 2, 2, 1.5f, 3};
	static const float values[7][3] = {{0}, {1}, {2}, {3}, {4}, {5}, {6}};
	static const float kept_times[] = {0, 1, 2, 2, 3}, kept[] = {0, 1, 3, 4, 6};
	struct gltf_builder b = {0};
	struct asset_facts *facts;
	add_data(&b, "SCALAR", F32, 7, times, sizeof times);
	add_data(&b, "VEC3", F32, 7, values, sizeof values);
	struct rig *rig = read_built(
		&b, ANIMATION(CHANNEL(0, 1, "translation"), SAMPLER(0, 1, "LINEAR")), &facts);
	const struct channel *channel = &rig->clips[0].channels[0];
	assert_int_equal(channel->key_count, 5);
	assert_memory_equal(channel->times, kept_times, sizeof kept_times);
	for (int i = 0; i < 5; i++) {
		assert_near((double)channel->values[i * 3], (double)kept[i], 0);
	}
	assert_int_equal(facts->channel_count, 1);
	expect_flaw(&facts->channels[0], KEY_ORDER, 3, 2, 0.5);
	expect_flaw(&facts->channels[0], KEY_NONFINITE, 0, -1, 0);
	assert_int_equal(facts->channels[0].fate, CHANNEL_TAKEN);
	finish(rig, facts);
}

/* Values, tangents and times; a key is one however many of its numbers are bad. */
static void drops_keys_that_are_not_finite(void **state) {
	(void)state;
	static const float times[] = {0, 1, 2, NAN, 4};
	float values[15][3] = {{0}};
	for (int i = 0; i < 15; i++) {
		values[i][0] = (float)i;
	}
	values[3][1] = INFINITY; // the tangent into key 1
	values[4][0] = values[4][2] = NAN;
	struct gltf_builder b = {0};
	struct asset_facts *facts;
	add_data(&b, "SCALAR", F32, 5, times, sizeof times);
	add_data(&b, "VEC3", F32, 15, values, sizeof values);
	struct rig *rig = read_built(
		&b, ANIMATION(CHANNEL(0, 1, "scale"), SAMPLER(0, 1, "CUBICSPLINE")), &facts);
	const struct channel *channel = &rig->clips[0].channels[0];
	static const float kept_times[] = {0, 2, 4};
	assert_int_equal(channel->key_count, 3);
	assert_memory_equal(channel->times, kept_times, sizeof kept_times);
	assert_near((double)channel->values[9 + 3], 7, 0); // value of key 2
	expect_flaw(&facts->channels[0], KEY_NONFINITE, 2, 1, 1);
	expect_flaw(&facts->channels[0], KEY_ORDER, 0, -1, 0);
	finish(rig, facts);
}

/* The accessor of the values serves three channels; one has no sound key, and goes. */
static void leaves_out_channels_without_sound_keys(void **state) {
	(void)state;
	static const float good[] = {0, 1}, bad[] = {NAN, INFINITY};
	static const float values[2][3] = {{1}, {2}};
	struct gltf_builder b = {0};
	struct asset_facts *facts;
	add_data(&b, "SCALAR", F32, 2, good, sizeof good);
	add_data(&b, "SCALAR", F32, 2, bad, sizeof bad);
	add_data(&b, "VEC3", F32, 2, values, sizeof values);
	struct rig *rig = read_built(&b,
		ANIMATION(CHANNEL(0, 1, "scale") ", " CHANNEL(1, 0, "scale") ", " CHANNEL(
				  0, 0, "translation"),
			SAMPLER(0, 2, "LINEAR") ", " SAMPLER(1, 2, "LINEAR")),
		&facts);
	assert_int_equal(rig->clips[0].channel_count, 2);
	assert_int_equal(rig->clips[0].channels[0].joint, 1);
	assert_int_equal(facts->clips[0].channel_count, 2);
	assert_int_equal(facts->clips[0].other_count, 1);
	assert_int_equal(facts->channels[0].channel, 0);
	assert_int_equal(facts->channels[1].channel, 2);
	expect_flaw(&facts->channels[0], KEY_NONFINITE, 0, -1, 0);
	expect_flaw(&facts->channels[1], KEY_NONFINITE, 0, -1, 0);
	assert_int_equal(facts->channels[2].channel, 1);
	assert_int_equal(facts->channels[2].joint, 0);
	assert_int_equal(facts->channels[2].fate, CHANNEL_WITHOUT_KEYS);
	expect_flaw(&facts->channels[2], KEY_NONFINITE, 2, 0, 0);
	finish(rig, facts);
}

/* A rig without any key left in its only clip. */
static void reads_a_clip_that_lost_all_channels(void **state) {
	(void)state;
	static const float times[] = {0}, values[4] = {NAN};
	struct gltf_builder b = {0};
	struct asset_facts *facts;
	add_data(&b, "SCALAR", F32, 1, times, sizeof times);
	add_data(&b, "VEC4", F32, 1, values, sizeof values);
	struct rig *rig =
		read_built(&b, ANIMATION(CHANNEL(0, 0, "rotation"), SAMPLER(0, 1, "STEP")), &facts);
	assert_int_equal(rig->clips[0].channel_count, 0);
	assert_int_equal(facts->clips[0].other_count, 1);
	finish(rig, facts);
}

/* Lengths and signs as in the file, and what the rig has of them. */
static void measures_rotations_before_they_are_mended(void **state) {
	(void)state;
	static const float times[] = {0, 1, 2, 3, 4};
	static const float values[5][4] = {{0, 0, 0, 1}, {0, 0, 0, -1.2f}, {0, 0, 0, -1},
		{0, 0, 0.6f, 0.8f}, {0, 0, 0, 1.0005f}};
	struct gltf_builder b = {0};
	struct asset_facts *facts;
	add_data(&b, "SCALAR", F32, 5, times, sizeof times);
	add_data(&b, "VEC4", F32, 5, values, sizeof values);
	struct rig *rig = read_built(
		&b, ANIMATION(CHANNEL(0, 0, "rotation"), SAMPLER(0, 1, "LINEAR")), &facts);
	const struct channel_facts *channel = &facts->channels[0];
	expect_flaw(channel, KEY_LENGTH, 1, 1, 1);
	assert_near((double)channel->flaws[KEY_LENGTH].worst, 0.2, 1e-6);
	expect_flaw(channel, KEY_SIGN, 2, 1, 1);
	assert_near((double)rig->clips[0].channels[0].values[7], 1, 0);
	finish(rig, facts);
}

/* Only the values between the tangents are rotations. */
static void measures_rotations_of_splines(void **state) {
	(void)state;
	static const float times[] = {0, 1, 2};
	static const float values[9][4] = {{9}, {0, 0, 0, 1}, {-9}, {9, 9}, {0, 0, 0, -1}, {0}, {0},
		{0, 0, 0, -0.99f}, {0, 0, 0, 5}};
	struct gltf_builder b = {0};
	struct asset_facts *facts;
	add_data(&b, "SCALAR", F32, 3, times, sizeof times);
	add_data(&b, "VEC4", F32, 9, values, sizeof values);
	struct rig *rig = read_built(
		&b, ANIMATION(CHANNEL(0, 0, "rotation"), SAMPLER(0, 1, "CUBICSPLINE")), &facts);
	expect_flaw(&facts->channels[0], KEY_LENGTH, 1, 2, 2);
	assert_near((double)facts->channels[0].flaws[KEY_LENGTH].worst, 0.01, 1e-6);
	expect_flaw(&facts->channels[0], KEY_SIGN, 1, 1, 1);
	assert_int_equal(facts->channels[0].interpolation, INTERPOLATION_CUBIC_SPLINE);
	finish(rig, facts);
}

/* Bytes cannot hold 0.7071: the length is off by quantisation alone. */
static void explains_lengths_by_quantisation(void **state) {
	(void)state;
	static const float times[] = {0, 1};
	static const int8_t values[2][4] = {{90, 0, 0, 90}, {64, 0, 0, 64}};
	struct gltf_builder b = {0};
	struct asset_facts *facts;
	add_data(&b, "SCALAR", F32, 2, times, sizeof times);
	const int view = add_view(&b, values, sizeof values);
	add_accessor(&b,
		"{\"bufferView\": %d, \"componentType\": 5120, \"normalized\": true, \"count\": 2, "
		"\"type\": \"VEC4\"}",
		view);
	struct rig *rig = read_built(
		&b, ANIMATION(CHANNEL(0, 0, "rotation"), SAMPLER(0, 1, "LINEAR")), &facts);
	expect_flaw(&facts->channels[0], KEY_LENGTH, 1, 1, 1);
	assert_near((double)facts->channels[0].flaws[KEY_LENGTH].worst,
		1 - sqrt(2) * 64 / 127 - 1.0 / 127, 1e-6);
	finish(rig, facts);
}

/* Of three channels for one target the last one counts; one has no node, one no weights. */
static void lists_channels_that_no_joint_takes(void **state) {
	(void)state;
	static const float times[] = {0, 1}, values[2][3] = {{1}, {2}}, weights[2] = {0};
	struct gltf_builder b = {0};
	struct asset_facts *facts;
	add_data(&b, "SCALAR", F32, 2, times, sizeof times);
	add_data(&b, "VEC3", F32, 2, values, sizeof values);
	add_data(&b, "SCALAR", F32, 2, weights, sizeof weights);
	struct rig *rig = read_built(&b,
		ANIMATION(CHANNEL(0, 1, "scale") ", " CHANNEL(0, 0, "scale") ", " CHANNEL(
				  0, 1, "scale") ", {\"sampler\": 0, \"target\": {\"path\": "
						 "\"scale\"}}, " CHANNEL(1, 0, "weights"),
			SAMPLER(0, 1, "LINEAR") ", " SAMPLER(0, 2, "LINEAR")),
		&facts);
	assert_int_equal(rig->clips[0].channel_count, 2);
	static const struct {
		int channel, joint;
		enum channel_fate fate;
	} expected[] = {{2, 1, CHANNEL_TAKEN}, {1, 0, CHANNEL_TAKEN}, {0, 1, CHANNEL_REPLACED},
		{3, -1, CHANNEL_UNTAKEN}, {4, 0, CHANNEL_UNTAKEN}};
	assert_int_equal(facts->channel_count, 5);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(facts->channels[i].channel, expected[i].channel);
		assert_int_equal(facts->channels[i].joint, expected[i].joint);
		assert_int_equal(facts->channels[i].fate, expected[i].fate);
	}
	finish(rig, facts);
}

#define POINTER(sampler, weight) \
	"{\"sampler\": " #sampler ", \"target\": {\"path\": \"pointer\", \"extensions\": {" \
	"\"KHR_animation_pointer\": {\"pointer\": \"/nodes/0/weights/" #weight "\"}}}}"

/* Channels of single weights become one, whose flaws are those of all that count. */
static void joins_the_facts_of_single_weights(void **state) {
	(void)state;
	static const float times[] = {0, 1, 2};
	static const float values[][3] = {{0, 1, 2}, {0, NAN, 1}, {NAN, NAN, 2}};
	struct gltf_builder b = quad();
	struct asset_facts *facts;
	add_data(&b, "SCALAR", F32, 3, times, sizeof times);
	for (int i = 0; i < 3; i++) {
		add_data(&b, "SCALAR", F32, 3, values[i], sizeof values[i]);
	}
	struct rig *rig = read_built(&b,
		"\"extensionsUsed\": [\"KHR_animation_pointer\"], \"nodes\": [{\"mesh\": 0}], "
		"\"meshes\": [{\"primitives\": [{\"mode\": 0, \"attributes\": {\"POSITION\": 0}, "
		"\"targets\": [{\"POSITION\": 0}, {}, {}]}]}], \"animations\": [{\"channels\": "
		"[" POINTER(1, 1) ", " POINTER(0, 0) ", " POINTER(1, 1) ", " POINTER(
			2, 2) "], \"samplers\": [{\"input\": 1, \"output\": 2}, {\"input\": 1, "
			      "\"output\": 3}, "
			      "{\"input\": 1, \"output\": 4}]}]",
		&facts);
	assert_int_equal(rig->clips[0].channel_count, 1);
	assert_int_equal(rig->clips[0].channels[0].key_count, 3);
	assert_int_equal(facts->channel_count, 2);
	assert_int_equal(facts->channels[0].channel, 1);
	expect_flaw(&facts->channels[0], KEY_NONFINITE, 3, 1, 1); // of channels 2 and 3
	assert_int_equal(facts->channels[1].channel, 0);
	assert_int_equal(facts->channels[1].fate, CHANNEL_REPLACED);
	expect_flaw(&facts->channels[1], KEY_NONFINITE, 1, 1, 1);
	finish(rig, facts);
}

static const char *text_at(const struct asset_facts *facts, int at) {
	return facts->texts + at;
}

static void keeps_names_and_lists_of_the_file(void **state) {
	(void)state;
	struct gltf_builder b = quad();
	struct asset_facts *facts;
	size_t size;
	static const char members[] =
		"\"extensionsUsed\": [\"MSFT_lod\", \"KHR_materials_diffuse_transmission\", "
		"\"KHR_materials_unlit\"], \"nodes\": [{\"name\": \"a\", \"children\": [2], "
		"\"extensions\": {\"MSFT_lod\": {\"ids\": [1, 3]}}}, {\"name\": \"a\"}, {}, "
		"{\"name\": \"\\u00e9\"}], \"meshes\": [{\"primitives\": [{\"mode\": 0, "
		"\"attributes\": {\"POSITION\": 0}, \"targets\": [{}, {}, {}]}]}], "
		"\"animations\": [{\"name\": \"Run\", \"channels\": [], \"samplers\": []}, "
		"{\"name\": \"Run\", \"channels\": [], \"samplers\": []}, {\"channels\": [], "
		"\"samplers\": []}]";
	free(build_glb(&b, members, &size));
	struct rig *rig = read_built(&b, members, &facts);
	assert_int_equal(facts->file_bytes, size);
	static const char *const names[] = {"a", "a", "", "\xc3\xa9"};
	assert_int_equal(facts->joint_name_count, 4);
	for (int i = 0; i < 4; i++) {
		assert_string_equal(
			text_at(facts, facts->joint_names[i]), names[rig->joints[i].index]);
	}
	static const char *const clips[] = {"Run", "Run", ""};
	for (int i = 0; i < 3; i++) {
		assert_string_equal(text_at(facts, facts->clips[i].name), clips[i]);
	}
	assert_int_equal(facts->not_covered_count, 2);
	assert_string_equal(text_at(facts, facts->not_covered[0]), "MSFT_lod");
	assert_string_equal(
		text_at(facts, facts->not_covered[1]), "KHR_materials_diffuse_transmission");
	assert_int_equal(facts->mesh_count, 1);
	assert_int_equal(facts->morph_targets[0], 3);
	assert_int_equal(facts->lod_count, 1);
	assert_int_equal(rig->joints[facts->lods[0].joint].index, 0);
	assert_int_equal(facts->lods[0].joint_count, 2);
	static const int levels[] = {1, 3};
	for (int i = 0; i < 2; i++) {
		const int joint = facts->joints[facts->lods[0].first_joint + i];
		assert_int_equal(rig->joints[joint].index, levels[i]);
	}
	finish(rig, facts);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(drops_keys_that_are_before_the_last_one),
		cmocka_unit_test(drops_keys_that_are_not_finite),
		cmocka_unit_test(leaves_out_channels_without_sound_keys),
		cmocka_unit_test(reads_a_clip_that_lost_all_channels),
		cmocka_unit_test(measures_rotations_before_they_are_mended),
		cmocka_unit_test(measures_rotations_of_splines),
		cmocka_unit_test(explains_lengths_by_quantisation),
		cmocka_unit_test(lists_channels_that_no_joint_takes),
		cmocka_unit_test(joins_the_facts_of_single_weights),
		cmocka_unit_test(keeps_names_and_lists_of_the_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
