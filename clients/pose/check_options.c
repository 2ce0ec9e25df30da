// The options of `pose check`.
#include "check_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/nearest.h"
#include "files.h"
#include "interface/checks.h"
#include "json_text.h"
#include "status.h"

/* Threads at most: more are slower on any machine. */
#define JOBS_MAX 256

/* --- Rules --- */

int check_options_refuse_rule(const char *flag, const char *name) {
	struct nearest nearest = {.unknown = name};
	const struct check_rule_info *rule;
	char names[256];
	for (size_t i = 0; (rule = renderer_check_rule(i)); i++) {
		nearest_offer(&nearest, rule->id);
	}
	nearest_write(&nearest, names, sizeof names);
	if (strpbrk(name, "*?")) {
		fprintf(stderr, "pose: %s: no rule matches \"%s\"; see pose check --list-rules\n",
			flag, name);
	} else {
		fprintf(stderr, "pose: %s: no rule is called \"%s\"; did you mean %s?\n", flag,
			name, names);
	}
	return STATUS_USAGE;
}

static bool matches_rule(const char *glob) {
	const struct check_rule_info *rule;
	for (size_t i = 0; (rule = renderer_check_rule(i)); i++) {
		if (check_glob(glob, rule->id)) {
			return true;
		}
	}
	return false;
}

/* The globs of an option, each of which must match a rule. */
static int read_rules(const struct arguments *arguments, const char *flag, check_globs *out) {
	*out = arguments_texts(arguments, flag);
	for (size_t i = 0; *out && (*out)[i]; i++) {
		if (!matches_rule((*out)[i])) {
			return check_options_refuse_rule(flag, (*out)[i]);
		}
	}
	return STATUS_OK;
}

/* --- The profile --- */

/* The text that names one: web, mobile ... True and *id when there is one of this name. */
static bool find_profile(const char *name, enum check_profile_id *id) {
	for (int i = 0; i < CHECK_PROFILE_COUNT; i++) {
		if (strcmp(name, check_profile_names[i]) == 0) {
			*id = (enum check_profile_id)i;
			return true;
		}
	}
	return false;
}

static int refuse_profile(const char *name) {
	fprintf(stderr,
		"pose: --profile: no profile is called \"%s\", and no file; there are: ", name);
	for (int i = 0; i < CHECK_PROFILE_COUNT; i++) {
		fprintf(stderr, "%s%s", i ? ", " : "", check_profile_names[i]);
	}
	fputc('\n', stderr);
	return STATUS_USAGE;
}

static int refuse_rules(const char *path, const struct error *err) {
	const bool placed = err->has_pointer && *err->pointer;
	fprintf(stderr, "pose: %s: %s%s%s%s\n", path, err->text, placed ? " (at " : "",
		placed ? err->pointer : "", placed ? ")" : "");
	return STATUS_USAGE;
}

/* A rules file that extends a profile by name, as if it said so itself. */
static struct value extend(const struct value *rules, const char *profile, struct arena *arena) {
	struct value *items = arena_alloc(arena, rules->count + 1, sizeof *items);
	struct value all = *rules;
	memcpy(items, rules->items, rules->count * sizeof *items);
	items[all.count++] = (struct value){
		.kind = VALUE_STRING, .string = profile, .parent = rules, .key = "extends"};
	all.items = items;
	return all;
}

/* Reads a rules file. base is the profile that it changes if it names none itself, NULL = game. */
static int read_rules_file(const struct arguments *arguments, const char *path, const char *base,
	struct arena *arena, struct check_profile *out) {
	struct check_rule_list list;
	struct buffer text = {0};
	struct error err = {0};
	list.rules = renderer_check_rules(&list.count);
	if (!file_take(arguments, path, &text)) {
		buffer_finish(&text);
		return STATUS_FAILED;
	}
	const struct value *rules = json_read(arena, text.data, text.size, &err);
	buffer_finish(&text);
	const struct value *extends =
		rules && rules->kind == VALUE_OBJECT ? value_member(rules, "extends") : NULL;
	if (extends && base && extends->kind == VALUE_STRING &&
		strcmp(extends->string, base) != 0) {
		fprintf(stderr, "pose: %s extends \"%s\", and --profile is %s\n", path,
			extends->string, base);
		return STATUS_USAGE;
	}
	if (rules && rules->kind == VALUE_OBJECT && base && !extends) {
		const struct value all = extend(rules, base, arena);
		return check_rules_file_read(&all, path, &list, arena, out, &err)
			? STATUS_OK
			: refuse_rules(path, &err);
	}
	return rules && check_rules_file_read(rules, path, &list, arena, out, &err)
		? STATUS_OK
		: refuse_rules(path, &err);
}

static int choose_profile(
	const struct arguments *arguments, struct arena *arena, struct check_profile *out) {
	const char *name = arguments_value(arguments, "--profile");
	const char *rules = arguments_value(arguments, "--rules");
	enum check_profile_id id = CHECK_PROFILE_GAME;
	const bool builtin = !name || find_profile(name, &id);
	if (rules && !builtin) {
		fprintf(stderr,
			"pose: --rules names a rules file, so that --profile takes a name\n");
		return STATUS_USAGE;
	}
	if (rules) {
		return read_rules_file(arguments, rules, name, arena, out);
	}
	if (!builtin) {
		return access(name, F_OK) == 0 ? read_rules_file(arguments, name, NULL, arena, out)
					       : refuse_profile(name);
	}
	*out = check_profile_builtin(id);
	return STATUS_OK;
}

static int read_profile(
	const struct arguments *arguments, struct arena *arena, struct check_options *out) {
	struct check_profile *profile = &out->profile;
	struct check_rule_list list;
	int status = choose_profile(arguments, arena, profile);
	list.rules = renderer_check_rules(&list.count);
	if (status != STATUS_OK) {
		return status;
	}
	profile->clips = arguments_texts(arguments, "--clip");
	status = read_rules(arguments, "--only", &profile->only);
	status = status == STATUS_OK ? read_rules(arguments, "--skip", &profile->skip) : status;
	check_profile_digest(profile, &list, out->digest);
	return status;
}

/* --- The others --- */

static int refuse(const char *flag, const char *wanted, const char *value) {
	fprintf(stderr, "pose: %s takes %s, not \"%s\"\n", flag, wanted, value);
	return STATUS_USAGE;
}

static int read_fail_on(const struct arguments *arguments, enum check_level *out) {
	const char *name = arguments_value(arguments, "--fail-on");
	*out = CHECK_ERROR;
	if (!name) {
		return STATUS_OK;
	}
	if (strcmp(name, "never") == 0) {
		*out = CHECK_OK;
		return STATUS_OK;
	}
	for (int i = CHECK_NOTE; i <= CHECK_ERROR; i++) {
		if (strcmp(name, check_level_names[i]) == 0) {
			*out = (enum check_level)i;
			return STATUS_OK;
		}
	}
	return refuse("--fail-on", "error, warning, note or never", name);
}

static int read_jobs(const struct arguments *arguments, size_t *out) {
	const char *text = arguments_value(arguments, "--jobs");
	const long cores = sysconf(_SC_NPROCESSORS_ONLN);
	*out = cores < 1 ? 1 : cores > JOBS_MAX ? JOBS_MAX : (size_t)cores;
	if (!text) {
		return STATUS_OK;
	}
	char *end;
	const long number = strtol(text, &end, 10);
	if (end == text || *end || number < 1 || number > JOBS_MAX) {
		return refuse("--jobs", "a whole number from 1 to 256", text);
	}
	*out = (size_t)number;
	return STATUS_OK;
}

static int read_pictures(const struct arguments *arguments, enum check_evidence_pictures *out) {
	static const struct {
		const char *name;
		enum check_evidence_pictures kind;
	} rows[] = {
		{"none", EVIDENCE_CAMERAS},
		{"stills", EVIDENCE_STILLS},
		{"animated", EVIDENCE_ANIMATED},
	};
	const char *name = arguments_value(arguments, "--html-pictures");
	const bool html = arguments_value(arguments, "--html");
	*out = html ? EVIDENCE_STILLS : EVIDENCE_CAMERAS;
	if (!name) {
		return STATUS_OK;
	}
	if (!html) {
		fprintf(stderr, "pose: --html-pictures is for --html, which is not given\n");
		return STATUS_USAGE;
	}
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (strcmp(rows[i].name, name) == 0) {
			*out = rows[i].kind;
			return STATUS_OK;
		}
	}
	return refuse("--html-pictures", "none, stills or animated", name);
}

static void find_today(char *text, size_t size) {
	const time_t now = time(NULL);
	struct tm date;
	strftime(text, size, "%Y-%m-%d", gmtime_r(&now, &date));
}

int check_options_read(
	const struct arguments *arguments, struct arena *arena, struct check_options *out) {
	*out = (struct check_options){.arguments = arguments};
	find_today(out->today, sizeof out->today);
	int status = read_profile(arguments, arena, out);
	status = status == STATUS_OK ? read_fail_on(arguments, &out->fail_on) : status;
	status = status == STATUS_OK ? read_pictures(arguments, &out->pictures) : status;
	return status == STATUS_OK ? read_jobs(arguments, &out->jobs) : status;
}
