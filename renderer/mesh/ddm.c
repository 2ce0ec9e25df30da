// The precomputation of direct delta mush.
#include "mesh/ddm.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/diffusion.h"
#include "mesh/parts.h"

/* Columns of numbers at the points: the ten products of u, and the weights for W'. */
enum { COLUMN_SECOND = 0, COLUMN_FIRST = 6, COLUMN_WEIGHT = 9, COLUMN_COUNT = 10 };

/* A joint of a point while they are collected, in a chain. */
struct entry {
	struct ddm_joint joint;
	int next; // of the same point; -1 = the last
};

struct maker {
	const struct mesh_surface *surface;
	const struct ddm_settings *settings;
	const struct watch *watch;
	struct laplacian laplacian;
	struct parts parts;
	int *only_slots; // [parts.count] the one slot that moves all of a part; -1 = there are more
	struct diffusion *by_lambda, *by_kappa; // by_kappa: NULL without alpha
	double origin[3];                       // near the surface, for the columns' sake
	double (*centres)[3];                   // [point_count] from there
	double *columns;                        // [COLUMN_COUNT][point_count]
	double *smoothed_weights;               // [point_count] W'
	int *heads;                             // [point_count] into entries; -1 = none
	int *counts;                            // [point_count] chained
	bool *truncated;                        // [point_count]
	struct entry *entries;
	size_t entry_count, entry_room;
};

/* The columns of the products of u's parts. */
static const int second_parts[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};

static void put_products(struct maker *maker, int point, double weight) {
	const size_t count = (size_t)maker->surface->point_count;
	double u[3];
	for (int i = 0; i < 3; i++) {
		u[i] = maker->surface->positions[point][i] - maker->origin[i];
		maker->columns[(COLUMN_FIRST + (size_t)i) * count + (size_t)point] = weight * u[i];
	}
	for (size_t i = 0; i < 6; i++) {
		const int *parts = second_parts[i];
		maker->columns[i * count + (size_t)point] = weight * u[parts[0]] * u[parts[1]];
	}
	maker->columns[COLUMN_WEIGHT * count + (size_t)point] = weight;
}

static bool smooth(struct maker *maker, struct error *err) {
	const struct stop *stop = maker->watch ? maker->watch->stop : NULL;
	return diffusion_apply(
		maker->by_lambda, maker->columns, COLUMN_COUNT, maker->settings->times, stop, err);
}

/* The centres: all joints at once have the weight 1 everywhere. */
static bool find_centres(struct maker *maker, struct error *err) {
	const size_t count = (size_t)maker->surface->point_count;
	for (size_t i = 0; i < count; i++) {
		put_products(maker, (int)i, 1);
	}
	if (!smooth(maker, err)) {
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < 3; k++) {
			maker->centres[i][k] = maker->columns[(COLUMN_FIRST + k) * count + i] /
				maker->columns[COLUMN_WEIGHT * count + i];
		}
	}
	return true;
}

/* Moves the origin of a joint's Omega by an offset. */
static void move_origin(struct ddm_joint *joint, const double by[static 3]) {
	for (int i = 0; i < 6; i++) {
		const int a = second_parts[i][0], b = second_parts[i][1];
		joint->second[i] += joint->weight * by[a] * by[b] - by[a] * joint->first[b] -
			joint->first[a] * by[b];
	}
	for (int i = 0; i < 3; i++) {
		joint->first[i] -= joint->weight * by[i];
	}
}

/* A joint's Omega at a point, from the smoothed columns. */
static struct ddm_joint read_joint(const struct maker *maker, int slot, size_t point) {
	const size_t count = (size_t)maker->surface->point_count;
	const double *column = maker->columns + point, keep = 1 - maker->settings->alpha;
	struct ddm_joint joint = {.slot = slot, .weight = column[COLUMN_WEIGHT * count]};
	// A point that is alone has no surroundings; what differences would leave is rounding.
	if (maker->laplacian.sums[point] > 0) {
		for (size_t i = 0; i < 6; i++) {
			joint.second[i] = column[i * count];
		}
		for (size_t i = 0; i < 3; i++) {
			joint.first[i] = column[(COLUMN_FIRST + i) * count];
		}
		move_origin(&joint, maker->centres[point]);
	}
	for (int i = 0; i < 6; i++) {
		joint.second[i] *= keep;
	}
	for (int i = 0; i < 3; i++) {
		joint.first[i] *= keep;
	}
	joint.weight *= keep;
	if (maker->by_kappa) {
		joint.weight += maker->settings->alpha * maker->smoothed_weights[point];
	}
	return joint;
}

/* Makes room for one more joint at every point. */
static bool reserve(struct maker *maker, struct error *err) {
	const size_t needed = maker->entry_count + (size_t)maker->surface->point_count;
	if (needed <= maker->entry_room) {
		return true;
	}
	struct entry *entries = try_calloc(needed * 2, sizeof *entries, "moments", err);
	if (!entries) {
		return false;
	}
	if (maker->entries) {
		memcpy(entries, maker->entries, maker->entry_count * sizeof *entries);
	}
	free(maker->entries);
	maker->entries = entries;
	maker->entry_room = needed * 2;
	return true;
}

/* A point's joint of least weight. */
static struct entry *find_min(const struct maker *maker, size_t point) {
	struct entry *least = &maker->entries[maker->heads[point]];
	for (int i = least->next; i >= 0; i = maker->entries[i].next) {
		if (maker->entries[i].joint.weight < least->joint.weight) {
			least = &maker->entries[i];
		}
	}
	return least;
}

/* Keeps a joint, in place of the least one where there are as many as may be. */
static void keep_joint(struct maker *maker, size_t point, const struct ddm_joint *joint) {
	if (!(joint->weight > DDM_WEIGHT_MIN)) {
		return;
	}
	if (maker->counts[point] < DDM_JOINTS_MAX) {
		maker->entries[maker->entry_count] = (struct entry){*joint, maker->heads[point]};
		maker->heads[point] = (int)maker->entry_count++;
		maker->counts[point]++;
		return;
	}
	struct entry *least = find_min(maker, point);
	maker->truncated[point] = true;
	if (joint->weight > least->joint.weight) {
		least->joint = *joint;
	}
}

/* The slot that has all the weight of a point; -1 = there are more. */
static int only_slot(const struct mesh_surface *surface, int point) {
	const int start = surface->share_starts[point];
	return surface->share_starts[point + 1] == start + 1 ? surface->shares[start].slot : -1;
}

static bool find_only_slots(struct maker *maker, struct error *err) {
	const struct mesh_surface *surface = maker->surface;
	const size_t count = (size_t)maker->parts.count;
	bool *seen = try_calloc(count, sizeof *seen, "parts", err);
	maker->only_slots = try_calloc(count, sizeof *maker->only_slots, "parts", err);
	const bool done = seen && maker->only_slots;
	for (int i = 0; done && i < surface->point_count; i++) {
		const int part = maker->parts.points[i];
		if (part >= 0) {
			const int slot = only_slot(surface, i);
			const bool other = seen[part] && maker->only_slots[part] != slot;
			maker->only_slots[part] = other ? -1 : slot;
			seen[part] = true;
		}
	}
	free(seen);
	return done;
}

/* True when a point's joints depend on points with others. */
static bool is_mixed(const struct maker *maker, int point) {
	const int part = maker->parts.points[point];
	return part >= 0 && maker->only_slots[part] < 0;
}

/* The joints of points that are alone and of rigid parts: what all joints together have is theirs.
 * The columns are still those of find_centres(). */
static bool add_unmixed(struct maker *maker, struct error *err) {
	const struct mesh_surface *surface = maker->surface;
	for (int i = 0; i < surface->point_count; i++) {
		const int start = surface->share_starts[i], end = surface->share_starts[i + 1];
		if (is_mixed(maker, i)) {
			continue;
		}
		if (maker->entry_count + (size_t)(end - start) > maker->entry_room &&
			!reserve(maker, err)) {
			return false;
		}
		maker->smoothed_weights[i] = 1;
		for (int k = start; k < end; k++) {
			struct ddm_joint joint =
				read_joint(maker, surface->shares[k].slot, (size_t)i);
			joint.weight *= surface->shares[k].weight;
			keep_joint(maker, (size_t)i, &joint);
		}
	}
	return true;
}

/* Puts a slot's weights into the columns; false where it has none among the mixed. */
static bool put_slot(struct maker *maker, int slot) {
	bool any = false;
	for (int i = 0; i < maker->surface->point_count; i++) {
		const double weight =
			is_mixed(maker, i) ? surface_weight(maker->surface, i, slot) : 0;
		any = any || weight > 0;
		put_products(maker, i, weight);
		maker->smoothed_weights[i] = weight;
	}
	return any;
}

static bool add_slot(struct maker *maker, int slot, struct error *err) {
	const struct stop *stop = maker->watch ? maker->watch->stop : NULL;
	if (!put_slot(maker, slot)) {
		return true;
	}
	if (!reserve(maker, err) || !smooth(maker, err) ||
		(maker->by_kappa &&
			!diffusion_apply(maker->by_kappa, maker->smoothed_weights, 1,
				maker->settings->times, stop, err))) {
		return false;
	}
	for (int i = 0; i < maker->surface->point_count; i++) {
		if (is_mixed(maker, i)) {
			const struct ddm_joint joint = read_joint(maker, slot, (size_t)i);
			keep_joint(maker, (size_t)i, &joint);
		}
	}
	return true;
}

static int compare_joints(const void *a, const void *b) {
	const struct ddm_joint *left = a, *right = b;
	if (left->weight != right->weight) {
		return left->weight > right->weight ? -1 : 1;
	}
	return (left->slot > right->slot) - (left->slot < right->slot);
}

/* Makes the kept joints' weights sum to 1, and their first moments to 0 by a step of the centre. */
static void normalise(struct ddm_joint *joints, int count, double centre[static 3]) {
	double weight = 0, off[3] = {0};
	for (int i = 0; i < count; i++) {
		weight += joints[i].weight;
	}
	for (int i = 0; i < count; i++) {
		joints[i].weight /= weight;
		for (int k = 0; k < 6; k++) {
			joints[i].second[k] /= weight;
		}
		for (int k = 0; k < 3; k++) {
			joints[i].first[k] /= weight;
			off[k] += joints[i].first[k];
		}
	}
	for (int i = 0; i < count; i++) {
		move_origin(&joints[i], off);
	}
	for (int k = 0; k < 3; k++) {
		centre[k] += off[k];
	}
}

static void collect(const struct maker *maker, struct ddm *ddm) {
	for (int i = 0; i < maker->surface->point_count; i++) {
		int end = ddm->starts[i];
		for (int e = maker->heads[i]; e >= 0; e = maker->entries[e].next) {
			ddm->joints[end++] = maker->entries[e].joint;
		}
		ddm->starts[i + 1] = end;
		struct ddm_joint *joints = ddm->joints + ddm->starts[i];
		qsort(joints, (size_t)maker->counts[i], sizeof *joints, compare_joints);
		normalise(joints, maker->counts[i], maker->centres[i]);
		for (int k = 0; k < 3; k++) {
			ddm->centres[i][k] = maker->centres[i][k] + maker->origin[k];
		}
		ddm->truncated += maker->truncated[i];
	}
}

static bool prepare(struct maker *maker, struct error *err) {
	const size_t count = (size_t)maker->surface->point_count;
	const struct ddm_settings *settings = maker->settings;
	if (!parts_init(&maker->parts, maker->surface, err) || !find_only_slots(maker, err) ||
		!laplacian_init(&maker->laplacian, maker->surface, settings->laplacian, err)) {
		return false;
	}
	maker->by_lambda = diffusion_create(&maker->laplacian, settings->lambda, err);
	maker->by_kappa = settings->alpha > 0
		? diffusion_create(&maker->laplacian, settings->kappa, err)
		: NULL;
	maker->centres = try_calloc(count, sizeof *maker->centres, "moments", err);
	maker->columns = try_calloc(count * COLUMN_COUNT, sizeof *maker->columns, "moments", err);
	maker->smoothed_weights =
		try_calloc(count, sizeof *maker->smoothed_weights, "moments", err);
	maker->heads = try_calloc(count, sizeof *maker->heads, "moments", err);
	maker->counts = try_calloc(count, sizeof *maker->counts, "moments", err);
	maker->truncated = try_calloc(count, sizeof *maker->truncated, "moments", err);
	if (!maker->by_lambda || (settings->alpha > 0 && !maker->by_kappa) || !maker->centres ||
		!maker->columns || !maker->smoothed_weights || !maker->heads || !maker->counts ||
		!maker->truncated) {
		return false;
	}
	memset(maker->heads, 0xff, count * sizeof *maker->heads);
	for (size_t i = 0; i < count * 3; i++) {
		maker->origin[i % 3] += maker->surface->positions[i / 3][i % 3] / (double)count;
	}
	return true;
}

static void finish(struct maker *maker) {
	parts_finish(&maker->parts);
	laplacian_finish(&maker->laplacian);
	free(maker->only_slots);
	diffusion_destroy(maker->by_lambda);
	diffusion_destroy(maker->by_kappa);
	free(maker->centres);
	free(maker->columns);
	free(maker->smoothed_weights);
	free(maker->heads);
	free(maker->counts);
	free(maker->truncated);
	free(maker->entries);
}

static bool add_slots(struct maker *maker, int slot_count, struct error *err) {
	for (int slot = 0; slot < slot_count; slot++) {
		const double share = (double)slot / slot_count;
		if (!watch_step(maker->watch, share, err) || !add_slot(maker, slot, err)) {
			return false;
		}
	}
	return true;
}

bool ddm_init(struct ddm *ddm, const struct mesh_surface *surface,
	const struct ddm_settings *settings, const struct watch *watch, struct error *err) {
	struct maker maker = {.surface = surface, .settings = settings, .watch = watch};
	const size_t count = (size_t)surface->point_count;
	*ddm = (struct ddm){0};
	bool done = prepare(&maker, err) && find_centres(&maker, err) && add_unmixed(&maker, err) &&
		add_slots(&maker, surface->slot_count, err);
	if (done) {
		ddm->starts = try_calloc(count + 1, sizeof *ddm->starts, "moments", err);
		ddm->joints = try_calloc(maker.entry_count, sizeof *ddm->joints, "moments", err);
		ddm->centres = try_calloc(count, sizeof *ddm->centres, "moments", err);
		done = ddm->starts && ddm->joints && ddm->centres;
	}
	if (done) {
		collect(&maker, ddm);
	} else {
		ddm_finish(ddm);
	}
	finish(&maker);
	return done;
}

void ddm_finish(struct ddm *ddm) {
	free(ddm->starts);
	free(ddm->joints);
	free(ddm->centres);
	*ddm = (struct ddm){0};
}
