// Poses, vertices, meshes, bakes, compressed clips and descriptions without a daemon.
#include <stdlib.h>
#include <string.h>

#include "asset.h"
#include "bake.h"
#include "base/memory.h"
#include "describe/compressed.h"
#include "describe/describe.h"
#include "limits.h"
#include "offline_internal.h"
#include "progress.h"
#include "reply.h"
#include "request.h"
#include "version.h"

#define GENERATOR "posed " POSED_VERSION

/* "walks/fox.glb" -> "fox". */
static const char *name_of(const struct workshop *shop) {
	return file_is_input(shop->job->path) ? "rig" : asset_name(shop->arena, shop->job->path);
}

/* The name of the rig in errors is that of the file, which is said anyway. */
static struct posed_subject posed(const struct workshop *shop, const struct value *pose,
	const struct skinning_settings *skinning) {
	return (struct posed_subject){
		.rig = shop->rig,
		.pose = pose,
		.skinning = skinning ? *skinning : (struct skinning_settings){0},
	};
}

/* --- Poses --- */

static bool pose(const struct workshop *shop, const struct value *body, struct buffer *out,
	struct error *err) {
	struct pose_request request;
	struct json_writer json = {.out = out};
	if (!request_read_pose(body, &request, err) ||
		!renderer_check_skinning(&request.skinning, err)) {
		return false;
	}
	reply_begin_poses(&json, request.subject.many);
	for (size_t i = 0; i < request.subject.count; i++) {
		const struct posed_subject subject =
			posed(shop, subject_pose(&request.subject, i), NULL);
		struct posed_joints joints;
		if (!renderer_pose(&subject, shop->arena, &joints, err)) {
			return false;
		}
		reply_pose(&json, describe_pose(shop->rig, &joints, shop->arena), request.space);
	}
	reply_end_poses(&json, request.subject.many);
	return true;
}

bool offline_pose(const struct offline_job *job, struct buffer *out, struct error *err) {
	return offline_work(job, LICENCE_NOTHING, pose, out, err);
}

/* --- Vertices --- */

static unsigned attribute_bits(const struct vertices_request *request) {
	unsigned bits = 0;
	for (size_t i = 0; i < request->attribute_count; i++) {
		bits |= request->attributes[i];
	}
	return bits;
}

static bool write_mesh(const struct workshop *shop, const struct posed_subject *subject,
	unsigned attributes, struct buffer *out, struct error *err) {
	struct mesh_job job = {.subject = *subject,
		.attributes = attributes,
		.generator = GENERATOR,
		.max_bytes = LIMIT_REPLY_BYTES};
	struct skinning_report report;
	return renderer_mesh_glb(shop->renderer, &job, out, &report, err);
}

/* All frames in their order, as octets or JSON. */
static bool write_vertices(const struct workshop *shop, const struct vertices_request *request,
	int vertices, struct buffer *out, struct error *err) {
	const bool as_json = shop->job->vertices == OFFLINE_JSON;
	const size_t bytes = renderer_vertices_bytes(vertices, attribute_bits(request));
	float *numbers = try_calloc(bytes + 1, 1, "the vertices", err);
	struct json_writer json = {.out = out};
	struct skin_memory memory = {.arena = shop->arena};
	struct skinning_report report = {0};
	bool ok = numbers;
	if (ok && as_json) {
		reply_begin_vertices(&json, (size_t)vertices);
	}
	for (size_t i = 0; ok && i < request->subject.count; i++) {
		const struct vertices_job job = {
			.subject =
				posed(shop, subject_pose(&request->subject, i), &request->skinning),
			.order = request->attributes,
			.count = request->attribute_count,
			.vertices = vertices,
			.memory = &memory,
		};
		ok = renderer_vertices(shop->renderer, &job, numbers, &report, err);
		if (ok && as_json) {
			const struct vertices_frame frame = {
				.numbers = numbers,
				.vertices = (size_t)vertices,
				.attributes = request->attributes,
				.attribute_count = request->attribute_count,
			};
			reply_vertices(&json, &frame);
		} else if (ok) {
			buffer_append(out, numbers, bytes);
		}
	}
	if (ok && as_json) {
		const struct skinning_description skinning =
			describe_skinning(&report, shop->arena);
		reply_end_vertices(&json, &skinning);
	}
	free(numbers);
	return ok;
}

static bool vertices(const struct workshop *shop, const struct value *body, struct buffer *out,
	struct error *err) {
	struct vertices_request request;
	int count;
	if (!request_read_vertices(body, &request, err)) {
		return false;
	}
	if (request.packing.bits > 0) {
		return error_at(err, ERROR_INVALID_VALUE, "/attributes",
			"packed attributes need a daemon, whose Posed-Bounds says where they "
			"are; for a FILE ask for position, normal, tangent");
	}
	if (shop->job->vertices == OFFLINE_GLB) {
		const struct posed_subject subject =
			posed(shop, subject_pose(&request.subject, 0), &request.skinning);
		return write_mesh(shop, &subject, attribute_bits(&request), out, err);
	}
	return renderer_vertex_count(
		       shop->renderer, shop->rig, &request.skinning, NULL, &count, err) &&
		write_vertices(shop, &request, count, out, err);
}

bool offline_vertices(const struct offline_job *job, struct buffer *out, struct error *err) {
	return offline_work(job, LICENCE_FILES, vertices, out, err);
}

static bool mesh(const struct workshop *shop, const struct value *body, struct buffer *out,
	struct error *err) {
	(void)body;
	const struct posed_subject subject = posed(shop, NULL, NULL);
	return write_mesh(shop, &subject,
		ATTRIBUTE_NORMAL | (shop->rig->tangents ? ATTRIBUTE_TANGENT : 0), out, err);
}

bool offline_mesh(const struct offline_job *job, struct buffer *out, struct error *err) {
	return offline_work(job, LICENCE_FILES, mesh, out, err);
}

/* --- Bakes --- */

static bool bake(const struct workshop *shop, const struct value *body, struct buffer *out,
	struct error *err) {
	struct bake_request request;
	if (!bake_read(body, &request, err)) {
		return false;
	}
	const struct bake_export_job job = {
		.subject = posed(shop, subject_pose(&request.subject, 0), &request.skinning),
		.baked = request.baked,
		.max_frames = LIMIT_CLIP_FRAMES,
		.generator = GENERATOR,
		.rig_name = name_of(shop),
		.max_bytes = LIMIT_REPLY_BYTES,
		.describe = describe_baked,
	};
	struct skinning_report report;
	struct baked_facts facts;
	return renderer_bake_export(shop->renderer, &job, out, &facts, &report, err);
}

bool offline_bake(const struct offline_job *job, struct buffer *out, struct error *err) {
	return offline_work(job, LICENCE_FILES, bake, out, err);
}

/* --- Compressed clips --- */

static void show_clips(void *context, int done, int count) {
	(void)context;
	progress_show("clip %d of %d", done + 1, count);
}

static bool compress_by(const struct workshop *shop, const struct compression_request *request,
	struct skin_library *library, struct buffer *out, struct error *err) {
	static const struct clip_progress progress = {show_clips, NULL};
	const struct posed_subject subject =
		posed(shop, subject_pose(&request->subject, 0), &request->skinning);
	struct compress_job job = compressed_job(request, &subject);
	struct buffer file = {0};
	struct compressed_clips found;
	job.library = library;
	job.generator = GENERATOR;
	job.progress = &progress;
	const bool is_report = shop->job->report_alone;
	const bool done =
		renderer_compress_clips(&job, shop->arena, is_report ? &file : out, &found, err);
	progress_end();
	if (done && is_report) {
		const struct compression_report report =
			compressed_report(&job, name_of(shop), &found, shop->arena);
		compression_write_report(&report, out);
	}
	buffer_finish(&file);
	return done;
}

static bool compress(const struct workshop *shop, const struct value *body, struct buffer *out,
	struct error *err) {
	struct compression_request request;
	if (!compression_read(body, &request, err)) {
		return false;
	}
	struct skin_library *library = skin_library_create(NULL, 0);
	const bool done = compress_by(shop, &request, library, out, err);
	skin_library_destroy(library);
	return done;
}

bool offline_compress(const struct offline_job *job, struct buffer *out, struct error *err) {
	return offline_work(job, LICENCE_FILES, compress, out, err);
}

/* --- Descriptions --- */

static bool describe(const struct workshop *shop, const struct value *body, struct buffer *out,
	struct error *err) {
	(void)body, (void)err;
	const struct rig *rig = shop->rig;
	const struct rig_summary summary = {
		.name = name_of(shop),
		.content = asset_content(shop->arena, shop->job->asset),
		.bytes = shop->job->asset->size,
		.vertices = rig->vertex_count,
		.joints = rig->joint_count,
		.clips = rig->clip_count,
	};
	const struct beside_rig nothing = {0};
	struct rig_description description;
	describe_rig(rig, &summary, &nothing, shop->arena, &description);
	reply_write_description(&description, out);
	return true;
}

bool offline_describe(const struct offline_job *job, struct buffer *out, struct error *err) {
	return offline_work(job, LICENCE_NOTHING, describe, out, err);
}
