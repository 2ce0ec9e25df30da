/* Compression: a request as the renderer's job, and what the renderer finds as the report. */
#pragma once

#include "compression.h"
#include "renderer.h"

/* The job of a request, whose trees it borrows. The caller adds library and generator.
 *
 * subject  of the request's pose and skinning */
struct compress_job compressed_job(
	const struct compression_request *request, const struct posed_subject *subject);

/* The report, which borrows the arguments.
 *
 * rig    its name
 * arena  of the report's clips */
struct compression_report compressed_report(const struct compress_job *job, const char *rig,
	const struct compressed_clips *found, struct arena *arena);
