/* Pictures without a daemon: the renderer in this process. */
#pragma once

#include "base/buffer.h"
#include "base/error.h"

/* Draws a request (the body of POST /v1/frame; its "rig" is not looked at) of an asset and appends
 * the PNG to out. Fails as the daemon would. */
bool offline_frame(const void *asset, size_t asset_bytes, const struct buffer *request,
	struct buffer *out, struct error *err);
