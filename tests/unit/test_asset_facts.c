// Facts of a file from one process to another: packed, unpacked, and bytes that nobody packed.
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "check.h"
#include "gltf_builder.h"

/* A rig with something in each list of its facts. */
struct sample {
	struct rig *rig;
	struct asset_facts *facts;
	struct buffer packed;
};

static struct sample make_sample(void) {
	static const float positions[4][3] = {{NAN}, {1}, {1}, {2, 1}};
	static const uint8_t joints[4][4] = {{5}, {1}, {1}, {0, 1}};
	static const float weights[4][4] = {{1}, {0.5f}, {1}, {0.5f, 0.5f}};
	static const uint16_t indices[6] = {0, 1, 2, 1, 2, 3};
	static const float times[3] = {0, 1, 0.5f}, rotations[3][4] = {{0, 0, 0, 1.5f}};
	struct gltf_builder b = {0};
	add_data(&b, "VEC3", F32, 4, positions, sizeof positions);
	add_data(&b, "VEC4", U8, 4, joints, sizeof joints);
	add_data(&b, "VEC4", F32, 4, weights, sizeof weights);
	add_data(&b, "SCALAR", U16, 6, indices, sizeof indices);
	add_data(&b, "SCALAR", F32, 3, times, sizeof times);
	add_data(&b, "VEC4", F32, 3, rotations, sizeof rotations);
	struct sample sample = {0};
	struct error err = {0};
	sample.rig = import_built_lenient(&b,
		"\"extensionsUsed\": [\"MSFT_lod\"], \"nodes\": [{\"mesh\": 0, \"skin\": 0, "
		"\"name\": \"a\", \"extensions\": {\"MSFT_lod\": {\"ids\": [1]}}}, {\"name\": "
		"\"b\"}], \"skins\": [{\"joints\": [0, 1]}], \"meshes\": [{\"primitives\": [{"
		"\"attributes\": {\"POSITION\": 0, \"JOINTS_0\": 1, \"WEIGHTS_0\": 2}, "
		"\"indices\": 3}]}], \"animations\": [{\"name\": \"c\", \"channels\": [{"
		"\"sampler\": 0, \"target\": {\"node\": 1, \"path\": \"rotation\"}}, {\"sampler\": "
		"0, \"target\": {\"path\": \"rotation\"}}], \"samplers\": [{\"input\": 4, "
		"\"output\": 5}]}], \"images\": [{\"uri\": \"data:image/png;base64,"
		"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAA"
		"BJ"
		"RU5ErkJggg==\"}], \"textures\": [{\"source\": 0}], \"materials\": [{"
		"\"pbrMetallicRoughness\": {\"baseColorTexture\": {\"index\": 0}}}]",
		&sample.facts, &err);
	if (!sample.rig || !asset_facts_pack(sample.facts, &sample.packed, &err)) {
		fail_msg("%s", err.text);
	}
	return sample;
}

static void finish(struct sample *sample) {
	rig_release(sample->rig);
	asset_facts_destroy(sample->facts);
	buffer_finish(&sample->packed);
}

static void comes_out_as_it_went_in(void **state) {
	(void)state;
	struct sample sample = make_sample();
	struct error err = {0};
	struct asset_facts *facts =
		asset_facts_unpack(sample.rig, sample.packed.data, sample.packed.size, &err);
	if (!facts) {
		fail_msg("%s", err.text);
	}
	struct buffer again = {0};
	assert_true(asset_facts_pack(facts, &again, &err));
	assert_int_equal(again.size, sample.packed.size);
	assert_memory_equal(again.data, sample.packed.data, again.size);
	assert_int_equal(facts->primitives[0].flaws[VERTEX_POSITION_NONFINITE].count, 1);
	assert_int_equal(facts->channels[0].flaws[KEY_ORDER].count, 1);
	assert_int_equal(facts->clips[0].other_count, 1);
	assert_int_equal(facts->lods[0].joint_count, 1);
	assert_int_equal(facts->images[0].gpu_bytes, 5);
	assert_string_equal(facts->texts + facts->not_covered[0], "MSFT_lod");
	assert_true(asset_facts_is_nonfinite(facts, 0));
	buffer_finish(&again);
	asset_facts_destroy(facts);
	finish(&sample);
}

/* Uses everything that facts list, as checks do: each range, each position. */
static void use(const struct rig *rig, const struct asset_facts *facts) {
	int sum = 0;
	for (int i = 0; i < rig->primitive_count; i++) {
		const int vertex_count = rig->primitives[i].vertex_count;
		for (int k = 0; k < VERTEX_FLAW_COUNT; k++) {
			const struct vertex_flaws *flaws = &facts->primitives[i].flaws[k];
			for (int v = 0; v < flaws->listed; v++) {
				const int vertex = facts->vertices[flaws->first + v];
				assert_true(vertex >= 0 && vertex < vertex_count);
			}
		}
		assert_true(facts->primitives[i].skin < facts->skin_count);
	}
	for (int i = 0; i < facts->skin_count; i++) {
		for (int k = 0; k < facts->skins[i].joint_count; k++) {
			const int joint = facts->joints[facts->skins[i].first_joint + k];
			assert_true(joint >= 0 && joint < rig->joint_count);
		}
	}
	for (int i = 0; i < rig->joint_count; i++) {
		sum += (int)strlen(facts->texts + facts->joint_names[i]);
	}
	for (int i = 0; i < rig->clip_count; i++) {
		const struct clip_facts *clip = &facts->clips[i];
		for (int k = 0; k < rig->clips[i].channel_count; k++) {
			assert_int_equal(
				facts->channels[clip->first_channel + k].fate, CHANNEL_TAKEN);
		}
		sum += (int)strlen(facts->texts + clip->name);
	}
	for (int i = 0; i < rig->vertex_count; i++) {
		sum += asset_facts_is_nonfinite(facts, i);
	}
	for (int i = 0; i < facts->mesh_count; i++) {
		assert_true(facts->morph_targets[i] >= 0);
	}
	assert_true(sum >= 0);
}

/* Each byte in turn becomes something else: what is still taken can be used. */
static void takes_nothing_that_does_not_fit(void **state) {
	(void)state;
	static const unsigned char values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
	struct sample sample = make_sample();
	size_t taken = 0, refused = 0;
	for (size_t at = 0; at < sample.packed.size; at++) {
		const unsigned char was = sample.packed.data[at];
		for (size_t i = 0; i < sizeof values; i++) {
			struct error err = {0};
			sample.packed.data[at] = values[i];
			struct asset_facts *facts = asset_facts_unpack(
				sample.rig, sample.packed.data, sample.packed.size, &err);
			if (facts) {
				use(sample.rig, facts);
				taken++;
			} else {
				assert_int_equal(err.code, ERROR_BROKEN_ASSET);
				refused++;
			}
			asset_facts_destroy(facts);
		}
		sample.packed.data[at] = was;
	}
	assert_true(taken > 100 && refused > 500);
	finish(&sample);
}

static void refuses_every_cut(void **state) {
	(void)state;
	struct sample sample = make_sample();
	for (size_t size = 0; size < sample.packed.size; size++) {
		unsigned char *cut = malloc(size ? size : 1);
		memcpy(cut, sample.packed.data, size);
		assert_null(asset_facts_unpack(sample.rig, cut, size, NULL));
		free(cut);
	}
	finish(&sample);
}

/* Facts of one rig are none of another. */
static void refuses_facts_of_another_rig(void **state) {
	(void)state;
	struct sample sample = make_sample();
	struct gltf_builder b = quad();
	struct rig *other = import_sound(&b, "\"nodes\": [{}]");
	assert_null(asset_facts_unpack(other, sample.packed.data, sample.packed.size, NULL));
	rig_release(other);
	finish(&sample);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comes_out_as_it_went_in),
		cmocka_unit_test(takes_nothing_that_does_not_fit),
		cmocka_unit_test(refuses_every_cut),
		cmocka_unit_test(refuses_facts_of_another_rig),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
