// Points of joints: the outermost vertices that follow them.
#include "compress/skin_points.h"

#include <math.h>
#include <string.h>

#include "base/mat.h"
#include "base/vec.h"

#define CORNERS 8
#define DIRECTIONS (CORNERS + 6)
#define SHARE_MIN 0.5 // of the greatest weight that any vertex has on a joint
#define FLAT 0.05     // of the reach: points that are no farther from a line or plane lie in it
#define POINTS_MAX (DIRECTIONS + SHELL_POINTS - 1)

/* The corners of a cube, and its faces. */
static void direction_of(int i, double out[static 3]) {
	for (int k = 0; k < 3; k++) {
		const int face = i - CORNERS - 2 * k;
		out[k] = i < CORNERS ? (i >> k & 1 ? 1 : -1) : face == 0 ? 1 : face == 1 ? -1 : 0;
	}
}

/* One vertex in the axes of one of its joints. */
struct follower {
	int joint, vertex;
	double weight, place[3];
};

typedef void visit(void *context, const struct follower *follower);

/* Visits the influences of all vertices that are above 0. */
static void visit_followers(const struct rig *rig, visit *call, void *context) {
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		const int end = primitive->first_vertex + primitive->vertex_count;
		size_t at = primitive->first_influence;
		for (int v = primitive->first_vertex; v < end; v++) {
			const float *p = &rig->positions[3 * (size_t)v];
			const double place[3] = {(double)p[0], (double)p[1], (double)p[2]};
			for (int k = 0; k < primitive->influence_count; k++, at++) {
				const struct palette_slot *slot =
					&rig->slots[primitive->first_slot +
						rig->influence_slots[at]];
				struct follower follower = {.joint = slot->joint,
					.vertex = v,
					.weight = (double)rig->influence_weights[at]};
				mat_map_point(slot->inverse_bind, place, follower.place);
				if (follower.weight > 0) {
					call(context, &follower);
				}
			}
		}
	}
}

/* The outermost vertices of a joint. */
struct outermost {
	double weight; // the greatest of any vertex; 0 = none follows the joint
	double along[DIRECTIONS];
	int vertices[DIRECTIONS];
	double places[DIRECTIONS][3];
};

static void see_weight(void *context, const struct follower *follower) {
	struct outermost *joint = (struct outermost *)context + follower->joint;
	joint->weight = fmax(joint->weight, follower->weight);
}

static void see_place(void *context, const struct follower *follower) {
	struct outermost *joint = (struct outermost *)context + follower->joint;
	if (follower->weight < SHARE_MIN * joint->weight) {
		return;
	}
	for (int i = 0; i < DIRECTIONS; i++) {
		double direction[3];
		direction_of(i, direction);
		const double along = vec3_dot(direction, follower->place);
		if (joint->vertices[i] < 0 || along > joint->along[i]) {
			joint->along[i] = along;
			joint->vertices[i] = follower->vertex;
			memcpy(joint->places[i], follower->place, sizeof joint->places[i]);
		}
	}
}

static double farthest(const double (*points)[3], int count) {
	double most = 0;
	for (int i = 0; i < count; i++) {
		most = fmax(most, vec3_length(points[i]));
	}
	return most;
}

/* True when turning about some line, or stretching along an axis, leaves the points almost where
 * they are, which would tell nothing of such numbers. */
static bool are_flat(const double (*points)[3], int count, double reach) {
	double sides[3] = {0}, aside = 0;
	const double *far = points[0];
	for (int i = 0; i < count; i++) {
		far = vec3_length(points[i]) > vec3_length(far) ? points[i] : far;
		for (int k = 0; k < 3; k++) {
			sides[k] = fmax(sides[k], fabs(points[i][k]));
		}
	}
	for (int i = 0; i < count; i++) {
		double cross[3];
		vec3_cross(far, points[i], cross);
		aside = fmax(aside, vec3_length(cross) / reach);
	}
	return fmin(aside, fmin(sides[0], fmin(sides[1], sides[2]))) < FLAT * reach;
}

/* Appends a joint's points; returns how many. */
static int list_points(const struct outermost *joint, double (*points)[3]) {
	int count = 0;
	for (int i = 0; i < DIRECTIONS; i++) {
		bool is_new = true;
		for (int k = 0; k < i; k++) {
			is_new = is_new && joint->vertices[k] != joint->vertices[i];
		}
		if (is_new) {
			memcpy(points[count++], joint->places[i], sizeof *points);
		}
	}
	const double reach = farthest((const double(*)[3])points, count);
	if (reach > 0 && are_flat((const double(*)[3])points, count, reach)) {
		double beside[SHELL_POINTS][3];
		error_shell_points(FLAT * reach, beside);
		for (int k = 1; k < SHELL_POINTS; k++) {
			memcpy(points[count++], beside[k], sizeof *points);
		}
	}
	return count;
}

/* A list of vertices, each once. */
struct list {
	bool *seen; // [vertex_count]
	int *vertices, count;
};

static void append(struct list *list, int vertex) {
	if (!list->seen[vertex]) {
		list->seen[vertex] = true;
		list->vertices[list->count++] = vertex;
	}
}

static void list_outermost(const struct outermost *joints, int joint_count, struct list *list) {
	for (int i = 0; i < joint_count; i++) {
		for (int k = 0; k < DIRECTIONS && joints[i].weight > 0; k++) {
			append(list, joints[i].vertices[k]);
		}
	}
}

/* The vertex that each morph target moves farthest. */
static void list_morphed(const struct rig *rig, struct list *list) {
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		for (int t = 0; t < primitive->target_count; t++) {
			const float *moves = primitive->targets[t].positions;
			double most = 0;
			int farthest = -1;
			for (int v = 0; moves && v < primitive->vertex_count; v++) {
				const float *move = moves + 3 * (size_t)v;
				const double vector[3] = {
					(double)move[0], (double)move[1], (double)move[2]};
				if (vec3_length(vector) > most) {
					most = vec3_length(vector);
					farthest = v;
				}
			}
			if (farthest >= 0) {
				append(list, primitive->first_vertex + farthest);
			}
		}
	}
}

static int count_targets(const struct rig *rig) {
	int count = 0;
	for (int i = 0; i < rig->primitive_count; i++) {
		count += rig->primitives[i].target_count;
	}
	return count;
}

static struct outermost *find_outermost(const struct rig *rig, struct arena *arena) {
	struct outermost *joints = arena_alloc(arena, (size_t)rig->joint_count + 1, sizeof *joints);
	for (int i = 0; i < rig->joint_count; i++) {
		for (int k = 0; k < DIRECTIONS; k++) {
			joints[i].vertices[k] = -1;
		}
	}
	visit_followers(rig, see_weight, joints);
	visit_followers(rig, see_place, joints);
	return joints;
}

struct skin_points skin_points_choose(const struct rig *rig, const struct error_shell *shell,
	bool free_unskinned, struct arena *arena) {
	const size_t count = (size_t)rig->joint_count;
	const struct outermost *joints = find_outermost(rig, arena);
	double(*points)[3] =
		arena_alloc(arena, POINTS_MAX * count + SKIN_POINTS_MORE, sizeof *points);
	int *first = arena_alloc(arena, count + 1, sizeof *first);
	double *reach = arena_alloc(arena, count + 1, sizeof *reach);
	bool *unskinned = arena_alloc(arena, count + 1, sizeof *unskinned);
	for (int i = 0; i < rig->joint_count; i++) {
		double(*own)[3] = points + first[i];
		int own_count = 0;
		unskinned[i] = !(joints[i].weight > 0);
		if (!unskinned[i]) {
			own_count = list_points(&joints[i], own);
		} else if (!free_unskinned) {
			error_shell_points(shell->distance[i], own);
			own_count = SHELL_POINTS;
		}
		first[i + 1] = first[i] + own_count;
		reach[i] = own_count > 0 ? farthest((const double(*)[3])own, own_count) : -1;
	}
	struct skin_points out = {
		.rig = rig, .shell = *shell, .unskinned = free_unskinned ? NULL : unskinned};
	out.shell.first_point = out.first_point = first;
	out.shell.reach = out.reach = reach;
	out.places = points;
	out.shell.points = (const double(*)[3])points;
	out.shell.is_skin = true;
	const int most = DIRECTIONS * rig->joint_count + count_targets(rig) + SKIN_POINTS_MORE;
	out.vertices = arena_alloc(arena, (size_t)most, sizeof(int));
	struct list list = {.seen = arena_alloc(arena, (size_t)rig->vertex_count + 1, sizeof(bool)),
		.vertices = out.vertices};
	list_outermost(joints, rig->joint_count, &list);
	list_morphed(rig, &list);
	out.count = list.count;
	out.room = list.count + SKIN_POINTS_MORE;
	return out;
}

/* The joint that a vertex follows most, and its place in the axes there. */
static int place_of(const struct rig *rig, int vertex, double place[static 3]) {
	const struct primitive *primitive = rig->primitives;
	while (vertex >= primitive->first_vertex + primitive->vertex_count) {
		primitive++;
	}
	const size_t at = primitive->first_influence +
		(size_t)(vertex - primitive->first_vertex) * (size_t)primitive->influence_count;
	const struct palette_slot *slot =
		&rig->slots[primitive->first_slot + rig->influence_slots[at]];
	const float *p = &rig->positions[3 * (size_t)vertex];
	const double rest[3] = {(double)p[0], (double)p[1], (double)p[2]};
	mat_map_point(slot->inverse_bind, rest, place);
	return slot->joint;
}

bool skin_points_add(struct skin_points *points, int vertex) {
	for (int i = 0; i < points->count; i++) {
		if (points->vertices[i] == vertex) {
			return false;
		}
	}
	if (points->count == points->room) {
		return false;
	}
	points->vertices[points->count++] = vertex;
	double place[3];
	const int joint = place_of(points->rig, vertex, place), joints = points->rig->joint_count;
	const int at = points->first_point[joint + 1];
	const size_t behind = (size_t)(points->first_point[joints] - at);
	memmove(points->places[at + 1], points->places[at], behind * sizeof *points->places);
	memcpy(points->places[at], place, sizeof place);
	for (int i = joint + 1; i <= joints; i++) {
		points->first_point[i]++;
	}
	points->reach[joint] = fmax(points->reach[joint], vec3_length(place));
	return true;
}
