// `pose completion SHELL`.
#include "completion.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "daemon.h"
#include "interface/checks.h"
#include "json_text.h"
#include "status.h"
#include "url_text.h"

/* Whoever pressed a key does not wait longer. */
#define PATIENCE_S 1

/* True when a usage ends with a word that may be given as often as one likes, or not at all. */
static bool is_endless(const char *usage) {
	static const char *const ends[] = {"...", "...]"};
	const size_t length = strlen(usage);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		const size_t size = strlen(ends[i]);
		if (length > size && strcmp(usage + length - size, ends[i]) == 0) {
			return true;
		}
	}
	return false;
}

enum completed completed_argument(
	const struct command *command, size_t i, const char **words, int *length) {
	static const struct {
		const char *word;
		enum completed kind;
	} kinds[] = {
		{"RIG|FILE", COMPLETED_RIG_OR_FILE},
		{"RIG|FILE...", COMPLETED_RIG_OR_FILE},
		{"RIG", COMPLETED_RIG},
		{"[RIG]", COMPLETED_RIG},
		{"OTHER", COMPLETED_RIG},
		{"FILE", COMPLETED_FILE},
		{"FILE...", COMPLETED_FILE},
		{"FILE|FOLDER|RIG...", COMPLETED_RIG_OR_FILE},
		{"FROM", COMPLETED_CLIP},
		{"TO", COMPLETED_CLIP},
		{"[CLIP", COMPLETED_CLIP},
		{"[CLIP...]", COMPLETED_CLIP},
		{"[FILE]]", COMPLETED_FILE},
		{"[NAME", COMPLETED_NOTHING},
		{"METHOD...", COMPLETED_METHOD},
		{"[METHOD]", COMPLETED_METHOD},
	};
	const char *word = command->usage;
	for (size_t skipped = 0; skipped < i && *word; skipped++) {
		const size_t width = strcspn(word, " ");
		if (!word[width] && is_endless(word)) {
			break;
		}
		word += width;
		word += *word == ' ';
	}
	const size_t size = strcspn(word, " ");
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		if (strlen(kinds[k].word) == size && strncmp(kinds[k].word, word, size) == 0) {
			return kinds[k].kind;
		}
	}
	*words = word;
	*length = (int)size;
	return size > 0 ? COMPLETED_WORDS : COMPLETED_NOTHING;
}

size_t completed_places(const struct command *command, bool *endless) {
	const size_t length = strlen(command->usage);
	size_t count = length > 0;
	for (const char *c = command->usage; *c; c++) {
		count += *c == ' ';
	}
	*endless = is_endless(command->usage);
	return count;
}

/* Names of a rig, of the daemon and of rules, which no table of options has. */
static enum completed named_by(const struct option *option) {
	static const struct {
		enum option_group group;
		const char *member;
		enum completed kind;
	} kinds[] = {
		{GROUP_POSE, "clip", COMPLETED_CLIP},
		{GROUP_SKINNING, "method", COMPLETED_METHOD},
	};
	for (size_t i = 0; option->member && i < sizeof kinds / sizeof *kinds; i++) {
		if (kinds[i].group == option->group &&
			strcmp(kinds[i].member, option->member) == 0) {
			return kinds[i].kind;
		}
	}
	static const struct {
		const char *flag;
		enum completed kind;
	} of_checks[] = {
		{"--clip", COMPLETED_CLIP},
		{"--only", COMPLETED_RULE},
		{"--skip", COMPLETED_RULE},
		{"--explain", COMPLETED_RULE},
	};
	for (size_t i = 0;
		option->commands == FOR_CHECK && i < sizeof of_checks / sizeof *of_checks; i++) {
		if (strcmp(of_checks[i].flag, option->flag) == 0) {
			return of_checks[i].kind;
		}
	}
	return COMPLETED_NOTHING;
}

enum completed completed_option(const struct option *option, const char *const **words) {
	static const char *const truths[] = {"true", "false", NULL};
	*words = option->kind == OPTION_BOOL ? truths : option->choices;
	return option->kind == OPTION_FILE ? COMPLETED_FILE
		: *words                   ? COMPLETED_WORDS
					   : named_by(option);
}

/* Prints a member of each object in a list, a line each. */
static void print_names(const struct value *list, const char *member) {
	for (size_t i = 0; list && list->kind == VALUE_LIST && i < list->count; i++) {
		const struct value *name = value_member(&list->items[i], member);
		if (name && name->kind == VALUE_STRING) {
			printf("%s\n", name->string);
		}
	}
}

static int print_list(const struct arguments *arguments, struct arena *arena, const char *path,
	const char *list, const char *member) {
	struct buffer answer = {0};
	// The end of the process is all that a shell needs to go on.
	alarm(PATIENCE_S);
	const struct http_request request = {.method = "GET", .path = path};
	const int status = daemon_send(arguments, request, &answer);
	const struct value *document =
		status == STATUS_OK ? json_read(arena, answer.data, answer.size, NULL) : NULL;
	if (document && document->kind == VALUE_OBJECT) {
		print_names(value_member(document, list), member);
	}
	buffer_finish(&answer);
	return status;
}

static int print_rules(void) {
	const struct check_rule_info *rule;
	for (size_t i = 0; (rule = renderer_check_rule(i)); i++) {
		printf("%s\n", rule->id);
	}
	return STATUS_OK;
}

static int print_known(const struct arguments *arguments, const char *what, const char *rig) {
	struct arena *arena = arena_create();
	int status = STATUS_USAGE;
	if (strcmp(what, "rigs") == 0 && !rig) {
		status = print_list(arguments, arena, "/v1/rigs", "rigs", "name");
	} else if (strcmp(what, "methods") == 0 && !rig) {
		status = print_list(arguments, arena, "/v1", "skinning_methods", "id");
	} else if (strcmp(what, "clips") == 0 && rig) {
		const char *path = arena_printf(arena, "/v1/rigs/%s", url_encode(arena, rig));
		status = print_list(arguments, arena, path, "clips", "name");
	} else if (strcmp(what, "rules") == 0 && !rig) {
		status = print_rules();
	} else {
		fprintf(stderr, "usage: pose completion bash|zsh|fish\n");
	}
	arena_destroy(arena);
	return status;
}

int run_completion(const struct command *command, const struct arguments *arguments) {
	(void)command;
	static const struct {
		const char *name;
		void (*print)(const struct options *options);
	} shells[] = {
		{"bash", completion_bash},
		{"zsh", completion_zsh},
		{"fish", completion_fish},
	};
	const char *what = arguments->plain[1];
	const char *rig = arguments->plain_count > 2 ? arguments->plain[2] : NULL;
	for (size_t i = 0; !rig && i < sizeof shells / sizeof *shells; i++) {
		if (strcmp(what, shells[i].name) == 0) {
			shells[i].print(arguments->options);
			return STATUS_OK;
		}
	}
	return print_known(arguments, what, rig);
}
