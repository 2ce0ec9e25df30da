// The avatar of a rig, or what to say where there is none.
#include "pose/avatar/avatar_of.h"

const struct avatar *avatar_of(
	const struct rig *rig, const struct value *source, const char *what, struct error *err) {
	if (!rig->avatar) {
		value_error(source, err, ERROR_MISSING_DATA,
			"the rig is no avatar: its file has no VRM extension, which %s reads",
			what);
	}
	return rig->avatar;
}
