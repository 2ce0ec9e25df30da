// The rules and profiles of checks.
#include <string.h>

#include "api/api.h"
#include "checks/report.h"
#include "checks/rules_file.h"
#include "interface/checks.h"

static const char *const json_types[] = {"application/json", NULL};

/* Turns a body that depends on this build alone into a 304 for clients that have it. */
static void tag_body(struct request_context *context) {
	struct buffer *body = &context->response.body;
	const struct hash_part part = {body->data, body->size};
	if (context_is_known_by(context, &part, 1)) {
		buffer_finish(body);
	}
}

bool api_check_rules(struct request_context *context, struct error *err) {
	if (!context_choose_type(context, json_types, err)) {
		return false;
	}
	size_t count;
	const struct check_rule_info *const *rules = renderer_check_rules(&count);
	check_rules_write(rules, count, &context->response.body);
	tag_body(context);
	return true;
}

bool api_check_profile(struct request_context *context, struct error *err) {
	size_t i = 0;
	while (i < CHECK_PROFILE_COUNT && strcmp(check_profile_names[i], context->item) != 0) {
		i++;
	}
	if (i == CHECK_PROFILE_COUNT) {
		char names[128];
		value_list_names(check_profile_names, names, sizeof names);
		return error_set(err, ERROR_UNKNOWN_ROUTE, "no profile \"%.80s\"; there are: %s",
			context->item, names);
	}
	if (!context_choose_type(context, json_types, err)) {
		return false;
	}
	struct check_rule_list rules;
	rules.rules = renderer_check_rules(&rules.count);
	check_rules_file_write((enum check_profile_id)i, &rules, &context->response.body);
	tag_body(context);
	return true;
}
