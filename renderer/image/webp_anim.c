// Animated WebP, by libwebpmux. Its head tells how long the file is, so that nothing of it can be
// sent before all frames are there, and all of it is held in memory.
#include <stdlib.h>
#include <webp/mux.h>

#include "base/delayed.h"
#include "base/memory.h"
#include "image/encode.h"
#include "image/sequence.h"

#define TICKS_PER_SECOND 1000

struct anim {
	const struct sequence_settings *settings;
	WebPMux *mux;
	size_t frames; // added so far
	size_t bytes;  // of them
};

static bool settle(WebPMuxError result, struct error *err) {
	return result == WEBP_MUX_OK ||
		error_set(err, result == WEBP_MUX_MEMORY_ERROR ? ERROR_TOO_LARGE : ERROR_INTERNAL,
			"libwebpmux: error %d", (int)result);
}

static bool pack(const struct sequence_settings *settings, const unsigned char *rgba,
	struct buffer *packed, struct error *err) {
	return sequence_pack_picture(settings, &picture_webp, rgba, packed, err);
}

static void close(void *sequence) {
	struct anim *anim = sequence;
	if (anim) {
		WebPMuxDelete(anim->mux);
		free(anim);
	}
}

static void *open(const struct sequence_settings *settings, struct buffer *out, struct error *err) {
	(void)out;
	if (!delayed_load(&delayed_webp, err) || !delayed_load(&delayed_webpmux, err)) {
		return NULL;
	}
	struct anim *anim = xcalloc(1, sizeof *anim);
	const WebPMuxAnimParams animation = {.loop_count = settings->loops};
	anim->settings = settings;
	anim->mux = WebPMuxNew();
	if (!settle(anim->mux ? WebPMuxSetAnimationParams(anim->mux, &animation)
			      : WEBP_MUX_MEMORY_ERROR,
		    err)) {
		close(anim);
		return NULL;
	}
	return anim;
}

static bool check_size(const struct anim *anim, struct error *err) {
	const size_t most = anim->settings->max_bytes;
	return most == 0 || anim->bytes <= most ||
		error_at(err, ERROR_TOO_LARGE, "",
			"an animated WebP is made in memory and may have %zu bytes, which %zu of "
			"%zu "
			"frames exceed; take fewer or smaller ones, or another format",
			most, anim->frames + 1, anim->settings->count);
}

static bool add(
	void *sequence, const struct buffer *packed, struct buffer *out, struct error *err) {
	(void)out;
	struct anim *anim = sequence;
	anim->bytes += packed->size;
	if (!check_size(anim, err)) {
		return false;
	}
	const WebPMuxFrameInfo frame = {
		.bitstream = {packed->data, packed->size},
		.duration = (int)sequence_ticks(anim->settings, anim->frames++, TICKS_PER_SECOND),
		.id = WEBP_CHUNK_ANMF,
		.dispose_method = WEBP_MUX_DISPOSE_NONE,
		.blend_method = WEBP_MUX_NO_BLEND,
	};
	return settle(WebPMuxPushFrame(anim->mux, &frame, 1), err);
}

static bool end(void *sequence, struct buffer *out, struct error *err) {
	struct anim *anim = sequence;
	WebPData file = {0};
	const bool assembled = settle(WebPMuxAssemble(anim->mux, &file), err);
	// Its own copy of the frames goes before another is made.
	WebPMuxDelete(anim->mux);
	anim->mux = NULL;
	const bool ok = assembled && buffer_try_append(out, file.bytes, file.size, "WebP", err);
	WebPDataClear(&file);
	return ok;
}

const struct sequence_format sequence_webp = {
	.name = "webp",
	.title = "animated WebP: without loss or with, straight alpha",
	.media_type = "image/webp",
	.ending = "webp",
	.lossy_on_request = true,
	.pack = pack,
	.open = open,
	.add = add,
	.end = end,
	.close = close,
};
