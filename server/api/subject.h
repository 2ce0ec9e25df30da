/* The rig that a request for a result is about. */
#pragma once

#include "http/call.h"
#include "request.h"

/* call_hold() for a request's subject, and call_hold_others() for its poses; the error names the
 * place of the rig's name. */
bool subject_hold(struct call *call, const struct subject *subject, struct error *err);

/* Puts the rig's name before an error that speaks of what the rig has; the renderer knows rigs, not
 * their names. Always returns false. */
bool subject_name(const struct subject *subject, struct error *err);
bool subject_name_rig(const char *rig, struct error *err);
