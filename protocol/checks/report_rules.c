// The rules themselves as JSON, with the limits of every profile.
#include "base/check_profile.h"
#include "checks/report_parts.h"
#include "checks/report_text.h"

static const char *const costs[] = {
	[CHECK_COST_TABLE] = "table",
	[CHECK_COST_JOINTS] = "joints",
	[CHECK_COST_VERTICES] = "vertices",
	[CHECK_COST_BUDGETED] = "budgeted",
};

static void write_profiles(struct json_writer *json, const struct check_rule_info *rule) {
	json_write_key(json, "profiles");
	json_write_begin_object(json);
	for (int i = 0; i < CHECK_PROFILE_COUNT; i++) {
		const enum check_profile_id id = (enum check_profile_id)i;
		const struct check_limits limits = check_profile_builtin_limits(id, rule);
		const struct check_profile_source source =
			check_profile_builtin_source(id, rule->id);
		json_write_key(json, check_profile_names[i]);
		json_write_begin_object(json);
		report_json_limits(json, &limits);
		report_json_string(json, "source", source.source);
		report_json_string(json, "as_of", source.as_of);
		json_write_end_object(json);
	}
	json_write_end_object(json);
}

static void write_rule(struct json_writer *json, const struct check_rule_info *rule) {
	json_write_begin_object(json);
	json_write_member_string(json, "id", rule->id);
	report_json_string(json, "unit", rule->unit);
	report_json_string(json, "catches", rule->catches);
	report_json_string(json, "definition", rule->definition);
	report_json_string(json, "effect", rule->effect);
	report_json_string(json, "fix", rule->fix);
	report_json_string(json, "blender", rule->blender);
	report_json_string(json, "maya", rule->maya);
	report_json_string(json, "message", rule->message);
	report_json_string(json, "example", rule->example);
	report_json_string(json, "khronos", rule->khronos);
	json_write_member_string(json, "cost", costs[rule->cost]);
	json_write_member_bool(json, "by_clip", rule->by_clip);
	json_write_member_bool(json, "below", rule->below);
	json_write_member_integer(json, "since", rule->since ? rule->since : 1);
	write_profiles(json, rule);
	json_write_end_object(json);
}

void check_rules_write(
	const struct check_rule_info *const *rules, size_t count, struct buffer *out) {
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	json_write_key(&json, "rules");
	json_write_begin_list(&json);
	for (size_t i = 0; i < count; i++) {
		write_rule(&json, rules[i]);
	}
	json_write_end_list(&json);
	json_write_end_object(&json);
	text_put(out, "\n");
}
