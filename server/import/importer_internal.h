/* Shared by importer.c (the helper and its messages) and import_outcome.c (what came back). */
#pragma once

#include "import/import_wire.h"

struct rig;

/* An import that has ended. */
struct import_outcome {
	struct import_request request;
	struct import_reply reply;
	int result; // descriptor of the child's result file
};

/* The rig that a child has written, or NULL with why there is none. */
struct rig *import_outcome_take(const struct import_outcome *outcome, struct error *err);
