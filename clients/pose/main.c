// pose: the command-line client of posed.
//
// One whole example, from an asset to a picture of it in motion:
//   pose put fox.glb
//   pose show fox
//   pose frame fox -o out.png --clip Walk --time 0.4 --background '#ffffff'
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "version.h"

static void print_help(void) {
	printf("usage: pose COMMAND ARGUMENT... [OPTION VALUE]...\n\ncommands:\n");
	for (const struct command *command = commands; command->name; command++) {
		char call[40];
		snprintf(call, sizeof call, "%s %s", command->name, command->usage);
		printf("  %-21s %s\n", call, command->help);
	}
	printf("\noptions:\n");
	options_print();
	printf("  %-14s this text\n  %-14s the version\n", "--help", "--version");
	printf("\nexit status: 0 done, 1 failed, 2 wrong usage\n");
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
		return EXIT_FINE;
	}
	if (asks(argc, argv, "--version")) {
		printf("pose %s\n", POSED_VERSION);
		return EXIT_FINE;
	}
	struct arguments arguments;
	if (!arguments_read(argc, argv, &arguments)) {
		return EXIT_USAGE;
	}
	const char *name = arguments.plain_count > 0 ? arguments.plain[0] : "";
	const struct command *command = find_command(name);
	if (!command) {
		fprintf(stderr, "pose: no command \"%s\"; see pose --help\n", name);
		return EXIT_USAGE;
	}
	const size_t given = arguments.plain_count - 1;
	if (given < command->least || given > command->most) {
		fprintf(stderr, "usage: pose %s %s\n", command->name, command->usage);
		return EXIT_USAGE;
	}
	if (!arguments_check(&arguments, command->name, command->bit)) {
		return EXIT_USAGE;
	}
	return command->run(command, &arguments);
}
