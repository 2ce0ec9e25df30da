// pose: the command-line client of posed.
//
// One whole example, from an asset to a picture of it in motion:
//   pose put fox.glb
//   pose show fox
//   pose frame fox -o out.png --clip Walk --time 0.4 --background '#ffffff'
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "sandbox/importer.h"
#include "several.h"
#include "status.h"
#include "version.h"

/* Characters of a command and its arguments in --help. */
#define CALL_WIDTH 23

static void print_help(const struct options *options) {
	printf("usage: pose COMMAND ARGUMENT... [OPTION VALUE]...\n\ncommands:\n");
	for (const struct command *command = commands; command->name; command++) {
		const int written = printf("  %s %s", command->name, command->usage);
		// Longer names have their help below.
		printf("%s%*s %s\n", written > CALL_WIDTH ? "\n" : "",
			written > CALL_WIDTH ? CALL_WIDTH : CALL_WIDTH - written, "",
			command->help);
	}
	printf("\noptions, of which \"pose COMMAND --help\" shows a command's own:\n");
	options_print(options, ~0u);
	printf("  %-14s this text\n  %-14s the version\n", "-h, --help", "--version");
	status_print();
}

static void print_command_help(const struct command *command, const struct options *options) {
	printf("usage: pose %s %s [OPTION VALUE]...\n\n%s\n\noptions:\n", command->name,
		command->usage, command->help);
	options_print(options, command->bit);
	status_print();
}

static const struct command *find_command(const char *name) {
	for (const struct command *command = commands; command->name; command++) {
		if (strcmp(command->name, name) == 0) {
			return command;
		}
	}
	return NULL;
}

/* The command of a line, for the options in it: the first word that is the name of one. */
static unsigned find_bit(int argc, char **argv) {
	const struct command *command = NULL;
	for (int i = 1; i < argc && !command; i++) {
		command = find_command(argv[i]);
	}
	return command ? command->bit : 0;
}

static bool asks(int argc, char **argv, const char *flag) {
	for (int i = 1; i < argc && strcmp(argv[i], OPTIONS_END) != 0; i++) {
		if (strcmp(argv[i], flag) == 0) {
			return true;
		}
	}
	return false;
}

/* Says how many arguments a command takes. */
static void print_counts(const struct command *command, size_t given) {
	const bool few = given < command->least;
	fprintf(stderr, "usage: pose %s %s\npose: %zu arguments behind \"%s\", must be at %s %zu\n",
		command->name, command->usage, given, command->name, few ? "least" : "most",
		few ? command->least : command->most);
}

static int run(int argc, char **argv, const struct options *options, struct arena *arena) {
	struct arguments arguments;
	if (!arguments_read(argc, argv, options, find_bit(argc, argv), arena, &arguments)) {
		return STATUS_USAGE;
	}
	if (arguments.plain_count == 0) {
		fprintf(stderr, "pose: which command? see pose --help\n");
		return STATUS_USAGE;
	}
	const char *name = arguments.plain[0];
	const struct command *command = find_command(name);
	if (!command) {
		fprintf(stderr, "pose: no command \"%s\"; see pose --help\n", name);
		return STATUS_USAGE;
	}
	const size_t given = arguments.plain_count - 1;
	if (given < command->least || given > command->most) {
		print_counts(command, given);
		return STATUS_USAGE;
	}
	if (!arguments_check(&arguments, command->name, command->bit)) {
		return STATUS_USAGE;
	}
	return several_are_given(command, &arguments) ? several_run(command, &arguments)
						      : command->run(command, &arguments);
}

int main(int argc, char **argv) {
	if (import_helper_is_wanted(argc, argv)) {
		return import_helper_main();
	}
	struct options options;
	options_list(&options);
	if (asks(argc, argv, "--help") || asks(argc, argv, "-h")) {
		const struct command *about = find_command(argv[1]);
		if (about) {
			print_command_help(about, &options);
		} else {
			print_help(&options);
		}
		return STATUS_OK;
	}
	if (asks(argc, argv, "--version")) {
		printf("pose %s\n", POSED_VERSION);
		return STATUS_OK;
	}
	struct arena *arena = arena_create();
	const int status = run(argc, argv, &options, arena);
	arena_destroy(arena);
	return status;
}
