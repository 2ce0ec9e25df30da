/* Results: the rig that a request is about, and the renderer's report in the headers of the
 * response. */
#pragma once

#include "http/request_context.h"
#include "renderer.h"
#include "request.h"

/* context_hold() for a request's subject, and context_hold_others() for its poses; the error names
 * the place of the rig's name. */
bool subject_hold(
	struct request_context *context, const struct subject *subject, struct error *err);

/* The rig that the request holds in a pose, with its sources, examples and stop. skinning:
 * NULL = where nothing is skinned. */
struct posed_subject subject_posed(const struct request_context *context, const struct value *pose,
	const struct skinning_settings *skinning);

/* Puts the rig's name before an error that speaks of what the rig has; the renderer knows rigs, not
 * their names. Always returns false. */
bool subject_name(const struct subject *subject, struct error *err);
bool subject_name_rig(const char *rig, struct error *err);

/* --- Links --- */

/* Seconds that caches may keep what never changes: a year, as RFC 9111's readers take for ever. */
#define RESULT_KEPT_S 31536000

/* Lets caches keep the response for so many seconds, at most for RESULT_KEPT_S, because its link
 * names the content of the held rig by the digits that it begins with. Nothing is said of rigs with
 * clips or examples of their own, which can change. False with ERROR_EXPIRED where the rig has
 * another content. */
bool result_pin(
	struct request_context *context, const char *digits, int64_t most_s, struct error *err);

/* --- Reports in headers --- */

/* Adds the times of one frame to the request's, and counts its vertices. */
void result_headers_add(struct request_context *context, const struct skinning_report *report);

/* Sets Posed-Warning where the rig draws nothing. */
void result_headers_warn(struct request_context *context, const struct rig *rig);

/* Sets Posed-Skinning: what was really used; Posed-Depth, where there is depth, and
 * Posed-Exposure, where it was measured. */
void result_headers_set_header(
	struct request_context *context, const struct skinning_report *report);

/* The same for several results in one response, separated by commas. */
void result_headers_set_headers(
	struct request_context *context, const struct skinning_report *reports, size_t count);

/* --- Vertices --- */

#define MESH_TYPE "model/gltf-binary"

/* The pool that skins in all these ways, [count]: a render thread as soon as one wants the GPU. */
enum executor skinning_executor(const struct request_context *context,
	const struct skinning_settings *settings, size_t count);

/* Makes the response the GLB of a job, whose generator and max_bytes are filled in here, with its
 * headers. Fails like renderer_mesh_glb. */
bool glb_respond(struct request_context *context, struct mesh_job *job, struct error *err);

/* --- Data that skinning needs --- */

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
