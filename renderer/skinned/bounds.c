// Boxes around a rig's vertices: of its rest pose, and over the whole of a clip.
#include "skinned/bounds.h"

#include <math.h>

#include "interface/vertices.h"
#include "pose/humanoid/humanoid.h"
#include "pose/operations.h"
#include "pose/sample/sampler.h"
#include "skinned/box_search.h"
#include "skinned/prepare.h"
#include "skinned/skin.h"
#include "state/state.h"
#include "view/camera.h"

/* Samples of a clip a second, besides its keys. */
#define RATE_HZ 60

/* Most and least moments of a clip that are looked at. Up to half of them are spread evenly, up to
 * a quarter come from keys; the rest is for refinement. */
#define MOMENTS_MAX 65536
#define MOMENTS_LEAST 64

/* Vertices and joints that all clips of a rig together may cost, shared out evenly: half a minute.
 * A few minutes of motion of a usual rig need a tenth. */
#define WORK ((size_t)1 << 30)

/* Share of how far vertices are from the origin by which devices differ in where they are: each
 * rounds float32 in an order of its own. */
#define ROUNDING 1e-6

/* The inputs of skinning. */
struct skinner {
	const struct rig *rig; // plan.rig
	struct skin_plan plan; // borrows what it holds
	const struct body_vertices *body;
	const struct clip *clip; // whose poses they are; NULL = they come from elsewhere
	struct scratch vertices, morphed, displaced;
};

/* The box around joints, by which files without a mesh are seen. */
static bool box_of_joints(
	const struct rig *rig, const struct pose *pose, struct bounds *box, struct error *err) {
	struct arena *arena = arena_create();
	double(*world)[12] = arena_alloc(arena, (size_t)rig->joint_count, sizeof *world);
	pose_to_world(rig, pose, world);
	*box = BOUNDS_NONE;
	for (int i = 0; i < rig->joint_count; i++) {
		const float place[3] = {
			(float)world[i][3], (float)world[i][7], (float)world[i][11]};
		const struct bounds one = bounds_of_points(place, 1);
		bounds_add(box, &one);
	}
	const bool ok = pose_check_world(rig, (const double(*)[12])world, err);
	arena_destroy(arena);
	return ok;
}

static bool box_of_pose(
	struct skinner *skinner, const struct pose *pose, struct bounds *out, struct error *err) {
	const size_t count = (size_t)skinner->rig->vertex_count;
	if (count == 0) {
		return box_of_joints(skinner->rig, pose, out, err);
	}
	struct arena *arena = arena_create();
	float *vertices = scratch_get(&skinner->vertices, count * 6);
	const struct streams streams = {.positions = vertices, .normals = vertices + count * 3};
	struct prepared prepared;
	const bool ok = prepare_from_pose(&skinner->plan, pose, arena, &prepared, err);
	if (ok) {
		const struct skin_room room = {&skinner->morphed, &skinner->displaced};
		skin_on_cpu(&prepared, &room, &streams);
		*out = body_vertices_bounds(skinner->rig, skinner->body, vertices);
	}
	arena_destroy(arena);
	return ok;
}

static void skinner_finish(struct skinner *skinner) {
	scratch_finish(&skinner->vertices);
	scratch_finish(&skinner->morphed);
	scratch_finish(&skinner->displaced);
}

static bool look(void *context, double time_s, struct bounds *out, struct error *err) {
	struct skinner *skinner = context;
	struct arena *arena = arena_create();
	struct pose pose = pose_rest(skinner->rig, arena);
	clip_sample(skinner->rig, skinner->clip, time_s, &pose);
	skinner->plan.time_s = time_s;
	const bool ok = box_of_pose(skinner, &pose, out, err);
	arena_destroy(arena);
	return ok;
}

void bounds_add_even_moments(struct box_search *search, double start_s, double length_s) {
	const int steps = (int)ceil(fmin(length_s * RATE_HZ, (double)search->most / 2));
	for (int i = 0; i <= steps; i++) {
		box_search_add(search, start_s + (steps > 0 ? length_s * i / steps : 0), false);
	}
}

/* Every key of every channel, and what a step leaves; where those are too many, every n-th. */
static void add_key_times(struct box_search *search, const struct clip *clip) {
	size_t keys = 0;
	for (int i = 0; i < clip->channel_count; i++) {
		keys += (size_t)clip->channels[i].key_count;
	}
	const size_t stride = keys / (search->most / 4) + 1;
	size_t at = 0;
	for (int i = 0; i < clip->channel_count; i++) {
		const struct channel *channel = &clip->channels[i];
		for (int k = 0; k < channel->key_count; k++) {
			if (at++ % stride != 0) {
				continue;
			}
			const double time_s = channel->times[k];
			box_search_add(search, time_s, false);
			if (channel->interpolation == INTERPOLATION_STEP && time_s > 0) {
				box_search_add(search, nextafter(time_s, 0), true);
			}
		}
	}
}

static size_t most_moments(const struct rig *rig) {
	const size_t each = (size_t)rig->vertex_count + (size_t)rig->joint_count + 100;
	const size_t most = WORK / each / (size_t)rig->clip_count;
	return most > MOMENTS_MAX ? MOMENTS_MAX : most < MOMENTS_LEAST ? MOMENTS_LEAST : most;
}

static bool find_clip_bounds(const struct skin_plan *plan, const struct body_vertices *body,
	int clip, const struct stop *stop, struct bounds *out, struct error *err) {
	struct skinner skinner = {
		.rig = plan->rig, .plan = *plan, .body = body, .clip = &plan->rig->clips[clip]};
	skinner.plan.clip = clip;
	struct box_search search = {
		.look = look, .context = &skinner, .stop = stop, .most = most_moments(plan->rig)};
	bounds_add_even_moments(&search, 0, skinner.clip->duration_s);
	add_key_times(&search, skinner.clip);
	const bool found = box_search_run(&search, true, out, err);
	skinner_finish(&skinner);
	return found;
}

bool pose_bounds(const struct skin_plan *plan, const struct body_vertices *body,
	const struct pose *pose, struct bounds *out, struct error *err) {
	struct skinner skinner = {.rig = plan->rig, .plan = *plan, .body = body};
	const bool ok = box_of_pose(&skinner, pose, out, err);
	skinner_finish(&skinner);
	return ok;
}

struct bounds rest_bounds(const struct rig *rig, const struct pose *pose) {
	static const struct body_vertices whole = {.part = PART_WHOLE};
	const struct skin_plan plan = skin_plan_default(rig);
	struct bounds bounds = BOUNDS_NONE;
	if (rig->vertex_count > 0) {
		pose_bounds(&plan, &whole, pose, &bounds, NULL);
	}
	return bounds;
}

static bool is_same(const struct bounds_key *a, const struct bounds_key *b) {
	return a->rig == b->rig && a->clip == b->clip && a->expression == b->expression &&
		a->plan == b->plan && a->part == b->part;
}

bool bounds_recall(
	const struct renderer *renderer, const struct bounds_key *key, struct bounds *out) {
	for (size_t i = 0; i < KNOWN_BOUNDS_MAX; i++) {
		if (is_same(&renderer->known_bounds[i].key, key)) {
			*out = renderer->known_bounds[i].bounds;
			return true;
		}
	}
	return false;
}

void bounds_keep(
	struct renderer *renderer, const struct bounds_key *key, const struct bounds *bounds) {
	renderer->known_bounds[renderer->next_bounds] = (struct known_bounds){*key, *bounds};
	renderer->next_bounds = (renderer->next_bounds + 1) % KNOWN_BOUNDS_MAX;
}

bool clip_bounds(struct renderer *renderer, const struct skin_plan *plan,
	const struct body_vertices *body, int clip, const struct stop *stop, struct bounds *out,
	struct error *err) {
	const struct bounds_key key = {.rig = plan->rig->clips_id,
		.clip = clip,
		.plan = skin_plan_signature(plan),
		.part = body->part};
	if (bounds_recall(renderer, &key, out)) {
		return true;
	}
	if (!find_clip_bounds(plan, body, clip, stop, out, err)) {
		return false;
	}
	bounds_keep(renderer, &key, out);
	return true;
}

/* Makes the box hold the vertices of every device. */
static void round_outwards(struct bounds *box) {
	double farthest = 0;
	for (int k = 0; k < 3; k++) {
		farthest = fmax(farthest, fmax(fabs(box->min[k]), fabs(box->max[k])));
	}
	for (int k = 0; k < 3; k++) {
		box->min[k] -= ROUNDING * farthest;
		box->max[k] += ROUNDING * farthest;
	}
}

bool renderer_clip_bounds(struct renderer *renderer, const struct rig *rig, int clip,
	const struct stop *stop, struct bounds *out, struct error *err) {
	static const struct body_vertices whole = {.part = PART_WHOLE};
	const struct skin_plan plan = skin_plan_default(rig);
	*out = BOUNDS_NONE;
	if (rig->vertex_count == 0) {
		return true;
	}
	if (!clip_bounds(renderer, &plan, &whole, clip, stop, out, err)) {
		return false;
	}
	round_outwards(out);
	return true;
}

/* The joints that begin a part, and those below them that do not belong to it. */
static const struct part {
	const char *name;
	enum humanoid_role root, ends[2];
	size_t end_count;
} parts[] = {
	[PART_HEAD] = {"head", HUMANOID_HEAD, {0}, 0},
	[PART_BUST] = {"bust", HUMANOID_CHEST,
		{HUMANOID_LEFT_UPPER_ARM, HUMANOID_LEFT_UPPER_ARM + HUMANOID_SIDE_ROLES}, 2},
};

/* True when each joint belongs to the part; false where no joint has its role. Parents come first.
 */
static bool find_joints(
	const struct rig *rig, const struct part *part, struct arena *arena, bool *inside) {
	struct humanoid humanoid;
	humanoid_find(rig, arena, &humanoid);
	const int root = humanoid.joints[part->root];
	for (int i = 0; i < rig->joint_count; i++) {
		const int parent = rig->joints[i].parent;
		inside[i] = i == root || (parent >= 0 && inside[parent]);
		for (size_t k = 0; k < part->end_count; k++) {
			inside[i] = inside[i] && i != humanoid.joints[part->ends[k]];
		}
	}
	return root >= 0;
}

/* Lists the vertices whose greatest weight is a joint's inside. */
static size_t list_vertices(const struct rig *rig, const bool *inside, int *vertices) {
	size_t count = 0;
	for (int p = 0; p < rig->primitive_count; p++) {
		const struct primitive *primitive = &rig->primitives[p];
		for (int v = 0; v < primitive->vertex_count; v++) {
			const size_t first = primitive->first_influence +
				(size_t)v * (size_t)primitive->influence_count;
			const int slot = primitive->first_slot + rig->influence_slots[first];
			if (inside[rig->slots[slot].joint]) {
				vertices[count++] = primitive->first_vertex + v;
			}
		}
	}
	return count;
}

bool body_vertices_find(const struct rig *rig, enum body_part part, const struct value *place,
	struct arena *arena, struct body_vertices *out, struct error *err) {
	*out = (struct body_vertices){.part = part};
	if (part == PART_WHOLE) {
		return true;
	}
	const struct part *wanted = &parts[part];
	bool *inside = arena_alloc(arena, (size_t)rig->joint_count, sizeof *inside);
	int *vertices = arena_alloc(arena, (size_t)rig->vertex_count, sizeof *vertices);
	if (!find_joints(rig, wanted, arena, inside)) {
		return value_error(place, err, ERROR_INVALID_VALUE,
			"a picture of the %s needs a joint that is the %s of a humanoid, and the "
			"rig has none",
			wanted->name, humanoid_role_name(wanted->root));
	}
	out->vertices = vertices;
	out->count = list_vertices(rig, inside, vertices);
	return out->count > 0 ||
		value_error(place, err, ERROR_INVALID_VALUE,
			"a picture of the %s has nothing to show: no vertex follows its joints",
			wanted->name);
}

struct bounds body_vertices_bounds(
	const struct rig *rig, const struct body_vertices *body, const float *positions) {
	if (body->part == PART_WHOLE) {
		return bounds_of_points(positions, (size_t)rig->vertex_count);
	}
	struct bounds all = BOUNDS_NONE;
	for (size_t i = 0; i < body->count; i++) {
		const struct bounds one = bounds_of_points(positions + body->vertices[i] * 3, 1);
		bounds_add(&all, &one);
	}
	return all;
}
