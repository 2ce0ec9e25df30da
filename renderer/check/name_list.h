/* Names for a message: the first few, and dots for the others. */
#pragma once

#include "base/buffer.h"

/* Zero it before the first name; check_names_finish() frees it. */
struct check_names {
	struct buffer text;
	int count; // of all names
};

void check_names_add(struct check_names *names, const char *name);

/* The list as text, which stays until it is finished; no name is added after this. */
const char *check_names_text(struct check_names *names);

void check_names_finish(struct check_names *names);
