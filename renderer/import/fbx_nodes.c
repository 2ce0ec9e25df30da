// The nodes of an FBX file. Source: Autodesk, FBX SDK documentation, "Computing transformation
// matrices".
#include "import/fbx_nodes.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/mat.h"
#include "base/quat.h"

/* Centimetres, the format's unit, in metres. */
#define CENTIMETRE 0.01

/* The axes from the first to be turned about to the last, by order. */
static const int turn_axes[][3] = {
	{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};

static const int *axes_of(int order) {
	return turn_axes[order >= 0 && order < 6 ? order : 0];
}

/* Taylor's series for an eighth of a turn at most, where the next terms are below 1e-16; as in
 * base/elementary.h the same bits on every machine, but in a third of the time: curves take
 * millions of them. */
static void sine_cosine(double quarters, double *sine, double *cosine) {
	const double nearest = floor(quarters + 0.5);
	const double angle = (quarters - nearest) * M_PI_2, square = angle * angle;
	double s = 1, c = 1;
	s = 1 - square * (1.0 / (14 * 15)) * s;
	c = 1 - square * (1.0 / (15 * 16)) * c;
	s = 1 - square * (1.0 / (12 * 13)) * s;
	c = 1 - square * (1.0 / (13 * 14)) * c;
	s = 1 - square * (1.0 / (10 * 11)) * s;
	c = 1 - square * (1.0 / (11 * 12)) * c;
	s = 1 - square * (1.0 / (8 * 9)) * s;
	c = 1 - square * (1.0 / (9 * 10)) * c;
	s = 1 - square * (1.0 / (6 * 7)) * s;
	c = 1 - square * (1.0 / (7 * 8)) * c;
	s = 1 - square * (1.0 / (4 * 5)) * s;
	c = 1 - square * (1.0 / (5 * 6)) * c;
	s = angle * (1 - square * (1.0 / (2 * 3)) * s);
	c = 1 - square * (1.0 / (3 * 4)) * c;
	c = 1 - square * (1.0 / 2) * c;
	const double sines[4] = {s, c, -s, -c};
	const int quarter = (int)nearest & 3;
	*sine = sines[quarter];
	*cosine = sines[(quarter + 1) & 3];
}

void fbx_euler(int order, const double degrees[static 3], double out[static 4]) {
	const int *axes = axes_of(order);
	double q[4] = {0, 0, 0, 1};
	for (int i = 0; i < 3; i++) {
		if (degrees[axes[i]] == 0) {
			continue;
		}
		// A quaternion takes half the angle, and is the same after two turns.
		const double angle = degrees[axes[i]];
		const double held = fabs(angle) < 720 ? angle : fmod(angle, 720);
		double turn[4] = {0};
		sine_cosine(held / 180, &turn[axes[i]], &turn[3]);
		quat_multiply(turn, q, q);
	}
	memcpy(out, q, sizeof q);
}

void fbx_euler_of(int order, const double q[static 4], double degrees[static 3]) {
	const int *axes = axes_of(order), i = axes[0], j = axes[1], k = axes[2];
	const double sign = (j - i + 3) % 3 == 1 ? 1 : -1;
	double columns[3][3];
	for (int c = 0; c < 3; c++) {
		quat_rotate(q, (const double[3]){c == 0, c == 1, c == 2}, columns[c]);
	}
	const double sine = fmax(-1, fmin(1, -sign * columns[i][k]));
	const bool locked = fabs(sine) > 1 - 1e-14;
	double radians[3];
	radians[j] = angle_direction(sine, sqrt(1 - sine * sine));
	radians[i] = locked ? angle_direction(-sign * columns[k][j], columns[j][j])
			    : angle_direction(sign * columns[j][k], columns[k][k]);
	radians[k] = locked ? 0 : angle_direction(sign * columns[i][j], columns[i][i]);
	for (int c = 0; c < 3; c++) {
		degrees[c] = radians[c] * (180 / M_PI);
	}
}

void fbx_node_transform(
	const struct fbx_node *node, const struct fbx_local *local, struct fbx_transform *out) {
	quat_multiply(node->before, local->rotation, out->rotation);
	quat_multiply(out->rotation, node->after, out->rotation);
	// From the rotation's pivot to where the scale leaves the origin: it is turned.
	double arm[3];
	for (int i = 0; i < 3; i++) {
		arm[i] = node->scaling_offset[i] +
			node->scaling_pivot[i] * (1 - local->scaling[i]) - node->rotation_pivot[i];
	}
	quat_rotate(out->rotation, arm, arm);
	for (int i = 0; i < 3; i++) {
		out->translation[i] = local->translation[i] + node->rotation_offset[i] +
			node->rotation_pivot[i] + arm[i];
		out->scale[i] = local->scaling[i];
	}
}

/* --- Reading --- */

static bool all_finite(const double *numbers, int count) {
	for (int i = 0; i < count; i++) {
		if (!isfinite(numbers[i])) {
			return false;
		}
	}
	return true;
}

/* A property of three numbers, or the fallback for what is not finite. */
static void vector(
	const struct fbx_object *object, const char *name, double fallback, double out[static 3]) {
	fbx_property_vector(object, name, fallback, out);
	for (int i = 0; !all_finite(out, 3) && i < 3; i++) {
		out[i] = fallback;
	}
}

static void angles(const struct fbx_object *object, const char *name, double out[static 4]) {
	double degrees[3];
	vector(object, name, 0, degrees);
	fbx_euler(0, degrees, out);
}

static void read_geometry(const struct fbx_object *object, double out[static 12]) {
	double t[3], degrees[3], s[3], q[4], r[9];
	vector(object, "GeometricTranslation", 0, t);
	vector(object, "GeometricRotation", 0, degrees);
	vector(object, "GeometricScaling", 1, s);
	fbx_euler(0, degrees, q);
	for (int i = 0; i < 3; i++) {
		double axis[3] = {i == 0, i == 1, i == 2};
		quat_rotate(q, axis, axis);
		for (int k = 0; k < 3; k++) {
			r[k * 3 + i] = axis[k] * s[i];
		}
	}
	for (int i = 0; i < 3; i++) {
		memcpy(&out[i * 4], &r[i * 3], 3 * sizeof *r);
		out[i * 4 + 3] = t[i];
	}
}

static void read_node(struct fbx_node *node, const struct fbx_object *object, int parent) {
	const int64_t inherit = fbx_property_integer(object, "InheritType", FBX_INHERIT_ALL);
	const bool turned = fbx_property_integer(object, "RotationActive", 1) != 0 &&
		fbx_property_integer(object, "RotationSpaceForLimitOnly", 0) == 0;
	*node = (struct fbx_node){
		.object = object,
		.parent = parent,
		.inherit = inherit == FBX_INHERIT_COMPONENTWISE || inherit == FBX_INHERIT_NOT_PARENT
			? (enum fbx_inherit)inherit
			: FBX_INHERIT_ALL,
		.before = {0, 0, 0, 1},
		.after = {0, 0, 0, 1},
	};
	if (turned) {
		node->rotation_order = (int)fbx_property_integer(object, "RotationOrder", 0);
		angles(object, "PreRotation", node->before);
		angles(object, "PostRotation", node->after);
		quat_conjugate(node->after, node->after);
	}
	vector(object, "Lcl Translation", 0, node->rest.translation);
	vector(object, "Lcl Rotation", 0, node->rest_euler);
	vector(object, "Lcl Scaling", 1, node->rest.scaling);
	vector(object, "RotationOffset", 0, node->rotation_offset);
	vector(object, "RotationPivot", 0, node->rotation_pivot);
	vector(object, "ScalingOffset", 0, node->scaling_offset);
	vector(object, "ScalingPivot", 0, node->scaling_pivot);
	fbx_euler(node->rotation_order, node->rest_euler, node->rest.rotation);
	read_geometry(object, node->geometry);
}

static bool is_model(const struct fbx_object *object) {
	return strcmp(object->type, "Model") == 0;
}

/* Without the parent's own scale it is what the parent takes over. */
static int find_scale(const struct fbx_node *nodes, const struct fbx_node *node) {
	const bool takes_over = node->inherit != FBX_INHERIT_ALL && node->parent >= 0;
	return !takes_over                                   ? -1
		: node->inherit == FBX_INHERIT_COMPONENTWISE ? node->parent
							     : nodes[node->parent].scale_from;
}

/* Appends the node of a model. */
static void append(struct fbx_nodes *out, int object, const struct fbx_object *model, int parent) {
	struct fbx_node *node = &out->nodes[out->count];
	out->of_object[object] = out->count++;
	read_node(node, model, parent);
	node->scale_from = find_scale(out->nodes, node);
}

/* The model that a model hangs on, of several the last one in the file, as in ufbx; FBX_ROOT where
 * there is none. */
static int find_parent(
	const struct fbx_objects *objects, const struct fbx_object *model, int *parent_count) {
	int parent = FBX_ROOT;
	*parent_count = 0;
	for (int i = 0; i < model->parent_count; i++) {
		const struct fbx_link *link = &objects->parents[model->first_parent + i];
		if (!link->property && is_model(&objects->objects[link->object])) {
			parent = link->object > parent ? link->object : parent;
			++*parent_count;
		}
	}
	return parent;
}

/* Appends the models below an object that are not there yet: its own, or any. */
static void append_children(
	struct fbx_nodes *out, const struct fbx_objects *objects, int parent_object, bool any) {
	const struct fbx_object *parent = &objects->objects[parent_object];
	for (int i = 0; i < parent->child_count; i++) {
		const struct fbx_link *link = &objects->children[parent->first_child + i];
		const struct fbx_object *model = &objects->objects[link->object];
		int parent_count = 0;
		if (!link->property && is_model(model) && out->of_object[link->object] < 0 &&
			(find_parent(objects, model, &parent_count) == parent_object || any)) {
			append(out, link->object, model, out->of_object[parent_object]);
			out->shared_count += parent_count > 1;
		}
	}
}

/* The rows of the axes: right to x, up to y, to the viewer to z. False where they are not three. */
static bool read_axes(const struct fbx_record *settings, double rows[static 9]) {
	static const char *const names[][2] = {{"CoordAxis", "CoordAxisSign"},
		{"UpAxis", "UpAxisSign"}, {"FrontAxis", "FrontAxisSign"}};
	static const int standard[] = {0, 1, 2};
	int seen = 0;
	memset(rows, 0, 9 * sizeof *rows);
	for (int i = 0; i < 3; i++) {
		const int64_t axis =
			fbx_integer_at(fbx_property_in(settings, names[i][0]), 4, standard[i]);
		const int64_t sign = fbx_integer_at(fbx_property_in(settings, names[i][1]), 4, 1);
		if (axis < 0 || axis > 2) {
			return false;
		}
		rows[i * 3 + axis] = sign < 0 ? -1 : 1;
		seen |= 1 << axis;
	}
	return seen == 7;
}

static void read_space(struct fbx_nodes *out, const struct fbx_record *settings) {
	static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
	double rows[9];
	if (!read_axes(settings, rows)) {
		memcpy(rows, identity, sizeof rows);
	}
	const double determinant = rows[0] * (rows[4] * rows[8] - rows[5] * rows[7]) -
		rows[1] * (rows[3] * rows[8] - rows[5] * rows[6]) +
		rows[2] * (rows[3] * rows[7] - rows[4] * rows[6]);
	out->mirror[0] = out->mirror[1] = 1;
	out->mirror[2] = determinant < 0 ? -1 : 1;
	for (int i = 0; i < 3; i++) {
		rows[i * 3 + 2] *= out->mirror[2];
	}
	mat_to_quaternion(rows, out->turn);
	const double factor = fbx_real_at(fbx_property_in(settings, "UnitScaleFactor"), 4, 1);
	out->unit = CENTIMETRE * (factor > 0 && isfinite(factor) ? factor : 1);
}

void fbx_nodes_read(struct fbx_nodes *out, const struct fbx_objects *objects, struct arena *arena) {
	const size_t count = (size_t)objects->count;
	*out = (struct fbx_nodes){
		.nodes = arena_alloc(arena, count, sizeof *out->nodes),
		.of_object = arena_alloc(arena, count, sizeof *out->of_object),
	};
	for (size_t i = 0; i < count; i++) {
		out->of_object[i] = -1;
	}
	append_children(out, objects, FBX_ROOT, false);
	for (int i = 0; i < objects->count; i++) {
		// A model that hangs on nothing counts as the scene's.
		if (is_model(&objects->objects[i]) && out->of_object[i] < 0 &&
			!fbx_first_parent(objects, &objects->objects[i], "Model")) {
			append(out, i, &objects->objects[i], -1);
		}
	}
	// The second time with those whose own parent is in a circle.
	for (int any = 0; any < 2; any++) {
		for (int expanded = 0; expanded < out->count; expanded++) {
			append_children(out, objects,
				(int)(out->nodes[expanded].object - objects->objects), any);
		}
	}
	read_space(out, objects->settings);
}
