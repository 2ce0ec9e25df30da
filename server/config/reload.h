/* Rereading the configuration while the daemon runs. */
#pragma once

#include <stddef.h>

#include "config/config.h"

/* A part of the daemon that depends on the configuration or on files that it names. */
struct reload_hook {
	// Checks the new configuration without a change. False with *err cancels the reload for
	// all parts. NULL = there is nothing to check.
	bool (*check)(void *context, const struct config *fresh, struct error *err);
	// Applies the new configuration. Cannot fail.
	void (*apply)(void *context, const struct config *config);
	void *context; // borrowed
};

struct reload {
	struct config *config;           // borrowed; in force
	int argument_count;              // as the program was started
	char **arguments;                // borrowed
	const struct reload_hook *hooks; // borrowed; [hook_count], called in order
	size_t hook_count;
};

/* Reads the configuration as at startup, has every hook check it, updates the options in
 * reload->config that may change, and has every hook apply them. Logs changes, options that need a
 * restart, and errors, which leave everything unchanged. */
void reload_run(const struct reload *reload);
