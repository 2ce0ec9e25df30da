// The table of pose operations and how an expression finds its row.
#include "pose/operations.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

#define ROW(name, is_string, whole, title) {#name, is_string, whole, title, operation_##name},
static const struct operation operations[] = {POSE_OPERATIONS(ROW)};
#undef ROW

#define OPERATION_COUNT (sizeof operations / sizeof *operations)

const char *const pose_space_names[POSE_SPACE_COUNT + 1] = {
	[POSE_SPACE_LOCAL] = "local",
	[POSE_SPACE_MODEL] = "model",
};

const struct operation *operation_at(size_t i) {
	return i < OPERATION_COUNT ? &operations[i] : NULL;
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
			operations[i].is_string ? "%s\"%s\"" : "%s{\"%s\"}", i ? ", " : "",
			operations[i].name);
	}
	return value_error(expression, err, ERROR_UNKNOWN_OPERATION, "%s; a pose is one of: %s",
		problem, known);
}

static const struct operation *find(const struct value *expression) {
	for (size_t i = 0; i < OPERATION_COUNT; i++) {
		const struct operation *row = &operations[i];
		if (row->is_string ? expression->kind == VALUE_STRING &&
					strcmp(expression->string, row->name) == 0
				   : value_member(expression, row->name) != NULL) {
			return row;
		}
	}
	return NULL;
}

bool pose_evaluate(struct pose_context *context, const struct value *expression, struct pose *out,
	struct error *err) {
	*out = pose_rest(context->rig, context->arena);
	return pose_evaluate_into(context, expression, out, err);
}

static bool refuse_kind(const struct value *expression, struct error *err) {
	char problem[256];
	if (expression->kind == VALUE_STRING) {
		char asked[200];
		utf8_quote(expression->string, asked, sizeof asked);
		snprintf(problem, sizeof problem, "no pose %s", asked);
	} else if (expression->kind == VALUE_OBJECT) {
		snprintf(
			problem, sizeof problem, "no member of this object names a pose operation");
	} else {
		snprintf(problem, sizeof problem, "%s is no pose",
			value_kind_name(expression->kind));
	}
	return refuse(expression, problem, err);
}

bool pose_evaluate_into(struct pose_context *context, const struct value *expression,
	struct pose *out, struct error *err) {
	out->root.carried = false;
	if (!expression) {
		return operation_rest(context, NULL, out, err);
	}
	const struct operation *row = find(expression);
	if (!row) {
		return refuse_kind(expression, err);
	}
	return pose_run_spend(context->run, expression, context->rig->joint_count, err) &&
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
