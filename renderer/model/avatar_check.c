// Holds an avatar against everything that posing and drawing rely on.
#include "model/avatar_check.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"

#define UNIT_TOLERANCE 1e-4

/* An angle below it, in degrees, makes no range. */
#define RANGE_MIN_DEG 0.01

__attribute__((format(printf, 4, 5))) static bool broken(
	struct error *err, const char *list, int index, const char *format, ...);

static bool broken(struct error *err, const char *list, int index, const char *format, ...) {
	char text[256];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	return error_set(err, ERROR_BROKEN_ASSET, "rig avatar %s[%d]: %s", list, index, text);
}

static bool inside(int index, int count) {
	return index >= 0 && index < count;
}

static bool are_finite(const double *numbers, int count) {
	for (int i = 0; i < count; i++) {
		if (!isfinite(numbers[i])) {
			return false;
		}
	}
	return true;
}

static bool are_finite_floats(const float *numbers, int count) {
	for (int i = 0; i < count; i++) {
		if (!isfinite(numbers[i])) {
			return false;
		}
	}
	return true;
}

static double square(const double v[static 3]) {
	return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

static bool is_unit(const double v[static 3]) {
	return fabs(square(v) - 1) < UNIT_TOLERANCE;
}

static bool is_text(const char *text) {
	return text && utf8_is_valid(text, strlen(text));
}

static bool is_list(const void *items, int count) {
	return count == 0 || (count > 0 && items);
}

static bool check_lists(const struct avatar *avatar, struct error *err) {
	const struct {
		const char *name;
		const void *items;
		int count;
	} lists[] = {
		{"expressions", avatar->expressions, avatar->expression_count},
		{"constraints", avatar->constraints, avatar->constraint_count},
		{"colliders", avatar->colliders, avatar->collider_count},
		{"springs", avatar->springs, avatar->spring_count},
		{"facts", avatar->facts, avatar->fact_count},
	};
	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
		if (!is_list(lists[i].items, lists[i].count)) {
			return broken(err, lists[i].name, lists[i].count, "no such list");
		}
	}
	return true;
}

static bool check_bones(const struct rig *rig, struct error *err) {
	const struct avatar *avatar = rig->avatar;
	bool *taken = xcalloc((size_t)rig->joint_count + 1, sizeof *taken);
	bool ok = true;
	for (int i = 0; ok && i < AVATAR_BONE_COUNT; i++) {
		const int joint = avatar->bones[i];
		if (joint == -1) {
			ok = !avatar_bone_is_required((enum avatar_bone)i) || avatar->is_motion ||
				broken(err, "bones", i, "%s is missing", avatar_bone_names[i]);
			continue;
		}
		ok = (inside(joint, rig->joint_count) && !taken[joint]) ||
			broken(err, "bones", i, "joint %d of %d, or another bone's", joint,
				rig->joint_count);
		taken[ok ? joint : 0] = true;
	}
	free(taken);
	return ok;
}

static bool check_binds(
	const struct rig *rig, const struct avatar_expression *e, int i, struct error *err) {
	if (!is_list(e->morphs, e->morph_count) || !is_list(e->tints, e->tint_count) ||
		!is_list(e->shifts, e->shift_count)) {
		return broken(err, "expressions", i, "has no list of binds");
	}
	for (int k = 0; k < e->morph_count; k++) {
		if (!inside(e->morphs[k].weight, rig->weight_count) ||
			!isfinite(e->morphs[k].amount)) {
			return broken(err, "expressions", i, "morph %d has weight %d of %d", k,
				e->morphs[k].weight, rig->weight_count);
		}
	}
	for (int k = 0; k < e->tint_count; k++) {
		const struct avatar_tint *tint = &e->tints[k];
		if (!inside(tint->material, rig->material_count) ||
			tint->color > AVATAR_COLOR_OUTLINE || !are_finite_floats(tint->target, 4)) {
			return broken(
				err, "expressions", i, "tint %d of material %d", k, tint->material);
		}
	}
	for (int k = 0; k < e->shift_count; k++) {
		const struct avatar_shift *shift = &e->shifts[k];
		if (!inside(shift->material, rig->material_count) ||
			!are_finite_floats(shift->scale, 2) ||
			!are_finite_floats(shift->offset, 2)) {
			return broken(err, "expressions", i, "shift %d of material %d", k,
				shift->material);
		}
	}
	return true;
}

/* Presets come first, ascending, under their own names. */
static bool check_expression(const struct rig *rig, int i, struct error *err) {
	const struct avatar_expression *e = &rig->avatar->expressions[i];
	const int before = i ? e[-1].preset : -1;
	if (!is_text(e->name) || e->name[0] == '\0') {
		return broken(err, "expressions", i, "has no name");
	}
	if (!inside(e->joint, rig->joint_count)) {
		return broken(err, "expressions", i, "joint %d of %d", e->joint, rig->joint_count);
	}
	if (e->preset != AVATAR_CUSTOM &&
		(!inside(e->preset, AVATAR_PRESET_COUNT) || e->preset <= before ||
			(i && before == AVATAR_CUSTOM) ||
			strcmp(e->name, avatar_preset_names[e->preset]) != 0)) {
		return broken(err, "expressions", i, "preset %d is out of order", e->preset);
	}
	for (int k = 0; k < AVATAR_KIND_COUNT; k++) {
		if (e->overrides[k] > AVATAR_OVERRIDE_BLEND) {
			return broken(err, "expressions", i, "overrides by %d", e->overrides[k]);
		}
	}
	return check_binds(rig, e, i, err);
}

static int by_name(const void *a, const void *b) {
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool check_names(const struct avatar *avatar, struct error *err) {
	const size_t count = (size_t)avatar->expression_count;
	const char **names = xcalloc(count + 1, sizeof *names);
	for (size_t i = 0; i < count; i++) {
		names[i] = avatar->expressions[i].name;
	}
	qsort(names, count, sizeof *names, by_name);
	bool ok = true;
	for (size_t i = 1; ok && i < count; i++) {
		ok = strcmp(names[i - 1], names[i]) != 0 ||
			broken(err, "expressions", (int)i, "two have one name");
	}
	free(names);
	return ok;
}

static bool check_look_at(const struct rig *rig, struct error *err) {
	const struct avatar *avatar = rig->avatar;
	const struct avatar_look_at *look = &avatar->look_at;
	const struct avatar_range *const ranges[] = {
		&look->inner, &look->outer, &look->down, &look->up};
	if (!avatar->has_look_at) {
		return true;
	}
	if (!inside(look->joint, rig->joint_count)) {
		return broken(err, "look_at", 0, "joint %d of %d", look->joint, rig->joint_count);
	}
	for (int i = 0; i < 4; i++) {
		if (!(ranges[i]->input_max_deg >= RANGE_MIN_DEG) ||
			!isfinite(ranges[i]->input_max_deg) || !isfinite(ranges[i]->output)) {
			return broken(err, "look_at", i, "maps %g degrees to %g",
				ranges[i]->input_max_deg, ranges[i]->output);
		}
	}
	return are_finite(look->head_offset, 3) ||
		broken(err, "look_at", 0, "is not at a finite point");
}

static bool check_constraint(const struct rig *rig, int i, struct error *err) {
	const struct avatar_constraint *c = &rig->avatar->constraints[i];
	if (c->kind > AVATAR_AIM || !inside(c->joint, rig->joint_count) ||
		!inside(c->source, rig->joint_count) || c->joint == c->source) {
		return broken(err, "constraints", i, "turns joint %d by %d of %d, or is of kind %d",
			c->joint, c->source, rig->joint_count, (int)c->kind);
	}
	if (!(c->weight >= 0 && c->weight <= 1) ||
		(c->kind != AVATAR_ROTATION && !is_unit(c->axis))) {
		return broken(err, "constraints", i, "weight %g, or no unit axis", c->weight);
	}
	return true;
}

/* The constraint that turns each joint, [joint_count]; -1 = none. False = two turn one. */
static bool find_drivers(const struct rig *rig, int *drivers) {
	const struct avatar *avatar = rig->avatar;
	for (int i = 0; i < rig->joint_count; i++) {
		drivers[i] = -1;
	}
	for (int i = 0; i < avatar->constraint_count; i++) {
		int *driver = &drivers[avatar->constraints[i].joint];
		if (*driver != -1) {
			return false;
		}
		*driver = i;
	}
	return true;
}

/* The last constraint that moves each joint by turning one above it. */
static void find_movers(const struct rig *rig, const int *drivers, int *movers) {
	for (int i = 0; i < rig->joint_count; i++) {
		const int parent = rig->joints[i].parent;
		movers[i] = parent == -1                   ? -1
			: drivers[parent] > movers[parent] ? drivers[parent]
							   : movers[parent];
	}
}

/* A constraint reads the rotation of its source, or an aim where its source and its joint are. */
static bool check_order(const struct rig *rig, struct error *err) {
	const struct avatar *avatar = rig->avatar;
	int *drivers = xcalloc((size_t)rig->joint_count * 2 + 1, sizeof *drivers);
	int *movers = drivers + rig->joint_count;
	bool ok = find_drivers(rig, drivers) ||
		broken(err, "constraints", 0, "two of them turn one joint");
	find_movers(rig, drivers, movers);
	for (int i = 0; ok && i < avatar->constraint_count; i++) {
		const struct avatar_constraint *c = &avatar->constraints[i];
		const bool waits = c->kind == AVATAR_AIM
			? movers[c->joint] >= i || movers[c->source] >= i
			: drivers[c->source] >= i;
		ok = !waits || broken(err, "constraints", i, "reads what a later one turns");
	}
	free(drivers);
	return ok;
}

static bool check_collider(const struct rig *rig, int i, struct error *err) {
	const struct avatar_collider *c = &rig->avatar->colliders[i];
	if (c->kind > AVATAR_PLANE || !inside(c->joint, rig->joint_count)) {
		return broken(err, "colliders", i, "joint %d of %d, or kind %d", c->joint,
			rig->joint_count, (int)c->kind);
	}
	const bool sized = c->kind == AVATAR_PLANE ? is_unit(c->normal) && !c->inside
						   : c->radius >= 0 && isfinite(c->radius);
	return (sized && are_finite(c->offset, 3) && are_finite(c->tail, 3)) ||
		broken(err, "colliders", i, "numbers are out of range");
}

static bool check_spring_joint(
	const struct rig *rig, const struct avatar_spring_joint *joint, bool *taken) {
	const double *const vectors[] = {joint->tail, joint->gravity};
	const double numbers[] = {
		joint->hit_radius, joint->stiffness, joint->gravity_power, joint->drag};
	if (!inside(joint->joint, rig->joint_count) || taken[joint->joint] ||
		!are_finite(vectors[0], 3) || !are_finite(vectors[1], 3) ||
		!are_finite(numbers, 4) || joint->hit_radius < 0 ||
		!isnormal(square(joint->tail))) {
		return false;
	}
	taken[joint->joint] = true;
	return true;
}

static bool check_spring(const struct rig *rig, int i, bool *taken, struct error *err) {
	const struct avatar_spring *spring = &rig->avatar->springs[i];
	if (!is_text(spring->name) || !is_list(spring->joints, spring->joint_count) ||
		!is_list(spring->colliders, spring->collider_count) ||
		(spring->center != -1 && !inside(spring->center, rig->joint_count))) {
		return broken(err, "springs", i, "name, lists or centre %d", spring->center);
	}
	for (int k = 0; k < spring->joint_count; k++) {
		const struct avatar_spring_joint *joint = &spring->joints[k];
		if (!check_spring_joint(rig, joint, taken) ||
			(k && joint->joint <= joint[-1].joint)) {
			return broken(err, "springs", i, "joint %d is out of range or order", k);
		}
	}
	for (int k = 0; k < spring->collider_count; k++) {
		if (!inside(spring->colliders[k], rig->avatar->collider_count)) {
			return broken(err, "springs", i, "collider %d of %d", spring->colliders[k],
				rig->avatar->collider_count);
		}
	}
	return true;
}

static bool check_springs(const struct rig *rig, struct error *err) {
	bool *taken = xcalloc((size_t)rig->joint_count + 1, sizeof *taken);
	bool ok = true;
	for (int i = 0; ok && i < rig->avatar->spring_count; i++) {
		ok = check_spring(rig, i, taken, err);
	}
	free(taken);
	return ok;
}

static bool check_views(const struct rig *rig, struct error *err) {
	for (int i = 0; rig->avatar->views && i < rig->joint_count; i++) {
		if (rig->avatar->views[i] > AVATAR_VIEW_FIRST) {
			return broken(err, "views", i, "%d is none", rig->avatar->views[i]);
		}
	}
	return true;
}

/* Keys are written into JSON as they are. */
static bool is_key(const char *key) {
	const size_t length = key ? strspn(key, AVATAR_KEY_LETTERS) : 0;
	return length > 0 && key[length] == '\0';
}

static bool check_fact(const struct rig *rig, int i, struct error *err) {
	const struct avatar_fact *fact = &rig->avatar->facts[i];
	return (is_key(fact->key) && is_text(fact->text) && fact->kind <= AVATAR_TRUTH &&
		       isfinite(fact->number)) ||
		broken(err, "facts", i, "key, text or number");
}

static bool check_items(const struct rig *rig, struct error *err) {
	const struct avatar *avatar = rig->avatar;
	const struct {
		bool (*check)(const struct rig *rig, int i, struct error *err);
		int count;
	} lists[] = {
		{check_expression, avatar->expression_count},
		{check_constraint, avatar->constraint_count},
		{check_collider, avatar->collider_count},
		{check_fact, avatar->fact_count},
	};
	for (size_t list = 0; list < sizeof lists / sizeof lists[0]; list++) {
		for (int i = 0; i < lists[list].count; i++) {
			if (!lists[list].check(rig, i, err)) {
				return false;
			}
		}
	}
	return true;
}

bool avatar_check(const struct rig *rig, struct error *err) {
	const struct avatar *avatar = rig->avatar;
	if (!is_text(avatar->version) ||
		(avatar->thumbnail != -1 && !inside(avatar->thumbnail, rig->image_count))) {
		return broken(err, "thumbnail", avatar->thumbnail, "no such image, or no version");
	}
	return check_lists(avatar, err) && check_bones(rig, err) && check_items(rig, err) &&
		check_names(avatar, err) && check_look_at(rig, err) && check_order(rig, err) &&
		check_springs(rig, err) && check_views(rig, err);
}
