// The expressions of VRM 1.0.
#include <string.h>

#include "import/limits.h"
#include "import/vrm.h"
#include "import/vrm_expressions.h"

static const char *const override_names[] = {"none", "block", "blend", NULL};
static const char *const color_names[] = {
	"color", "emissionColor", "shadeColor", "matcapColor", "rimColor", "outlineColor", NULL};

/* A bind of a list into out, which has room for one. What is wrong with it costs the bind. */
typedef bool (*read_bind)(
	struct vrm *vrm, const struct gltf_item *bind, void *out, struct error *err);

static bool read_morph(
	struct vrm *vrm, const struct gltf_item *bind, void *out, struct error *err) {
	struct avatar_morph *morph = out;
	int joint = -1, index = -1;
	double amount = 1;
	if (!vrm_joint(vrm, bind, "node", &joint, err) ||
		!vrm_number(bind, "weight", &amount, err)) {
		return false;
	}
	if (joint < 0) {
		return gltf_broken(bind, err, "has no node");
	}
	const struct joint *node = &vrm->gltf->rig->joints[joint];
	if (!vrm_index(bind, "index", node->weight_count, &index, err)) {
		return false;
	}
	*morph = (struct avatar_morph){node->first_weight + index, (float)amount};
	return index >= 0 || gltf_broken(bind, err, "has no index");
}

static bool need_material(
	struct vrm *vrm, const struct gltf_item *bind, int *material, struct error *err) {
	*material = -1;
	return vrm_index(bind, "material", vrm->gltf->rig->material_count, material, err) &&
		(*material >= 0 || gltf_broken(bind, err, "has no material"));
}

static bool read_tint(struct vrm *vrm, const struct gltf_item *bind, void *out, struct error *err) {
	struct avatar_tint *tint = out;
	int color = AVATAR_COLOR_BASE;
	if (!need_material(vrm, bind, &tint->material, err) ||
		!gltf_choice(bind, "type", color_names, &color, err) ||
		!gltf_numbers(bind, "targetValue", 4, tint->target, err)) {
		return false;
	}
	tint->color = (enum avatar_color)color;
	return true;
}

static bool read_shift(
	struct vrm *vrm, const struct gltf_item *bind, void *out, struct error *err) {
	struct avatar_shift *shift = out;
	*shift = (struct avatar_shift){.scale = {1, 1}};
	return need_material(vrm, bind, &shift->material, err) &&
		gltf_numbers(bind, "scale", 2, shift->scale, err) &&
		gltf_numbers(bind, "offset", 2, shift->offset, err);
}

/* The binds of a list of a name; *out has *count of them. */
static bool read_binds(struct vrm *vrm, const struct gltf_item *expression, const char *name,
	read_bind read, size_t size, void **out, int *count, struct error *err) {
	struct gltf_item list;
	if (!vrm_list(expression, name, &list, err)) {
		return false;
	}
	unsigned char *binds = vrm_storage(vrm, gltf_list_size(&list), size, err);
	*out = binds;
	for (size_t i = 0; binds && i < gltf_list_size(&list); i++) {
		struct gltf_item bind;
		struct error why = {0};
		unsigned char *at = binds + (size_t)*count * size;
		if (gltf_element_object(&list, i, &bind, &why) && read(vrm, &bind, at, &why)) {
			++*count;
		} else {
			memset(at, 0, size);
			rig_warn(vrm->gltf->rig, "%s; left out", why.text);
		}
	}
	return binds;
}

static bool read_overrides(
	const struct gltf_item *item, struct avatar_expression *e, struct error *err) {
	static const char *const names[] = {
		[AVATAR_BLINKS] = "overrideBlink",
		[AVATAR_LOOKS] = "overrideLookAt",
		[AVATAR_MOUTHS] = "overrideMouth",
	};
	for (int i = 0; i < AVATAR_KIND_COUNT; i++) {
		int chosen = AVATAR_OVERRIDE_NONE;
		if (!gltf_choice(item, names[i], override_names, &chosen, err)) {
			return false;
		}
		e->overrides[i] = (enum avatar_override)chosen;
	}
	return true;
}

static bool read_all_binds(struct vrm *vrm, const struct gltf_item *item,
	struct avatar_expression *e, struct error *err) {
	void *morphs = NULL, *tints = NULL, *shifts = NULL;
	const bool ok = read_binds(vrm, item, "morphTargetBinds", read_morph, sizeof *e->morphs,
				&morphs, &e->morph_count, err) &&
		read_binds(vrm, item, "materialColorBinds", read_tint, sizeof *e->tints, &tints,
			&e->tint_count, err) &&
		read_binds(vrm, item, "textureTransformBinds", read_shift, sizeof *e->shifts,
			&shifts, &e->shift_count, err);
	e->morphs = morphs;
	e->tints = tints;
	e->shifts = shifts;
	return ok;
}

static bool read_expression(
	struct vrm *vrm, const struct gltf_item *item, int preset, struct error *err) {
	struct avatar *avatar = vrm->avatar;
	struct avatar_expression *e = &avatar->expressions[avatar->expression_count];
	e->preset = preset;
	e->name = vrm_text(vrm, item->name, err);
	if (!e->name || !gltf_boolean(item, "isBinary", &e->binary, err) ||
		!read_overrides(item, e, err) || !read_all_binds(vrm, item, e, err)) {
		return false;
	}
	avatar->expression_count++;
	return true;
}

bool vrm_expressions_begin(struct vrm *vrm, size_t count, struct error *err) {
	if (count > VRM_EXPRESSIONS_MAX) {
		return gltf_broken(&vrm->extension, err, "has %zu expressions, at most %d are read",
			count, VRM_EXPRESSIONS_MAX);
	}
	vrm->avatar->expressions = vrm_storage(vrm, count, sizeof *vrm->avatar->expressions, err);
	return vrm->avatar->expressions;
}

/* A name that an expression of the author's own can have. */
static bool is_free(struct vrm *vrm, const struct gltf_item *item) {
	bool preset = item->name[0] == '\0';
	for (int i = 0; i < AVATAR_PRESET_COUNT; i++) {
		preset |= strcmp(item->name, avatar_preset_names[i]) == 0;
	}
	if (preset || avatar_find_expression(vrm->avatar, item->name) >= 0) {
		gltf_warn(vrm->gltf->rig, item, "has the name of another expression; left out");
		return false;
	}
	return true;
}

bool vrm_read_expressions(struct vrm *vrm, struct error *err) {
	struct gltf_item expressions, presets, customs, item;
	if (!vrm_object(&vrm->extension, "expressions", &expressions, err) ||
		!vrm_object(&expressions, "preset", &presets, err) ||
		!vrm_object(&expressions, "custom", &customs, err) ||
		!vrm_expressions_begin(
			vrm, AVATAR_PRESET_COUNT + gltf_member_count(&customs), err)) {
		return false;
	}
	for (int i = 0; i < AVATAR_PRESET_COUNT; i++) {
		if (!vrm_object(&presets, avatar_preset_names[i], &item, err) ||
			(item.json && !read_expression(vrm, &item, i, err))) {
			return false;
		}
	}
	for (size_t i = 0; i < gltf_member_count(&customs); i++) {
		item = gltf_member_at(&customs, i);
		if (item.json->kind != JSON_KIND_OBJECT) {
			return gltf_broken(&item, err, "must be an object");
		}
		if (is_free(vrm, &item) && !read_expression(vrm, &item, AVATAR_CUSTOM, err)) {
			return false;
		}
	}
	return true;
}
