// The table of commands.
#include "commands.h"

#include <stddef.h>
#include <string.h>

#include "access/sign.h"
#include "doctor/doctor.h"
#include "doctor/health.h"
#include "store/verify.h"

static const struct command commands[] = {
	{"doctor", doctor_main,
		"look what this machine offers a daemon with the same options, and what is "
		"missing: exit status 0 or 1"},
	{"health", health_main,
		"ask the daemon that the same options describe whether it is ready: exit status 0 "
		"or 1"},
	{"sign", sign_main, "sign the path of a link: PATH, and --sign-keys FILE"},
	{"verify", verify_main,
		"check every byte that is stored where the same options say (--json for programs): "
		"exit status 0 or 1"},
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

bool command_take_argument(int *count, char **arguments, const char *name) {
	for (int i = 1; i < *count; i++) {
		if (strcmp(arguments[i], name) == 0) {
			memmove(&arguments[i], &arguments[i + 1],
				(size_t)(*count - i) * sizeof *arguments);
			(*count)--;
			return true;
		}
	}
	return false;
}
