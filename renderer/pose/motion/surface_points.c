// Vertices that stand for a rig's surface.
#include "pose/motion/surface_points.h"

#include <math.h>
#include <string.h>

#include "base/mat.h"
/* Points that may be added. */
#define MORE 64

#define DIRECTIONS 6

/* The outermost vertex of a slot in each direction, and how far out that is. */
struct outermost {
	struct surface_point point[DIRECTIONS];
	double along[DIRECTIONS];
};

static void look_at(const struct rig *rig, const struct primitive *primitive, int vertex,
	struct outermost *slots) {
	const size_t influence =
		primitive->first_influence + (size_t)vertex * (size_t)primitive->influence_count;
	struct outermost *slot = &slots[primitive->first_slot + rig->influence_slots[influence]];
	const float *position = rig->positions + 3 * (size_t)(primitive->first_vertex + vertex);
	for (int i = 0; i < DIRECTIONS; i++) {
		const double along = i % 2 ? -position[i / 2] : position[i / 2];
		if (!slot->point[i].primitive || along > slot->along[i]) {
			slot->point[i] = (struct surface_point){primitive, vertex};
			slot->along[i] = along;
		}
	}
}

static void choose(struct surface_points *points, struct arena *arena) {
	const struct rig *rig = points->rig;
	struct outermost *slots = arena_alloc(arena, (size_t)rig->slot_count, sizeof *slots);
	for (int i = 0; i < rig->primitive_count; i++) {
		for (int v = 0; v < rig->primitives[i].vertex_count; v++) {
			look_at(rig, &rig->primitives[i], v, slots);
		}
	}
	points->room = (size_t)rig->slot_count * DIRECTIONS + MORE;
	points->points = arena_alloc(arena, points->room, sizeof *points->points);
	for (int i = 0; i < rig->slot_count * DIRECTIONS; i++) {
		const struct surface_point *point = &slots[i / DIRECTIONS].point[i % DIRECTIONS];
		// A vertex that is outermost in two directions stands beside itself.
		const struct surface_point *last =
			points->count > 0 ? &points->points[points->count - 1] : NULL;
		if (point->primitive &&
			!(last && last->primitive == point->primitive &&
				last->vertex == point->vertex)) {
			points->points[points->count++] = *point;
		}
	}
}

struct surface_points surface_points_make(
	const struct rig *rig, bool of_joints, struct arena *arena) {
	struct surface_points points = {
		.rig = rig,
		.of_joints = of_joints || rig->vertex_count == 0,
		.shell = shell_make(rig, arena),
		.pose = pose_rest(rig, arena),
		.world = arena_alloc(arena, (size_t)rig->joint_count, sizeof *points.world),
	};
	for (int i = 0; i < 2; i++) {
		points.matrices[i] =
			arena_alloc(arena, (size_t)rig->slot_count, sizeof *points.matrices[i]);
	}
	if (points.of_joints) {
		points.count = points.room = points.shell.point_count;
	} else {
		choose(&points, arena);
	}
	return points;
}

static void find_matrices(
	struct surface_points *points, const struct pose *pose, double (*matrices)[12]) {
	pose_to_moving(points->rig, pose, points->world);
	for (int i = 0; i < points->rig->slot_count; i++) {
		const struct palette_slot *slot = &points->rig->slots[i];
		mat_multiply(points->world[slot->joint], slot->inverse_bind, matrices[i]);
	}
}

/* The position of a vertex before skinning. */
static void morph(const struct rig *rig, const struct pose *pose, const struct surface_point *point,
	double out[static 3]) {
	const struct primitive *primitive = point->primitive;
	const size_t vertex = (size_t)point->vertex;
	const float *position = rig->positions + 3 * ((size_t)primitive->first_vertex + vertex);
	const float *weights = pose->weights + rig->joints[primitive->joint].first_weight;
	for (int k = 0; k < 3; k++) {
		out[k] = position[k];
	}
	for (int t = 0; t < primitive->target_count; t++) {
		const float *delta = primitive->targets[t].positions;
		for (size_t k = 0; delta && weights[t] != 0 && k < 3; k++) {
			out[k] += (double)weights[t] * delta[3 * vertex + k];
		}
	}
}

static void place(const struct rig *rig, const struct pose *pose, double (*const matrices)[12],
	const struct surface_point *point, double out[static 3]) {
	const struct primitive *primitive = point->primitive;
	const size_t count = (size_t)primitive->influence_count;
	const size_t first = primitive->first_influence + (size_t)point->vertex * count;
	double from[3];
	morph(rig, pose, point, from);
	memset(out, 0, 3 * sizeof *out);
	for (size_t i = first; i < first + count; i++) {
		const double weight = rig->influence_weights[i];
		if (!(weight > 0)) {
			continue;
		}
		double moved[3];
		mat_map_point(
			matrices[primitive->first_slot + rig->influence_slots[i]], from, moved);
		for (int k = 0; k < 3; k++) {
			out[k] += weight * moved[k];
		}
	}
}

void surface_points_find(struct surface_points *points, const struct pose *pose, double (*out)[3]) {
	if (points->of_joints) {
		shell_find_points(&points->shell, pose, out);
		return;
	}
	find_matrices(points, pose, points->matrices[0]);
	for (size_t i = 0; i < points->count; i++) {
		place(points->rig, pose, points->matrices[0], &points->points[i], out[i]);
	}
}

double surface_points_farthest(struct surface_points *points, const struct pose *a,
	const struct pose *b, struct surface_point *farthest) {
	const struct rig *rig = points->rig;
	double greatest = -1;
	find_matrices(points, a, points->matrices[0]);
	find_matrices(points, b, points->matrices[1]);
	for (int i = 0; i < rig->primitive_count; i++) {
		for (int v = 0; v < rig->primitives[i].vertex_count; v++) {
			const struct surface_point point = {&rig->primitives[i], v};
			double places[2][1][3];
			place(rig, a, points->matrices[0], &point, places[0][0]);
			place(rig, b, points->matrices[1], &point, places[1][0]);
			const double distance = shell_distance(
				(const double(*)[3])places[0], (const double(*)[3])places[1], 1);
			if (distance > greatest) {
				greatest = distance;
				*farthest = point;
			}
		}
	}
	return greatest;
}

bool surface_points_add(struct surface_points *points, const struct surface_point *point) {
	bool is_new = points->count < points->room;
	for (size_t i = 0; is_new && i < points->count; i++) {
		is_new = points->points[i].primitive != point->primitive ||
			points->points[i].vertex != point->vertex;
	}
	if (is_new) {
		points->points[points->count++] = *point;
	}
	return is_new;
}
