// The calls that store, list, give back and delete a rig's clips.
#include <string.h>

#include "api/api.h"
#include "api/asset_body.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "clip.h"
#include "describe/describe.h"
#include "import/importer.h"
#include "limits.h"
#include "media.h"
#include "renderer.h"
#include "store/store_clips.h"
#include "url_text.h"
#include "version.h"

static const char json_type[] = "application/json", mesh_type[] = "model/gltf-binary";
static const char *const json_types[] = {json_type, NULL};

/* --- Lists --- */

static bool write_list(struct call *call, struct error *err) {
	const struct rig *rig = call_load(call, err);
	if (!rig) {
		return false;
	}
	const struct clip_description *clips =
		describe_clips(rig, store_clip_count(&call->hold), call->arena);
	reply_write_clips(clips, (size_t)rig->clip_count, &call->answer.body);
	return true;
}

bool api_list_clips(struct call *call, struct error *err) {
	if (!call_choose_type(call, json_types, err) ||
		!call_hold(call, call->rig, HOLD_RIG, err)) {
		return false;
	}
	call_continue(call, PLACE_CPU, write_list, NULL);
	call_is_known(call, call->hold.motion);
	return true;
}

/* --- Putting --- */

/* A clip on its way into the store. */
struct draft {
	struct clip_request request; // of a pose
	struct rig *file;            // that a clip is taken from; a reference; NULL = none
	struct moved_clip moved;     // the clip
};

/* Reads what the request asks of the clip that has the name now, of a rig that is held. */
static bool read_condition(struct call *call, bool made, struct error *err) {
	if (!precondition_is_there(call)) {
		return true;
	}
	const struct item_record *record = items_find(&call->hold, ITEM_CLIPS, call->item, NULL);
	const char *const tags[] = {
		call_tag(call, json_type, call->hold.motion),
		call_tag(call, mesh_type, call->hold.motion),
	};
	const struct selected now = {
		.there = record,
		.made = made,
		.tags = tags,
		.count = record ? sizeof tags / sizeof *tags : 0,
		.as = record ? arena_strndup(call->arena, record->hash, strlen(record->hash))
			     : NULL,
	};
	return precondition_read(call, &now, &call->condition, err);
}

static bool store_draft(struct call *call, struct draft *draft, struct error *err) {
	const struct clip *clip = &draft->moved.clip;
	const struct store_clip put = {
		.hold = &call->hold,
		.name = call->item,
		.clip = clip,
		.mode = call->condition.only_new ? PUT_ONLY_NEW : PUT_REPLACE,
		.as = call->condition.as,
	};
	struct stored_clip stored;
	if (!store_put_clip(call->service->store, &put, call->arena, &stored, err)) {
		return false;
	}
	const struct clip_summary summary = {
		.name = call->item,
		.content = stored.content,
		.duration_s = clip->duration_s,
		.channels = clip->channel_count,
		.bytes = clip->bytes,
		.dropped = draft->moved.dropped,
		.dropped_count = draft->moved.dropped_count,
	};
	call->answer.status = stored.created ? 201 : 200;
	if (stored.created) {
		call_header(call, "Location", "/v1/rigs/%s/clips/%s",
			url_encode(call->arena, call->rig), url_encode(call->arena, call->item));
	}
	clip_write_summary(&summary, &call->answer.body);
	return true;
}

static bool store_baked(struct call *call, struct error *err) {
	return store_draft(call, call->state, err);
}

static bool bake(struct call *call, struct error *err) {
	struct draft *draft = call->state;
	const struct rig *rig = call_load(call, err);
	if (!rig) {
		return false;
	}
	const struct bake_job job = {
		.posing = {rig, draft->request.pose, &call->sources, &call->stop},
		.duration_s = draft->request.duration_s,
		.rate = draft->request.rate,
		.most_frames = LIMIT_CLIP_FRAMES,
		.place = draft->request.place,
	};
	double mark = clock_now_s();
	const bool baked = renderer_bake_clip(&job, call->arena, &draft->moved.clip, err);
	call->spans_s[SPAN_POSE] += clock_lap_s(&mark);
	call_continue(call, PLACE_DISK, store_baked, draft);
	return baked;
}

static bool put_pose(struct call *call, struct error *err) {
	struct draft *draft = arena_alloc(call->arena, 1, sizeof *draft);
	if (call->body_bytes > LIMIT_JSON_BYTES) {
		return error_set(err, ERROR_TOO_LARGE,
			"the body has %zu bytes, as JSON it may have %zu", call->body_bytes,
			LIMIT_JSON_BYTES);
	}
	const struct value *body = call_json(call, err);
	if (!body || !clip_read(body, &draft->request, err)) {
		return false;
	}
	const struct other_rigs others = {.poses = draft->request.pose, .count = 1};
	if (!call_hold_others(call, &others, err)) {
		return false;
	}
	call_continue(call, PLACE_CPU, bake, draft);
	return true;
}

/* The clip of a file that a query names, or its only one. */
static const struct clip *choose_clip(const struct rig *file, const char *name, struct error *err) {
	if (file->clip_count == 0) {
		error_set(err, ERROR_INVALID_VALUE, "the file has no animation");
		return NULL;
	}
	if (!*name && file->clip_count == 1) {
		return &file->clips[0];
	}
	struct error why = {0};
	if (!*name) {
		error_set(&why, ERROR_INVALID_VALUE, "the file has %d animations; say which",
			file->clip_count);
		renderer_suggest_clips(file, NULL, &why);
		why.plain_bytes = 0; // it is the sender's own file
		error_pass_at(err, "/clip", &why);
		return NULL;
	}
	const int found = rig_find_clip(file, name);
	if (found < 0) {
		char quoted[160];
		utf8_quote(name, quoted, sizeof quoted);
		error_set(&why, ERROR_UNKNOWN_CLIP, "no animation %s in the file", quoted);
		renderer_suggest_clips(file, name, &why);
		why.plain_bytes = 0; // it is the sender's own file
		error_pass_at(err, "/clip", &why);
		return NULL;
	}
	return &file->clips[found];
}

/* Brings the file's clip to the rig. */
static bool take_clip(struct call *call, const struct rig *rig, const struct clip_query *query,
	struct draft *draft, struct error *err) {
	const struct clip *clip = choose_clip(draft->file, query->clip, err);
	if (!clip || !query->retarget) {
		return clip &&
			renderer_move_clip(draft->file, clip, rig, call->arena, &draft->moved, err);
	}
	const struct retarget_job job = {
		.from = draft->file,
		.clip = clip,
		.to = rig,
		.rate = query->rate,
		.most_frames = LIMIT_CLIP_FRAMES,
		.stop = &call->stop,
	};
	double mark = clock_now_s();
	const bool baked = renderer_retarget_clip(&job, call->arena, &draft->moved, err);
	call->spans_s[SPAN_POSE] += clock_lap_s(&mark);
	return baked;
}

static struct rig *read_file(struct call *call, struct error *err) {
	struct asset_body body;
	struct rig *file = NULL;
	double mark = clock_now_s();
	if (asset_body_take(call, &body, err)) {
		const struct import_asset asset = {
			.bytes = body.bytes,
			.size = body.size,
			.file = body.file,
			.stop = &call->stop,
		};
		file = importer_read(call->service->importer, &asset, err);
	}
	asset_body_finish(&body);
	call->spans_s[SPAN_LOAD] += clock_lap_s(&mark);
	return file;
}

static bool put_file(struct call *call, struct error *err) {
	struct clip_query query;
	const struct rig *rig =
		clip_read_query(call->parameters, call->parameter_count, &query, err)
		? call_load(call, err)
		: NULL;
	if (!rig) {
		return false;
	}
	struct draft draft = {.file = read_file(call, err)};
	const bool stored = draft.file && take_clip(call, rig, &query, &draft, err) &&
		store_draft(call, &draft, err);
	rig_release(draft.file);
	return stored;
}

bool api_put_clip(struct call *call, struct error *err) {
	static const char *const files[] = {mesh_type, "model/gltf+json", "application/zip",
		"application/octet-stream", "multipart/form-data", NULL};
	const char *type = call->content_type;
	bool is_file = false;
	for (size_t i = 0; type && files[i]; i++) {
		is_file = is_file || media_is(type, files[i]);
	}
	// curl sends forms unless told otherwise; that much is forgiven.
	if (!is_file && type && !media_is(type, json_type) &&
		!media_is(type, "application/x-www-form-urlencoded")) {
		return error_set(err, ERROR_UNSUPPORTED_MEDIA_TYPE,
			"Content-Type is \"%s\", must be one of: %s, %s, %s, %s, %s, %s", type,
			json_type, files[0], files[1], files[2], files[3], files[4]);
	}
	if (!call_choose_type(call, json_types, err) ||
		!call_hold(call, call->rig, HOLD_RIG, err) || !read_condition(call, true, err)) {
		return false;
	}
	if (is_file) {
		call_continue(call, PLACE_IMPORT, put_file, NULL);
		return true;
	}
	return put_pose(call, err);
}

/* --- Giving back --- */

/* Bytes that a float32 may take as JSON, against its four. */
#define JSON_GROWTH 4

static const struct clip_channel *describe_channels(
	const struct rig *rig, const struct clip *clip, struct arena *arena) {
	static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
	static const char *const interpolations[] = {"STEP", "LINEAR", "CUBICSPLINE"};
	struct clip_channel *out = arena_alloc(arena, (size_t)clip->channel_count, sizeof *out);
	for (int i = 0; i < clip->channel_count; i++) {
		const struct channel *channel = &clip->channels[i];
		const bool cubic = channel->interpolation == INTERPOLATION_CUBIC_SPLINE;
		out[i] = (struct clip_channel){
			.joint = rig->joints[channel->joint].name,
			.index = rig->joints[channel->joint].index,
			.path = paths[channel->path],
			.interpolation = interpolations[channel->interpolation],
			.times = channel->times,
			.key_count = (size_t)channel->key_count,
			.values = channel->values,
			.value_count = (size_t)channel->key_count * (cubic ? 3 : 1),
			.width = (size_t)channel->width,
		};
	}
	return out;
}

static bool write_json(
	struct call *call, const struct rig *rig, const struct clip *clip, struct error *err) {
	if (clip->bytes > LIMIT_REPLY_BYTES / JSON_GROWTH) {
		return error_set(err, ERROR_TOO_LARGE,
			"the clip may take %zu bytes as JSON, at most %zu are made; accept %s",
			clip->bytes * JSON_GROWTH, LIMIT_REPLY_BYTES, mesh_type);
	}
	const struct clip_description *descriptions =
		describe_clips(rig, store_clip_count(&call->hold), call->arena);
	clip_write(&descriptions[clip - rig->clips], describe_channels(rig, clip, call->arena),
		&call->answer.body);
	return true;
}

static const struct clip *find_clip(struct call *call, const struct rig *rig, struct error *err) {
	const int found = rig_find_clip(rig, call->item);
	if (found >= 0) {
		return &rig->clips[found];
	}
	char quoted[160];
	utf8_quote(call->item, quoted, sizeof quoted);
	error_set(err, ERROR_UNKNOWN_CLIP, "no clip %s in rig \"%s\"", quoted, call->rig);
	renderer_suggest_clips(rig, call->item, err);
	return NULL;
}

static bool write_clip(struct call *call, struct error *err) {
	const struct clip_file_query *query = call->state;
	const struct rig *rig = call_load(call, err);
	const struct clip *clip = rig ? find_clip(call, rig, err) : NULL;
	if (!clip) {
		return false;
	}
	const struct clip_file_job job = {
		.rig = rig,
		.clip = clip,
		.generator = "posed " POSED_VERSION,
		.most_bytes = LIMIT_REPLY_BYTES,
		.prune = query->prune,
	};
	return call->answer.content_type == json_type
		? write_json(call, rig, clip, err)
		: renderer_clip_glb(&job, &call->answer.body, err);
}

static bool check_query(
	const struct call *call, const struct clip_file_query *query, struct error *err) {
	return !query->prune || call->answer.content_type == mesh_type ||
		value_error(query->place, err, ERROR_INVALID_VALUE,
			"\"prune\" is for %s: nothing else has joints", mesh_type);
}

bool api_get_clip(struct call *call, struct error *err) {
	static const char *const types[] = {json_type, mesh_type, NULL};
	struct clip_file_query *query = arena_alloc(call->arena, 1, sizeof *query);
	if (!call_choose_type(call, types, err) ||
		!query_read_clip(
			call->arena, call->parameters, call->parameter_count, query, err) ||
		!check_query(call, query, err) || !call_hold(call, call->rig, HOLD_RIG, err)) {
		return false;
	}
	call_continue(call, PLACE_CPU, write_clip, query);
	call_is_known(call, call->hold.motion);
	return true;
}

/* Says of a clip that is not stored beside the file whether it is in it. Always false. */
static bool refuse_delete(struct call *call, struct error *err) {
	const struct rig *rig = call_load(call, err);
	if (rig && find_clip(call, rig, err)) {
		error_set(err, ERROR_CONFLICT,
			"clip \"%s\" is in the file of rig \"%s\"; only those stored beside it can "
			"be deleted",
			call->item, call->rig);
	}
	return false;
}

bool api_delete_clip(struct call *call, struct error *err) {
	struct error why = {0};
	if (precondition_is_there(call) &&
		(!call_hold(call, call->rig, HOLD_RIG, err) || !read_condition(call, false, err))) {
		return false;
	}
	store_release(&call->hold); // whose clips would stay on the disk until the next change
	const struct item_name clip = {call->rig, ITEM_CLIPS, call->item, call->condition.as};
	call->answer.status = 204;
	if (items_delete(call->service->store, &clip, &why)) {
		return true;
	}
	if (why.code == ERROR_UNKNOWN_CLIP || why.code == ERROR_UNKNOWN_RIG) {
		return call_hold(call, call->rig, HOLD_RIG, err) && refuse_delete(call, err);
	}
	return error_set(err, why.code, "%s", why.text);
}
