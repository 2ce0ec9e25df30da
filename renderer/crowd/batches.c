// The vertices of a crowd, batch by batch: figures of one plan are skinned into one buffer.
#include "crowd/batches.h"
#include "skinned/for_picture.h"
#include "skinned/streams.h"

#include <stdlib.h>

#include "base/memory.h"
#include "crowd/crowd.h"
#include "draw/skin_steps.h"
#include "skinned/placement.h"
#include "skinned/skin.h"
#include "state/context.h"
#include "state/state.h"

/* Bytes of skinned vertices that are there at a time, but for a figure that has more by itself:
 * some hundred figures, enough that a call for each batch costs nothing beside, and less than what
 * every driver takes as one storage buffer. */
#define BATCH_BYTES ((size_t)64 << 20)

static const struct back_end_kind *kind_of(const struct crowd_batches *batches) {
	return batches->crowd->renderer->back_end->kind;
}

/* True when the tangents of a plan's figures are skinned. */
static bool takes_tangents(const struct crowd_batches *batches, size_t plan) {
	return picture_takes_tangents(
		&batches->crowd->job->picture, batches->crowd->plans[plan].plan.rig);
}

static size_t figure_bytes(const struct crowd_batches *batches, size_t plan) {
	return gpu_rig_stream_floats(batches->crowd->plans[plan].plan.rig) * sizeof(float);
}

static size_t max_figures(const struct crowd_batches *batches, size_t plan) {
	const size_t bytes = figure_bytes(batches, plan);
	return bytes == 0 || bytes > BATCH_BYTES ? 1 : BATCH_BYTES / bytes;
}

/* True when a figure can be skinned together with others like it. */
static bool is_at_once(const struct crowd_batches *batches, const struct crowd_member *member) {
	const struct crowd_plan *plan = &batches->crowd->plans[member->plan];
	return plan->on_gpu && plan->at_once && !member->weights;
}

struct crowd_batch crowd_next_batch(const struct crowd_batches *batches,
	const struct crowd_member *const *members, size_t left) {
	const size_t plan = members[0]->plan, most = max_figures(batches, plan);
	const bool at_once = is_at_once(batches, members[0]);
	size_t count = 1;
	while (count < left && count < most && members[count]->plan == plan &&
		members[count]->materials == members[0]->materials &&
		members[count]->time_s == members[0]->time_s &&
		is_at_once(batches, members[count]) == at_once) {
		count++;
	}
	return (struct crowd_batch){members, count};
}

bool crowd_see(const struct crowd_member *member, float *positions, size_t count,
	const struct crowd_sight *sight, struct error *err) {
	if (!vertices_check(positions, count * 3, err)) {
		return false;
	}
	placement_apply_points(&member->placement, positions, count);
	if (!vertices_check(positions, count * 3, err)) {
		return false;
	}
	if (sight->extremes) {
		camera_extremes_add(sight->extremes, positions, count);
	}
	if (sight->footing) {
		footing_add(sight->footing, positions, count);
	}
	return true;
}

/* True where float32 holds a figure wherever it stands, by the sizes of its matrices alone. */
static bool keeps_near(const struct crowd_batches *batches, const struct crowd_member *member,
	const struct drawn_rig *drawn) {
	const struct skin_plan *plan = &batches->crowd->plans[member->plan].plan;
	return skin_plan_keeps_near(plan, &member->palette, drawn->reach) &&
		placement_keeps_near(&member->placement);
}

/* Skins a batch on the CPU, figure by figure: each goes through the cache on its way. */
static bool skin_batch_on_cpu(struct crowd_batches *batches, const struct crowd_batch *batch,
	const struct drawn_rig *drawn, const struct crowd_sight *sight, struct error *err) {
	const struct back_end_kind *kind = kind_of(batches);
	const struct crowd_sight none = {0};
	struct renderer *renderer = batches->crowd->renderer;
	const struct skin_room room = {&renderer->morphed, &renderer->displaced};
	const bool tangents = takes_tangents(batches, batch->members[0]->plan);
	for (size_t i = 0; i < batch->count; i++) {
		const struct prepared prepared = crowd_prepared(batches->crowd, batch->members[i]);
		const size_t count = (size_t)prepared.rig->vertex_count;
		float *vertices = scratch_get(&renderer->vertices, count * streams_width(tangents));
		const struct streams streams = streams_in(vertices, count, tangents);
		skin_on_cpu(&prepared, &room, &streams);
		kind->put_copy(batches->copies, prepared.rig, i, streams.positions, streams.normals,
			streams.tangents);
		if ((sight || !keeps_near(batches, batch->members[i], drawn)) &&
			!crowd_see(
				batch->members[i], vertices, count, sight ? sight : &none, err)) {
			return false;
		}
	}
	return true;
}

/* Skins a batch in one go into the copies. */
static bool skin_at_once(struct crowd_batches *batches, const struct crowd_batch *batch,
	struct drawn_rig *drawn, struct error *err) {
	const struct back_end_kind *kind = kind_of(batches);
	const struct rig *rig = batches->crowd->plans[batch->members[0]->plan].plan.rig;
	struct prepared *prepared = xcalloc(batch->count, sizeof *prepared);
	for (size_t i = 0; i < batch->count; i++) {
		prepared[i] = crowd_prepared(batches->crowd, batch->members[i]);
	}
	kind->lend_copies(batches->copies, drawn, batch->count);
	const bool tangents = takes_tangents(batches, batch->members[0]->plan);
	const bool ok = skin_on_gpu(batches->crowd->renderer, prepared, tangents, drawn, err);
	kind->take_back_copies(batches->copies, drawn, rig);
	free(prepared);
	return ok;
}

static bool skin_one_by_one(struct crowd_batches *batches, const struct crowd_batch *batch,
	struct drawn_rig *drawn, struct error *err) {
	const struct back_end_kind *kind = kind_of(batches);
	const bool tangents = takes_tangents(batches, batch->members[0]->plan);
	for (size_t i = 0; i < batch->count; i++) {
		const struct prepared prepared = crowd_prepared(batches->crowd, batch->members[i]);
		if (!skin_on_gpu(batches->crowd->renderer, &prepared, tangents, drawn, err)) {
			return false;
		}
		kind->keep_copy(batches->copies, drawn, prepared.rig, i);
	}
	return true;
}

/* Reads the positions of a batch back where they are to be seen, or checked. */
static bool see_copies(struct crowd_batches *batches, const struct crowd_batch *batch,
	struct drawn_rig *drawn, const struct crowd_sight *sight, struct error *err) {
	const struct back_end_kind *kind = kind_of(batches);
	const struct crowd_sight none = {0};
	const struct rig *rig = batches->crowd->plans[batch->members[0]->plan].plan.rig;
	const size_t count = (size_t)rig->vertex_count, stride = gpu_rig_stream_floats(rig);
	float *positions = scratch_get(&batches->crowd->renderer->vertices, count * 6);
	kind->lend_copies(batches->copies, drawn, batch->count);
	bool ok = true;
	for (size_t i = 0; ok && i < batch->count; i++) {
		ok = (!sight && keeps_near(batches, batch->members[i], drawn)) ||
			(kind->read_skinned(drawn, i * stride, count * 3, positions, err) &&
				crowd_see(batch->members[i], positions, count,
					sight ? sight : &none, err));
	}
	kind->take_back_copies(batches->copies, drawn, rig);
	return ok;
}

struct drawn_rig *crowd_skin_batch(struct crowd_batches *batches, const struct crowd_batch *batch,
	const struct crowd_sight *sight, struct error *err) {
	const struct crowd_plan *plan = &batches->crowd->plans[batch->members[0]->plan];
	struct drawn_rig *drawn = drawn_rigs_get(batches->crowd->renderer, plan->plan.rig, err);
	const bool there =
		batches->there.members == batch->members && batches->there.count == batch->count;
	if (!drawn || (there && !sight)) {
		return drawn;
	}
	batches->there = (struct crowd_batch){0};
	if (!stop_check(batches->crowd->job->stop, err)) {
		return NULL;
	}
	if (!plan->on_gpu) {
		if (!skin_batch_on_cpu(batches, batch, drawn, sight, err)) {
			return NULL;
		}
	} else if (!(is_at_once(batches, batch->members[0]) ? skin_at_once : skin_one_by_one)(
			   batches, batch, drawn, err) ||
		!see_copies(batches, batch, drawn, sight, err)) {
		return NULL;
	}
	batches->there = *batch;
	return drawn;
}

bool crowd_batches_begin(struct crowd_batches *batches, const struct crowd *crowd,
	const struct crowd_member *const *members, size_t count, struct error *err) {
	*batches = (struct crowd_batches){.crowd = crowd};
	size_t most = 0;
	for (size_t i = 0; i < count;) {
		const struct crowd_batch batch = crowd_next_batch(batches, members + i, count - i);
		const size_t bytes = batch.count * figure_bytes(batches, batch.members[0]->plan);
		most = bytes > most ? bytes : most;
		i += batch.count;
	}
	struct back_end *back_end = crowd->renderer->back_end;
	batches->copies = back_end->kind->create_copies(back_end, most, err);
	return batches->copies != NULL;
}

void crowd_batches_finish(struct crowd_batches *batches) {
	kind_of(batches)->destroy_copies(batches->copies);
}
