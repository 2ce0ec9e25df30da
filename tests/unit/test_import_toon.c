// MToon of VRM 1.0, and the materials of VRM 0.x.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "gltf_builder.h"

#define PICTURE \
	"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9Q" \
	"DwADhgGAWjR9awAAAABJRU5ErkJggg=="
#define DOCUMENT \
	"{\"asset\": {\"version\": \"2.0\"}, \"images\": [{\"uri\": \"" PICTURE "\"}], " \
	"\"textures\": [{\"source\": 0}, {\"source\": 0}], "

static const char *toon_of(const char *more, const char *members) {
	static char json[8000];
	snprintf(json, sizeof json,
		DOCUMENT
		"\"materials\": [{\"extensions\": {%s\"VRMC_materials_mtoon\": {\"specVersion\": "
		"\"1.0\"%s}}}]}",
		more, members);
	return json;
}

/* A document of VRM 0.x with two materials, the first with these properties. */
static const char *old_of(const char *properties) {
	static char json[8000];
	snprintf(json, sizeof json,
		DOCUMENT "\"materials\": [{\"pbrMetallicRoughness\": {\"baseColorFactor\": "
			 "[0.5, 0.5, 0.5, 1]}}, {}], \"extensions\": {\"VRM\": "
			 "{\"materialProperties\": [%s]}}}",
		properties);
	return json;
}

static struct rig *import(const char *json) {
	struct error err = {0};
	struct rig *rig = import_text(json, &err);
	assert_string_equal(err.text, "");
	assert_true(rig_check(rig, NULL));
	return rig;
}

static bool warns(const struct rig *rig, const char *text) {
	bool found = false;
	for (int i = 0; i < rig->warning_count; i++) {
		found |= strstr(rig->warnings[i], text) != NULL;
	}
	return found;
}

static void refuses_members_of_other_types(void **state) {
	(void)state;
	static const char *const rows[][2] = {
		{", \"shadeColorFactor\": \"red\"", "shadeColorFactor: is a string"},
		{", \"shadeColorFactor\": [1, 2]", "has 2 numbers, must have 3"},
		{", \"shadingToonyFactor\": [0.5]", "shadingToonyFactor: is a list"},
		{", \"outlineWidthMode\": \"wide\"", "outlineWidthMode"},
		{", \"outlineWidthMode\": 1", "outlineWidthMode: is a number"},
		{", \"transparentWithZWrite\": 1", "transparentWithZWrite: is a number"},
		{", \"renderQueueOffsetNumber\": null", "renderQueueOffsetNumber: is null"},
		{", \"matcapTexture\": {\"index\": 2}", "matcapTexture.index: is 2"},
		{", \"rimMultiplyTexture\": {}", "rimMultiplyTexture: has no index"},
		{", \"outlineWidthFactor\": 1e39", "which float32 cannot hold"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		expect_refusal(toon_of("", rows[i][0]), ERROR_BROKEN_ASSET, rows[i][1]);
	}
}

static void absent_members_are_the_specification_s_defaults(void **state) {
	(void)state;
	struct rig *rig = import(toon_of("\"KHR_materials_unlit\": {}, ", ""));
	const struct material *m = &rig->materials[0];
	const struct material_toon *t = &m->toon;
	assert_true(m->mtoon && !m->unlit); // MToon wins
	assert_true(t->shade_color[0] == 0 && t->shading_shift == 0 && t->shading_toony == 0.9F);
	assert_true(t->gi_equalization == 0.9F && t->matcap[2] == 1 && t->rim_color[1] == 0);
	assert_true(t->rim_fresnel_power == 5 && t->rim_lift == 0 && t->rim_lighting_mix == 1);
	assert_true(t->outline_width == 0 && t->outline_lighting_mix == 1);
	assert_true(t->uv_scroll_x == 0 && t->uv_rotation == 0 && t->shading_shift_scale == 1);
	assert_int_equal(m->outline_mode, OUTLINE_NONE);
	rig_release(rig);
}

static void factors_are_brought_into_their_ranges(void **state) {
	(void)state;
	struct rig *rig = import(toon_of("",
		", \"shadingToonyFactor\": 1.5, \"rimLightingMixFactor\": -1, "
		"\"outlineWidthFactor\": -0.1, \"renderQueueOffsetNumber\": 3, "
		"\"outlineWidthMode\": \"screenCoordinates\""));
	const struct material *m = &rig->materials[0];
	assert_true(m->toon.shading_toony == 1 && m->toon.rim_lighting_mix == 0);
	assert_true(m->toon.outline_width == 0 && m->outline_mode == OUTLINE_SCREEN);
	assert_int_equal(m->render_queue_offset, 0);
	assert_true(warns(rig, "shading_toony has 1.5, taken as 1"));
	assert_true(warns(rig, "renderQueueOffsetNumber is 3, taken as 0"));
	rig_release(rig);
	rig = import(
		toon_of("", ", \"transparentWithZWrite\": true, \"renderQueueOffsetNumber\": 12"));
	assert_int_equal(rig->materials[0].render_queue_offset, 9);
	rig_release(rig);
}

static void an_older_multiplier_is_the_strength_of_emission(void **state) {
	(void)state;
	const char *hdr =
		"\"VRMC_materials_hdr_emissiveMultiplier\": {\"emissiveMultiplier\": 4}, ";
	struct rig *rig = import(toon_of(hdr, ""));
	assert_true(rig->materials[0].emissive_strength == 4);
	rig_release(rig);
}

/* --- VRM 0.x --- */

#define TOON "{\"shader\": \"VRM/MToon\", \"floatProperties\": {"

static void old_materials_are_mapped(void **state) {
	(void)state;
	struct rig *rig = import(old_of(TOON
		"\"_ShadeShift\": 0.2, \"_ShadeToony\": 0.6, \"_IndirectLightIntensity\": 0.3, "
		"\"_OutlineWidthMode\": 1, \"_OutlineWidth\": 0.5, \"_OutlineColorMode\": 1, "
		"\"_OutlineLightingMix\": 0.25, \"_CullMode\": 0, \"_UvAnimScrollY\": 0.5, "
		"\"_RimFresnelPower\": 3}, \"vectorProperties\": {\"_Color\": [0.5, 0.25, 1, 0.5], "
		"\"_RimColor\": [0.5, 0, 0], \"_EmissionColor\": [2, 1, 0, 1], "
		"\"_MainTex\": [0.1, 0.2, 2, 0.5]}, \"textureProperties\": {\"_MainTex\": 0, "
		"\"_SphereAdd\": 1, \"_ShadeTexture\": 1}, \"keywordMap\": {}}, {}"));
	const struct material *m = &rig->materials[0];
	const struct material_toon *t = &m->toon;
	assert_true(m->mtoon && m->double_sided && m->alpha_mode == ALPHA_OPAQUE);
	assert_near((double)m->base_color[0], pow(0.5, 2.2), 1e-6);
	assert_near((double)m->base_color[1], pow(0.25, 2.2), 1e-6);
	assert_near((double)m->base_color[3], 0.5, 0);
	// mix(0.6, 1, 0.6) = 0.84; -0.2 - (1 - 0.84) = -0.36.
	assert_near((double)t->shading_toony, 0.84, 1e-6);
	assert_near((double)t->shading_shift, -0.36, 1e-6);
	assert_near((double)t->gi_equalization, 0.7, 1e-6);
	assert_near((double)t->shade_color[1], pow(0.81, 2.2), 1e-6);
	assert_near((double)t->rim_color[0], pow(0.5, 2.2), 1e-6);
	assert_true(t->rim_fresnel_power == 3 && t->rim_lighting_mix == 0);
	assert_true(m->outline_mode == OUTLINE_WORLD && t->outline_lighting_mix == 0.25F);
	assert_near((double)t->outline_width, 0.005, 1e-8);
	assert_true(t->uv_scroll_y == -0.5F);
	// Emission above 1 becomes a strength.
	assert_near((double)(m->emissive[0] * m->emissive_strength), pow(2, 2.2), 1e-5);
	assert_near((double)(m->emissive[1] * m->emissive_strength), 1, 1e-6);
	const struct texture_slot *slot = &m->textures[TEXTURE_SHADE_MULTIPLY];
	assert_true(slot->texture >= 0 && slot->scale[0] == 2 && slot->offset[0] == 0.1F);
	assert_near((double)slot->offset[1], 1 - 0.2 - 0.5, 1e-6);
	assert_true(m->textures[TEXTURE_MATCAP].texture >= 0);
	assert_false(texture_slot_transforms(&m->textures[TEXTURE_MATCAP]));
	assert_int_equal(m->textures[TEXTURE_NORMAL].texture, -1);
	rig_release(rig);
}

static void old_shaders_choose_how_alpha_counts(void **state) {
	(void)state;
	static const struct {
		const char *properties;
		enum alpha_mode mode;
		bool toon, unlit, writes;
	} rows[] = {
		{TOON "\"_ZWrite\": 1}, \"keywordMap\": {\"_ALPHABLEND_ON\": true}}", ALPHA_BLEND,
			true, false, true},
		{TOON "\"_ZWrite\": 0}, \"keywordMap\": {\"_ALPHABLEND_ON\": true}}", ALPHA_BLEND,
			true, false, false},
		{TOON "\"_Cutoff\": 0.25}, \"keywordMap\": {\"_ALPHATEST_ON\": true}}", ALPHA_MASK,
			true, false, false},
		{"{\"shader\": \"VRM/UnlitTexture\"}", ALPHA_OPAQUE, false, true, false},
		{"{\"shader\": \"VRM/UnlitCutout\"}", ALPHA_MASK, false, true, false},
		{"{\"shader\": \"VRM/UnlitTransparent\"}", ALPHA_BLEND, false, true, false},
		{"{\"shader\": \"VRM/UnlitTransparentZWrite\"}", ALPHA_BLEND, false, true, true},
		{"{\"shader\": \"VRM_USE_GLTFSHADER\"}", ALPHA_OPAQUE, false, false, false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct rig *rig = import(old_of(rows[i].properties));
		const struct material *m = &rig->materials[0];
		assert_int_equal(m->alpha_mode, rows[i].mode);
		assert_int_equal(m->mtoon, rows[i].toon);
		assert_int_equal(m->unlit, rows[i].unlit);
		assert_int_equal(m->transparent_with_z_write, rows[i].writes);
		assert_false(rig->materials[1].mtoon || rig->materials[1].unlit);
		rig_release(rig);
	}
}

static void old_queues_become_offsets_in_their_order(void **state) {
	(void)state;
#define BLENDED(z_write, queue) \
	TOON "\"_ZWrite\": " z_write "}, \"keywordMap\": {\"_ALPHABLEND_ON\": true}, " \
	     "\"renderQueue\": " queue "}"
	struct rig *rig = import(old_of(BLENDED("0", "3005") ", " BLENDED("0", "3010")));
	assert_int_equal(rig->materials[0].render_queue_offset, -1);
	assert_int_equal(rig->materials[1].render_queue_offset, 0);
	rig_release(rig);
	rig = import(old_of(BLENDED("1", "2505") ", " BLENDED("1", "2501")));
	assert_int_equal(rig->materials[0].render_queue_offset, 1);
	assert_int_equal(rig->materials[1].render_queue_offset, 0);
	rig_release(rig);
}

/* What cannot be read leaves glTF's material, and says so. */
static void broken_old_materials_do_no_harm(void **state) {
	(void)state;
	static const char *const rows[][2] = {
		{"3", "materialProperties[0]"},
		{"{\"shader\": 4}", "shader: is a number"},
		{"{\"shader\": \"VRM/Hair\"}", "shader \"VRM/Hair\" is not supported"},
		{TOON "\"_ShadeToony\": \"much\"}}", "_ShadeToony: is a string"},
		{TOON "}, \"vectorProperties\": {\"_Color\": [1, 2]}}", "_Color: has 2 numbers"},
		{TOON "}, \"textureProperties\": {\"_MainTex\": 7}}", "_MainTex: is 7"},
		{TOON "}, \"textureProperties\": {\"_MainTex\": -1}}", "_MainTex: is -1"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct rig *rig = import(old_of(rows[i][0]));
		const struct material *m = &rig->materials[0];
		assert_true(!m->mtoon && !m->unlit && m->base_color[0] == 0.5F);
		assert_true(warns(rig, rows[i][1]));
		rig_release(rig);
	}
}

static void a_file_of_both_versions_is_the_later_one(void **state) {
	(void)state;
	struct rig *rig =
		import(DOCUMENT "\"materials\": [{}], \"extensions\": {\"VRMC_vrm\": {}, \"VRM\": "
				"{\"materialProperties\": [{\"shader\": \"VRM/MToon\"}]}}}");
	assert_false(rig->materials[0].mtoon);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_members_of_other_types),
		cmocka_unit_test(absent_members_are_the_specification_s_defaults),
		cmocka_unit_test(factors_are_brought_into_their_ranges),
		cmocka_unit_test(an_older_multiplier_is_the_strength_of_emission),
		cmocka_unit_test(old_materials_are_mapped),
		cmocka_unit_test(old_shaders_choose_how_alpha_counts),
		cmocka_unit_test(old_queues_become_offsets_in_their_order),
		cmocka_unit_test(broken_old_materials_do_no_harm),
		cmocka_unit_test(a_file_of_both_versions_is_the_later_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
