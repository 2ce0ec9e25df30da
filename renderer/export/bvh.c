// Motion as BVH text. Source: Meredith and Maddock, Motion Capture File Formats Explained, 2001.
//
// BVH has no rotations at rest: a file's joints rest along the world's axes. OFFSET is how far a
// joint rests from its parent in the world; the rotation of a frame is the change of the joint's
// rotation in the world against rest, as seen from its parent's:
//     D = R(t) R(0)^-1 of each joint, written inverse(D of the parent) D.
// A reader without any knowledge of this finds all joints at their places in the world. A joint
// that moves against its parent has position channels, which hold where it is, not how far it went
// from its OFFSET: as readers disagree whether to add the two, that OFFSET is 0. Scales are in the
// places only.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/mat.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/quat.h"
#include "base/vec.h"
#include "export/motion.h"

#define DEGREES (180 / 3.14159265358979323846)

/* Of the figure's extent: a joint nearer to its place than this does not move. */
#define STILL 1e-7

#define NAME_BYTES 200
#define MESSAGE_BYTES 256

/* A joint of the file. */
struct node {
	int parent; // position in the file; -1 = the root
	int joint;  // of the rig; -1 = the root that stands for several
	int depth;
	bool is_leaf, moves;
	double offset[3];
	double tip[3];    // from a leaf to the end of its bone, where that is known
	double angles[3]; // of the frame before: z, x, y
};

struct bvh {
	const struct motion *motion;
	struct buffer *out;
	int count;
	struct node *nodes;     // [count] each behind its parent, depth first
	double (*places)[3];    // [count] in the world, of the frame at hand
	double (*turns)[4];     // [count] D
	double (*rest)[4];      // [joint_count] rotations in the world at rest
	double (*world)[12];    // [joint_count]
	double (*rotations)[4]; // [joint_count]
	double size;            // of the figure at rest
};

static void put(struct bvh *bvh, const char *text) {
	buffer_append(bvh->out, text, strlen(text));
}

static void put_number(struct bvh *bvh, double x) {
	char text[NUMBER_TEXT_BYTES + 1] = " ";
	number_write_significant(x, 9, text + 1);
	put(bvh, text);
}

/* Deeper lines are indented like these: a chain of joints would take a square of its length. */
#define INDENT_MAX 40

static void put_indent(struct bvh *bvh, int depth) {
	for (int i = 0; i < depth && i < INDENT_MAX; i++) {
		put(bvh, "\t");
	}
}

/* --- The tree --- */

/* Nodes that hold what is no part of a skeleton. */
static void mark_others(const struct rig *rig, bool *others) {
	for (int i = 0; i < rig->primitive_count; i++) {
		others[rig->primitives[i].joint] = true;
	}
	for (int i = 0; i < rig->light_count; i++) {
		others[rig->lights[i].joint] = true;
	}
	for (int i = 0; i < rig->camera_count; i++) {
		others[rig->cameras[i].joint] = true;
	}
}

/* The joints that move vertices, those above them, and those below that hold nothing else: ends of
 * bones, targets. All of a rig that has none. */
static void mark(const struct rig *rig, bool *marked) {
	const bool some = rig->moving_joints && rig->moving_count > 0;
	bool *others = xcalloc((size_t)rig->joint_count, sizeof *others);
	for (int i = 0; i < (some ? rig->moving_count : rig->joint_count); i++) {
		marked[some ? rig->moving_joints[i] : i] = true;
	}
	mark_others(rig, others);
	for (int i = 0; i < rig->joint_count; i++) {
		const int parent = rig->joints[i].parent;
		marked[i] = marked[i] || (parent >= 0 && marked[parent] && !others[i]);
	}
	free(others);
}

/* Lists joints depth first. below and beside are the first child and the next one of the same
 * parent; -1 = none. */
static void list_below(struct bvh *bvh, int joint, const int *below, const int *beside, int *at) {
	const struct rig *rig = bvh->motion->rig;
	const int top = bvh->count > 0 ? 0 : -1;
	int parent = top, depth = top + 1;
	const int root = joint;
	while (joint >= 0) {
		at[joint] = bvh->count;
		bvh->nodes[bvh->count] = (struct node){.parent = parent,
			.joint = joint,
			.depth = depth,
			.is_leaf = below[joint] < 0};
		if (below[joint] >= 0) {
			parent = bvh->count++;
			depth++;
			joint = below[joint];
			continue;
		}
		bvh->count++;
		while (joint != root && beside[joint] < 0) {
			joint = rig->joints[joint].parent;
			parent = bvh->nodes[parent].parent;
			depth--;
		}
		joint = joint == root ? -1 : beside[joint];
	}
}

static void make_tree(struct bvh *bvh) {
	const struct rig *rig = bvh->motion->rig;
	const size_t count = (size_t)rig->joint_count;
	bool *marked = xcalloc(count, sizeof *marked);
	int *links = xcalloc(3 * count, sizeof *links);
	int *below = links, *beside = links + count, *at = links + 2 * count;
	int roots = 0;
	mark(rig, marked);
	memset(links, -1, 3 * count * sizeof *links);
	for (int i = rig->joint_count - 1; i >= 0; i--) {
		const int parent = rig->joints[i].parent;
		roots += marked[i] && parent < 0;
		if (marked[i] && parent >= 0) {
			beside[i] = below[parent];
			below[parent] = i;
		}
	}
	if (roots > 1) {
		bvh->nodes[bvh->count++] = (struct node){.parent = -1, .joint = -1};
	}
	for (int i = 0; i < rig->joint_count; i++) {
		if (marked[i] && rig->joints[i].parent < 0) {
			list_below(bvh, i, below, beside, at);
		}
	}
	free(links);
	free(marked);
}

/* --- Poses --- */

/* The world of a pose: matrices, and rotations without scales. */
static void find_world(struct bvh *bvh, const struct transform *local, size_t stride) {
	const struct rig *rig = bvh->motion->rig;
	for (int i = 0; i < rig->joint_count; i++) {
		const struct transform *t =
			(const struct transform *)(const void *)((const char *)local +
				(size_t)i * stride);
		const int parent = rig->joints[i].parent;
		double *rotation = bvh->rotations[i];
		mat_from_transform(t->translation, t->rotation, t->scale, bvh->world[i]);
		for (int k = 0; k < 4; k++) {
			rotation[k] = (double)t->rotation[k];
		}
		if (parent >= 0) {
			mat_multiply(bvh->world[parent], bvh->world[i], bvh->world[i]);
			quat_multiply(bvh->rotations[parent], rotation, rotation);
		}
		quat_normalize(rotation);
	}
}

/* Places and D of the nodes. */
static void find_nodes(struct bvh *bvh) {
	for (int i = 0; i < bvh->count; i++) {
		const int joint = bvh->nodes[i].joint;
		double inverse[4];
		if (joint < 0) {
			memset(bvh->places[i], 0, sizeof bvh->places[i]);
			memcpy(bvh->turns[i], (const double[4]){0, 0, 0, 1}, sizeof bvh->turns[i]);
			continue;
		}
		for (int k = 0; k < 3; k++) {
			bvh->places[i][k] = bvh->world[joint][k * 4 + 3];
		}
		quat_conjugate(bvh->rest[joint], inverse);
		quat_multiply(bvh->rotations[joint], inverse, bvh->turns[i]);
	}
}

/* The reach of the vertices that each joint moves most beyond it, away from its parent at rest.
 *
 * along [joint_count] unit vectors in the world; 0 = not asked for
 * reach [joint_count] */
static void find_reaches(struct bvh *bvh, const struct primitive *primitive,
	const double (*along)[3], double *reach) {
	const struct rig *rig = bvh->motion->rig;
	for (int v = 0; v < primitive->vertex_count; v++) {
		const size_t pivot =
			primitive->first_influence + (size_t)v * (size_t)primitive->influence_count;
		const struct palette_slot *slot =
			&rig->slots[primitive->first_slot + rig->influence_slots[pivot]];
		const float *position = &rig->positions[3 * (size_t)(primitive->first_vertex + v)];
		const double *world = bvh->world[slot->joint];
		double p[3] = {(double)position[0], (double)position[1], (double)position[2]};
		mat_map_point(slot->inverse_bind, p, p);
		mat_map_point(world, p, p);
		double far = 0;
		for (int k = 0; k < 3; k++) {
			far += (p[k] - world[k * 4 + 3]) * along[slot->joint][k];
		}
		reach[slot->joint] = fmax(reach[slot->joint], far);
	}
}

/* A leaf's bone goes on as the way to the leaf does, as far as its vertices reach. */
static void find_tips(struct bvh *bvh) {
	const struct rig *rig = bvh->motion->rig;
	const size_t count = (size_t)rig->joint_count;
	double(*along)[3] = xcalloc(count, sizeof *along);
	double *reach = xcalloc(count, sizeof *reach);
	for (int i = 0; i < bvh->count; i++) {
		const struct node *node = &bvh->nodes[i];
		const double length = vec3_length(node->offset);
		for (int k = 0; node->is_leaf && length > 0 && k < 3; k++) {
			along[node->joint][k] = node->offset[k] / length;
		}
	}
	for (int i = 0; i < rig->primitive_count; i++) {
		find_reaches(bvh, &rig->primitives[i], (const double(*)[3])along, reach);
	}
	for (int i = 0; i < bvh->count; i++) {
		struct node *node = &bvh->nodes[i];
		for (int k = 0; node->is_leaf && k < 3; k++) {
			const double far = reach[node->joint];
			node->tip[k] = isfinite(far) ? along[node->joint][k] * far : 0;
		}
	}
	free(along);
	free(reach);
}

static void find_rest(struct bvh *bvh) {
	const struct rig *rig = bvh->motion->rig;
	double min[3] = {INFINITY, INFINITY, INFINITY}, max[3] = {-INFINITY, -INFINITY, -INFINITY};
	find_world(bvh, &rig->joints[0].rest, sizeof *rig->joints);
	memcpy(bvh->rest, bvh->rotations, (size_t)rig->joint_count * sizeof *bvh->rest);
	find_nodes(bvh);
	for (int i = 0; i < bvh->count; i++) {
		const int parent = bvh->nodes[i].parent;
		for (int k = 0; k < 3; k++) {
			min[k] = fmin(min[k], bvh->places[i][k]);
			max[k] = fmax(max[k], bvh->places[i][k]);
			bvh->nodes[i].offset[k] =
				parent < 0 ? 0 : bvh->places[i][k] - bvh->places[parent][k];
		}
		bvh->nodes[i].moves = parent < 0;
	}
	for (int k = 0; k < 3; k++) {
		bvh->size = fmax(bvh->size, max[k] - min[k]);
	}
	find_tips(bvh);
}

/* A node as its parent sees it. */
static void find_local(
	const struct bvh *bvh, int i, double place[static 3], double turn[static 4]) {
	const int parent = bvh->nodes[i].parent;
	memcpy(place, bvh->places[i], 3 * sizeof *place);
	memcpy(turn, bvh->turns[i], 4 * sizeof *turn);
	if (parent >= 0) {
		double inverse[4];
		quat_conjugate(bvh->turns[parent], inverse);
		for (int k = 0; k < 3; k++) {
			place[k] -= bvh->places[parent][k];
		}
		quat_rotate(inverse, place, place);
		quat_multiply(inverse, turn, turn);
	}
	quat_normalize(turn);
}

static void set_frame(struct bvh *bvh, size_t frame) {
	const struct motion *motion = bvh->motion;
	find_world(bvh, motion->local + frame * (size_t)motion->rig->joint_count,
		sizeof *motion->local);
	find_nodes(bvh);
}

/* Marks the nodes that are not where their offset says. */
static void find_moving(struct bvh *bvh) {
	for (size_t frame = 0; frame < bvh->motion->frame_count; frame++) {
		set_frame(bvh, frame);
		for (int i = 0; i < bvh->count; i++) {
			struct node *node = &bvh->nodes[i];
			double place[3], turn[4];
			find_local(bvh, i, place, turn);
			for (int k = 0; k < 3; k++) {
				node->moves = node->moves ||
					!(fabs(place[k] - node->offset[k]) <= STILL * bvh->size);
			}
		}
	}
	for (int i = 0; i < bvh->count; i++) {
		if (bvh->nodes[i].moves) {
			memset(bvh->nodes[i].offset, 0, sizeof bvh->nodes[i].offset);
		}
	}
}

/* --- Text --- */

/* The joint's name in characters that end no word; what is longer than NAME_BYTES is cut. */
static void put_name(struct bvh *bvh, const struct node *node) {
	char name[NAME_BYTES + 16] = "root_of_all";
	if (node->joint >= 0) {
		snprintf(name, NAME_BYTES, "%s", bvh->motion->rig->joints[node->joint].name);
	}
	bool changed = node->joint >= 0 && strlen(name) == NAME_BYTES - 1;
	for (char *c = name; *c; c++) {
		if ((unsigned char)*c <= ' ' || *c == '{' || *c == '}' || *c == 0x7f) {
			*c = '_';
			changed = true;
		}
	}
	if (changed || !*name) { // so that it stays the only one of its name
		const size_t length = strlen(name);
		snprintf(name + length, sizeof name - length, "_%d", node->joint);
	}
	put(bvh, name);
}

static void put_offset(struct bvh *bvh, int depth, const double offset[static 3]) {
	put_indent(bvh, depth);
	put(bvh, "OFFSET");
	for (int k = 0; k < 3; k++) {
		put_number(bvh, offset[k]);
	}
	put(bvh, "\n");
}

static void put_node(struct bvh *bvh, const struct node *node) {
	put_indent(bvh, node->depth);
	put(bvh, node->parent < 0 ? "ROOT " : "JOINT ");
	put_name(bvh, node);
	put(bvh, "\n");
	put_indent(bvh, node->depth);
	put(bvh, "{\n");
	put_offset(bvh, node->depth + 1, node->offset);
	put_indent(bvh, node->depth + 1);
	put(bvh, node->moves ? "CHANNELS 6 Xposition Yposition Zposition " : "CHANNELS 3 ");
	put(bvh, "Zrotation Xrotation Yrotation\n");
	if (node->is_leaf) {
		put_indent(bvh, node->depth + 1);
		put(bvh, "End Site\n");
		put_indent(bvh, node->depth + 1);
		put(bvh, "{\n");
		put_offset(bvh, node->depth + 2, node->tip);
		put_indent(bvh, node->depth + 1);
		put(bvh, "}\n");
	}
}

static void put_hierarchy(struct bvh *bvh) {
	put(bvh, "HIERARCHY\n");
	for (int i = 0; i < bvh->count; i++) {
		const int next = i + 1 < bvh->count ? bvh->nodes[i + 1].depth : 0;
		put_node(bvh, &bvh->nodes[i]);
		for (int depth = bvh->nodes[i].depth; depth >= next; depth--) {
			put_indent(bvh, depth);
			put(bvh, "}\n");
		}
	}
}

/* The angles of Rz Rx Ry in degrees, z, x, y, on the turn that is nearest to the frame before. */
static void find_angles(const double q[static 4], double angles[static 3]) {
	const double x = q[0], y = q[1], z = q[2], w = q[3];
	const double m01 = 2 * (x * y - z * w), m11 = 1 - 2 * (x * x + z * z);
	const double m20 = 2 * (x * z - y * w), m22 = 1 - 2 * (x * x + y * y);
	const double m21 = 2 * (y * z + x * w), cosine = sqrt(m20 * m20 + m22 * m22);
	double found[3] = {0, angle_direction(m21, cosine), 0};
	if (cosine > 1e-9) {
		found[0] = angle_direction(-m01, m11);
		found[2] = angle_direction(-m20, m22);
	} else { // z and y turn about one axis
		found[0] = angle_direction(2 * (x * y + z * w), 1 - 2 * (y * y + z * z));
	}
	for (int k = 0; k < 3; k++) {
		const double degrees = found[k] * DEGREES;
		angles[k] = degrees + 360 * round((angles[k] - degrees) / 360);
	}
}

static void put_frame(struct bvh *bvh, size_t frame) {
	set_frame(bvh, frame);
	for (int i = 0; i < bvh->count; i++) {
		struct node *node = &bvh->nodes[i];
		double place[3], turn[4];
		find_local(bvh, i, place, turn);
		find_angles(turn, node->angles);
		for (int k = 0; node->moves && k < 3; k++) {
			put_number(bvh, place[k]);
		}
		for (int k = 0; k < 3; k++) {
			put_number(bvh, node->angles[k]);
		}
	}
	put(bvh, "\n");
}

static void put_motion(struct bvh *bvh) {
	char text[MESSAGE_BYTES];
	snprintf(text, sizeof text, "MOTION\nFrames: %zu\nFrame Time:", bvh->motion->frame_count);
	put(bvh, text);
	put_number(bvh, 1 / bvh->motion->rate);
	put(bvh, "\n");
	for (size_t frame = 0; frame < bvh->motion->frame_count; frame++) {
		put_frame(bvh, frame);
	}
}

static size_t frame_bytes(int joint_count) {
	return 6 * (size_t)joint_count;
}

static bool write_bvh(const struct motion *motion, struct buffer *out, struct error *err) {
	const size_t count = (size_t)motion->rig->joint_count;
	struct bvh bvh = {
		.motion = motion,
		.out = out,
		.nodes = xcalloc(count + 1, sizeof *bvh.nodes),
		.places = xcalloc(count + 1, sizeof *bvh.places),
		.turns = xcalloc(count + 1, sizeof *bvh.turns),
		.rest = xcalloc(count, sizeof *bvh.rest),
		.world = xcalloc(count, sizeof *bvh.world),
		.rotations = xcalloc(count, sizeof *bvh.rotations),
	};
	const bool has_joints = count > 0;
	if (has_joints) {
		make_tree(&bvh);
		find_rest(&bvh);
		find_moving(&bvh);
		put_hierarchy(&bvh);
		put_motion(&bvh);
	}
	free(bvh.nodes);
	free(bvh.places);
	free(bvh.turns);
	free(bvh.rest);
	free(bvh.world);
	free(bvh.rotations);
	return has_joints || error_set(err, ERROR_INVALID_VALUE, "the rig has no joints");
}

const struct motion_format motion_bvh = {
	.media_type = "text/plain; charset=utf-8",
	.frame_bytes = frame_bytes,
	.write = write_bvh,
};
