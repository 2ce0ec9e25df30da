// The constraints of nodes, each behind those that move what it reads.
#include "import/vrm.h"

static bool read_axis(const struct gltf_item *item, enum avatar_constraint_kind kind,
	double axis[static 3], struct error *err) {
	static const char *const roll[] = {"X", "Y", "Z", NULL};
	static const char *const aim[] = {
		"PositiveX", "PositiveY", "PositiveZ", "NegativeX", "NegativeY", "NegativeZ", NULL};
	int chosen = -1;
	if (kind == AVATAR_ROTATION) {
		return true;
	}
	const char *name = kind == AVATAR_ROLL ? "rollAxis" : "aimAxis";
	if (!gltf_choice(item, name, kind == AVATAR_ROLL ? roll : aim, &chosen, err)) {
		return false;
	}
	if (chosen < 0) {
		return gltf_broken(item, err, "has no %s", name);
	}
	axis[chosen % 3] = chosen < 3 ? 1 : -1;
	return true;
}

static bool read_constraint(const struct vrm *vrm, const struct gltf_item *object,
	struct avatar_constraint *constraint, struct error *err) {
	static const char *const kinds[] = {
		[AVATAR_ROTATION] = "rotation", [AVATAR_ROLL] = "roll", [AVATAR_AIM] = "aim"};
	struct gltf_item item = {0};
	int kind = -1;
	for (int i = 0; i < 3; i++) {
		const struct gltf_item member = gltf_member(object, kinds[i]);
		if (member.json) {
			kind = i;
			item = member;
		}
	}
	if (kind < 0) {
		return gltf_broken(object, err, "has no roll, aim or rotation");
	}
	constraint->kind = (enum avatar_constraint_kind)kind;
	constraint->source = -1;
	constraint->weight = 1;
	if (!vrm_joint(vrm, &item, "source", &constraint->source, err) ||
		!vrm_number(&item, "weight", &constraint->weight, err) ||
		!read_axis(&item, constraint->kind, constraint->axis, err)) {
		return false;
	}
	if (constraint->source < 0 || constraint->source == constraint->joint) {
		return gltf_broken(&item, err, "needs another node as its source");
	}
	return (constraint->weight >= 0 && constraint->weight <= 1) ||
		gltf_broken(&item, err, "weight is %g, must be from 0 to 1", constraint->weight);
}

/* The constraint that turns a node; found is false where there is none. */
static bool read_of_node(const struct vrm *vrm, const struct gltf_node *node,
	struct avatar_constraint *constraint, bool *found, struct error *err) {
	struct gltf_item extensions, extension, object;
	constraint->joint = node->joint;
	if (!vrm_object(&node->item, "extensions", &extensions, err) ||
		!vrm_object(&extensions, "VRMC_node_constraint", &extension, err) ||
		!vrm_object(&extension, "constraint", &object, err)) {
		return false;
	}
	*found = object.json;
	return !*found || read_constraint(vrm, &object, constraint, err);
}

/* What has to be settled: the rotation of a joint, and where it is. */
struct order {
	const struct rig *rig;
	const struct avatar_constraint *constraints; // in the file's order
	const int *drivers;                          // [joint_count] into them; -1 = none
	unsigned char *states; // [2 * joint_count] of rotations, then of places
	int *stack;            // [2 * joint_count]
	struct avatar_constraint *out;
	int out_count;
};

enum { NEW, OPEN, DONE };

/* What a thing waits for: at most two others; -1 = none. */
static void find_needs(const struct order *order, int thing, int needs[static 2]) {
	const int joints = order->rig->joint_count;
	needs[0] = needs[1] = -1;
	if (thing >= joints) {
		const int parent = order->rig->joints[thing - joints].parent;
		needs[0] = parent;
		needs[1] = parent < 0 ? -1 : parent + joints;
	} else if (order->drivers[thing] >= 0) {
		const struct avatar_constraint *c = &order->constraints[order->drivers[thing]];
		const bool aims = c->kind == AVATAR_AIM;
		needs[0] = aims ? thing + joints : c->source;
		needs[1] = aims ? c->source + joints : -1;
	}
}

static void finish(struct order *order, int thing) {
	order->states[thing] = DONE;
	if (thing < order->rig->joint_count && order->drivers[thing] >= 0) {
		order->out[order->out_count++] = order->constraints[order->drivers[thing]];
	}
}

/* Settles a joint's rotation after all that it waits for; false when that is itself. */
static bool settle(struct order *order, int joint) {
	int depth = 0;
	order->stack[depth++] = joint;
	while (depth > 0) {
		const int thing = order->stack[depth - 1];
		int needs[2], next = -1;
		find_needs(order, thing, needs);
		order->states[thing] = OPEN;
		for (int i = 0; i < 2; i++) {
			if (needs[i] >= 0 && order->states[needs[i]] == OPEN) {
				return false;
			}
			next = needs[i] >= 0 && order->states[needs[i]] == NEW ? needs[i] : next;
		}
		if (next >= 0) {
			order->stack[depth++] = next;
		} else {
			finish(order, thing);
			depth--;
		}
	}
	return true;
}

static bool sort_constraints(struct vrm *vrm, const struct avatar_constraint *constraints,
	int count, struct error *err) {
	struct arena *arena = vrm->gltf->arena;
	const size_t joints = (size_t)vrm->gltf->rig->joint_count;
	int *drivers = arena_alloc(arena, joints, sizeof *drivers);
	for (size_t i = 0; i < joints; i++) {
		drivers[i] = -1;
	}
	for (int i = 0; i < count; i++) {
		drivers[constraints[i].joint] = i;
	}
	struct order order = {
		.rig = vrm->gltf->rig,
		.constraints = constraints,
		.drivers = drivers,
		.states = arena_alloc(arena, 2 * joints, 1),
		.stack = arena_alloc(arena, 2 * joints, sizeof *order.stack),
		.out = vrm->avatar->constraints,
	};
	for (int i = 0; i < count; i++) {
		const int joint = constraints[i].joint;
		if (order.states[joint] == NEW && !settle(&order, joint)) {
			const int node = vrm->gltf->rig->joints[joint].index;
			return gltf_broken(&vrm->gltf->nodes[node].item, err,
				"its constraint depends on itself");
		}
	}
	vrm->avatar->constraint_count = order.out_count;
	return true;
}

bool vrm_read_constraints(struct vrm *vrm, struct error *err) {
	const struct gltf *gltf = vrm->gltf;
	struct avatar_constraint *constraints =
		arena_alloc(gltf->arena, (size_t)gltf->node_count, sizeof *constraints);
	int count = 0;
	for (int i = 0; i < gltf->node_count; i++) {
		bool found = false;
		if (!read_of_node(vrm, &gltf->nodes[i], &constraints[count], &found, err)) {
			return false;
		}
		count += found;
	}
	vrm->avatar->constraints = vrm_storage(vrm, (size_t)count, sizeof *constraints, err);
	return vrm->avatar->constraints && sort_constraints(vrm, constraints, count, err);
}
