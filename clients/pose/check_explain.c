// `pose check --list-rules` and `--explain`.
#include "check_explain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "check_options.h"
#include "interface/checks.h"
#include "status.h"

#define LIMIT_DIGITS 6
#define LINE_WIDTH 88

static const char *write_limit(double limit, char text[static NUMBER_TEXT_BYTES]) {
	if (isfinite(limit)) {
		number_write_significant(limit, LIMIT_DIGITS, text);
	} else {
		strcpy(text, "-");
	}
	return text;
}

static void print_row(const struct check_profile *profile, const struct check_rule_info *rule) {
	const struct check_limits limits =
		check_profile_limits(profile, rule, NULL, rule->by_clip ? "" : NULL, NULL);
	char texts[3][NUMBER_TEXT_BYTES];
	printf("%-27s %-11s %9s %9s %9s  %s\n", rule->id, rule->unit,
		write_limit(limits.note, texts[0]), write_limit(limits.warning, texts[1]),
		write_limit(limits.error, texts[2]), rule->catches);
}

void check_explain_list(const struct check_profile *profile) {
	printf("%-27s %-11s %9s %9s %9s  catches (profile %s)\n", "rule", "unit", "note", "warning",
		"error", profile->name);
	const struct check_rule_info *rule;
	for (size_t i = 0; (rule = renderer_check_rule(i)); i++) {
		const bool wanted = check_globs_match(profile->only, rule->id) &&
			!(profile->skip && check_globs_match(profile->skip, rule->id));
		if (wanted) {
			print_row(profile, rule);
		}
	}
}

/* Prints text in lines of a terminal, each behind an indent. */
static void print_lines(const char *text, const char *indent) {
	while (*text) {
		size_t length = strlen(text);
		if (length > LINE_WIDTH) {
			for (length = LINE_WIDTH; length > 0 && text[length] != ' '; length--) {
			}
			length = length > 0 ? length : strcspn(text, " ");
		}
		printf("%s%.*s\n", indent, (int)length, text);
		text += length;
		text += strspn(text, " ");
	}
}

static void print_part(const char *title, const char *text) {
	if (text && *text) {
		printf("\n%s\n", title);
		print_lines(text, "  ");
	}
}

static void print_limits(const struct check_profile *profile, const struct check_rule_info *rule) {
	const struct check_limits limits =
		check_profile_limits(profile, rule, NULL, rule->by_clip ? "" : NULL, NULL);
	const struct check_profile_source source = check_profile_source(profile, rule->id);
	const struct {
		const char *name;
		double limit;
	} rows[] = {{"note", limits.note}, {"warning", limits.warning}, {"error", limits.error}};
	printf("\nLimits of the profile \"%s\" (%s %s)\n", profile->name, rule->unit,
		rule->below ? "at or below" : "at or above");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[NUMBER_TEXT_BYTES];
		printf("  %-8s %s\n", rows[i].name, write_limit(rows[i].limit, text));
	}
	if (source.source) {
		printf("  from: %s, %s\n", source.source, source.as_of ? source.as_of : "undated");
	}
}

static void print_rule(const struct check_profile *profile, const struct check_rule_info *rule) {
	printf("%s: %s\n", rule->id, rule->catches);
	print_part("What is measured", rule->definition);
	print_part("What a player sees", rule->effect);
	print_part("For example", rule->example);
	print_limits(profile, rule);
	print_part("In Blender", rule->blender);
	print_part("In Maya", rule->maya);
	print_part("Khronos' glTF validator calls it", rule->khronos);
	printf("\nTo accept it, in a rules file\n"
	       "  \"suppress\": [{\"rule\": \"%s\", \"reason\": \"why it is fine\"}]\n",
		rule->id);
}

int check_explain_rule(const struct check_profile *profile, const char *id) {
	const struct check_rule_info *rule;
	for (size_t i = 0; (rule = renderer_check_rule(i)); i++) {
		if (strcmp(rule->id, id) == 0) {
			print_rule(profile, rule);
			return STATUS_OK;
		}
	}
	return check_options_refuse_rule("--explain", id);
}
