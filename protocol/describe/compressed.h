/* Compression: a request as the renderer's job, and what the renderer finds as the report. */
#pragma once

#include "compression.h"
#include "renderer.h"

/* The job of a request, whose trees it borrows. The caller adds library and generator.
 *
 * subject  of the request's pose and skinning */
struct compress_job compressed_job(
	const struct compression_request *request, const struct posed_subject *subject);

/* Appends the report.
 *
 * rig    its name
 * arena  of what is made on the way */
void compressed_write_report(const struct compress_job *job, const char *rig,
	const struct compressed_clips *found, struct arena *arena, struct buffer *out);
