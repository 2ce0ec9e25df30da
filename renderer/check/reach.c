// The reaches of joints: how far the vertices that follow them lie.
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "check/asset_internal.h"
#include "check/percentile.h"

/* --- Own radii --- */

/* Distances of vertices from the joints that they follow, gathered by joint. */
struct distances {
	int *first;     // [joint_count + 1]
	double *values; // in any order within a joint
};

/* Adds each vertex to its joints: the dominant one, or all of at least CHECK_CARRIED_WEIGHT. add is
 * called with every pair. */
typedef void add_distance(void *context, int joint, int vertex);

static void for_each_pair(
	const struct check_asset *asset, bool dominant_only, add_distance *add, void *context) {
	const struct rig *rig = asset->rig;
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		for (int v = p->first_vertex; v < p->first_vertex + p->vertex_count; v++) {
			const size_t at = p->first_influence +
				(size_t)(v - p->first_vertex) * (size_t)p->influence_count;
			if (asset->nonfinite[v]) {
				continue;
			}
			if (dominant_only) {
				add(context, asset->dominant[v], v);
			}
			for (int k = 0; !dominant_only && k < p->influence_count; k++) {
				const int slot =
					p->first_slot + rig->influence_slots[at + (size_t)k];
				const int joint = rig->slots[slot].joint;
				if (joint == asset->dominant[v] ||
					(double)rig->influence_weights[at + (size_t)k] >=
						CHECK_CARRIED_WEIGHT) {
					add(context, joint, v);
				}
			}
		}
	}
}

struct gather {
	const struct check_asset *asset;
	struct distances *distances;
	int *filled; // [joint_count]
};

static void count_pair(void *context, int joint, int vertex) {
	struct gather *gather = context;
	(void)vertex;
	gather->distances->first[joint + 1]++;
}

static void store_pair(void *context, int joint, int vertex) {
	struct gather *gather = context;
	double origin[3], way[3];
	check_joint_origin(gather->asset, joint, origin);
	for (int k = 0; k < 3; k++) {
		way[k] = gather->asset->rest_vertices[vertex][k] - origin[k];
	}
	const int at = gather->distances->first[joint] + gather->filled[joint]++;
	gather->distances->values[at] = vec3_length(way);
}

/* Twice the median distance of a joint's vertices, or leaves own as it is where it has none. */
static void add_radii(const struct check_asset *asset, bool dominant_only, double *own) {
	const size_t joints = (size_t)asset->rig->joint_count;
	struct arena *scratch = arena_create();
	struct distances distances = {.first = arena_alloc(scratch, joints + 1, sizeof(int))};
	struct gather gather = {asset, &distances, arena_alloc(scratch, joints, sizeof(int))};
	for_each_pair(asset, dominant_only, count_pair, &gather);
	for (size_t i = 0; i < joints; i++) {
		distances.first[i + 1] += distances.first[i];
	}
	distances.values =
		arena_alloc(scratch, (size_t)distances.first[joints], sizeof *distances.values);
	for_each_pair(asset, dominant_only, store_pair, &gather);
	for (size_t i = 0; i < joints; i++) {
		double *values = distances.values + distances.first[i];
		const int count = distances.first[i + 1] - distances.first[i];
		if (count > 0 && own[i] == 0) {
			own[i] = 2 * check_percentile(values, count, 0.5);
		}
	}
	arena_destroy(scratch);
}

static double joint_distance(const struct check_asset *asset, int a, int b) {
	double x[3], y[3];
	check_joint_origin(asset, a, x);
	check_joint_origin(asset, b, y);
	for (int k = 0; k < 3; k++) {
		x[k] -= y[k];
	}
	return vec3_length(x);
}

/* A skeleton without vertices: as far as the farthest child, and half the way to the parent. */
static void add_bare_radii(const struct check_asset *asset, double *own) {
	const struct rig *rig = asset->rig;
	for (int i = 0; i < rig->joint_count; i++) {
		const int parent = rig->joints[i].parent;
		if (parent >= 0 && asset->in_skin[i] && asset->in_skin[parent]) {
			own[parent] = fmax(own[parent], joint_distance(asset, i, parent));
		}
	}
	for (int i = 0; i < rig->joint_count; i++) {
		if (asset->in_skin[i] && own[i] == 0 && rig->joints[i].parent >= 0) {
			own[i] = 0.5 * joint_distance(asset, i, rig->joints[i].parent);
		}
	}
}

/* --- The farthest joint below --- */

/* Joints of a box at the ends of the tree of boxes. */
#define BOX_JOINTS 8

/* Boxes that one search looks into: all of a rig with up to 4,096 joints. Of larger ones, whose
 * joints lie as if thrown together, it takes the most promising. */
#define BOXES_MAX 1024

/* Rounding of the bounds: no joint beyond them is missed. */
#define BOUND_MARGIN (1 + 1e-9)

/* Joints that lie one after another in a row: where they are, and the greatest of their radii. */
struct box {
	double low[3], high[3], own; // own 0 = none has vertices
};

/* A joint in the row. */
struct placed {
	double at[3], own;
};

/* All joints in a row in which those below a joint follow it, and a tree of boxes over the row. A
 * chain's joints lie near their neighbours, so that few boxes may have one farther than the
 * farthest so far. */
struct row {
	int count;
	struct placed *joints; // [count]
	int *place, *size;     // [count] of a joint in the row, with those below it
	int ends;              // boxes of BOX_JOINTS joints, a power of 2
	struct box *boxes;     // [2 * ends]: box i has the boxes 2i and 2i + 1; 1 has all
};

static void make_row(
	const struct check_asset *asset, const double *own, struct row *row, struct arena *arena) {
	const struct rig *rig = asset->rig;
	const size_t count = (size_t)rig->joint_count;
	int *next = arena_alloc(arena, count + 1, sizeof *next);
	row->count = rig->joint_count;
	row->joints = arena_alloc(arena, count, sizeof *row->joints);
	row->place = arena_alloc(arena, count, sizeof *row->place);
	row->size = arena_alloc(arena, count, sizeof *row->size);
	// Parents come first.
	for (int i = rig->joint_count - 1; i >= 0; i--) {
		row->size[i]++;
		if (rig->joints[i].parent >= 0) {
			row->size[rig->joints[i].parent] += row->size[i];
		}
	}
	for (int i = 0; i < rig->joint_count; i++) {
		int *at = &next[rig->joints[i].parent + 1];
		row->place[i] = *at;
		row->joints[*at].own = own[i];
		check_joint_origin(asset, i, row->joints[*at].at);
		*at += row->size[i];
		next[i + 1] = row->place[i] + 1;
	}
}

static double greater(double a, double b) {
	return a > b ? a : b;
}

static void add_joint(const struct placed *joint, struct box *box) {
	if (joint->own > 0) {
		box->own = fmax(box->own, joint->own);
		for (int k = 0; k < 3; k++) {
			box->low[k] = fmin(box->low[k], joint->at[k]);
			box->high[k] = fmax(box->high[k], joint->at[k]);
		}
	}
}

static struct box join(const struct box *a, const struct box *b) {
	struct box box = {.own = fmax(a->own, b->own)};
	for (int k = 0; k < 3; k++) {
		box.low[k] = fmin(a->low[k], b->low[k]);
		box.high[k] = fmax(a->high[k], b->high[k]);
	}
	return box;
}

static void make_boxes(struct row *row, struct arena *arena) {
	row->ends = 1;
	while ((long)row->ends * BOX_JOINTS < row->count) {
		row->ends *= 2;
	}
	row->boxes = arena_alloc(arena, 2 * (size_t)row->ends, sizeof *row->boxes);
	for (int i = 2 * row->ends - 1; i > 0; i--) {
		struct box *box = &row->boxes[i];
		if (i < row->ends) {
			*box = join(&row->boxes[2 * i], &row->boxes[2 * i + 1]);
			continue;
		}
		*box = (struct box){
			{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0};
		const int first = (i - row->ends) * BOX_JOINTS;
		for (int k = first; k < first + BOX_JOINTS && k < row->count; k++) {
			add_joint(&row->joints[k], box);
		}
	}
}

/* A joint whose reach is looked for. */
struct search {
	const struct row *row;
	const struct placed *joint;
	int first, end; // those below it in the row
	double reach;   // so far
	int boxes;      // that were looked into
};

/* The reach that joints of a box give at most; NAN where they give none. */
static double bound_of(const struct search *search, const struct box *box) {
	double way[3];
	for (int k = 0; k < 3; k++) {
		const double at = search->joint->at[k];
		way[k] = greater(box->high[k] - at, at - box->low[k]);
	}
	return box->own > 0 ? (vec3_length(way) + box->own) * BOUND_MARGIN : 0;
}

static void look_at_joints(struct search *search, int first) {
	const int begin = first > search->first ? first : search->first;
	const int end = first + BOX_JOINTS < search->end ? first + BOX_JOINTS : search->end;
	for (int i = begin; i < end; i++) {
		const struct placed *joint = &search->row->joints[i];
		double way[3];
		vec3_sub(joint->at, search->joint->at, way);
		// Not what is no number.
		if (joint->own > 0 && vec3_length(way) + joint->own > search->reach) {
			search->reach = vec3_length(way) + joint->own;
		}
	}
}

/* Looks into a box over `count` ends from one on. */
static void look_into(struct search *search, int box, int end, int count) {
	const struct row *row = search->row;
	const int first = end * BOX_JOINTS;
	if (first >= search->end || first + count * BOX_JOINTS <= search->first ||
		!(bound_of(search, &row->boxes[box]) > search->reach) ||
		++search->boxes > BOXES_MAX) {
		return;
	}
	if (count == 1) {
		look_at_joints(search, first);
		return;
	}
	// The one that may have a farther joint goes first.
	const int half = count / 2, left = 2 * box;
	const bool right =
		bound_of(search, &row->boxes[left + 1]) > bound_of(search, &row->boxes[left]);
	look_into(search, left + right, end + (right ? half : 0), half);
	look_into(search, left + !right, end + (right ? 0 : half), half);
}

static double find_reach(const struct row *row, int joint) {
	const int place = row->place[joint];
	struct search search = {
		.row = row,
		.joint = &row->joints[place],
		.first = place + 1,
		.end = place + row->size[joint],
		.reach = row->joints[place].own,
	};
	look_into(&search, 1, 0, row->ends);
	return search.reach;
}

void check_measure_reaches(struct check_asset *asset) {
	const struct rig *rig = asset->rig;
	const size_t count = (size_t)rig->joint_count;
	double *own = arena_alloc(asset->arena, count, sizeof *own);
	double *reach = arena_alloc(asset->arena, count, sizeof *reach);
	bool *active = arena_alloc(asset->arena, count, sizeof *active);
	struct arena *scratch = arena_create();
	struct row row;
	add_radii(asset, true, own);
	add_radii(asset, false, own);
	if (rig->vertex_count == 0) {
		add_bare_radii(asset, own);
	}
	make_row(asset, own, &row, scratch);
	make_boxes(&row, scratch);
	for (int i = 0; i < rig->joint_count && check_goes_on(asset, i); i++) {
		reach[i] = find_reach(&row, i);
		active[i] = reach[i] > 0;
	}
	asset->own = own;
	asset->reach = reach;
	asset->active = active;
	arena_destroy(scratch);
}
