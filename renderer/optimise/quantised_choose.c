// Which accessors become integers, and which go to other views with them.
#include <float.h>
#include <math.h>
#include <string.h>

#include "optimise/quantised.h"

#define ALIGNMENT 4u
#define WEIGHTS_OFF 1e-3 // of weights' sum from 1, within which they are made to sum to it

/* Numbers at the front of each element are within a range. */
static bool are_within(
	const struct parts *parts, const struct elements *from, double min, double max) {
	for (size_t i = 0; i < from->count; i++) {
		for (int k = 0; k < from->width; k++) {
			const double x = (double)elements_float(parts, from, i, k);
			if (!(x >= min && x <= max)) {
				return false;
			}
		}
	}
	return true;
}

bool quantised_has_weights(
	const struct quantising *quantising, const struct quantised_accessor *accessor) {
	const struct weight_sets *sets = accessor->weights;
	return sets && !accessor->is_torn &&
		quantising->accessors[sets->accessors[0]].form == FORM_WEIGHTS &&
		quantising->accessors[sets->accessors[0]].from.count == accessor->from.count;
}

bool quantised_are_small_joints(const struct parts *parts, const struct elements *from) {
	for (size_t i = 0; i < from->count && from->component != COMPONENT_UNSIGNED_BYTE; i++) {
		const unsigned char *at = parts->bin + from->at + i * from->stride;
		if (at[1] | at[3] | at[5] | at[7]) {
			return false;
		}
	}
	return true;
}

/* True where weights of all vertices sum to 1, or are 0, and can be changed together. */
static bool are_weights(const struct quantising *quantising, const struct weight_sets *sets) {
	const struct quantised_accessor *first = &quantising->accessors[sets->accessors[0]];
	for (int n = 0; n < sets->count; n++) {
		const struct quantised_accessor *one = &quantising->accessors[sets->accessors[n]];
		if (one->is_torn || one->is_left || one->roles != ROLE_WEIGHTS || !one->is_plain ||
			one->from.component != COMPONENT_FLOAT ||
			one->from.width != WEIGHTS_IN_SET || one->from.count != first->from.count) {
			return false;
		}
	}
	for (size_t i = 0; i < first->from.count; i++) {
		double weights[WEIGHT_SETS_MAX * WEIGHTS_IN_SET];
		const double sum = quantised_read_weights(quantising, sets, i, weights);
		if (!(fabs(sum - 1) <= WEIGHTS_OFF) && !(fabs(sum) <= 0)) {
			return false;
		}
		for (int n = 0; n < sets->count * WEIGHTS_IN_SET; n++) {
			if (!(weights[n] >= 0)) {
				return false;
			}
		}
	}
	return true;
}

/* Joints become bytes where they fit, and 0 where their weights have become 0. */
static enum form form_of_joints(
	const struct quantising *quantising, const struct quantised_accessor *accessor) {
	const struct elements *from = &accessor->from;
	const bool is_byte = from->component == COMPONENT_UNSIGNED_BYTE;
	const bool is_short = from->component == COMPONENT_UNSIGNED_SHORT;
	return (is_byte || is_short) && from->width == WEIGHTS_IN_SET &&
			((is_short && quantised_are_small_joints(&quantising->parts, from)) ||
				quantised_has_weights(quantising, accessor))
		? FORM_JOINTS
		: FORM_STAYS;
}

/* Forms other than that of weights. */
static enum form form_of(
	const struct quantising *quantising, const struct quantised_accessor *accessor) {
	const struct parts *parts = &quantising->parts;
	const struct elements *from = &accessor->from;
	const bool are_floats = from->component == COMPONENT_FLOAT;
	if (accessor->is_left || !accessor->is_plain) {
		return FORM_STAYS;
	}
	switch (accessor->roles) {
	case ROLE_POSITION:
		return FORM_CUBE;
	case ROLE_DELTA:
		return FORM_DELTA;
	case ROLE_NORMAL:
	case ROLE_TANGENT:
		return are_floats && from->width == (accessor->roles == ROLE_NORMAL ? 3 : 4) &&
				are_within(parts, from, -FLT_MAX, FLT_MAX)
			? FORM_UNIT
			: FORM_STAYS;
	case ROLE_FRAME_DELTA:
		return are_floats && from->width == 3 && are_within(parts, from, -1, 1)
			? FORM_SIGNED
			: FORM_STAYS;
	case ROLE_TEXCOORD:
		return are_floats && from->width == 2 && are_within(parts, from, 0, 1)
			? FORM_TEXCOORD
			: FORM_STAYS;
	case ROLE_JOINTS:
		return form_of_joints(quantising, accessor);
	case ROLE_MATRICES:
		return quantising->groups[accessor->group].left ? FORM_STAYS : FORM_MATRICES;
	default:
		return FORM_STAYS;
	}
}

/* A primitive whose weights are listed, and then the joints to them. */
struct listing {
	struct quantising *quantising;
	struct weight_sets sets;
	struct json_span numbers[WEIGHT_SETS_MAX]; // "0" of "WEIGHTS_0"
	bool is_broken;
};

static struct json_span number_of(struct json_span name) {
	const char *dash = memchr(name.text, '_', name.size);
	const size_t before = (size_t)(dash + 1 - name.text);
	return (struct json_span){name.text + before, name.size - before};
}

static void list_weights(void *context, const struct mesh_name *named) {
	struct listing *listing = context;
	uint64_t at;
	if (quantised_role(named) != ROLE_WEIGHTS) {
		return;
	}
	if (!json_span_whole(named->accessor, &at) ||
		at >= (uint64_t)listing->quantising->parts.accessor_count ||
		listing->sets.count == WEIGHT_SETS_MAX) {
		listing->is_broken = true;
		return;
	}
	listing->numbers[listing->sets.count] = number_of(named->name);
	listing->sets.joints[listing->sets.count] = -1;
	listing->sets.accessors[listing->sets.count++] = (int)at;
}

static void list_joints(void *context, const struct mesh_name *named) {
	struct listing *listing = context;
	uint64_t at;
	if (quantised_role(named) != ROLE_JOINTS || !json_span_whole(named->accessor, &at) ||
		at >= (uint64_t)listing->quantising->parts.accessor_count) {
		return;
	}
	const struct json_span number = number_of(named->name);
	for (int n = 0; n < listing->sets.count; n++) {
		if (listing->numbers[n].size == number.size &&
			memcmp(listing->numbers[n].text, number.text, number.size) == 0) {
			listing->sets.joints[n] = (int)at;
		}
	}
}

static bool are_same(const struct weight_sets *a, const struct weight_sets *b) {
	return a->count == b->count &&
		memcmp(a->accessors, b->accessors, (size_t)a->count * sizeof *a->accessors) == 0 &&
		memcmp(a->joints, b->joints, (size_t)a->count * sizeof *a->joints) == 0;
}

/* Notes of each accessor with which others it has weights, and whether always so. */
static void note_weights(struct quantising *quantising, struct json_span primitive, bool is_wide) {
	struct listing listing = {.quantising = quantising};
	primitive_walk(primitive, list_weights, &listing);
	primitive_walk(primitive, list_joints, &listing);
	const struct weight_sets *first = listing.sets.count == 0
		? NULL
		: quantising->accessors[listing.sets.accessors[0]].weights;
	struct weight_sets *sets = (struct weight_sets *)first;
	if (!first || !are_same(first, &listing.sets)) {
		sets = arena_alloc(quantising->arena, 1, sizeof *sets);
		*sets = listing.sets;
	}
	sets->is_wide |= is_wide;
	for (int n = 0; n < sets->count; n++) {
		for (int k = 0; k < n; k++) {
			listing.is_broken |= sets->accessors[n] == sets->accessors[k] ||
				sets->joints[n] == sets->joints[k];
		}
	}
	for (int n = 0; n < 2 * sets->count; n++) {
		const int at = n % 2 ? sets->joints[n / 2] : sets->accessors[n / 2];
		struct quantised_accessor *one = at < 0 ? NULL : &quantising->accessors[at];
		if (one) {
			one->is_torn |= listing.is_broken || (one->weights && one->weights != sets);
			one->weights = sets;
		}
	}
}

static void note_all_weights(struct quantising *quantising, const struct quantise_choice *choices) {
	for (int i = 0; i < quantising->mesh_count; i++) {
		const struct quantised_mesh *mesh = &quantising->meshes[i];
		struct json_items items = json_items_of(json_span_member(mesh->text, "primitives"));
		struct json_span name, primitive;
		while (json_items_next(&items, &name, &primitive)) {
			note_weights(quantising, primitive, choices[i].is_wide);
		}
	}
}

/* What a new view would hold: vertices, indices or neither; 0 = they cannot be moved. */
static unsigned moved_role(const struct quantised_accessor *accessor) {
	const unsigned roles = accessor->roles;
	if (!accessor->is_plain) {
		return 0;
	}
	if ((roles & ROLES_OF_VERTICES) && !(roles & ~ROLES_OF_VERTICES)) {
		return ROLE_ATTRIBUTE;
	}
	return roles == ROLE_INDICES                           ? ROLE_INDICES
		: (roles & (ROLES_OF_VERTICES | ROLE_INDICES)) ? 0
		: accessor->from.size % ALIGNMENT == 0 &&
			accessor->from.stride == accessor->from.size
		? ROLE_OTHER
		: 0;
}

/* Views that lose an accessor lose all of them, if they can. */
static void choose_gone(struct quantising *quantising) {
	const struct parts *parts = &quantising->parts;
	bool *stays = arena_alloc(quantising->arena, (size_t)parts->view_count + 1, sizeof *stays);
	for (int i = 0; i < parts->view_count; i++) {
		stays[i] = quantising->other_views[i] || parts->views[i].size == 0 ||
			json_span_member(parts->views[i].text, "extensions").text;
	}
	for (int i = 0; i < parts->accessor_count; i++) {
		const struct quantised_accessor *accessor = &quantising->accessors[i];
		const int view = parts->accessors[i].view;
		if (view >= 0 && accessor->form != FORM_STAYS) {
			quantising->gone[view] = true;
		} else if (view >= 0 && accessor->movable == 0) {
			stays[view] = true;
		}
	}
	for (int i = 0; i < parts->view_count; i++) {
		quantising->gone[i] &= !stays[i];
	}
	for (int i = 0; i < parts->accessor_count; i++) {
		struct quantised_accessor *accessor = &quantising->accessors[i];
		const int view = parts->accessors[i].view;
		if (view >= 0 && quantising->gone[view] && accessor->form == FORM_STAYS) {
			accessor->form = FORM_MOVED;
		}
	}
}

void quantised_choose(struct quantising *quantising, const struct quantise_choice *choices) {
	note_all_weights(quantising, choices);
	for (int i = 0; i < quantising->parts.accessor_count; i++) {
		struct quantised_accessor *accessor = &quantising->accessors[i];
		if (accessor->roles == ROLE_WEIGHTS && accessor->weights &&
			are_weights(quantising, accessor->weights)) {
			accessor->form = FORM_WEIGHTS;
		}
	}
	for (int i = 0; i < quantising->parts.accessor_count; i++) {
		struct quantised_accessor *accessor = &quantising->accessors[i];
		accessor->movable = moved_role(accessor);
		accessor->form = accessor->form == FORM_WEIGHTS ? FORM_WEIGHTS
								: form_of(quantising, accessor);
	}
	choose_gone(quantising);
}
