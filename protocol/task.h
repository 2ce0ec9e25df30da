/* Work that outlives the request that began it, as clients see it: fits, and checks in the
 * background. */
#pragma once

#include "base/error.h"
#include "base/json_write.h"

enum task_state {
	TASK_WAITING,
	TASK_RUNNING,
	TASK_DONE,
	TASK_FAILED,
	TASK_CANCELLED,
};

const char *task_state_name(enum task_state state);

/* The member "error": why it has failed. */
void task_write_error(struct json_writer *json, const struct error *error);
