// {"retarget": P, "rig": name, "map", "align", "scale", "translations", "unmapped"}: a pose of
// another rig put on ours.
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "base/utf8.h"
#include "pose/find.h"
#include "pose/operations.h"
#include "pose/retarget/retarget.h"

/* Data found once for all poses of a run. */
struct plan {
	bool made;
	struct joint_map map;
	struct retarget retarget;
};

struct request {
	const struct value *pose, *map, *align, *scale, *unmapped;
	const char *rig;
	const struct value *rig_source;
	int translations; // 1 = all
};

static const char *const translations[] = {"root", "all", NULL};

#define AT(field) offsetof(struct request, field)

static const struct member rows[] = {
	{"retarget", MEMBER_ANY, .offset = AT(pose), .required = true},
	{"rig", MEMBER_STRING, .offset = AT(rig), .required = true,
		.source_offset = AT(rig_source)},
	{"map", MEMBER_ANY, .offset = AT(map)},
	{"align", MEMBER_ANY, .offset = AT(align)},
	{"scale", MEMBER_ANY, .offset = AT(scale)},
	{"translations", MEMBER_CHOICE, .offset = AT(translations), .choices = translations},
	{"unmapped", MEMBER_ANY, .offset = AT(unmapped)},
};

static const struct member_table members = MEMBER_TABLE(NULL, rows);

static bool is_word(const struct value *value, const char *word) {
	return value->kind == VALUE_STRING && strcmp(value->string, word) == 0;
}

static bool make_map(const struct value *source, const struct value *fallback,
	const struct rig *ours, const struct rig *theirs, struct arena *arena,
	struct joint_map *map, struct error *err) {
	if (source && source->kind == VALUE_OBJECT) {
		return joint_map_read(source, ours, theirs, arena, map, err);
	}
	int kind = JOINT_MAP_AUTO;
	while (source && kind < JOINT_MAP_COUNT && !is_word(source, joint_map_names[kind])) {
		kind++;
	}
	if (kind == JOINT_MAP_COUNT) {
		return value_error(source, err, ERROR_INVALID_VALUE,
			"\"map\" must be \"auto\", \"name\" or an object {\"their joint\": \"our "
			"joint\", ...}");
	}
	joint_map_find((enum joint_map_kind)kind, ours, theirs, arena, map);
	if (map->bound == 0) {
		return value_error(source ? source : fallback, err, ERROR_INVALID_VALUE,
			"no joint of the two rigs could be paired; \"map\" can say which are");
	}
	return map->whole >= JOINT_MAP_MIN ||
		value_error(source ? source : fallback, err, ERROR_INVALID_VALUE,
			"next to nothing of the two rigs could be paired (%d of %d joints, "
			"confidence %.2g); \"map\" can say which are",
			map->bound, ours->joint_count, map->whole);
}

static bool read_turn(
	const struct rig *rig, const struct value *member, double (*turns)[4], struct error *err) {
	const int joint = pose_find_joint(rig, member, err);
	if (joint < 0) {
		return false;
	}
	double square = 0;
	for (size_t k = 0; k < 4 && member->kind == VALUE_LIST && member->count == 4; k++) {
		const struct value *item = &member->items[k];
		turns[joint][k] = item->kind == VALUE_NUMBER ? item->number : NAN;
		square += turns[joint][k] * turns[joint][k];
	}
	if (!(square > 1e-12 && square < 1e12)) {
		return value_error(member, err, ERROR_INVALID_VALUE,
			"a turn must be a quaternion [x, y, z, w] with a length");
	}
	quat_normalize(turns[joint]);
	return true;
}

static bool read_align(const struct value *source, const struct rig *rig, struct arena *arena,
	struct retarget_settings *settings, struct error *err) {
	if (!source || is_word(source, "rest")) {
		settings->align = RETARGET_ALIGN_REST;
		return true;
	}
	if (is_word(source, "none")) {
		settings->align = RETARGET_ALIGN_NONE;
		return true;
	}
	if (source->kind != VALUE_OBJECT) {
		return value_error(source, err, ERROR_INVALID_VALUE,
			"\"align\" must be \"rest\", \"none\" or an object {\"our joint\": "
			"[x, y, z, w], ...}");
	}
	double(*turns)[4] = arena_alloc(arena, (size_t)rig->joint_count, sizeof *turns);
	for (int i = 0; i < rig->joint_count; i++) {
		turns[i][3] = 1;
	}
	settings->align = RETARGET_ALIGN_GIVEN;
	settings->turns = (const double(*)[4])turns;
	for (size_t i = 0; i < source->count; i++) {
		if (!read_turn(rig, &source->items[i], turns, err)) {
			return false;
		}
	}
	return true;
}

/* Factors that no rig's unit needs lead out of float32. */
#define SCALE_MIN 1e-6
#define SCALE_MAX 1e6

static bool read_scale(
	const struct value *source, struct retarget_settings *settings, struct error *err) {
	if (!source || is_word(source, "hips")) {
		return true;
	}
	if (is_word(source, "none")) {
		settings->scale = 1;
		return true;
	}
	settings->scale = source->kind == VALUE_NUMBER ? source->number : 0;
	return (settings->scale >= SCALE_MIN && settings->scale <= SCALE_MAX) ||
		value_error(source, err, ERROR_INVALID_VALUE,
			"\"scale\" must be \"hips\", \"none\" or a number from %g to %g", SCALE_MIN,
			SCALE_MAX);
}

static bool make_plan(struct plan *plan, const struct request *request, const struct rig *ours,
	const struct rig *theirs, struct arena *arena, struct error *err) {
	struct retarget_settings settings = {.all_move = request->translations == 1};
	const bool is_played =
		!request->map && !request->align && joint_map_is_played(ours, theirs);
	if (is_played) {
		joint_map_bones(ours, theirs, arena, &plan->map);
	}
	if (!(is_played ||
		    make_map(request->map, request->rig_source, ours, theirs, arena, &plan->map,
			    err)) ||
		!read_align(request->align, ours, arena, &settings, err) ||
		!read_scale(request->scale, &settings, err)) {
		return false;
	}
	if (is_played) {
		settings.align = RETARGET_ALIGN_AVATAR;
	}
	retarget_make(&plan->map, &settings, arena, &plan->retarget);
	plan->made = true;
	return true;
}

static bool put(struct plan *plan, const struct pose *theirs, bool held, const struct value *value,
	struct pose *out, struct error *err) {
	int joint;
	if (retarget_pose(&plan->retarget, theirs, held, out, &joint)) {
		return true;
	}
	char name[UTF8_QUOTED_BYTES];
	utf8_quote(plan->map.ours->joints[joint].name, name, sizeof name);
	return value_error(value, err, ERROR_INVALID_VALUE,
		"the other rig's pose takes joint %s farther than float32 reaches", name);
}

static bool evaluate_retarget(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err) {
	struct request request = {0};
	if (!value_read_table(value, &members, &request, err)) {
		return false;
	}
	const struct rig *theirs =
		pose_sources_find(context->run->sources, request.rig_source, err);
	if (!theirs) {
		return false;
	}
	struct plan *plan = pose_run_recall(context->run, value, sizeof *plan);
	if (!plan->made &&
		!make_plan(plan, &request, context->rig, theirs, context->run->arena, err)) {
		return false;
	}
	if (request.unmapped) {
		if (!pose_evaluate_into(context, request.unmapped, out, err)) {
			return false;
		}
	} else {
		pose_set_rest(context->rig, 0, out);
	}
	struct pose_context *other = pose_context_other(context, theirs);
	struct pose_slot *slot = pose_pool_take(&other->spare, theirs, other->arena, err);
	const bool ok = slot && pose_evaluate_into(other, request.pose, &slot->pose, err) &&
		pose_run_spend(context->run, value, (int)plan->retarget.steps, err) &&
		put(plan, &slot->pose, request.unmapped != NULL, value, out, err);
	pose_pool_give(&other->spare, slot);
	return ok;
}

const struct operation operation_retarget = {
	"retarget", "a pose of another rig", evaluate_retarget, &members, .is_quick = false};
