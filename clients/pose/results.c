// Commands for numbers.
#include "results.h"

#include <string.h>

#include "asset.h"
#include "base/arena.h"
#include "commands.h"
#include "daemon.h"
#include "forms.h"
#include "offline.h"
#include "request_text.h"
#include "status.h"
#include "url_text.h"

/* Makes an answer here, from a file. The exit status. */
static int make(struct offline_job *job, offline_function function, enum answer_kind kind) {
	struct buffer answer = {0};
	int status = offline_make(job, function, &answer);
	if (status == STATUS_OK) {
		status = answer_write(job->arguments, &answer, kind);
	}
	buffer_finish(&answer);
	return status;
}

static int fetch_mesh(const struct arguments *arguments, const char *rig) {
	struct arena *arena = arena_create();
	const struct http_request request = {
		.method = "GET",
		.path = arena_printf(arena, "/v1/rigs/%s/mesh.glb", url_encode(arena, rig)),
		.accept = form_glb.media_type,
	};
	const int status = daemon_fetch(arguments, request, form_glb.kind);
	arena_destroy(arena);
	return status;
}

int run_mesh(const struct command *command, const struct arguments *arguments) {
	(void)command;
	const char *subject = arguments->plain[1];
	if (!form_fits(arguments, &form_glb)) {
		return STATUS_USAGE;
	}
	if (offline_is_file(subject)) {
		struct offline_job job = {.arguments = arguments, .path = subject};
		return make(&job, offline_mesh, form_glb.kind);
	}
	return asset_is_no_file(arguments)
		? offline_end_rig(arguments, subject, fetch_mesh(arguments, subject))
		: STATUS_USAGE;
}

/* An answer in a form, of a file or from the daemon; form NULL = wrong usage, which has been said.
 */
static int answer(const struct command *command, const struct arguments *arguments,
	const struct form *form, offline_function function) {
	const char *subject = arguments->plain[1];
	const bool is_file = offline_is_file(subject);
	struct buffer body = {0};
	int status = STATUS_USAGE;
	if (form && (is_file || asset_is_no_file(arguments)) &&
		request_text(arguments, is_file ? "file" : subject, &body)) {
		struct offline_job job = {.arguments = arguments,
			.path = subject,
			.request = &body,
			.vertices = form == &form_glb  ? OFFLINE_GLB
				: form == &form_octets ? OFFLINE_OCTETS
						       : OFFLINE_JSON};
		status = is_file ? make(&job, function, form->kind)
				 : offline_end_rig(arguments, subject,
					   daemon_post(arguments, command->name, &body,
						   form->media_type, form->kind));
	}
	buffer_finish(&body);
	return status;
}

int run_pose(const struct command *command, const struct arguments *arguments) {
	return answer(command, arguments, form_fits(arguments, &form_json) ? &form_json : NULL,
		offline_pose);
}

const struct form *vertices_form(const struct arguments *arguments) {
	static const struct form *const forms[] = {&form_octets, &form_json_requested, &form_glb};
	return form_choose(arguments, forms, sizeof forms / sizeof *forms);
}

int run_vertices(const struct command *command, const struct arguments *arguments) {
	return answer(command, arguments, vertices_form(arguments), offline_vertices);
}

const struct form *bake_form(const struct arguments *arguments) {
	static const struct {
		const char *as;
		const struct form *form; // a GLB where there is no row
	} others[] = {
		{"vertex_texture", &form_tar},
		{"joint_texture", &form_tar},
		{"playback", &form_tar_gzip},
		{"pia", &form_pia},
		{"pis", &form_pis},
		{"bvh", &form_bvh},
	};
	const char *as = arguments_value(arguments, "--as");
	const struct form *form = &form_glb;
	for (size_t i = 0; as && i < sizeof others / sizeof *others; i++) {
		form = strcmp(as, others[i].as) == 0 ? others[i].form : form;
	}
	return form;
}

int run_bake(const struct command *command, const struct arguments *arguments) {
	const struct form *form = bake_form(arguments);
	return answer(command, arguments, form_fits(arguments, form) ? form : NULL, offline_bake);
}

int run_transitions(const struct command *command, const struct arguments *arguments) {
	struct buffer body = {0};
	const bool ok = form_fits(arguments, &form_json) &&
		request_text_transitions(arguments, arguments->plain[1], arguments->plain[2],
			arguments->plain[3], &body);
	const int status = ok
		? daemon_post(arguments, command->name, &body, form_json.media_type, form_json.kind)
		: STATUS_USAGE;
	buffer_finish(&body);
	return status;
}

int run_compress(const struct command *command, const struct arguments *arguments) {
	const char *codec = arguments_value(arguments, "--codec");
	const struct form *const forms[] = {
		codec && strcmp(codec, "keys") == 0 ? &form_glb : &form_pclip,
		&form_json_requested};
	const struct form *form = form_choose(arguments, forms, sizeof forms / sizeof *forms);
	const char *subject = arguments->plain[1];
	const bool is_file = offline_is_file(subject);
	struct buffer body = {0};
	int status = STATUS_USAGE;
	if (form && (is_file || asset_is_no_file(arguments)) &&
		request_text_compression(arguments, is_file ? "file" : subject,
			arguments->plain + 2, arguments->plain_count - 2, &body)) {
		struct offline_job job = {.arguments = arguments,
			.path = subject,
			.request = &body,
			.report_alone = form == &form_json_requested};
		status = is_file ? make(&job, offline_compress, form->kind)
				 : offline_end_rig(arguments, subject,
					   daemon_post(arguments, command->name, &body,
						   form->media_type, form->kind));
	}
	buffer_finish(&body);
	return status;
}
