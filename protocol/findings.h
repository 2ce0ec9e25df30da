/* The findings of posed doctor, as JSON. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"

enum finding_level {
	FINDING_OK,
	FINDING_WARN, // works, but not as well as it might
	FINDING_FAIL, // does not work
};

struct finding {
	enum finding_level level;
	const char *what;   // a word or two
	const char *says;   // one sentence
	const char *advice; // the remedy; NULL = none
};

/* "ok", "warn" or "FAIL". */
const char *finding_level_name(enum finding_level level);

/* {"ok": ..., "findings": [{"level", "what", "says", "advice"}]}; advice only where there is one.
 */
void findings_write(const struct finding *findings, size_t count, bool ok, struct buffer *out);
