/* {"playlist": [{"pose": P, "start": s, "fade": s, "mask": M}, ...], "time": s}: poses that begin
 * one after another, each with a clock of its own. */
#include <math.h>

#include "pose/blend/average.h"
#include "pose/blend/easing.h"
#include "pose/blend/over.h"
#include "pose/operations.h"

/* Most entries of a list. */
#define ENTRIES_MAX 256

/* Seconds beyond which the clock of an entry loses milliseconds. */
#define LATEST_S 1e9

struct entry {
	const struct value *pose, *start;
	const struct value *mask; // NULL = all joints
	double start_s, fade_s;
};

/* Kept for a place in the expression. */
struct note {
	const struct entry *entries; // [count]; NULL = neither read nor checked yet
	size_t count;
	double duration_s;
};

struct request {
	const struct value *source, *list;
	double time_s;
	int easing, rotation;
};

#define AT_ENTRY(field) offsetof(struct entry, field)

static const struct member entry_rows[] = {
	{"pose", MEMBER_ANY, .offset = AT_ENTRY(pose), .required = true},
	{"start", MEMBER_NUMBER, .offset = AT_ENTRY(start_s), .required = true, .least = 0,
		.most = LATEST_S, .source_offset = AT_ENTRY(start)},
	{"fade", MEMBER_NUMBER, .offset = AT_ENTRY(fade_s), .least = 0, .most = LATEST_S},
	{"mask", MEMBER_ANY, .offset = AT_ENTRY(mask), .members = &mask_members},
};

static const struct member_table entry_members = MEMBER_TABLE(NULL, entry_rows);

#define AT(field) offsetof(struct request, field)

static const struct member rows[] = {
	{"playlist", MEMBER_ANY, .offset = AT(list), .required = true, .members = &entry_members},
	{"time", MEMBER_NUMBER, .offset = AT(time_s)},
	{"easing", MEMBER_CHOICE, .offset = AT(easing), .choices = easing_names},
	{"rotation", MEMBER_CHOICE, .offset = AT(rotation), .choices = average_names},
};

static const struct member_table members = MEMBER_TABLE(NULL, rows);

static bool read_request(const struct value *value, struct request *request, struct error *err) {
	const struct value **list = &request->list;
	request->source = value;
	if (!value_read_table(value, &members, request, err)) {
		return false;
	}
	return ((*list)->kind == VALUE_LIST && (*list)->count > 0 &&
		       (*list)->count <= ENTRIES_MAX) ||
		value_error(*list, err, ERROR_INVALID_VALUE,
			"\"playlist\" must be a list of 1 to %d {\"pose\", \"start\", \"fade\", "
			"\"mask\"}",
			ENTRIES_MAX);
}

static bool read_entry(
	const struct value *item, double earliest_s, struct entry *entry, struct error *err) {
	if (!value_read_table(item, &entry_members, entry, err)) {
		return false;
	}
	return entry->start_s >= earliest_s ||
		value_error(entry->start, err, ERROR_INVALID_VALUE,
			"\"start\" is %.15g, before the %.15g of the entry above; entries stand in "
			"the order in which they start",
			entry->start_s, earliest_s);
}

/* Evaluates an entry's pose so long after its start, by a clock of its own. The loops and the
 * length of its clips are not those of the whole list; length_s NULL = not asked for. */
static bool evaluate_entry(struct pose_context *context, const struct entry *entry, double since_s,
	double *length_s, struct pose *out, struct error *err) {
	struct pose_run *run = context->run;
	const struct pose_time time = context->time;
	const struct pose_loops loops = run->loops;
	const bool sampled = run->sampled;
	const double clip_s = run->clip_s, clip_start_s = run->clip_start_s;
	context->time = (struct pose_time){.clock_s = since_s, .speed = 1};
	run->clip_s = 0;
	const bool ok = pose_evaluate_into(context, entry->pose, out, err);
	if (length_s) {
		*length_s = run->clip_s;
	}
	context->time = time;
	run->loops = loops;
	run->sampled = sampled;
	run->clip_s = clip_s;
	run->clip_start_s = clip_start_s;
	return ok;
}

/* Reads all entries and evaluates each at its start, so that an error in one is found whatever time
 * is asked for. */
static bool check_entries(struct pose_context *context, const struct value *list,
	struct pose_slot *slot, struct note *note, struct error *err) {
	struct entry *entries = arena_alloc(context->run->arena, list->count, sizeof *entries);
	double earliest_s = 0, duration_s = 0;
	for (size_t i = 0; i < list->count; i++) {
		struct entry *entry = &entries[i];
		double length_s;
		if (!read_entry(&list->items[i], earliest_s, entry, err) ||
			!mask_read(context->rig, entry->mask, slot->mask, err) ||
			!evaluate_entry(context, entry, 0, &length_s, &slot->pose, err)) {
			return false;
		}
		const double end_s = entry->start_s + fmax(entry->fade_s, length_s);
		earliest_s = entry->start_s;
		duration_s = entry->mask ? fmax(duration_s, end_s) : end_s;
	}
	note->entries = entries;
	note->count = list->count;
	note->duration_s = duration_s;
	return true;
}

static const struct note *find_note(struct pose_context *context, const struct request *request,
	struct pose_slot *slot, struct error *err) {
	struct note *note = pose_run_recall(context->run, request->source, sizeof *note);
	const int clip = context->clip;
	const double time_s = context->time_s;
	const bool ok = note->entries || check_entries(context, request->list, slot, note, err);
	context->clip = clip;
	context->time_s = time_s;
	return ok ? note : NULL;
}

/* The moment of the list that is shown. */
static bool find_time(struct pose_context *context, const struct request *request,
	double duration_s, double *time_s, struct error *err) {
	*time_s = request->time_s;
	if (!pose_time_pass(&context->time, request->source, duration_s, time_s, err)) {
		return false;
	}
	if (context->time.at != CLIPS_AT_TIME) {
		*time_s = context->time.at == CLIPS_AT_START ? 0 : duration_s;
	} else {
		// The list has no loops, whatever its clips have.
		pose_loops_add(&context->run->loops, &(struct pose_loops){.known = true});
	}
	pose_note_length(context, duration_s, *time_s);
	return true;
}

static double share_of(const struct request *request, const struct entry *entry, double time_s) {
	const double since_s = time_s - entry->start_s;
	if (since_s < 0 || entry->fade_s == 0) {
		return since_s < 0 ? 0 : 1;
	}
	return easing_share((enum easing)request->easing, since_s / entry->fade_s);
}

/* The last entry that hides all before it; SIZE_MAX = none does. */
static size_t find_base(const struct request *request, const struct note *note, double time_s) {
	size_t base = SIZE_MAX;
	for (size_t i = 0; i < note->count; i++) {
		const struct entry *entry = &note->entries[i];
		base = !entry->mask && share_of(request, entry, time_s) == 1 ? i : base;
	}
	return base;
}

/* Puts an entry over those before it, which are in out. */
static bool put_entry(struct pose_context *context, const struct request *request,
	const struct entry *entry, double time_s, struct pose_slot *slot, struct pose *out,
	struct error *err) {
	const double share = share_of(request, entry, time_s);
	if (share == 0) {
		return true;
	}
	if (!evaluate_entry(context, entry, time_s - entry->start_s, NULL, &slot->pose, err) ||
		!mask_read(context->rig, entry->mask, slot->mask, err)) {
		return false;
	}
	const enum average_rotation rotation = (enum average_rotation)request->rotation;
	if (entry->mask) {
		const struct over over = {&slot->pose, share, slot->mask, rotation, false};
		over_put(context->rig, &over, out);
		return true;
	}
	const struct average_input inputs[2] = {
		{.weight = 1 - share, .pose = out, .whole = true},
		{.weight = share, .pose = &slot->pose, .whole = true},
	};
	average_poses(context->rig, inputs, 2, rotation, out);
	return true;
}

static bool put_entries(struct pose_context *context, const struct request *request,
	struct pose_slot *slot, struct pose *out, struct error *err) {
	const struct note *note = find_note(context, request, slot, err);
	double time_s;
	if (!note || !find_time(context, request, note->duration_s, &time_s, err)) {
		return false;
	}
	const size_t base = find_base(request, note, time_s);
	if (base == SIZE_MAX) {
		pose_set_rest(context->rig, DRIVEN_ALL, out);
	} else if (!evaluate_entry(context, &note->entries[base],
			   time_s - note->entries[base].start_s, NULL, out, err)) {
		return false;
	}
	for (size_t i = base == SIZE_MAX ? 0 : base + 1; i < note->count; i++) {
		if (!put_entry(context, request, &note->entries[i], time_s, slot, out, err)) {
			return false;
		}
	}
	return true;
}

static bool evaluate_playlist(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err) {
	struct request request = {0};
	if (!read_request(value, &request, err)) {
		return false;
	}
	struct pose_slot *slot = pose_pool_take(&context->spare, context->rig, context->arena, err);
	const bool ok = slot && put_entries(context, &request, slot, out, err);
	pose_pool_give(&context->spare, slot);
	return ok;
}

const struct operation operation_playlist = {"playlist", "poses that begin one after another",
	evaluate_playlist, &members, .is_quick = true};
