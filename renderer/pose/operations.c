// The table of pose operations and how an expression finds its row.
#include "pose/operations.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

#define ROW(name) &operation_##name
static const struct operation *const operations[] = {POSE_OPERATIONS(ROW)};
#undef ROW

#define OPERATION_COUNT (sizeof operations / sizeof *operations)

const char *const pose_space_names[POSE_SPACE_COUNT + 1] = {
	[POSE_SPACE_LOCAL] = "local",
	[POSE_SPACE_MODEL] = "model",
};

const struct operation *operation_at(size_t i) {
	return i < OPERATION_COUNT ? operations[i] : NULL;
}

static double pass(const struct pose_time *time, double clock_s, double duration_s, double time_s) {
	const double passed_s = time->speed * (time_s + clock_s);
	return time->reversed ? duration_s - passed_s : passed_s;
}

bool pose_time_pass(const struct pose_time *time, const struct value *source, double duration_s,
	double *time_s, struct error *err) {
	const double passed_s = pass(time, time->clock_s, duration_s, *time_s);
	if (time->looks_back && passed_s < 0) {
		*time_s = fmin(0, pass(time, time->now_s, duration_s, *time_s));
	} else {
		*time_s = passed_s;
	}
	return isfinite(*time_s) ||
		value_error(source, err, ERROR_INVALID_VALUE,
			"the clip's time is farther than numbers reach");
}

double pose_find_moment(struct pose_context *context, enum loop loop, double loops, double time_s,
	double duration_s) {
	if (context->time.at != CLIPS_AT_TIME) {
		return context->time.at == CLIPS_AT_START ? 0 : duration_s;
	}
	const double moment_s = loop_time(loop, time_s, duration_s);
	if (loop == LOOP_REPEAT && duration_s > 0) {
		loops += rint((time_s - moment_s) / duration_s);
	}
	pose_loops_add(&context->run->loops, &(struct pose_loops){.known = true, .count = loops});
	return moment_s;
}

void pose_note_length(struct pose_context *context, double duration_s, double moment_s) {
	const struct pose_time *time = &context->time;
	const double speed = fabs(time->speed);
	const bool backwards = (time->speed < 0) != time->reversed;
	context->run->sampled |= speed > 0;
	if (speed > 0 && duration_s / speed > context->run->clip_s) {
		context->run->clip_s = duration_s / speed;
		context->run->clip_start_s =
			time->clock_s - (backwards ? duration_s - moment_s : moment_s) / speed;
	}
}

struct pose_context pose_context_make(
	const struct rig *rig, struct arena *arena, struct pose_run *run) {
	if (!run) {
		run = arena_alloc(arena, 1, sizeof *run);
		run->arena = arena;
	}
	return (struct pose_context){
		.rig = rig,
		.arena = arena,
		.run = run,
		.bytes_before = arena_bytes(arena),
		.time = {.speed = 1},
	};
}

struct pose_context *pose_context_other(struct pose_context *context, const struct rig *rig) {
	struct pose_context *other = context->others;
	while (other && other->rig != rig) {
		other = other->next;
	}
	if (!other) {
		other = arena_alloc(context->arena, 1, sizeof *other);
		*other = pose_context_make(rig, context->arena, context->run);
		other->bytes_before = context->bytes_before;
		other->next = context->others;
		context->others = other;
	}
	other->time = context->time;
	return other;
}

static bool refuse(const struct value *expression, const char *problem, struct error *err) {
	char known[640];
	size_t used = 0;
	known[0] = '\0';
	for (size_t i = 0; i < OPERATION_COUNT && used < sizeof known; i++) {
		used += (size_t)snprintf(known + used, sizeof known - used,
			operations[i]->is_string ? "%s\"%s\"" : "%s{\"%s\"}", i ? ", " : "",
			operations[i]->name);
	}
	return value_error(expression, err, ERROR_UNKNOWN_OPERATION, "%s; a pose is one of: %s",
		problem, known);
}

/* Position in operations of the one with this name, written as a string or as an object's member;
 * OPERATION_COUNT if there is none. */
static size_t find_name(const char *name, bool is_string) {
	size_t i = 0;
	while (i < OPERATION_COUNT &&
		(operations[i]->name[0] != name[0] || operations[i]->is_string != is_string ||
			strcmp(operations[i]->name, name) != 0)) {
		i++;
	}
	return i;
}

static const struct operation *find(const struct value *expression) {
	size_t found = OPERATION_COUNT;
	if (expression->kind == VALUE_STRING) {
		found = find_name(expression->string, true);
	}
	for (size_t i = 0; expression->kind == VALUE_OBJECT && i < expression->count; i++) {
		const size_t named = find_name(expression->items[i].key, false);
		found = named < found ? named : found;
	}
	return operation_at(found);
}

bool pose_is_quick(const struct value *expression) {
	const struct operation *operation = expression ? find(expression) : NULL;
	if (operation && !operation->is_quick) {
		return false;
	}
	for (size_t i = 0; expression && i < expression->count; i++) {
		if (!pose_is_quick(&expression->items[i])) {
			return false;
		}
	}
	return true;
}

bool pose_evaluate(struct pose_context *context, const struct value *expression, struct pose *out,
	struct error *err) {
	*out = pose_rest(context->rig, context->arena);
	return pose_evaluate_into(context, expression, out, err);
}

static bool refuse_kind(const struct value *expression, struct error *err) {
	char problem[256];
	if (expression->kind == VALUE_STRING) {
		char requested[200];
		utf8_quote(expression->string, requested, sizeof requested);
		snprintf(problem, sizeof problem, "no pose %s", requested);
	} else if (expression->kind == VALUE_OBJECT) {
		snprintf(
			problem, sizeof problem, "no member of this object names a pose operation");
	} else {
		snprintf(problem, sizeof problem, "%s is no pose",
			value_kind_name(expression->kind));
	}
	return refuse(expression, problem, err);
}

static bool check_bytes(
	const struct pose_context *context, const struct value *source, struct error *err) {
	const struct arena *own = context->arena, *notes = context->run->arena;
	const size_t bytes =
		arena_bytes(own) - context->bytes_before + (notes == own ? 0 : arena_bytes(notes));
	return bytes <= POSE_RUN_BYTES ||
		value_error(source, err, ERROR_TOO_LARGE,
			"the pose needs more than %zu MiB on the way; ask for fewer operations "
			"that remember, or for fewer poses at once",
			POSE_RUN_BYTES >> 20);
}

bool pose_evaluate_into(struct pose_context *context, const struct value *expression,
	struct pose *out, struct error *err) {
	out->root.carried = false;
	if (!expression) {
		return operation_rest.evaluate(context, NULL, out, err);
	}
	const struct operation *row = find(expression);
	if (!row) {
		return refuse_kind(expression, err);
	}
	return check_bytes(context, expression, err) &&
		pose_run_spend(context->run, expression, context->rig->joint_count, err) &&
		row->evaluate(context, expression, out, err);
}

bool pose_evaluate_later(struct pose_context *context, const struct value *expression,
	double later_s, struct pose *out, struct error *err) {
	const double now_s = context->time.clock_s;
	context->time.clock_s = now_s + later_s;
	const bool evaluated = pose_evaluate_into(context, expression, out, err);
	context->time.clock_s = now_s;
	return evaluated;
}
