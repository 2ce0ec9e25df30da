/* Answers about fits: the making of data that a skinning method needs of a rig. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"
#include "reply.h"
#include "task.h"

enum fit_option_kind { FIT_OPTION_NUMBER, FIT_OPTION_BOOLEAN, FIT_OPTION_TEXT };

/* One option of the method, with the value that it has. */
struct fit_option {
	const char *name;
	enum fit_option_kind kind;
	double number;    // 0 or 1 for a boolean
	const char *text; // FIT_OPTION_TEXT
};

struct fit_description {
	const char *id;
	const char *method;               // its id
	const struct fit_option *options; // [option_count]
	size_t option_count;
	enum task_state state;
	double progress;                   // [0, 1]
	bool fitted;                       // to examples, and done: then
	double residual_max, residual_rms; // distances from them, in the rig's unit
	const char *const *flags;          // names, ended by NULL
	int fallback_vertices;
	struct batches_description batches; // that it cuts the mesh into
	struct error error;                 // TASK_FAILED: why
};

void fit_write(const struct fit_description *fit, struct buffer *out);
void fit_write_list(const struct fit_description *fits, size_t count, struct buffer *out);
