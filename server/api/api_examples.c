// The requests that store, list, give back and delete a rig's examples.
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/clock.h"
#include "base/memory.h"
#include "json_text.h"
#include "limits.h"
#include "media.h"
#include "renderer.h"
#include "reply.h"
#include "sandbox/importer.h"
#include "store/store_examples.h"
#include "store/store_record.h"
#include "url_text.h"
#include "work/fits.h"

#define FLOATS_PER_VERTEX ((size_t)3)

static const char json_type[] = "application/json", mesh_type[] = "model/gltf-binary",
		  octet_type[] = "application/octet-stream";
static const char *const json_types[] = {json_type, NULL};

/* --- Lists --- */

static bool write_list(struct request_context *context, struct error *err) {
	const size_t count = store_example_count(&context->hold);
	struct example_summary *list = arena_alloc(context->arena, count, sizeof *list);
	for (size_t i = 0; i < count; i++) {
		if (!stop_check(&context->stop, err) ||
			!store_summarize_example(&context->hold,
				store_example_at(&context->hold, i), context->arena, &list[i],
				err)) {
			return false;
		}
	}
	example_write_list(list, count, &context->response.body);
	return true;
}

bool api_list_examples(struct request_context *context, struct error *err) {
	if (!context_choose_type(context, json_types, err) ||
		!context_hold(context, context->rig, HOLD_RIG, err)) {
		return false;
	}
	context_continue(context, EXECUTOR_DISK, write_list, NULL);
	context_is_known(context, context->hold.state);
	return true;
}

/* --- Putting --- */

/* Reads what the request asks of the example that has the name now, of a rig that is held. */
static bool read_condition(struct request_context *context, bool made, struct error *err) {
	const struct item_record *record = store_find_example(&context->hold, context->item, NULL);
	const char *content = record ? record->hash : "";
	const char *const tags[] = {context_tag(context, json_type, content),
		context_tag(context, octet_type, content)};
	const struct selected now = {
		.there = record,
		.made = made,
		.tags = tags,
		.count = record ? sizeof tags / sizeof *tags : 0,
		.as = arena_strndup(context->arena, content, strlen(content)),
	};
	return precondition_read(context, &now, &context->condition, err);
}

/* An example on its way into the store. */
struct draft {
	const struct value *pose;
	float *numbers; // [vertices][3] positions and then, with normals, [vertices][3]; owned
	size_t vertices;
	bool normals;
};

static bool allocate(struct draft *draft, size_t vertices, bool normals, struct error *err) {
	draft->vertices = vertices;
	draft->normals = normals;
	draft->numbers =
		try_calloc(example_vertex_bytes(vertices, normals), 1, "the vertices", err);
	return draft->numbers;
}

static float *normals_of(const struct draft *draft) {
	return draft->normals ? draft->numbers + draft->vertices * FLOATS_PER_VERTEX : NULL;
}

/* what: "the GLB", to begin the sentence with. */
static bool check_count(const struct rig *rig, const char *what, size_t vertices,
	const struct value *source, struct error *err) {
	const char *const form =
		"%s has %zu vertices, must have the %d of the rig, in the order of /v1/vertices";
	if (vertices == (size_t)rig->vertex_count) {
		return vertices > 0 ||
			error_set(err, ERROR_INVALID_VALUE,
				"the rig has no vertices that an example could move");
	}
	return source
		? value_error(
			  source, err, ERROR_INVALID_VALUE, form, what, vertices, rig->vertex_count)
		: error_set(err, ERROR_INVALID_VALUE, form, what, vertices, rig->vertex_count);
}

/* The vertices of a pose of any rig, skinned with the default method. */
static bool skin(struct request_context *context, const struct rig *rig, const struct value *pose,
	struct draft *draft, struct error *err) {
	static const enum attribute_bits order[] = {ATTRIBUTE_POSITION, ATTRIBUTE_NORMAL};
	const struct vertices_job job = {
		.subject = {.rig = rig,
			.pose = pose,
			.skinning = {.device = DEVICE_CPU},
			.stop = &context->stop},
		.order = order,
		.count = 2,
	};
	struct skinning_report report;
	return allocate(draft, (size_t)rig->vertex_count, true, err) &&
		renderer_vertices(context->renderer, &job, draft->numbers, &report, err);
}

/* {"set": pose, "weights": targets}, whose parts know their places in the request. */
static const struct value *with_targets(
	struct arena *arena, const struct value *pose, const struct value *targets) {
	struct value *items = arena_alloc(arena, 2, sizeof *items);
	struct value *set = arena_alloc(arena, 1, sizeof *set);
	items[0] = *pose;
	items[0].key = "set";
	items[1] = *targets;
	items[1].key = "weights";
	*set = (struct value){.kind = VALUE_OBJECT, .count = 2, .items = items};
	return set;
}

/* The places of the request, where the renderer names those of the expression made of it. */
static bool blame_targets(struct error *err) {
	static const struct {
		const char *made, *said;
	} places[] = {{"/set", "/pose"}, {"/weights", "/targets"}};
	for (size_t i = 0; err->has_pointer && i < sizeof places / sizeof *places; i++) {
		const size_t length = strlen(places[i].made);
		if (strncmp(err->pointer, places[i].made, length) == 0) {
			const struct error inner = *err;
			*err = (struct error){0};
			char pointer[sizeof inner.pointer + 8];
			snprintf(pointer, sizeof pointer, "%s%s", places[i].said,
				inner.pointer + length);
			return error_at(err, inner.code, pointer, "%s", inner.text);
		}
	}
	return false;
}

static bool put_targets(struct request_context *context, const struct rig *rig,
	const struct example_request *request, struct draft *draft, struct error *err) {
	const struct value *pose = with_targets(context->arena, request->pose, request->targets);
	return skin(context, rig, pose, draft, err) || blame_targets(err);
}

/* Normals are left out: they turn with the faces that were moved. */
static bool put_offsets(struct request_context *context, const struct rig *rig,
	const struct example_request *request, struct draft *draft, struct error *err) {
	if (!skin(context, rig, request->pose, draft, err)) {
		return false;
	}
	draft->normals = false;
	for (size_t i = 0; i < request->offset_count; i++) {
		const struct example_offset *offset = &request->offsets[i];
		if (offset->vertex >= draft->vertices) {
			return value_error(offset->source, err, ERROR_INVALID_VALUE,
				"an offset is of vertex %zu, the rig has %zu", offset->vertex,
				draft->vertices);
		}
		for (size_t k = 0; k < FLOATS_PER_VERTEX; k++) {
			draft->numbers[offset->vertex * FLOATS_PER_VERTEX + k] += offset->by[k];
		}
	}
	return true;
}

static bool read_json(struct request_context *context, const struct rig *rig, struct draft *draft,
	struct error *err) {
	if (context->body_bytes > LIMIT_JSON_BYTES) {
		return error_set(err, ERROR_TOO_LARGE,
			"the body has %zu bytes, as JSON it may have %zu; send octets instead",
			context->body_bytes, LIMIT_JSON_BYTES);
	}
	const struct value *body = context_json(context, err);
	struct example_request request;
	if (!body || !example_read(context->arena, body, &request, err)) {
		return false;
	}
	draft->pose = request.pose;
	if (request.targets) {
		return put_targets(context, rig, &request, draft, err);
	}
	if (request.offsets) {
		return check_count(rig, "the example", (size_t)rig->vertex_count, NULL, err) &&
			put_offsets(context, rig, &request, draft, err);
	}
	if (!check_count(rig, "\"positions\"", request.vertices, request.positions, err) ||
		!allocate(draft, request.vertices, request.normals, err)) {
		return false;
	}
	memcpy(draft->numbers, request.numbers,
		example_vertex_bytes(request.vertices, request.normals));
	return true;
}

static bool read_octets(struct request_context *context, const struct rig *rig, struct draft *draft,
	struct error *err) {
	struct example_query query;
	if (!example_read_query(context->arena, context->parameters, context->parameter_count, true,
		    &query, err)) {
		return false;
	}
	const size_t each = example_vertex_bytes(1, query.normals);
	const size_t vertices = context->body_bytes / each;
	draft->pose = query.pose;
	if (context->body_bytes % each != 0) {
		return error_set(err, ERROR_INVALID_VALUE,
			"the body has %zu bytes, must have %zu for each of the rig's %d vertices: "
			"all positions%s as float32 x 3",
			context->body_bytes, each, rig->vertex_count,
			query.normals ? ", then all normals," : "");
	}
	if (!check_count(rig, "the body", vertices, NULL, err) ||
		!allocate(draft, vertices, query.normals, err)) {
		return false;
	}
	memcpy(draft->numbers, context->body, context->body_bytes);
	return true;
}

static bool read_mesh(struct request_context *context, const struct rig *rig, struct draft *draft,
	struct error *err) {
	struct example_query query;
	if (!example_read_query(context->arena, context->parameters, context->parameter_count,
		    false, &query, err)) {
		return false;
	}
	draft->pose = query.pose;
	const struct import_asset asset = {
		.bytes = context->body,
		.size = context->body_bytes,
		.file = context->body_file,
		.stop = &context->stop,
	};
	double mark = clock_now_s();
	struct rig *mesh = importer_read(context->service->importer, &asset, err);
	context->spans_s[SPAN_LOAD] += clock_lap_s(&mark);
	const bool read = mesh &&
		check_count(rig, "the file", (size_t)mesh->vertex_count, NULL, err) &&
		skin(context, mesh, NULL, draft, err);
	rig_release(mesh);
	return read;
}

typedef bool (*body_reader)(struct request_context *context, const struct rig *rig,
	struct draft *draft, struct error *err);

/* A reader of the body by its type; NULL with ERROR_UNSUPPORTED_MEDIA_TYPE. */
static body_reader choose_reader(const char *type, struct error *err) {
	if (type && media_is(type, octet_type)) {
		return read_octets;
	}
	if (type && media_is(type, mesh_type)) {
		return read_mesh;
	}
	// curl sends forms unless told otherwise; that much is forgiven.
	if (!type || media_is(type, json_type) ||
		media_is(type, "application/x-www-form-urlencoded")) {
		return read_json;
	}
	error_set(err, ERROR_UNSUPPORTED_MEDIA_TYPE,
		"Content-Type is \"%s\", must be one of: %s, %s, %s", type, json_type, octet_type,
		mesh_type);
	return NULL;
}

/* Checks that the pose is one of the rig. */
static bool check_pose(struct request_context *context, const struct rig *rig,
	const struct draft *draft, struct error *err) {
	const struct posed_subject subject = {
		.rig = rig, .pose = draft->pose, .stop = &context->stop};
	struct posed_joints ignored;
	return renderer_pose(&subject, context->arena, &ignored, err);
}

static bool store(struct request_context *context, const struct draft *draft, struct error *err) {
	struct json_writer json = {.out = &context->response.body};
	value_text(draft->pose, &json);
	const size_t pose_bytes = context->response.body.size;
	const char *pose = arena_strndup(
		context->arena, (const char *)context->response.body.data, pose_bytes);
	buffer_finish(&context->response.body);
	if (pose_bytes > LIMIT_EXAMPLE_POSE_BYTES) {
		return error_at(err, ERROR_TOO_LARGE, "/pose",
			"the pose has %zu bytes as JSON, may have %zu", pose_bytes,
			LIMIT_EXAMPLE_POSE_BYTES);
	}
	const struct example_form form = {
		pose, pose_bytes, draft->vertices, draft->numbers, normals_of(draft)};
	const struct store_example example = {
		.hold = &context->hold,
		.name = context->item,
		.form = &form,
		.mode = context->condition.only_new ? PUT_ONLY_NEW : PUT_REPLACE,
		.as = context->condition.as,
	};
	struct example_summary summary = {.name = context->item,
		.pose = pose,
		.pose_bytes = pose_bytes,
		.vertices = draft->vertices,
		.normals = draft->normals};
	bool created;
	if (!store_put_example(context->service->store, &example, context->arena, &summary.content,
		    &created, err)) {
		return false;
	}
	fits_follow(context->service->fits, context->service->store, context->rig);
	context->response.status = created ? 201 : 200;
	if (created) {
		context_header(context, "Location", "/v1/rigs/%s/examples/%s",
			url_encode(context->arena, context->rig),
			url_encode(context->arena, context->item));
	}
	example_write_summary(&summary, &context->response.body);
	return true;
}

/* Reads an example and makes sure that it is one of the rig. */
static bool take_draft(struct request_context *context, const struct rig *rig, body_reader read,
	struct draft *draft, struct error *err) {
	const bool taken = read(context, rig, draft, err) &&
		example_check(draft->numbers, normals_of(draft), draft->vertices, err) &&
		check_pose(context, rig, draft, err);
	return taken || (read != read_json && example_blame_parameter(err));
}

static bool put_as(struct request_context *context, body_reader read, struct error *err) {
	const struct rig *rig = context_load(context, err);
	struct draft draft = {0};
	const bool stored =
		rig && take_draft(context, rig, read, &draft, err) && store(context, &draft, err);
	free(draft.numbers);
	return stored;
}

static bool put_mesh(struct request_context *context, struct error *err) {
	return put_as(context, read_mesh, err);
}

static bool put_numbers(struct request_context *context, struct error *err) {
	return put_as(context, choose_reader(context->content_type, err), err);
}

bool api_put_example(struct request_context *context, struct error *err) {
	const body_reader read = choose_reader(context->content_type, err);
	if (!read || !context_choose_type(context, json_types, err) ||
		!context_hold(context, context->rig, HOLD_RIG, err) ||
		!read_condition(context, true, err)) {
		return false;
	}
	const bool is_mesh = read == read_mesh;
	context_continue(context, is_mesh ? EXECUTOR_IMPORT : EXECUTOR_DISK,
		is_mesh ? put_mesh : put_numbers, NULL);
	return true;
}

/* --- Giving back --- */

/* Bytes that a float32 may take as JSON, against its four. */
#define JSON_GROWTH 4

static bool check_json_size(const struct example_form *form, struct error *err) {
	const size_t bytes = JSON_GROWTH * example_vertex_bytes(form->vertices, form->normals);
	return bytes <= LIMIT_REPLY_BYTES ||
		error_set(err, ERROR_TOO_LARGE,
			"the example may take %zu bytes as JSON, at most %zu are made; accept %s",
			bytes, LIMIT_REPLY_BYTES, octet_type);
}

static bool write_json(struct request_context *context, const struct item_record *record,
	const struct example_form *form, struct error *err) {
	const struct example_summary summary = {
		.name = record->name,
		.content = arena_printf(context->arena, "sha256:%s", record->hash),
		.pose = form->pose,
		.pose_bytes = form->pose_bytes,
		.vertices = form->vertices,
		.normals = form->normals,
	};
	if (!check_json_size(form, err)) {
		return false;
	}
	example_write(&summary, form, &context->response.body);
	return true;
}

static void write_octets(struct request_context *context, const struct example_form *form) {
	static const enum attribute_bits order[] = {ATTRIBUTE_POSITION, ATTRIBUTE_NORMAL};
	char layout[64];
	reply_layout(order, form->normals ? 2 : 1, layout, sizeof layout);
	context_header(context, "Posed-Vertices", "%zu", form->vertices);
	context_header(context, "Posed-Layout", "%s", layout);
	buffer_append(&context->response.body, form->positions,
		example_vertex_bytes(form->vertices, form->normals));
}

bool api_get_example(struct request_context *context, struct error *err) {
	static const char *const types[] = {json_type, octet_type, NULL};
	const char *type = context_choose_type(context, types, err);
	if (!type || !context_hold(context, context->rig, HOLD_RIG, err)) {
		return false;
	}
	const struct item_record *record = store_find_example(&context->hold, context->item, err);
	if (!record) {
		return false;
	}
	if (context_is_known(context, record->hash)) {
		return true;
	}
	struct example_form form;
	void *bytes = store_read_example(&context->hold, record, &form, err);
	bool ok = bytes;
	if (ok && type == json_type) {
		ok = write_json(context, record, &form, err);
	} else if (ok) {
		write_octets(context, &form);
	}
	free(bytes);
	return ok;
}

bool api_delete_example(struct request_context *context, struct error *err) {
	context->response.status = 204;
	if (precondition_is_there(context) &&
		(!context_hold(context, context->rig, HOLD_RIG, err) ||
			!read_condition(context, false, err))) {
		return false;
	}
	store_release(
		&context->hold); // whose examples would stay on the disk until the next change
	const struct item_name example = {
		context->rig, ITEM_EXAMPLES, context->item, context->condition.as};
	const bool deleted = items_delete(context->service->store, &example, err);
	fits_follow(context->service->fits, context->service->store, context->rig);
	return deleted;
}
