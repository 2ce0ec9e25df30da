// The table of pose operations and how an expression finds its row.
#include "pose/operations.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

static const struct operation operations[] = {
	{"rest", true, "the node transforms in the file", operation_rest},
	{"clip", false, "a clip sampled at a time", operation_clip},
	{"blend", false, "the weighted average of poses", operation_blend},
	{"add", false, "the difference of two poses put on top of a third", operation_add},
	{"set", false, "a pose with some transforms and morph weights replaced", operation_set},
};

#define OPERATION_COUNT (sizeof operations / sizeof *operations)

static bool refuse(const struct value *expression, const char *problem, struct error *err) {
	char known[512];
	size_t used = 0;
	known[0] = '\0';
	for (size_t i = 0; i < OPERATION_COUNT && used < sizeof known; i++) {
		used += (size_t)snprintf(known + used, sizeof known - used,
			operations[i].is_string ? "%s\"%s\"" : "%s{\"%s\": ...}", i ? ", " : "",
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

bool pose_evaluate_into(struct pose_context *context, const struct value *expression,
	struct pose *out, struct error *err) {
	if (!expression) {
		return operation_rest(context, NULL, out, err);
	}
	const struct operation *row = find(expression);
	if (row) {
		return row->evaluate(context, expression, out, err);
	}
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
