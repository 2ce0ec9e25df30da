// What this program does instead of serving when its first argument says so.
#include "commands.h"

#include <string.h>

#include "sign.h"
#include "verify.h"

static const struct command commands[] = {
	{"sign", sign_main, "sign the path of a link (PATH [--sign-keys FILE])"},
	{"verify", verify_main, "check every stored byte ([--data DIR])"},
};

#define COMMAND_COUNT (sizeof commands / sizeof *commands)

const struct command *command_at(size_t i) {
	return i < COMMAND_COUNT ? &commands[i] : NULL;
}

const struct command *command_find(const char *name) {
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		if (strcmp(commands[i].name, name) == 0) {
			return &commands[i];
		}
	}
	return NULL;
}
