// Joints, seen from the vertices that follow them.
#include "fit/joints.h"

#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "base/quat.h"
#include "base/vec.h"
#include "fit/equations.h"

static int slot_joint(const struct rig *rig, const struct primitive *primitive, uint16_t slot) {
	return rig->slots[primitive->first_slot + slot].joint;
}

/* Marks the joints that the primitive's vertices follow; returns how many. */
static int mark_followed(const struct rig *rig, const struct primitive *primitive, bool *followed) {
	memset(followed, 0, (size_t)rig->joint_count * sizeof *followed);
	const size_t count = (size_t)primitive->vertex_count * (size_t)primitive->influence_count;
	const uint16_t *slots = rig->influence_slots + primitive->first_influence;
	const float *weights = rig->influence_weights + primitive->first_influence;
	int marked = 0;
	for (size_t i = 0; i < count; i++) {
		bool *mark = &followed[slot_joint(rig, primitive, slots[i])];
		if (weights[i] > 0 && !*mark) {
			*mark = true;
			marked++;
		}
	}
	return marked;
}

/* Counts the followed joints below each joint, itself included. */
static void count_below(const struct rig *rig, const bool *followed, int *below) {
	for (int j = 0; j < rig->joint_count; j++) {
		below[j] = followed[j];
	}
	for (int j = rig->joint_count - 1; j >= 0; j--) {
		if (rig->joints[j].parent >= 0) {
			below[rig->joints[j].parent] += below[j];
		}
	}
}

/* Scratch for one primitive. */
struct marks {
	bool *followed;
	int *below;
	int count; // of joints that are followed
};

static struct marks marks_create(const struct rig *rig) {
	struct marks marks = {xcalloc((size_t)rig->joint_count, sizeof *marks.followed),
		xcalloc((size_t)rig->joint_count, sizeof *marks.below), 0};
	return marks;
}

static void marks_set(
	struct marks *marks, const struct rig *rig, const struct primitive *primitive) {
	marks->count = mark_followed(rig, primitive, marks->followed);
	count_below(rig, marks->followed, marks->below);
}

static void marks_destroy(struct marks *marks) {
	free(marks->followed);
	free(marks->below);
}

void joints_that_bend(const struct rig *rig, bool *bends) {
	memset(bends, 0, (size_t)rig->joint_count * sizeof *bends);
	struct marks marks = marks_create(rig);
	for (int p = 0; p < rig->primitive_count; p++) {
		marks_set(&marks, rig, &rig->primitives[p]);
		for (int j = 0; j < rig->joint_count; j++) {
			bends[j] |= 0 < marks.below[j] && marks.below[j] < marks.count;
		}
	}
	marks_destroy(&marks);
}

int joints_moved(
	const struct rig *rig, const bool *bends, const struct transform *local, int *moved) {
	int count = 0;
	for (int j = 0; j < rig->joint_count; j++) {
		double rest[4], now[4];
		for (int i = 0; i < 4; i++) {
			rest[i] = rig->joints[j].rest.rotation[i];
			now[i] = local[j].rotation[i];
		}
		quat_normalize(rest);
		quat_normalize(now);
		if (bends[j] && metric_angle(rest, now) > JOINTS_MIN_TURN) {
			moved[count++] = j;
		}
	}
	return count;
}

/* The unit vector along a translation, into direction; false where it has no length. */
static bool direction_of(const float translation[static 3], double direction[static 3]) {
	for (int i = 0; i < 3; i++) {
		direction[i] = translation[i];
	}
	return vec3_length(direction) > 1e-9 && vec3_normalize(direction);
}

/* The direction from the parent into the joint's own frame. */
static bool way_on(const struct transform *rest, double axis[static 3]) {
	const float origin[3] = {0}, one[3] = {1, 1, 1};
	double along[3], turn[12], back[12];
	if (!direction_of(rest->translation, along)) {
		return false;
	}
	mat_from_transform(origin, rest->rotation, one, turn);
	const bool invertible = mat_invert(turn, back);
	mat_map_direction(back, along, axis);
	return invertible;
}

bool joints_bone(const struct rig *rig, int joint, double axis[static 3]) {
	double sum[3] = {0};
	int children = 0;
	for (int j = joint + 1; j < rig->joint_count; j++) {
		double along[3];
		if (rig->joints[j].parent == joint &&
			direction_of(rig->joints[j].rest.translation, along)) {
			children++;
			for (int i = 0; i < 3; i++) {
				sum[i] += along[i];
			}
		}
	}
	if (children == 0) {
		return way_on(&rig->joints[joint].rest, axis);
	}
	memcpy(axis, sum, sizeof sum);
	return vec3_length(axis) > 1e-3 && vec3_normalize(axis);
}

/* The slot of a joint among the primitive's, -1 = none. */
static int find_slot(const struct rig *rig, const struct primitive *primitive, int joint) {
	for (int slot = 0; slot < primitive->slot_count; slot++) {
		if (rig->slots[primitive->first_slot + slot].joint == joint) {
			return primitive->first_slot + slot;
		}
	}
	return -1;
}

/* The root slot of a primitive's slots, by the joints that are marked. */
static int root_slot(
	const struct rig *rig, const struct primitive *primitive, const struct marks *marks) {
	int root = -1, first = -1;
	for (int j = 0; j < rig->joint_count; j++) {
		root = marks->count > 0 && marks->below[j] == marks->count ? j : root;
		first = first < 0 && marks->followed[j] ? j : first;
	}
	const int slot = root < 0 ? -1 : find_slot(rig, primitive, root);
	return slot >= 0 || first < 0 ? slot : find_slot(rig, primitive, first);
}

/* Marks what all primitives that begin with the same slot follow. */
static void marks_add_skin(struct marks *marks, const struct rig *rig, int first_slot) {
	bool *all = xcalloc((size_t)rig->joint_count, sizeof *all);
	for (int p = 0; p < rig->primitive_count; p++) {
		if (rig->primitives[p].first_slot == first_slot) {
			mark_followed(rig, &rig->primitives[p], marks->followed);
			for (int j = 0; j < rig->joint_count; j++) {
				all[j] |= marks->followed[j];
			}
		}
	}
	marks->count = 0;
	for (int j = 0; j < rig->joint_count; j++) {
		marks->followed[j] = all[j];
		marks->count += all[j];
	}
	count_below(rig, marks->followed, marks->below);
	free(all);
}

void joints_find_roots(const struct rig *rig, int *roots) {
	for (int slot = 0; slot < rig->slot_count; slot++) {
		roots[slot] = slot;
	}
	struct marks marks = marks_create(rig);
	for (int p = 0; p < rig->primitive_count; p++) {
		const struct primitive *primitive = &rig->primitives[p];
		marks_add_skin(&marks, rig, primitive->first_slot);
		const int root = root_slot(rig, primitive, &marks);
		for (int i = 0; root >= 0 && i < primitive->slot_count; i++) {
			roots[primitive->first_slot + i] = root;
		}
	}
	marks_destroy(&marks);
}

/* The nearest joint above that is followed, -1 where there is none. */
static int followed_parent(const struct rig *rig, const bool *followed, int joint) {
	do {
		joint = joint < 0 ? -1 : rig->joints[joint].parent;
	} while (joint >= 0 && !followed[joint]);
	return joint;
}

/* A joint, its parent, and the parent's parent; -1 = none. */
struct chain {
	int joint, parent, grandparent;
};

/* The weight of a joint in a vertex. */
static double weight_of(
	const struct rig *rig, const struct primitive *primitive, int vertex, int joint) {
	const size_t first = primitive->first_influence +
		(size_t)(vertex - primitive->first_vertex) * (size_t)primitive->influence_count;
	double sum = 0;
	for (size_t i = first; i < first + (size_t)primitive->influence_count; i++) {
		if (slot_joint(rig, primitive, rig->influence_slots[i]) == joint) {
			sum += rig->influence_weights[i];
		}
	}
	return sum;
}

static int owner_of(const struct rig *rig, const struct primitive *primitive, int vertex,
	const struct chain *chains, int count) {
	int owner = -1;
	double greatest = -1;
	for (int i = 0; i < count; i++) {
		const struct chain *c = &chains[i];
		if (c->parent < 0 || !(weight_of(rig, primitive, vertex, c->parent) > 0) ||
			(c->grandparent >= 0 &&
				weight_of(rig, primitive, vertex, c->grandparent) > 0)) {
			continue;
		}
		const double weight = weight_of(rig, primitive, vertex, c->joint);
		if (weight > greatest) {
			owner = i;
			greatest = weight;
		}
	}
	return owner;
}

void joints_assign_supports(const struct rig *rig, const int *joints, int count, int *owners) {
	struct marks marks = marks_create(rig);
	struct chain *chains = xcalloc((size_t)count + 1, sizeof *chains);
	for (int p = 0; p < rig->primitive_count; p++) {
		const struct primitive *primitive = &rig->primitives[p];
		marks_set(&marks, rig, primitive);
		for (int i = 0; i < count; i++) {
			const int parent = followed_parent(rig, marks.followed, joints[i]);
			chains[i] = (struct chain){
				joints[i], parent, followed_parent(rig, marks.followed, parent)};
		}
		for (int v = 0; v < primitive->vertex_count; v++) {
			const int vertex = primitive->first_vertex + v;
			owners[vertex] = owner_of(rig, primitive, vertex, chains, count);
		}
	}
	free(chains);
	marks_destroy(&marks);
}
