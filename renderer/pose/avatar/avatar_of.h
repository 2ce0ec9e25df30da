/* The avatar of a rig for the operations that need one. */
#pragma once

#include "base/value.h"
#include "model/rig.h"

/* Borrowed from the rig. NULL with ERROR_MISSING_DATA at the source where the rig's file says
 * nothing of an avatar. what: the operation, for the message. */
const struct avatar *avatar_of(
	const struct rig *rig, const struct value *source, const char *what, struct error *err);
