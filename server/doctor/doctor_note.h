/* What the doctor has found so far. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "config/config.h"
#include "findings.h"

#define FINDINGS_MAX 96

struct doctor {
	const struct config *config; // borrowed
	struct arena *arena;         // strings of the findings
	bool quiet;                  // findings are only collected
	struct finding findings[FINDINGS_MAX];
	size_t count;
	bool failed; // there is a FINDING_FAIL
};

/* Adds a finding, and prints it unless quiet. advice (NULL = none) lives as long as the doctor: a
 * constant, or doctor_text(). */
__attribute__((format(printf, 5, 6))) void doctor_note(struct doctor *doctor,
	enum finding_level level, const char *what, const char *advice, const char *format, ...);

/* printf into the arena, for advice with values in it. */
#define doctor_text(doctor, ...) arena_printf((doctor)->arena, __VA_ARGS__)
