// Materials as a variant of a file has them.
#include "draw/variants.h"

#include <stdlib.h>
#include <string.h>

/* Position among the rig's variants; -1 = there is none. */
static int find(const struct rig *rig, const struct value *variant) {
	double index = variant->kind == VALUE_NUMBER ? variant->number : -1;
	if (variant->kind == VALUE_STRING) {
		const int named = rig_find_variant(rig, variant->string);
		char *end;
		// A link has an index as text.
		index = named >= 0 ? named : strtod(variant->string, &end);
		index = named >= 0 || (end != variant->string && !*end) ? index : -1;
	}
	return index >= 0 && index < rig->variant_count && index == (int)index ? (int)index : -1;
}

static bool refuse(const struct rig *rig, const struct value *variant, struct error *err) {
	char known[256] = "has none";
	const char **names = NULL;
	struct arena *arena = arena_create();
	if (rig->variant_count > 0) {
		names = arena_alloc(arena, (size_t)rig->variant_count + 1, sizeof *names);
		memcpy(names, rig->variants, (size_t)rig->variant_count * sizeof *names);
		memcpy(known, "has ", sizeof "has ");
		value_list_names(names, known + strlen(known), sizeof known - strlen(known));
	}
	if (variant->kind == VALUE_STRING) {
		value_error(variant, err, ERROR_INVALID_VALUE, "no variant \"%.80s\"; the rig %s",
			variant->string, known);
	} else {
		value_error(variant, err, ERROR_INVALID_VALUE,
			"\"variant\" must be the name or the index of one; the rig %s", known);
	}
	arena_destroy(arena);
	return false;
}

const struct rig *rig_with_variant(const struct rig *rig, const struct value *variant,
	struct arena *arena, struct error *err) {
	if (!variant) {
		return rig;
	}
	const int index = find(rig, variant);
	if (index < 0) {
		refuse(rig, variant, err);
		return NULL;
	}
	const size_t count = (size_t)rig->primitive_count;
	struct primitive *primitives = arena_alloc(arena, count + 1, sizeof *primitives);
	struct rig *copy = arena_alloc(arena, 1, sizeof *copy);
	memcpy(primitives, rig->primitives, count * sizeof *primitives);
	for (size_t i = 0; i < count; i++) {
		if (primitives[i].variant_materials) {
			primitives[i].material = primitives[i].variant_materials[index];
		}
	}
	*copy = *rig;
	copy->primitives = primitives;
	return copy;
}
