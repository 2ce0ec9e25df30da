// The findings of posed doctor, as JSON.
#include "findings.h"

#include "base/json_write.h"

const char *finding_level_name(enum finding_level level) {
	static const char *const names[] = {
		[FINDING_OK] = "ok", [FINDING_WARN] = "warn", [FINDING_FAIL] = "FAIL"};
	return names[level];
}

static void write_finding(struct json_writer *json, const struct finding *finding) {
	json_write_begin_object(json);
	json_write_member_string(json, "level", finding_level_name(finding->level));
	json_write_member_string(json, "what", finding->what);
	json_write_member_string(json, "says", finding->says);
	if (finding->advice) {
		json_write_member_string(json, "advice", finding->advice);
	}
	json_write_end_object(json);
}

void findings_write(const struct finding *findings, size_t count, bool ok, struct buffer *out) {
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	json_write_member_bool(&json, "ok", ok);
	json_write_key(&json, "findings");
	json_write_begin_list(&json);
	for (size_t i = 0; i < count; i++) {
		write_finding(&json, &findings[i]);
	}
	json_write_end_list(&json);
	json_write_end_object(&json);
}
