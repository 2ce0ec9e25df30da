/* The rig that a request for a result is about. */
#pragma once

#include "http/request_context.h"
#include "request.h"

/* context_hold() for a request's subject, and context_hold_others() for its poses; the error names
 * the place of the rig's name. */
bool subject_hold(
	struct request_context *context, const struct subject *subject, struct error *err);

/* The rig that the request holds in a pose, with its sources, examples and stop. skinning:
 * NULL = where nothing is skinned. */
struct posed_subject subject_posed(const struct request_context *context, const struct value *pose,
	const struct skinning_settings *skinning);

/* Puts the rig's name before an error that speaks of what the rig has; the renderer knows rigs, not
 * their names. Always returns false. */
bool subject_name(const struct subject *subject, struct error *err);
bool subject_name_rig(const char *rig, struct error *err);
