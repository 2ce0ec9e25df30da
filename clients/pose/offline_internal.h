/* The parts of offline.h's jobs that its files share. */
#pragma once

#include "base/arena.h"
#include "base/value.h"
#include "offline.h"

/* All that a job is made with. */
struct workshop {
	const struct offline_job *job;
	struct arena *arena;
	struct rig *rig;
	struct renderer *renderer;
};

/* The functions that read the request's body and make the response. */
typedef bool (*work_function)(const struct workshop *shop, const struct value *body,
	struct buffer *out, struct error *err);

/* Reads the request and the asset, prints the asset's warnings and has the function make the
 * response.
 *
 * part  of an avatar, that its licence has to give for the job's uses
 * Fails like json_read(), reader_import_one(), licence_check() and the function. */
bool offline_work(const struct offline_job *job, enum licence_part part, work_function function,
	struct buffer *out, struct error *err);
