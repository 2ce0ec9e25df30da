// Materials: every factor and texture of core glTF and the extensions.
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "gltf_builder.h"

/* A PNG of one pixel. */
#define PICTURE \
	"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9Q" \
	"DwADhgGAWjR9awAAAABJRU5ErkJggg=="

#define DOCUMENT "{\"asset\": {\"version\": \"2.0\"}, "

/* A document of one material with these members, and three textures of which the last is lost. */
static const char *document_of(const char *material) {
	static char json[8000];
	snprintf(json, sizeof json,
		DOCUMENT "\"images\": [{\"uri\": \"" PICTURE "\"}, {}], \"textures\": "
			 "[{\"source\": 0}, {\"source\": 0}, {\"source\": 1}], "
			 "\"materials\": [{%s}]}",
		material);
	return json;
}

static struct rig *import_material(const char *material) {
	struct error err = {0};
	struct rig *rig = import_text(document_of(material), &err);
	assert_string_equal(err.text, "");
	assert_true(rig_check(rig, NULL));
	return rig;
}

#define EXTENSION(name, members) "\"extensions\": {\"KHR_materials_" name "\": {" members "}}"
#define SURFACE(members) "\"pbrMetallicRoughness\": {" members "}"

static void refuses_members_without_sense(void **state) {
	(void)state;
	static const struct {
		const char *material, *text;
	} rows[] = {
		{SURFACE("\"metallicFactor\": 1.5"),
			"materials[0].pbrMetallicRoughness: metallicFactor has 1.5, must be from "
			"0 to 1"},
		{SURFACE("\"roughnessFactor\": \"rough\""),
			"materials[0].pbrMetallicRoughness.roughnessFactor: is a string"},
		{"\"normalTexture\": {\"index\": 3}",
			"materials[0].normalTexture.index: is 3, but there are only 3"},
		{"\"normalTexture\": {\"index\": 0, \"scale\": []}",
			"materials[0].normalTexture.scale: is a list, must be a number"},
		{"\"occlusionTexture\": {\"index\": 0, \"strength\": 2}",
			"materials[0].occlusionTexture: strength has 2, must be from 0 to 1"},
		{"\"occlusionTexture\": {}", "materials[0].occlusionTexture: has no index"},
		{"\"emissiveFactor\": [0, 0, -1]", "materials[0]: emissiveFactor has -1"},
		{"\"extensions\": {\"KHR_materials_sheen\": 1}",
			"materials[0].extensions.KHR_materials_sheen: is a number, must be an "
			"object"},
		{EXTENSION("emissive_strength", "\"emissiveStrength\": -2"),
			"materials[0].extensions.KHR_materials_emissive_strength: "
			"emissiveStrength has -2, must be from 0 on"},
		{EXTENSION("ior", "\"ior\": 0.5"),
			"materials[0].extensions.KHR_materials_ior: ior has 0.5, must be 0 or "
			"from 1 on"},
		{EXTENSION("specular", "\"specularColorFactor\": [1, 1]"),
			"materials[0].extensions.KHR_materials_specular.specularColorFactor: has "
			"2 numbers, must have 3"},
		{EXTENSION("clearcoat", "\"clearcoatNormalTexture\": {\"index\": -1}"),
			"materials[0].extensions.KHR_materials_clearcoat.clearcoatNormalTexture."
			"index: is -1"},
		{EXTENSION("sheen", "\"sheenColorFactor\": [0, 7, 0]"),
			"KHR_materials_sheen: sheenColorFactor has 7, must be from 0 to 1"},
		{EXTENSION("pbrSpecularGlossiness", "\"specularFactor\": [0, 2, 0]"),
			"KHR_materials_pbrSpecularGlossiness: specularFactor has 2, must be from 0 "
			"to 1"},
		{EXTENSION("transmission", "\"transmissionFactor\": 1e39"),
			"transmissionFactor: is 1e+39, which float32 cannot hold"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		expect_refusal(document_of(rows[i].material), ERROR_BROKEN_ASSET, rows[i].text);
	}
}

static void an_empty_material_is_the_default(void **state) {
	(void)state;
	struct rig *rig = import_material("");
	assert_memory_equal(rig->materials[0].base_color, material_default.base_color,
		sizeof material_default - offsetof(struct material, base_color));
	// The registry's defaults, as the tables must have them.
	const struct material *m = &rig->materials[0];
	assert_true(m->metallic == 1 && m->roughness == 1 && m->ior == 1.5f);
	assert_true(m->emissive[0] == 0 && m->emissive_strength == 1);
	assert_true(m->specular == 1 && m->specular_color[2] == 1);
	assert_true(m->clearcoat == 0 && m->clearcoat_roughness == 0 && m->sheen_color[1] == 0);
	assert_true(m->anisotropy == 0 && m->anisotropy_rotation == 0 && m->iridescence == 0);
	assert_true(m->iridescence_ior == 1.3f && m->iridescence_thickness_least == 100 &&
		m->iridescence_thickness_most == 400);
	assert_true(m->sheen_roughness == 0 && m->transmission == 0 && m->alpha_cutoff == 0.5f);
	rig_release(rig);
}

/* Each row of the tables by itself: its number or its texture comes in, and nothing else does. */
static void every_factor_has_its_member(void **state) {
	(void)state;
	for (int i = 0; i < material_factor_count; i++) {
		const struct material_factor *row = &material_factors[i];
		const char *group = material_groups[row->group];
		const char *list[] = {"", "0.25", "", "[0.25, 0.5, 0.75]", "[0.25, 0.5, 0.75, 0]"};
		const bool above = row->group == MATERIAL_IOR || row->least >= 1;
		const char *value = above ? "2" : list[row->count];
		char member[400], material[800];
		snprintf(member, sizeof member,
			row->texture >= 0 ? "\"%s\": {\"index\": 1, \"%s\": %s}" : "%.0s\"%s\": %s",
			row->texture >= 0 ? material_textures[row->texture].gltf : "", row->gltf,
			value);
		snprintf(material, sizeof material,
			row->group == MATERIAL_CORE              ? "%.0s%s"
				: row->group == MATERIAL_SURFACE ? "\"%s\": {%s}"
								 : "\"extensions\": {\"%s\": {%s}}",
			group ? group : "", member);
		struct rig *rig = import_material(material);
		for (int k = 0; k < material_factor_count; k++) {
			assert_int_equal(material_factor_is_default(
						 &rig->materials[0], &material_factors[k]),
				k != i);
		}
		const float *values = material_factor_of(&rig->materials[0], row);
		assert_true(values[0] == (above ? 2 : 0.25f));
		assert_true(row->count < 3 || values[2] == 0.75f);
		rig_release(rig);
	}
}

static void every_texture_has_its_member(void **state) {
	(void)state;
	for (int use = 0; use < TEXTURE_USE_COUNT; use++) {
		const struct material_texture *row = &material_textures[use];
		const char *group = material_groups[row->group];
		char material[600];
		snprintf(material, sizeof material,
			row->group == MATERIAL_CORE ? "%.0s\"%s\": {\"index\": 0, %s}"
				: row->group == MATERIAL_SURFACE
				? "\"%s\": {\"%s\": {\"index\": 0, %s}}"
				: "\"extensions\": {\"%s\": {\"%s\": {\"index\": 0, %s}}}",
			group ? group : "", row->gltf,
			"\"texCoord\": 3, \"extensions\": {\"KHR_texture_transform\": {\"offset\": "
			"[1, 2], \"rotation\": 3, \"scale\": [4, 5]}}");
		struct rig *rig = import_material(material);
		for (int k = 0; k < TEXTURE_USE_COUNT; k++) {
			assert_int_equal(rig->materials[0].textures[k].texture, k == use ? 0 : -1);
		}
		const struct texture_slot *slot = &rig->materials[0].textures[use];
		assert_int_equal(slot->texcoords, 0); // the only set there is
		assert_true(slot->offset[1] == 2 && slot->rotation_rad == 3 && slot->scale[0] == 4);
		rig_release(rig);
	}
}

static void a_lost_texture_takes_what_it_was_to_dim(void **state) {
	(void)state;
	struct rig *rig = import_material(SURFACE(
		"\"metallicRoughnessTexture\": {\"index\": 2}") ", "
								"\"emissiveFactor\": [1, 1, 1], "
								"\"emissiveTexture\": {\"index\": "
								"2}, " EXTENSION("transmission",
									"\"transmissionFactor\": "
									"1, "
									"\"transmissionTexture\": "
									"{\"index\": 2}"));
	const struct material *m = &rig->materials[0];
	assert_true(m->metallic == 0 && m->roughness == 1);
	assert_true(m->emissive[0] == 0 && m->emissive[2] == 0 && m->transmission == 0);
	assert_int_equal(m->textures[TEXTURE_EMISSIVE].texture, -1);
	assert_int_equal(rig->texture_count, 0);
	assert_true(has_warning(rig, "images[1]: has neither bufferView nor uri"));
	rig_release(rig);
}

/* Its members lie in ranges that the registry gives, and the distance is none that is 0. */
static void refuses_volumes_without_a_distance(void **state) {
	(void)state;
	struct rig *rig = import_material(EXTENSION("volume", "\"thicknessFactor\": 2"));
	assert_true(
		rig->materials[0].thickness == 2 && rig->materials[0].attenuation_distance == 0);
	assert_int_equal(count_warnings(rig), 0);
	rig_release(rig);
	expect_refusal(document_of(EXTENSION("volume", "\"attenuationDistance\": 0")),
		ERROR_BROKEN_ASSET,
		"materials[0].extensions.KHR_materials_volume: attenuationDistance has 0, must be "
		"above 0");
}

#define GLOSSY(members) EXTENSION("pbrSpecularGlossiness", members)

/* Taken over as KHR_materials_ior says: ior 0, specularFactor 1, and the specular colour. */
static void specular_and_glossiness_are_taken_over(void **state) {
	(void)state;
	struct rig *rig = import_material(GLOSSY(
		"\"diffuseFactor\": [0.5, 0.25, 1, 0.75], \"specularFactor\": [0.125, 0.5, 1], "
		"\"glossinessFactor\": 0.75, \"diffuseTexture\": {\"index\": 1}"));
	const struct material *m = &rig->materials[0];
	const float diffuse[4] = {0.5f, 0.25f, 1, 0.75f}, specular[3] = {0.125f, 0.5f, 1};
	assert_memory_equal(m->base_color, diffuse, sizeof diffuse);
	assert_memory_equal(m->specular_color, specular, sizeof specular);
	assert_true(m->metallic == 0 && m->roughness == 0.25f && m->ior == 0 && m->specular == 1);
	assert_int_equal(m->textures[TEXTURE_BASE_COLOR].texture, 0);
	assert_int_equal(count_warnings(rig), 0);
	rig_release(rig);
	rig = import_material(GLOSSY(""));
	m = &rig->materials[0];
	assert_true(m->base_color[0] == 1 && m->specular_color[0] == 1 && m->roughness == 0);
	assert_true(has_warning(rig, "has no specularFactor, and so reflects all light"));
	rig_release(rig);
	rig = import_material(GLOSSY("\"diffuseFactor\": [0, 0, 0, 1]") ", " SURFACE(""));
	assert_true(rig->materials[0].base_color[0] == 1 && rig->materials[0].metallic == 1);
	rig_release(rig);
}

static void a_texture_of_glossiness_is_approximated(void **state) {
	(void)state;
	struct rig *rig = import_material(GLOSSY("\"specularGlossinessTexture\": {\"index\": 0}"));
	const struct material *m = &rig->materials[0];
	assert_int_equal(m->textures[TEXTURE_SPECULAR_COLOR].texture, 0);
	assert_true(m->roughness == 0.5f && m->ior == 0);
	assert_true(has_warning(rig,
		"materials[0].extensions.KHR_materials_pbrSpecularGlossiness."
		"specularGlossinessTexture: is approximated"));
	rig_release(rig);
	// Without it the whole surface would be a mirror.
	rig = import_material(GLOSSY("\"specularGlossinessTexture\": {\"index\": 2}"));
	assert_true(rig->materials[0].ior == 1.5f);
	rig_release(rig);
}

/* Sets 2, 0 and 1 at one point: the base colour's comes first, then that of the next texture. */
static void a_material_has_two_sets_of_coordinates(void **state) {
	(void)state;
	static const float position[3] = {0}, sets[3][2] = {{0, 1}, {2, 3}, {4, 5}};
	struct gltf_builder b = {0};
	add_data(&b, "VEC3", F32, 1, position, sizeof position);
	for (int i = 0; i < 3; i++) {
		add_data(&b, "VEC2", F32, 1, sets[i], sizeof sets[i]);
	}
	struct rig *rig = import_sound(&b,
		"\"images\": [{\"uri\": \"" PICTURE "\"}], \"textures\": [{\"source\": 0}], "
		"\"materials\": [{\"pbrMetallicRoughness\": {\"baseColorTexture\": {\"index\": 0, "
		"\"texCoord\": 2}}, \"normalTexture\": {\"index\": 0}, \"occlusionTexture\": "
		"{\"index\": 0, \"texCoord\": 1}, \"extensions\": {\"KHR_materials_sheen\": "
		"{\"sheenColorTexture\": {\"index\": 0, \"texCoord\": 2}}}}], "
		"\"nodes\": [{\"mesh\": 0}], \"meshes\": [{\"primitives\": [{\"mode\": 0, "
		"\"material\": 0, \"attributes\": {\"POSITION\": 0, \"TEXCOORD_0\": 1, "
		"\"TEXCOORD_1\": 2, \"TEXCOORD_2\": 3}}]}]");
	const struct texture_slot *slots = rig->materials[0].textures;
	assert_int_equal(slots[TEXTURE_BASE_COLOR].texcoords, 0);
	assert_int_equal(slots[TEXTURE_NORMAL].texcoords, 1);
	assert_int_equal(slots[TEXTURE_SHEEN_COLOR].texcoords, 0);
	assert_true(rig->texcoords[0][0] == 4 && rig->texcoords[1][1] == 1);
	assert_int_equal(slots[TEXTURE_OCCLUSION].texture, -1);
	assert_true(has_warning(rig,
		"materials[0].occlusionTexture: uses texture coordinates 1, "
		"beyond the 2 sets"));
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_members_without_sense),
		cmocka_unit_test(an_empty_material_is_the_default),
		cmocka_unit_test(every_factor_has_its_member),
		cmocka_unit_test(every_texture_has_its_member),
		cmocka_unit_test(a_lost_texture_takes_what_it_was_to_dim),
		cmocka_unit_test(refuses_volumes_without_a_distance),
		cmocka_unit_test(specular_and_glossiness_are_taken_over),
		cmocka_unit_test(a_texture_of_glossiness_is_approximated),
		cmocka_unit_test(a_material_has_two_sets_of_coordinates),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
