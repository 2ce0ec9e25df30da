/* Reading the configuration anew while the daemon runs. */
#pragma once

#include <stddef.h>

#include "config/config.h"

/* Whoever keeps something of the configuration, or of files that it names. */
struct reload_hook {
	// Looks at what is to come, without changing anything: false with *err keeps all as it is,
	// for everyone. NULL = everything is fine.
	bool (*check)(void *context, const struct config *fresh, struct error *err);
	// Takes over what may change. Cannot fail.
	void (*apply)(void *context, const struct config *config);
	void *context; // borrowed
};

/* What a reload goes by. */
struct reload {
	struct config *config;           // borrowed; what is in force
	int argument_count;              // as the program was started
	char **arguments;                // borrowed
	const struct reload_hook *hooks; // borrowed; [hook_count], called in order
	size_t hook_count;
};

/* Reads the configuration as at the start, has every hook check it, takes over into reload->config
 * what may change, and has every hook apply it. Logs what changed, what needs a restart, and
 * whatever is wrong, which leaves all as it was. */
void reload_run(const struct reload *reload);
