// The table of commands.
#include "commands.h"

#include <stddef.h>
#include <string.h>

#include "doctor.h"
#include "health.h"
#include "sign.h"
#include "verify.h"

static const struct command commands[] = {
	{"doctor", doctor_main,
		"look what this machine offers a daemon with the same options, and what is "
		"missing: exit status 0 or 1"},
	{"health", health_main,
		"ask the daemon that the same options describe whether it is ready: exit status 0 "
		"or 1"},
	{"sign", sign_main, "sign the path of a link: PATH, and --sign-keys FILE"},
	{"verify", verify_main,
		"check every byte that is stored where the same options say: exit status 0 or 1"},
};

const struct command *command_at(unsigned index) {
	return index < sizeof commands / sizeof *commands ? &commands[index] : NULL;
}

const struct command *command_find(const char *name) {
	unsigned i = 0;
	while (command_at(i) && strcmp(command_at(i)->name, name) != 0) {
		i++;
	}
	return command_at(i);
}
