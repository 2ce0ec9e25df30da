// Commands: sign and verify, and the table of all.
#include "commands.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/signature.h"
#include "config/config.h"
#include "doctor/doctor.h"
#include "store/store.h"
#include "verification.h"

enum { EXIT_SOUND = 0, EXIT_DAMAGED = 1 };

/* Accepts the characters of a URL's path (RFC 3986). Clients would send any other one differently
 * from how it was signed. */
static bool check_link(const char *path, struct error *err) {
	static const char marks[] = "-._~!$&'()*+,;=:@%/";
	for (const char *c = path; *c; c++) {
		const bool plain =
			(*c >= '0' && *c <= '9') || ((*c | 0x20) >= 'a' && (*c | 0x20) <= 'z');
		if (!plain && !strchr(marks, *c)) {
			return error_set(err, ERROR_INVALID_VALUE,
				"the byte 0x%02x is not allowed in a path: percent-encode it",
				(unsigned char)*c);
		}
	}
	return (path[0] == '/' && path[1]) ||
		error_set(err, ERROR_INVALID_VALUE,
			"the path must begin with \"/\", as in /w:256/fox.png");
}

static bool print_signed(const char *path, const struct config *config, struct error *err) {
	if (!config->access.sign_keys) {
		return error_set(err, ERROR_INVALID_VALUE, "no keys are given: --sign-keys FILE");
	}
	struct sign_keys *keys = sign_keys_read(config->access.sign_keys, err);
	if (keys) {
		char signature[SIGNATURE_TEXT_BYTES];
		signature_write(&keys->list[0], path, (size_t)config->access.sign_bytes, signature);
		printf("/i/%s%s\n", signature, path);
	}
	sign_keys_destroy(keys);
	return keys;
}

static int sign_main(int argument_count, char **arguments) {
	const char *path = argument_count > 1 ? arguments[1] : "";
	struct error err = {0};
	struct config config;
	int status;
	if (!check_link(path, &err)) {
		fprintf(stderr, "posed sign: %s\n", err.text);
		return EXIT_WRONG_ARGUMENTS;
	}
	// The options follow the path, which stands for the program's name.
	if (!config_read_or_end(
		    argument_count - 1, arguments + 1, "posed sign", &config, &status)) {
		return status;
	}
	if (!print_signed(path, &config, &err)) {
		fprintf(stderr, "posed sign: %s\n", err.text);
		status = EXIT_WRONG_ARGUMENTS;
	}
	config_finish(&config);
	return status;
}

static void print_verify_help(void) {
	printf("usage: posed verify [--json] [OPTION VALUE]...\n\n"
	       "Reads every byte that a daemon with the same options (posed --help) has stored,\n"
	       "and lists damage, leftovers of interrupted changes, which the next start removes,\n"
	       "and files of older versions without checksums. Changes nothing, and may run\n"
	       "beside the daemon.\n\n"
	       "exit status: 0 no damage, 1 damage, or the directory cannot be read, 2 wrong\n"
	       "arguments\n");
}

static void print_findings(const struct verification *found) {
	for (size_t i = 0; i < found->count; i++) {
		const struct store_finding *finding = &found->findings[i];
		printf("%s: %s%s: %s\n", store_finding_name(finding->kind),
			finding->rig ? "rig " : "", finding->rig ? finding->rig : finding->place,
			finding->says);
	}
	printf("%zu rigs, %zu sound objects, %zu sound derived files, %llu bytes; damage: %zu, "
	       "leftovers: %zu, older: %zu\n",
		found->rigs, found->objects, found->derived, (unsigned long long)found->bytes,
		found->counts[STORE_DAMAGE], found->counts[STORE_LEFTOVER],
		found->counts[STORE_OLDER]);
}

static void print_findings_json(const struct verification *found) {
	struct buffer text = {0};
	verification_write(found, &text);
	printf("%.*s\n", (int)text.size, (const char *)text.data);
	buffer_finish(&text);
}

static int verify(const char *path, bool json) {
	struct arena *arena = arena_create();
	struct verification found = {0};
	struct error err = {0};
	const bool read = store_verify(path, arena, &found, &err);
	if (!read) {
		fprintf(stderr, "posed verify: %s: %s\n", path, err.text);
	} else if (json) {
		print_findings_json(&found);
	} else {
		print_findings(&found);
	}
	free(found.findings);
	arena_destroy(arena);
	return read && found.counts[STORE_DAMAGE] == 0 ? EXIT_SOUND : EXIT_DAMAGED;
}

static int verify_main(int argument_count, char **arguments) {
	if (config_take_flag(&argument_count, arguments, "--help")) {
		print_verify_help();
		return EXIT_SUCCESS;
	}
	const bool json = config_take_flag(&argument_count, arguments, "--json");
	struct config config;
	int status;
	if (!config_read_or_end(argument_count, arguments, "posed verify", &config, &status)) {
		return status;
	}
	status = verify(config.data, json);
	config_finish(&config);
	return status;
}

static const struct command {
	const char *name;
	command_main main;
	const char *purpose; // for --help
} commands[] = {
	{"doctor", doctor_main,
		"check this machine for a daemon with the same options, and say what is missing: "
		"exit status 0 or 1"},
	{"health", health_main,
		"ask the daemon with the same options if it is ready: exit status 0 or 1"},
	{"sign", sign_main, "sign the path of a link: PATH, and --sign-keys FILE"},
	{"verify", verify_main,
		"check every byte that a daemon with the same options has stored (--json for "
		"programs): exit status 0 or 1"},
};

#define COMMAND_COUNT (sizeof commands / sizeof *commands)

command_main command_find(const char *name) {
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		if (strcmp(commands[i].name, name) == 0) {
			return commands[i].main;
		}
	}
	return NULL;
}

void commands_print(void) {
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		printf("  posed %s\n      %s\n", commands[i].name, commands[i].purpose);
	}
}
