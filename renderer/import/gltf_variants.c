// KHR_materials_variants -> the rig's variants and the materials of primitives in them. A mapping
// that makes no sense costs only itself. Source: Khronos' registry.
#include <string.h>

#include "import/foreign.h"
#include "import/gltf_document.h"
#include "model/rig_internal.h"

#define EXTENSION "KHR_materials_variants"

static bool find_extension(
	const struct gltf_item *object, struct gltf_item *extension, struct error *err) {
	struct gltf_item extensions;
	return gltf_object(object, "extensions", &extensions, err) &&
		gltf_object(&extensions, EXTENSION, extension, err);
}

bool gltf_read_variants(struct gltf *gltf, struct error *err) {
	struct rig *rig = gltf->rig;
	struct gltf_item extension, list, object;
	if (!find_extension(&gltf->root, &extension, err) ||
		!gltf_list(&extension, "variants", &list, err)) {
		return false;
	}
	const size_t count = gltf_list_size(&list);
	if (count > RIG_VARIANTS_MAX) {
		return gltf_broken(&list, err, "has %zu variants, must have at most %d", count,
			RIG_VARIANTS_MAX);
	}
	const char **names = arena_alloc(gltf->arena, count, sizeof *names);
	for (size_t i = 0; i < count; i++) {
		if (!gltf_element_object(&list, i, &object, err) ||
			!gltf_string(&object, "name", &names[i], err)) {
			return false;
		}
	}
	rig->variants = gltf_storage(gltf, count, sizeof *rig->variants, "variants", err);
	if (!rig->variants) {
		return false;
	}
	names_make_unique(names, count, "variant", rig->variants);
	rig->variant_count = (int)count;
	return true;
}

/* True when a primitive has the texture coordinates of a material that is not its own. */
static bool has_texcoords(const struct gltf *gltf, int own, int other) {
	const struct gltf_texcoords *has = gltf_texcoords_of(gltf, own);
	const struct gltf_texcoords *wanted = gltf_texcoords_of(gltf, other);
	return wanted->used == 0 ||
		(wanted->count <= has->count &&
			memcmp(wanted->sets, has->sets,
				(size_t)wanted->count * sizeof *wanted->sets) == 0);
}

/* Enters the material of one mapping for the variants that it names. */
static bool read_mapping(struct gltf *gltf, const struct gltf_item *mapping, int own,
	int *materials, struct error *err) {
	struct gltf_item list;
	int material = -1;
	if (!gltf_index(mapping, "material", gltf->material_count, &material, err) ||
		!gltf_list(mapping, "variants", &list, err)) {
		return false;
	}
	if (material < 0) {
		return gltf_broken(mapping, err, "has no material");
	}
	if (!has_texcoords(gltf, own, material)) {
		gltf_warn(gltf->rig, mapping,
			"material %d takes other texture coordinates than the primitive's own; "
			"left out",
			material);
		return true;
	}
	for (size_t i = 0; i < gltf_list_size(&list); i++) {
		int variant;
		if (!gltf_element_index(&list, i, gltf->rig->variant_count, &variant, err)) {
			return false;
		}
		materials[variant] = material;
	}
	return true;
}

bool gltf_read_mappings(struct gltf *gltf, const struct gltf_item *object,
	struct gltf_primitive *primitive, struct error *err) {
	const int count = gltf->rig->variant_count;
	struct gltf_item extension, list, mapping;
	if (!find_extension(object, &extension, err) ||
		!gltf_list(&extension, "mappings", &list, err)) {
		return false;
	}
	if (gltf_list_size(&list) == 0 || count == 0) {
		return true;
	}
	int *materials =
		gltf_storage(gltf, (size_t)count, sizeof *materials, "materials of variants", err);
	for (int i = 0; materials && i < count; i++) {
		materials[i] = primitive->material;
	}
	for (size_t i = 0; materials && i < gltf_list_size(&list); i++) {
		struct error why = {0};
		if (!gltf_element_object(&list, i, &mapping, &why) ||
			!read_mapping(gltf, &mapping, primitive->material, materials, &why)) {
			rig_warn(gltf->rig, "%s; left out", why.text);
		}
	}
	primitive->variant_materials = materials;
	return materials;
}
