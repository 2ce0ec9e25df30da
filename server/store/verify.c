// posed verify: whether the store still has what was put.
#include "store/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "config/config.h"
#include "store/verify_store.h"

enum { EXIT_SOUND = 0, EXIT_DAMAGED = 1 };

static void print_help(void) {
	printf("usage: posed verify [--json] [OPTION VALUE]...\n\n"
	       "Reads every byte that a daemon with the same options (posed --help) has stored,\n"
	       "and says what is damaged, what is left over from changes that did not end, which\n"
	       "the next start removes, and what is of an older version without checksums.\n"
	       "Changes nothing, and may run beside the daemon.\n\n"
	       "exit status: 0 nothing is damaged, 1 something is, or the directory cannot be\n"
	       "read, 2 wrong arguments\n");
}

static void print_text(const struct verification *found) {
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

static void print_json(const struct verification *found) {
	struct buffer text = {0};
	verification_write(found, &text);
	printf("%.*s\n", (int)text.size, (const char *)text.data);
	buffer_finish(&text);
}

static int verify(const char *path, bool json) {
	struct arena *arena = arena_create();
	struct verification found = {0};
	struct error err = {0};
	const bool read = verify_store(path, arena, &found, &err);
	if (!read) {
		fprintf(stderr, "posed verify: %s: %s\n", path, err.text);
	} else if (json) {
		print_json(&found);
	} else {
		print_text(&found);
	}
	free(found.findings);
	arena_destroy(arena);
	return read && found.counts[STORE_DAMAGE] == 0 ? EXIT_SOUND : EXIT_DAMAGED;
}

int verify_main(int argument_count, char **arguments) {
	if (command_take_argument(&argument_count, arguments, "--help")) {
		print_help();
		return EXIT_SUCCESS;
	}
	const bool json = command_take_argument(&argument_count, arguments, "--json");
	struct config config;
	int status;
	if (!config_read_or_end(argument_count, arguments, "posed verify", &config, &status)) {
		return status;
	}
	status = verify(config.data, json);
	config_finish(&config);
	return status;
}
