// Commands for numbers.
#include "commands.h"

#include <string.h>

#include "base/arena.h"
#include "daemon.h"
#include "forms.h"
#include "request_text.h"
#include "status.h"
#include "url_text.h"

int run_mesh(const struct command *command, const struct arguments *arguments) {
	(void)command;
	if (!form_fits(arguments, &form_glb)) {
		return STATUS_USAGE;
	}
	struct arena *arena = arena_create();
	const struct http_request request = {
		.method = "GET",
		.path = arena_printf(
			arena, "/v1/rigs/%s/mesh.glb", url_encode(arena, arguments->plain[1])),
		.accept = form_glb.media_type,
	};
	const int status = daemon_fetch(arguments, request, form_glb.kind);
	arena_destroy(arena);
	return status;
}

/* Asks for an answer in a form; NULL = wrong usage, which has been said. */
static int post(
	const struct command *command, const struct arguments *arguments, const struct form *form) {
	struct buffer body = {0};
	const int status = form && request_text(arguments, arguments->plain[1], &body)
		? daemon_post(arguments, command->name, &body, form->media_type, form->kind)
		: STATUS_USAGE;
	buffer_finish(&body);
	return status;
}

int run_pose(const struct command *command, const struct arguments *arguments) {
	return post(command, arguments, form_fits(arguments, &form_json) ? &form_json : NULL);
}

int run_vertices(const struct command *command, const struct arguments *arguments) {
	static const struct form *const forms[] = {&form_octets, &form_json_requested, &form_glb};
	return post(
		command, arguments, form_choose(arguments, forms, sizeof forms / sizeof *forms));
}

int run_bake(const struct command *command, const struct arguments *arguments) {
	static const struct {
		const char *as;
		const struct form *form; // a GLB where there is no row
	} others[] = {
		{"vertex_texture", &form_tar},
		{"joint_texture", &form_tar},
		{"pia", &form_pia},
		{"pis", &form_pis},
		{"bvh", &form_bvh},
	};
	const char *as = arguments_value(arguments, "--as");
	const struct form *form = &form_glb;
	for (size_t i = 0; as && i < sizeof others / sizeof *others; i++) {
		form = strcmp(as, others[i].as) == 0 ? others[i].form : form;
	}
	return post(command, arguments, form_fits(arguments, form) ? form : NULL);
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
	static const struct form *const forms[] = {&form_pclip, &form_json_requested};
	const struct form *form = form_choose(arguments, forms, sizeof forms / sizeof *forms);
	struct buffer body = {0};
	const bool ok = form &&
		request_text_compression(arguments, arguments->plain[1], arguments->plain + 2,
			arguments->plain_count - 2, &body);
	const int status = ok
		? daemon_post(arguments, command->name, &body, form->media_type, form->kind)
		: STATUS_USAGE;
	buffer_finish(&body);
	return status;
}
