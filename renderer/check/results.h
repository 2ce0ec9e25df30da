/* The results of a check's steps, put together. */
#pragma once

#include "check/run.h"

/* Writes the fingerprint of a finding: of what and where, and of no number. */
void check_fingerprint(const char *rule, const char *path, const char *clip, const char *where,
	char out[static CHECK_FINGERPRINT_BYTES]);
