// Pictures without a daemon: the same parser and the same renderer, in this process.
#include "offline.h"

#include "json_read.h"
#include "renderer.h"
#include "request.h"

static bool draw(const struct frame_request *request, const struct rig *rig, struct buffer *out,
	struct error *err) {
	const struct renderer_options options = {.choice = RENDERER_AUTO};
	struct renderer *renderer = renderer_create(&options, err);
	if (!renderer) {
		return false;
	}
	const struct frame_job job = {
		.rig = rig,
		.pose = subject_pose(&request->subject, 0),
		.skinning = request->skinning,
		.picture = request->picture,
	};
	struct skinning_report report;
	const bool fine = renderer_frame(renderer, &job, out, &report, err);
	renderer_destroy(renderer);
	return fine;
}

bool offline_frame(const void *asset, size_t asset_bytes, const struct buffer *request,
	struct buffer *out, struct error *err) {
	struct arena *arena = arena_create();
	struct frame_request frame;
	const struct value *body = json_read(arena, request->data, request->size, err);
	bool fine = body && request_read_frame(body, &frame, err);
	// In this very process, unlike the daemon's imports: it is the user's own file, and a
	// decoder that fails on it brings down a command that had nothing else to do.
	struct rig *rig = fine ? renderer_import(asset, asset_bytes, err) : NULL;
	fine = rig && draw(&frame, rig, out, err);
	rig_release(rig);
	arena_destroy(arena);
	return fine;
}
