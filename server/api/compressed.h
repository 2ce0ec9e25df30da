/* Clips as compressed files, for the requests that give them. */
#pragma once

#include "compression.h"
#include "http/request_context.h"
#include "renderer.h"

/* Makes the response the file of a job, whose subject's rig is loaded, with its headers; or the
 * report, where the content type chosen is JSON. Fails like renderer_compress_clips. */
bool compressed_respond(
	struct request_context *context, const struct compress_job *job, struct error *err);

/* context_continue() to a step that compresses the held rig's clips, and knows the response by what
 * it depends on. skinning: of the skin that is measured, whose data is made first; NULL = none is.
 * It must live as long as the request. */
void compressed_continue(struct request_context *context, const struct skinning_settings *skinning,
	request_step step, void *state);
