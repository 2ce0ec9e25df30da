// The materials of both versions, paired by their names.
#include <string.h>

#include "against/pairing.h"
#include "check/name_list.h"
#include "check/rules.h"

static bool have_same_image(const struct image *a, const struct image *b) {
	if (a->encoded_bytes > 0 && a->encoded_bytes == b->encoded_bytes) {
		return memcmp(a->encoded, b->encoded, a->encoded_bytes) == 0;
	}
	return a->width == b->width && a->height == b->height && a->rgba && b->rgba &&
		memcmp(a->rgba, b->rgba, (size_t)a->width * (size_t)a->height * 4) == 0;
}

static bool have_same_texture(const struct rig *before, const struct texture_slot *a,
	const struct rig *after, const struct texture_slot *b) {
	if (a->texture < 0 || b->texture < 0) {
		return (a->texture < 0) == (b->texture < 0);
	}
	const struct texture *x = &before->textures[a->texture];
	const struct texture *y = &after->textures[b->texture];
	float rows[2][6];
	texture_slot_rows(a, rows[0]);
	texture_slot_rows(b, rows[1]);
	return a->texcoords == b->texcoords && memcmp(rows[0], rows[1], sizeof rows[0]) == 0 &&
		x->wrap_u == y->wrap_u && x->wrap_v == y->wrap_v && x->nearest == y->nearest &&
		x->no_mipmaps == y->no_mipmaps &&
		have_same_image(&before->images[x->image], &after->images[y->image]);
}

static bool have_same_factors(const struct material *a, const struct material *b) {
	bool same = a->unlit == b->unlit && a->double_sided == b->double_sided &&
		a->alpha_mode == b->alpha_mode && a->alpha_cutoff == b->alpha_cutoff &&
		a->mtoon == b->mtoon &&
		a->transparent_with_z_write == b->transparent_with_z_write &&
		a->outline_mode == b->outline_mode &&
		a->render_queue_offset == b->render_queue_offset;
	for (int i = 0; i < material_factor_count; i++) {
		const struct material_factor *factor = &material_factors[i];
		same &= memcmp(material_factor_of(a, factor), material_factor_of(b, factor),
				(size_t)factor->count * sizeof(float)) == 0;
	}
	return same;
}

static bool are_same(const struct against *against, int before, int after) {
	const struct rig *a = against->before->rig, *b = against->after->rig;
	bool same = have_same_factors(&a->materials[before], &b->materials[after]);
	for (int i = 0; same && i < TEXTURE_USE_COUNT; i++) {
		same = have_same_texture(
			a, &a->materials[before].textures[i], b, &b->materials[after].textures[i]);
	}
	return same;
}

/* The material of a name that has not been taken yet: names need not be unique. */
static int find_material(const struct rig *rig, const char *name, const bool *taken) {
	for (int i = 0; i < rig->material_count; i++) {
		if (!taken[i] && strcmp(rig->materials[i].name, name) == 0) {
			return i;
		}
	}
	return -1;
}

static const char *words_of(const char *name) {
	return name[0] != '\0' ? name : "(without a name)";
}

void against_materials(const struct against *against) {
	const struct rig *before = against->before->rig, *after = against->after->rig;
	bool *taken = arena_alloc(against->arena, (size_t)before->material_count, sizeof *taken);
	int added = 0, removed = 0, changed = 0;
	struct check_names names = {0};
	for (int i = 0; i < after->material_count; i++) {
		const char *name = after->materials[i].name;
		const int partner = find_material(before, name, taken);
		if (partner >= 0) {
			taken[partner] = true;
		}
		if (partner < 0 || !are_same(against, partner, i)) {
			check_names_add(&names, words_of(name));
			*(partner < 0 ? &added : &changed) += 1;
		}
	}
	for (int i = 0; i < before->material_count; i++) {
		if (!taken[i]) {
			check_names_add(&names, words_of(before->materials[i].name));
			removed++;
		}
	}
	struct check_value value = check_value(names.count);
	value.text = check_names_text(&names);
	check_value_param(&value, "added", added);
	check_value_param(&value, "removed", removed);
	check_value_param(&value, "changed", changed);
	check_emit(against->figure, &check_rule_diff_materials, &value);
	check_names_finish(&names);
}
