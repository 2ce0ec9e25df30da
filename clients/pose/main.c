// pose: the command-line client of posed.
//
// One whole example, from an asset to a picture of it in motion:
//   pose put fox.glb
//   pose show fox
//   pose frame fox -o out.png --clip Walk --time 0.4 --background '#ffffff'
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "status.h"
#include "version.h"

/* Characters of a command and its arguments in --help. */
#define CALL_WIDTH 23

static void print_help(void) {
	printf("usage: pose COMMAND ARGUMENT... [OPTION VALUE]...\n\ncommands:\n");
	for (const struct command *command = commands; command->name; command++) {
		const int written = printf("  %s %s", command->name, command->usage);
		// What is longer has its help below.
		printf("%s%*s %s\n", written > CALL_WIDTH ? "\n" : "",
			written > CALL_WIDTH ? CALL_WIDTH : CALL_WIDTH - written, "",
			command->help);
	}
	printf("\noptions:\n");
	options_print();
	printf("  %-14s this text\n  %-14s the version\n", "--help", "--version");
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

static bool asks(int argc, char **argv, const char *flag) {
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], flag) == 0) {
			return true;
		}
	}
	return false;
}

int main(int argc, char **argv) {
	if (asks(argc, argv, "--help")) {
		print_help();
		return STATUS_FINE;
	}
	if (asks(argc, argv, "--version")) {
		printf("pose %s\n", POSED_VERSION);
		return STATUS_FINE;
	}
	struct arguments arguments;
	if (!arguments_read(argc, argv, &arguments)) {
		return STATUS_USAGE;
	}
	const char *name = arguments.plain_count > 0 ? arguments.plain[0] : "";
	const struct command *command = find_command(name);
	if (!command) {
		fprintf(stderr, "pose: no command \"%s\"; see pose --help\n", name);
		return STATUS_USAGE;
	}
	const size_t given = arguments.plain_count - 1;
	if (given < command->least || given > command->most) {
		fprintf(stderr, "usage: pose %s %s\n", command->name, command->usage);
		return STATUS_USAGE;
	}
	if (!arguments_check(&arguments, command->name, command->bit)) {
		return STATUS_USAGE;
	}
	return command->run(command, &arguments);
}
