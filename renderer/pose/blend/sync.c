// Clips in step.
#include "pose/blend/sync.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "pose/blend/markers.h"
#include "pose/blend/over.h"
#include "pose/sample/sampler.h"

const char *const sync_markers_names[SYNC_MARKERS_COUNT + 1] = {
	[SYNC_MARKERS_NONE] = "none",
	[SYNC_MARKERS_FEET] = "feet",
};

struct note {
	bool known;
	struct markers markers;
};

static bool find_feet(struct pose_context *context, const struct sync_item *item,
	struct markers *markers, struct error *err) {
	for (int i = 0; i < foot_markers_steps(item->clip); i++) {
		if (!pose_run_spend(context->run, item->source, context->rig->joint_count, err)) {
			return false;
		}
	}
	if (!foot_markers_find(context->rig, item->clip, markers)) {
		return value_error(item->source, err, ERROR_INVALID_VALUE,
			"the feet of this rig are not known, or they take too many steps; give the "
			"clips' \"markers\"");
	}
	return markers->count > 0 ||
		value_error(item->source, err, ERROR_INVALID_VALUE,
			"no foot takes steps in this clip; give its \"markers\"");
}

bool sync_find_markers(struct pose_context *context, struct sync_item *item,
	const struct value *given, enum sync_markers way, struct error *err) {
	static const struct markers none = {0};
	item->markers = &none;
	if (!given && way == SYNC_MARKERS_NONE) {
		return true;
	}
	struct note *note = pose_run_recall(context->run, item->source, sizeof *note);
	item->markers = &note->markers;
	if (!note->known) {
		note->known = given
			? markers_read(given, item->clip->duration_s, &note->markers, err)
			: find_feet(context, item, &note->markers, err);
	}
	return note->known;
}

bool sync_check(const struct sync_item *items, size_t count, const struct sync_moment *moment,
	struct error *err) {
	if (moment->time_source && moment->phase_source) {
		return value_error(moment->phase_source, err, ERROR_INVALID_VALUE,
			"\"time\" and \"phase\" say the same thing; give one of them");
	}
	for (size_t i = 1; i < count; i++) {
		if (!markers_agree(items[0].markers, items[i].markers)) {
			char first[96], other[96];
			markers_write(items[0].markers, first, sizeof first);
			markers_write(items[i].markers, other, sizeof other);
			return value_error(items[i].source, err, ERROR_INVALID_VALUE,
				"clips in step need the same markers; here they are %s, in the "
				"first clip %s",
				other, first);
		}
	}
	return true;
}

/* Of weights as large as they like to be; 0 where there are none. */
static double mean_duration(const struct sync_item *items, size_t count) {
	double greatest = 0, sum = 0, weights = 0;
	for (size_t i = 0; i < count; i++) {
		greatest = fmax(greatest, items[i].weight);
	}
	for (size_t i = 0; greatest > 0 && i < count; i++) {
		weights += items[i].weight / greatest;
		sum += items[i].weight / greatest * items[i].clip->duration_s;
	}
	return weights > 0 ? sum / weights : 0;
}

/* The phase of the cycle, and the number of completed cycles. */
struct turn {
	double phase, cycles; // phase in [0, 1]
};

static bool find_turn(struct pose_context *context, const struct value *source,
	const struct sync_item *items, size_t count, const struct sync_moment *moment,
	struct turn *turn, struct error *err) {
	const double period_s = mean_duration(items, count);
	double time_s = moment->phase_source ? moment->phase * period_s : moment->time_s;
	if (!pose_time_pass(&context->time, source, period_s, &time_s, err)) {
		return false;
	}
	const double turns = period_s > 0 ? time_s / period_s : 0;
	turn->cycles = floor(turns);
	turn->phase = isfinite(turns) ? turns - turn->cycles : 0;
	pose_note_length(context, period_s, turn->phase * period_s);
	return true;
}

static bool sample(struct pose_context *context, const struct sync_item *item,
	const struct turn *turn, struct pose_slot *slot, struct error *err) {
	const struct clip *clip = item->clip;
	const int index = (int)(clip - context->rig->clips);
	const double time_s = markers_time(item->markers, clip->duration_s, turn->phase);
	context->clip = index;
	context->time_s =
		pose_find_moment(context, LOOP_REPEAT, turn->cycles, time_s, clip->duration_s);
	clip_sample(context->rig, clip, context->time_s, &slot->pose);
	return pose_run_spend(context->run, item->source, context->rig->joint_count, err) &&
		mask_read(context->rig, item->mask, slot->mask, err);
}

static bool evaluate(struct pose_context *context, const struct sync_item *items, size_t count,
	const struct turn *turn, enum average_rotation rotation, struct pose_slot **slots,
	struct average_input *inputs, struct pose *out, struct error *err) {
	for (size_t i = 0; i < count; i++) {
		slots[i] = pose_pool_take(&context->spare, context->rig, context->arena, err);
		if (!slots[i] || !sample(context, &items[i], turn, slots[i], err)) {
			return false;
		}
		inputs[i] = (struct average_input){.weight = items[i].weight,
			.pose = &slots[i]->pose,
			.mask = items[i].mask ? slots[i]->mask : NULL,
			.whole = items[i].whole};
	}
	average_poses(context->rig, inputs, count, rotation, out);
	return true;
}

bool sync_evaluate(struct pose_context *context, const struct value *source,
	const struct sync_item *items, size_t count, const struct sync_moment *moment,
	enum average_rotation rotation, struct pose *out, struct error *err) {
	struct turn turn = {0};
	if (!find_turn(context, source, items, count, moment, &turn, err)) {
		return false;
	}
	struct pose_slot **slots = xcalloc(count, sizeof *slots);
	struct average_input *inputs = xcalloc(count, sizeof *inputs);
	const bool ok = evaluate(context, items, count, &turn, rotation, slots, inputs, out, err);
	for (size_t i = 0; i < count; i++) {
		pose_pool_give(&context->spare, slots[i]);
	}
	free(slots);
	free(inputs);
	return ok;
}
