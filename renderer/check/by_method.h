/* The rig's vertices with another skinning method than the one that is checked. */
#pragma once

#include "check/samples.h"

struct check_by_method;

/* A method with its standard options, which needs no data. NULL where it cannot skin the rig. */
struct check_by_method *check_by_method_create(
	const struct check_asset *asset, const char *id, struct arena *arena);

/* The positions of a pose's vertices; they stay until the next call. NULL where the method refuses
 * it. */
const struct check_surface_sample *check_by_method_pose(
	struct check_by_method *by, const struct check_pose *pose);

/* Those of a clip's sample. */
const struct check_surface_sample *check_by_method_sample(
	struct check_by_method *by, const struct check_clip *clip, int sample);
