// Work that outlives the request that began it.
#include "task.h"

#include <stdio.h>

const char *task_state_name(enum task_state state) {
	static const char *const names[] = {
		[TASK_WAITING] = "waiting",
		[TASK_RUNNING] = "running",
		[TASK_DONE] = "done",
		[TASK_FAILED] = "failed",
		[TASK_CANCELLED] = "cancelled",
	};
	return names[state];
}

void task_write_error(struct json_writer *json, const struct error *error) {
	char type[64];
	snprintf(type, sizeof type, "urn:posed:%s", error_name(error->code));
	json_write_key(json, "error");
	json_write_begin_object(json);
	json_write_member_string(json, "type", type);
	json_write_member_string(json, "title", error_title(error->code));
	json_write_member_string(json, "detail", error->text);
	json_write_end_object(json);
}
