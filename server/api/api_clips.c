// The requests that store, list, give back and delete a rig's clips.
#include <string.h>

#include "api/api.h"
#include "api/asset_body.h"
#include "api/compressed.h"
#include "api/results.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "clip.h"
#include "describe/describe.h"
#include "limits.h"
#include "media.h"
#include "renderer.h"
#include "sandbox/importer.h"
#include "store/store_clips.h"
#include "url_text.h"
#include "version.h"

static const char json_type[] = "application/json", mesh_type[] = "model/gltf-binary";
static const char compressed_type[] = COMPRESSED_TYPE;
static const char *const json_types[] = {json_type, NULL};

/* --- Lists --- */

static bool write_list(struct request_context *context, struct error *err) {
	const struct rig *rig = context_load(context, err);
	if (!rig) {
		return false;
	}
	const struct clip_description *clips =
		describe_clips(rig, store_clip_count(&context->hold), context->arena);
	reply_write_clips(clips, (size_t)rig->clip_count, &context->response.body);
	return true;
}

bool api_list_clips(struct request_context *context, struct error *err) {
	if (!context_choose_type(context, json_types, err) ||
		!context_hold(context, context->rig, HOLD_RIG, err)) {
		return false;
	}
	context_continue(context, EXECUTOR_CPU, write_list, NULL);
	context_is_known(context, context->hold.motion);
	return true;
}

/* --- Putting --- */

/* A clip on its way into the store. */
struct draft {
	struct clip_request request; // of a pose
	struct rig *file;            // that a clip is taken from; a reference; NULL = none
	struct moved_clip moved;     // the clip
	struct buffer *object;       // its packed form; NULL = as many keys as it has
	struct packed_clip packed;   // what is known of that
	struct clip_mapping mapping; // of a file's
};

/* Reads what the request asks of the clip that has the name now, of a rig that is held. */
static bool read_condition(struct request_context *context, bool made, struct error *err) {
	if (!precondition_is_there(context)) {
		return true;
	}
	const struct item_record *record =
		items_find(&context->hold, ITEM_CLIPS, context->item, NULL);
	const char *const tags[] = {
		context_tag(context, json_type, context->hold.motion),
		context_tag(context, mesh_type, context->hold.motion),
	};
	const struct selected now = {
		.there = record,
		.made = made,
		.tags = tags,
		.count = record ? sizeof tags / sizeof *tags : 0,
		.as = record ? arena_strndup(context->arena, record->hash, strlen(record->hash))
			     : NULL,
	};
	return precondition_read(context, &now, &context->condition, err);
}

static bool store_draft(struct request_context *context, struct draft *draft, struct error *err) {
	const struct clip *clip = &draft->moved.clip;
	const struct store_clip put = {
		.hold = &context->hold,
		.name = context->item,
		.object = draft->object,
		.clip = clip,
		.mode = context->condition.only_new ? PUT_ONLY_NEW : PUT_REPLACE,
		.as = context->condition.as,
	};
	struct stored_clip stored;
	if (!store_put_clip(context->service->store, &put, context->arena, &stored, err)) {
		return false;
	}
	const struct packed_clip *packed = &draft->packed;
	const struct clip_compression compression = {
		packed->bytes, packed->tolerance_m, packed->error_m, packed->shell_m};
	const struct clip_summary summary = {
		.name = context->item,
		.content = stored.content,
		.duration_s = clip->duration_s,
		.channels = clip->channel_count,
		.bytes = clip->bytes,
		.compression = packed->is_compressed ? &compression : NULL,
		.why_raw = packed->why_raw,
		.dropped = draft->moved.dropped,
		.dropped_count = draft->moved.dropped_count,
		.mapping = draft->file ? &draft->mapping : NULL,
	};
	context->response.status = stored.created ? 201 : 200;
	if (stored.created) {
		context_header(context, "Location", "/v1/rigs/%s/clips/%s",
			url_encode(context->arena, context->rig),
			url_encode(context->arena, context->item));
	}
	clip_write_summary(&summary, &context->response.body);
	return true;
}

static bool store_baked(struct request_context *context, struct error *err) {
	return store_draft(context, context->state, err);
}

/* The request's tolerance, or the daemon's. */
static struct pack_job pack_of(const struct request_context *context, const struct draft *draft) {
	const struct clip_request *request = &draft->request;
	struct pack_job job = {
		.rig = context->hold.rig,
		.clip = &draft->moved.clip,
		.name = context->item,
		.rate = request->rate,
		.kind = request->is_raw     ? PACK_RAW
			: request->is_share ? PACK_SHARE
					    : PACK_METRES,
		.tolerance = request->tolerance,
		.stop = &context->stop,
	};
	if (!request->tolerance_value) {
		job.tolerance = context->service->clip_tolerance_m;
		job.kind = job.tolerance > 0 ? PACK_FIGURE : PACK_RAW;
	}
	return job;
}

static void finish_buffer(void *buffer) {
	buffer_finish(buffer);
}

static bool pack(struct request_context *context, struct error *err) {
	struct draft *draft = context->state;
	const struct pack_job job = pack_of(context, draft);
	draft->object = arena_alloc(context->arena, 1, sizeof *draft->object);
	arena_defer(context->arena, finish_buffer, draft->object);
	double mark = clock_now_s();
	const bool packed =
		renderer_pack_clip(&job, context->arena, draft->object, &draft->packed, err);
	context->spans_s[SPAN_ENCODE] += clock_lap_s(&mark);
	context_continue(context, EXECUTOR_DISK, store_baked, draft);
	return packed;
}

static bool bake(struct request_context *context, struct error *err) {
	struct draft *draft = context->state;
	const struct rig *rig = context_load(context, err);
	if (!rig) {
		return false;
	}
	const struct bake_job job = {
		.subject = subject_posed(context, draft->request.pose, NULL),
		.duration_s = draft->request.duration_s,
		.rate = draft->request.rate,
		.max_frames = LIMIT_CLIP_FRAMES,
		.source = draft->request.source,
	};
	double mark = clock_now_s();
	const bool baked = renderer_bake_clip(&job, context->arena, &draft->moved.clip, err);
	context->spans_s[SPAN_POSE] += clock_lap_s(&mark);
	return baked && pack(context, err);
}

static bool put_pose(struct request_context *context, struct error *err) {
	struct draft *draft = arena_alloc(context->arena, 1, sizeof *draft);
	if (context->body_bytes > LIMIT_JSON_BYTES) {
		return error_set(err, ERROR_TOO_LARGE,
			"the body has %zu bytes, as JSON it may have %zu", context->body_bytes,
			LIMIT_JSON_BYTES);
	}
	const struct value *body = context_json(context, err);
	if (!body || !clip_read(body, &draft->request, err)) {
		return false;
	}
	const struct other_rigs others = {.poses = draft->request.pose, .count = 1};
	if (!context_hold_others(context, &others, err)) {
		return false;
	}
	context_continue(context, EXECUTOR_CPU, bake, draft);
	return true;
}

/* The clip of a file that a query names, or its first one. */
static const struct clip *choose_clip(const struct rig *file, const char *name, struct error *err) {
	if (file->clip_count == 0) {
		error_set(err, ERROR_INVALID_VALUE, "the file has no animation");
		return NULL;
	}
	const int found = *name ? rig_find_clip(file, name) : 0;
	if (found < 0) {
		struct error why = {0};
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

/* The warnings about the file, but for that about what cannot be drawn, about its clip, and one
 * about the clips that were not asked for. */
static const char *const *list_warnings(
	const struct draft *draft, bool named, struct arena *arena, size_t *count) {
	const struct rig *file = draft->file;
	const char *empty = rig_empty_warning(file);
	const size_t most = (size_t)file->warning_count + draft->moved.warning_count + 1;
	const char **warnings = arena_alloc(arena, most, sizeof *warnings);
	*count = 0;
	for (int i = 0; i < file->warning_count; i++) {
		const char *warning = file->warnings[i];
		if (!empty || strcmp(warning, empty) != 0) {
			warnings[(*count)++] = arena_strndup(arena, warning, strlen(warning));
		}
	}
	for (size_t i = 0; i < draft->moved.warning_count; i++) {
		warnings[(*count)++] = draft->moved.warnings[i];
	}
	if (!named && file->clip_count > 1) {
		warnings[(*count)++] = arena_printf(arena,
			"the file has %d animations, of which this is the first; \"clip\" chooses "
			"another",
			file->clip_count);
	}
	return warnings;
}

static void tell_mapping(
	struct request_context *context, const struct clip *clip, bool named, struct draft *draft) {
	const struct moved_clip *moved = &draft->moved;
	struct arena *arena = context->arena;
	struct clip_pair *pairs = arena_alloc(arena, moved->pair_count, sizeof *pairs);
	for (size_t i = 0; i < moved->pair_count; i++) {
		const struct moved_pair *pair = &moved->pairs[i];
		pairs[i] =
			(struct clip_pair){pair->ours, pair->theirs, pair->how, pair->confidence};
	}
	draft->mapping = (struct clip_mapping){
		.animation = clip->name,
		.is_retargeted = moved->is_retargeted,
		.confidence = moved->confidence,
		.scale = moved->scale,
		.pairs = pairs,
		.pair_count = moved->pair_count,
		.resting = moved->resting,
		.resting_count = moved->resting_count,
	};
	draft->mapping.warnings = list_warnings(draft, named, arena, &draft->mapping.warning_count);
}

/* Brings the file's clip to the rig. */
static bool take_clip(struct request_context *context, const struct rig *rig,
	const struct clip_query *query, struct draft *draft, struct error *err) {
	const struct clip *clip = choose_clip(draft->file, query->clip, err);
	if (!clip) {
		return false;
	}
	const struct move_job job = {
		.from = draft->file,
		.clip = clip,
		.to = rig,
		.by_names = query->by_names,
		.map = query->map,
		.scale = query->scale,
		.rate = query->rate,
		.max_frames = LIMIT_CLIP_FRAMES,
		.stop = &context->stop,
	};
	double mark = clock_now_s();
	const bool moved = renderer_move_clip(&job, context->arena, &draft->moved, err);
	context->spans_s[SPAN_POSE] += clock_lap_s(&mark);
	if (moved) {
		tell_mapping(context, clip, *query->clip, draft);
	}
	return moved;
}

static struct rig *read_file(
	struct request_context *context, const struct asset_space *space, struct error *err) {
	struct asset_body body;
	struct rig *file = NULL;
	double mark = clock_now_s();
	if (asset_body_take(context, &body, err) && asset_body_set_space(&body, space, err)) {
		const struct import_asset asset = {
			.bytes = body.bytes,
			.size = body.size,
			.file = body.file,
			.stop = &context->stop,
		};
		file = importer_read(context->service->importer, &asset, err);
	}
	asset_body_finish(&body);
	context->spans_s[SPAN_LOAD] += clock_lap_s(&mark);
	return file;
}

static bool put_file(struct request_context *context, struct error *err) {
	struct clip_query query;
	const struct rig *rig = clip_read_query(context->arena, context->parameters,
					context->parameter_count, &query, err)
		? context_load(context, err)
		: NULL;
	if (!rig) {
		return false;
	}
	struct draft draft = {.file = read_file(context, &query.space, err)};
	const bool stored = draft.file && take_clip(context, rig, &query, &draft, err) &&
		store_draft(context, &draft, err);
	rig_release(draft.file);
	return stored;
}

/* True when the body's first character that is no white space opens a JSON object. */
static bool opens_object(const struct request_context *context) {
	const char *body = context->body;
	size_t i = 0;
	while (i < context->body_bytes && strchr(" \t\r\n", body[i]) && body[i]) {
		i++;
	}
	return i < context->body_bytes && body[i] == '{';
}

bool api_put_clip(struct request_context *context, struct error *err) {
	const char *type = context->content_type;
	// curl sends forms unless told otherwise; that much is forgiven, of files, too.
	const bool untold = !type || media_is(type, "application/x-www-form-urlencoded");
	const bool is_file = untold ? context->body_bytes > 0 && !opens_object(context)
				    : asset_body_is_type(type);
	if (!is_file && !untold && !media_is(type, json_type)) {
		return error_set(err, ERROR_UNSUPPORTED_MEDIA_TYPE,
			"Content-Type is \"%s\", must be one of: %s, %s", type, json_type,
			asset_body_types(context->arena));
	}
	if (!context_choose_type(context, json_types, err) ||
		!context_hold(context, context->rig, HOLD_RIG, err) ||
		!read_condition(context, true, err)) {
		return false;
	}
	if (is_file) {
		context_continue(context, EXECUTOR_IMPORT, put_file, NULL);
		return true;
	}
	return put_pose(context, err);
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

static bool write_json(struct request_context *context, const struct rig *rig,
	const struct clip *clip, struct error *err) {
	if (clip->bytes > LIMIT_REPLY_BYTES / JSON_GROWTH) {
		return error_set(err, ERROR_TOO_LARGE,
			"the clip may take %zu bytes as JSON, at most %zu are made; accept %s",
			clip->bytes * JSON_GROWTH, LIMIT_REPLY_BYTES, mesh_type);
	}
	const struct clip_description *descriptions =
		describe_clips(rig, store_clip_count(&context->hold), context->arena);
	const struct clip *expanded = renderer_expand_clip(rig, clip, context->arena);
	clip_write(&descriptions[clip - rig->clips],
		describe_channels(rig, expanded, context->arena), &context->response.body);
	return true;
}

static const struct clip *find_clip(
	struct request_context *context, const struct rig *rig, struct error *err) {
	const int found = rig_find_clip(rig, context->item);
	if (found >= 0) {
		return &rig->clips[found];
	}
	char quoted[160];
	utf8_quote(context->item, quoted, sizeof quoted);
	error_set(err, ERROR_UNKNOWN_CLIP, "no clip %s in rig \"%s\"", quoted, context->rig);
	renderer_suggest_clips(rig, context->item, err);
	return NULL;
}

/* A clip's file as a query asks for it. */
struct clip_response {
	struct clip_file_query query;
	struct skinning_settings skinning;
};

/* As a compressed file, or as a GLB with few keys. */
static bool write_compressed(struct request_context *context, const struct clip *clip,
	const struct clip_response *file, struct error *err) {
	const struct clip_file_query *query = &file->query;
	const bool is_glb = context->response.content_type == mesh_type;
	double error_m;
	if (!is_glb && query->metric != COMPRESSION_SKIN &&
		renderer_stored_file(context->hold.rig, clip, query->tolerance_m,
			query->segment_samples, &context->response.body, &error_m)) {
		context_header(context, "Posed-Error", "%.9g", error_m);
		return true;
	}
	const struct value name = {.kind = VALUE_STRING, .string = clip->name};
	const struct value names = {.kind = VALUE_LIST, .count = 1, .items = &name};
	if (!skinning_data_load_examples(context, &file->skinning, 1, err)) {
		return false;
	}
	const struct compress_job job = {
		.pose = {.subject = subject_posed(context, NULL, &file->skinning)},
		.clips = &names,
		.tolerance = query->tolerance_m,
		.tolerance_source = query->tolerance_source,
		.codec = is_glb ? CODEC_KEYS : CODEC_BEST,
		.segment_samples = query->segment_samples,
		.names = true,
		.at_skin = query->metric == COMPRESSION_SKIN,
		.library = context->service->library,
		.metric_source = query->metric_source,
		.generator = "posed " POSED_VERSION,
		.max_bytes = LIMIT_REPLY_BYTES,
		.prune = query->prune,
	};
	return compressed_respond(context, &job, err);
}

static bool write_clip(struct request_context *context, struct error *err) {
	const struct clip_response *file = context->state;
	const struct rig *rig = context_load(context, err);
	const struct clip *clip = rig ? find_clip(context, rig, err) : NULL;
	if (!clip) {
		return false;
	}
	if (context->response.content_type == compressed_type ||
		(context->response.content_type == mesh_type && file->query.tolerance_source)) {
		return write_compressed(context, clip, file, err);
	}
	const struct clip_file_job job = {
		.rig = rig,
		.clip = clip,
		.generator = "posed " POSED_VERSION,
		.max_bytes = LIMIT_REPLY_BYTES,
		.prune = file->query.prune,
	};
	return context->response.content_type == json_type
		? write_json(context, rig, clip, err)
		: renderer_clip_glb(&job, &context->response.body, err);
}

static bool check_query(const struct request_context *context, const struct clip_file_query *query,
	struct error *err) {
	const char *type = context->response.content_type;
	const struct value *idle = query->segment_source ? query->segment_source
		: query->metric_source                   ? query->metric_source
							 : query->skinning_source;
	if (query->prune && type != mesh_type) {
		return value_error(query->source, err, ERROR_INVALID_VALUE,
			"\"prune\" is for %s: nothing else has joints", mesh_type);
	}
	if (query->tolerance_source && type == json_type) {
		return value_error(query->tolerance_source, err, ERROR_INVALID_VALUE,
			"\"tolerance\" is for %s and %s: nothing else is compressed",
			compressed_type, mesh_type);
	}
	if (idle && type != compressed_type) {
		return value_error(idle, err, ERROR_INVALID_VALUE, "\"%s\" is for %s alone",
			idle->key, compressed_type);
	}
	if (query->skinning_source && query->metric != COMPRESSION_SKIN) {
		return value_error(query->skinning_source, err, ERROR_INVALID_VALUE,
			"\"skinning\" is for metric=skin: nothing else is skinned");
	}
	return compression_check_segment(query->segment_samples, query->segment_source, err);
}

/* By the query, or else by Accept, which has to allow it in either case. */
static bool choose_clip_type(
	struct request_context *context, const struct clip_file_query *query, struct error *err) {
	static const char *const types[] = {[CLIP_FORM_JSON] = json_type,
		[CLIP_FORM_GLB] = mesh_type,
		[CLIP_FORM_COMPRESSED] = compressed_type,
		NULL};
	const char *const one[] = {query->as >= 0 ? types[query->as] : NULL, NULL};
	return context_choose_type(context, *one ? one : types, err);
}

bool api_get_clip(struct request_context *context, struct error *err) {
	struct clip_response *file = arena_alloc(context->arena, 1, sizeof *file);
	struct clip_file_query *query = &file->query;
	if (!query_read(context->arena, &clip_file_query_members, context->parameters,
		    context->parameter_count, query, err) ||
		!choose_clip_type(context, query, err) || !check_query(context, query, err) ||
		!context_hold(context, context->rig, HOLD_RIG, err)) {
		return false;
	}
	const bool is_skinned = query->metric == COMPRESSION_SKIN;
	file->skinning.method = query->skinning_source;
	compressed_continue(context, is_skinned ? &file->skinning : NULL, write_clip, file);
	return true;
}

/* Says of a clip that is not stored beside the file whether it is in it. Always false. */
static bool refuse_delete(struct request_context *context, struct error *err) {
	const struct rig *rig = context_load(context, err);
	if (rig && find_clip(context, rig, err)) {
		error_set(err, ERROR_CONFLICT,
			"clip \"%s\" is in the file of rig \"%s\"; only those stored beside it can "
			"be deleted",
			context->item, context->rig);
	}
	return false;
}

bool api_delete_clip(struct request_context *context, struct error *err) {
	struct error why = {0};
	if (precondition_is_there(context) &&
		(!context_hold(context, context->rig, HOLD_RIG, err) ||
			!read_condition(context, false, err))) {
		return false;
	}
	store_release(&context->hold); // whose clips would stay on the disk until the next change
	const struct item_name clip = {
		context->rig, ITEM_CLIPS, context->item, context->condition.as};
	context->response.status = 204;
	if (items_delete(context->service->store, &clip, &why)) {
		return true;
	}
	if (why.code == ERROR_UNKNOWN_CLIP || why.code == ERROR_UNKNOWN_RIG) {
		return context_hold(context, context->rig, HOLD_RIG, err) &&
			refuse_delete(context, err);
	}
	return error_set(err, why.code, "%s", why.text);
}
