/* One version of an asset on its way through its check. */
#pragma once

#include "asset.h"
#include "check_inputs.h"
#include "interface/assets.h"
#include "interface/checks.h"
#include "reader.h"

struct check_version {
	struct asset asset; // its err says why it is refused
	struct asset_facts *facts;
	struct rig *rig;
	const char *content; // "sha256:..."; NULL = it could not be read
	struct check_job job;
	struct check_run *run; // NULL = it is refused
};

/* Reads an asset and begins its check.
 *
 * job   with all but the rig and its facts; its path is the one for reports */
void check_version_begin(struct check_version *version, const struct check_input *input,
	const struct check_job *job, struct reader *reader, struct arena *arena);

/* 0 for one that is refused. */
size_t check_version_steps(const struct check_version *version);

/* Its results, in the arena. */
struct check_file check_version_finish(const struct check_version *version, struct arena *arena);

/* Frees the rig; the arena is the caller's. */
void check_version_release(struct check_version *version);
