// The segments that joints span when vertices were bound.
#include "skin/bones.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "skin/rigid.h"

/* Fills the parents among the slots of a primitive's skin. Joints stand parents before children. */
static void find_parents(const struct rig *rig, const struct primitive *primitive,
	struct arena *arena, struct bone *bones) {
	int *slots = arena_alloc(arena, (size_t)rig->joint_count, sizeof *slots); // -1 = none
	memset(slots, 0xff, (size_t)rig->joint_count * sizeof *slots);
	for (int i = primitive->first_slot + primitive->slot_count - 1; i >= primitive->first_slot;
		i--) {
		slots[rig->slots[i].joint] = i;
	}
	for (int i = primitive->first_slot; i < primitive->first_slot + primitive->slot_count;
		i++) {
		int joint = rig->joints[rig->slots[i].joint].parent;
		while (joint >= 0 && slots[joint] < 0) {
			joint = rig->joints[joint].parent;
		}
		bones[i].parent = joint >= 0 ? slots[joint] : -1;
	}
}

/* Puts each bone's end in the middle of its children; children counts them. */
static void find_ends(const struct rig *rig, int *children, struct bone *bones) {
	for (int i = 0; i < rig->slot_count; i++) {
		const int parent = bones[i].parent;
		if (parent >= 0) {
			children[parent]++;
		}
		for (int k = 0; parent >= 0 && k < 3; k++) {
			bones[parent].to[k] += bones[i].from[k];
		}
	}
	for (int i = 0; i < rig->slot_count; i++) {
		for (int k = 0; k < 3; k++) {
			bones[i].to[k] =
				children[i] > 0 ? bones[i].to[k] / children[i] : bones[i].from[k];
		}
	}
}

/* The distance of a vertex beyond the joint of its pivot, along the bone before it. */
static void reach(
	const struct rig *rig, const struct bone *bones, size_t vertex, int slot, double *lengths) {
	const struct bone *bone = &bones[slot];
	double along[3], out[3];
	if (bone->parent < 0) {
		return;
	}
	vec3_sub(bone->from, bones[bone->parent].from, along);
	for (int k = 0; k < 3; k++) {
		out[k] = (double)rig->positions[vertex * 3 + (size_t)k] - bone->from[k];
	}
	if (vec3_normalize(along)) {
		lengths[slot] = fmax(lengths[slot], vec3_dot(along, out));
	}
}

static void find_lengths(const struct rig *rig, const struct bone *bones, double *lengths) {
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		for (size_t v = 0; v < (size_t)p->vertex_count; v++) {
			const size_t at = p->first_influence + v * (size_t)p->influence_count;
			reach(rig, bones, (size_t)p->first_vertex + v,
				p->first_slot + rig->influence_slots[at], lengths);
		}
	}
}

static void find_tips(
	const struct rig *rig, const int *children, const double *lengths, struct bone *bones) {
	for (int i = 0; i < rig->slot_count; i++) {
		double along[3];
		if (children[i] > 0 || bones[i].parent < 0) {
			continue;
		}
		vec3_sub(bones[i].from, bones[bones[i].parent].from, along);
		for (int k = 0; vec3_normalize(along) && k < 3; k++) {
			bones[i].to[k] = bones[i].from[k] + along[k] * lengths[i];
		}
	}
}

void bones_find(const struct rig *rig, struct arena *arena, struct bone *bones) {
	const size_t count = (size_t)rig->slot_count;
	int *children = arena_alloc(arena, count, sizeof *children);
	double *lengths = arena_alloc(arena, count, sizeof *lengths);
	for (size_t i = 0; i < count; i++) {
		bones[i] = (struct bone){.parent = -1};
		rigid_bind_position(&rig->slots[i], bones[i].from);
	}
	for (int i = 0; i < rig->primitive_count; i++) {
		find_parents(rig, &rig->primitives[i], arena, bones);
	}
	find_ends(rig, children, bones);
	find_lengths(rig, bones, lengths);
	find_tips(rig, children, lengths, bones);
}

double bone_distance(
	const double from[static 3], const double to[static 3], const double point[static 3]) {
	double along[3], out[3];
	vec3_sub(to, from, along);
	vec3_sub(point, from, out);
	const double square = vec3_dot(along, along);
	const double t = square > 1e-12 ? vec3_dot(out, along) / square : 0;
	const double share = fmin(fmax(t, 0), 1);
	for (int k = 0; k < 3; k++) {
		out[k] -= share * along[k];
	}
	return vec3_length(out);
}
