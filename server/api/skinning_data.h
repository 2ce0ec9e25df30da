/* Steps that skin, behind the making of what their methods need of the rig: that may take minutes,
 * and the threads that draw and respond have others waiting. */
#pragma once

#include "http/request_context.h"
#include "renderer.h"

/* context_continue() to a step that skins the held rigs (context_skinned()) as these settings
 * say, [count]; if data for that is neither in memory nor on the disk, a fit (fits.h) makes it
 * first. settings must live as long as the request. The step finds errors in them. */
void skinning_data_continue(struct request_context *context,
	const struct skinning_settings *settings, size_t count, enum executor executor,
	request_step step, void *state);

/* The held rigs' examples, read now if need be, where the settings take them: then they are in the
 * examples of each hold. Not on the loop's thread; the rig is loaded. False with
 * ERROR_STORE_DAMAGED or ERROR_TOO_LARGE. */
bool skinning_data_load_examples(struct request_context *context,
	const struct skinning_settings *settings, size_t count, struct error *err);
