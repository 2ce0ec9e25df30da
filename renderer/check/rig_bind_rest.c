// rig/bind_rest: a rest pose that deforms the mesh.
#include <math.h>
#include <string.h>

#include "base/mat.h"
#include "base/vec.h"
#include "check/rules.h"
#include "skin/displacement.h"

/* Vertices of one skin: their places as modelled, and at rest. */
struct cloud {
	const struct check_asset *asset;
	const float *bind; // [vertex_count][3] with the morph targets of the rest pose
	int first_slot;
	int count;
	double bind_middle[3], rest_middle[3];
	double rotation[9]; // orthogonal, rows: from bind to rest
	double scale;
};

static const struct primitive *next_primitive(const struct cloud *cloud, int *at) {
	const struct rig *rig = cloud->asset->rig;
	while (*at < rig->primitive_count) {
		const struct primitive *p = &rig->primitives[(*at)++];
		if (p->skinned && p->first_slot == cloud->first_slot) {
			return p;
		}
	}
	return NULL;
}

/* A function of a vertex' two places. */
typedef void vertex_visitor(
	struct cloud *cloud, int vertex, const double bind[3], const double rest[3], void *context);

static void each_vertex(struct cloud *cloud, vertex_visitor *visit, void *context) {
	int at = 0;
	for (const struct primitive *p; (p = next_primitive(cloud, &at));) {
		for (int v = p->first_vertex; v < p->first_vertex + p->vertex_count; v++) {
			const float *from = cloud->bind + (size_t)v * 3;
			const double bind[3] = {(double)from[0], (double)from[1], (double)from[2]};
			if (!cloud->asset->nonfinite[v]) {
				visit(cloud, v, bind, cloud->asset->rest_vertices[v], context);
			}
		}
	}
}

static void add_middle(struct cloud *cloud, int vertex, const double bind[3], const double rest[3],
	void *context) {
	(void)vertex;
	(void)context;
	cloud->count++;
	for (int k = 0; k < 3; k++) {
		cloud->bind_middle[k] += bind[k];
		cloud->rest_middle[k] += rest[k];
	}
}

/* Sums of products of places about the middles. */
struct moments {
	double mixed[9], bind; // rest times bind, and the squares of bind
};

static void add_moments(struct cloud *cloud, int vertex, const double bind[3], const double rest[3],
	void *context) {
	struct moments *moments = context;
	double a[3], b[3];
	(void)vertex;
	vec3_sub(bind, cloud->bind_middle, a);
	vec3_sub(rest, cloud->rest_middle, b);
	moments->bind += vec3_dot(a, a);
	for (int i = 0; i < 9; i++) {
		moments->mixed[i] += b[i / 3] * a[i % 3];
	}
}

/* The orthogonal matrix that is nearest to the moments, mirroring where they do. */
static void set_rotation(struct cloud *cloud, const double mixed[static 9]) {
	double matrix[12] = {0}, q[4], stretch[9];
	for (int i = 0; i < 9; i++) {
		matrix[i / 3 * 4 + i % 3] = mixed[i];
	}
	const double sign = mat_determinant(matrix) < 0 ? -1 : 1;
	for (int i = 0; i < 12; i++) {
		matrix[i] *= sign;
	}
	mat_polar(matrix, q, stretch);
	const double x = q[0], y = q[1], z = q[2], w = q[3];
	const double rows[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
		2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
		2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)};
	for (int i = 0; i < 9; i++) {
		cloud->rotation[i] = rows[i] * sign;
	}
}

/* The similarity that takes the bind shape to the rest pose with the least squares of distances.
 * Source: Umeyama, Least-squares estimation of transformation parameters between two point
 * patterns, IEEE PAMI 13 (1991). */
static void fit(struct cloud *cloud) {
	struct moments moments = {0};
	each_vertex(cloud, add_middle, NULL);
	for (int k = 0; k < 3 && cloud->count > 0; k++) {
		cloud->bind_middle[k] /= cloud->count;
		cloud->rest_middle[k] /= cloud->count;
	}
	each_vertex(cloud, add_moments, &moments);
	set_rotation(cloud, moments.mixed);
	double trace = 0;
	for (int i = 0; i < 9; i++) {
		trace += cloud->rotation[i] * moments.mixed[i];
	}
	cloud->scale = moments.bind > 0 ? trace / moments.bind : 0;
}

struct farthest {
	double distance;
	int vertex;
};

static void measure(struct cloud *cloud, int vertex, const double bind[3], const double rest[3],
	void *context) {
	struct farthest *farthest = context;
	double a[3], apart[3];
	vec3_sub(bind, cloud->bind_middle, a);
	for (int k = 0; k < 3; k++) {
		apart[k] = rest[k] - cloud->rest_middle[k] -
			cloud->scale * vec3_dot(cloud->rotation + k * 3, a);
	}
	const double distance = vec3_length(apart);
	if (distance > farthest->distance) {
		*farthest = (struct farthest){distance, vertex};
	}
}

static const float *find_bind(const struct rig *rig, struct arena *arena) {
	if (!morph_is_active(rig, rig->rest_weights)) {
		return rig->positions;
	}
	const size_t floats = (size_t)rig->vertex_count * 3;
	float *morphed = arena_alloc(arena, 2 * floats, sizeof *morphed);
	morph_apply(rig, rig->rest_weights, morphed, morphed + floats, NULL);
	return morphed;
}

static void measure_skin(struct cloud *cloud, struct check_sink *sink) {
	struct farthest farthest = {0, -1};
	fit(cloud);
	each_vertex(cloud, measure, &farthest);
	const int vertex = farthest.vertex;
	const uint32_t vertices[] = {(uint32_t)vertex};
	struct check_value value = check_value(farthest.distance / cloud->asset->length);
	value.joint = vertex < 0 ? -1 : cloud->asset->dominant[vertex];
	value.vertices = vertices;
	value.vertex_count = vertex >= 0;
	check_emit(sink, &check_rule_rig_bind_rest, &value);
}

static void asset(const struct check_asset *asset, struct arena *arena, struct check_sink *sink) {
	const struct rig *rig = asset->rig;
	const float *bind = find_bind(rig, arena);
	bool *done = arena_alloc(arena, (size_t)rig->slot_count + 1, sizeof *done);
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		if (p->skinned && !done[p->first_slot]) {
			struct cloud cloud = {
				.asset = asset, .bind = bind, .first_slot = p->first_slot};
			done[p->first_slot] = true;
			measure_skin(&cloud, sink);
		}
	}
}

static const struct check_pass pass = {
	.needs = CHECK_NEEDS_SKIN,
	.asset = asset,
};

const struct check_rule check_rule_rig_bind_rest = {
	.info =
		{
			.id = "rig/bind_rest",
			.unit = "L",
			.catches = "a rest pose that deforms the mesh as it was modelled",
			.definition = "For each skin, the greatest distance of a vertex in the "
				      "rest pose from "
				      "where the best rotation, uniform scale and translation of "
				      "the mesh as "
				      "modelled would put it (least squares over the skin's "
				      "vertices), as a share "
				      "of the figure's length.",
			.effect = "Programs that show the mesh without its skin, or take the "
				  "nodes' pose "
				  "for the bind pose, show another shape; retargeting may begin "
				  "from the "
				  "wrong pose.",
			.fix = "Bind the mesh in the pose that the file's nodes have, or store the "
			       "bind "
			       "pose in the nodes.",
			.blender =
				"Clear the pose (Pose > Clear Transform > All) before the export, "
				"or choose Pose > Apply > Apply Pose as Rest Pose, together with "
				"the mesh's Armature modifier applied and added again.",
			.maya = "Go to the bind pose (Skin > Go to Bind Pose) before the export.",
			.message = "The rest pose moves the mesh at {joint} by {value:%} of the "
				   "figure's "
				   "length from the shape that was bound",
			.example = "The rest pose moves the mesh at LeftFingers by 34.7 % of the "
				   "figure's length from the shape that was bound",
			.cost = CHECK_COST_VERTICES,
			.limits = {0.02, INFINITY, INFINITY},
		},
	.pass = &pass,
};
