// Sentences of findings, from the templates of rules.
#include "check/message.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/number.h"

#define SIGNIFICANT 4
#define SIGNIFICANT_PERCENT 3

/* A field between braces: a name, the format of its number, and the words for one and for more. */
struct field {
	const char *name;
	size_t length;
	char format;          // 0, '%', '#' or a digit
	const char *words[2]; // NULL = the number itself
	size_t lengths[2];
};

/* Reads the words that follow a name and its format; NULL = malformed, else what follows. */
static const char *read_words(const char *text, struct field *field) {
	for (int i = 0; i < 2; i++) {
		if (*text != '|') {
			return NULL;
		}
		field->words[i] = text + 1;
		field->lengths[i] = strcspn(text + 1, "|{}");
		text += 1 + field->lengths[i];
	}
	return text;
}

/* Reads the field whose opening brace text begins with; NULL = malformed, else what follows. */
static const char *read_field(const char *text, struct field *field) {
	*field = (struct field){.name = text + 1};
	field->length = strspn(text + 1, "abcdefghijklmnopqrstuvwxyz_0123456789");
	const char *end = field->name + field->length;
	if (*end == ':') {
		field->format = end[1];
		const bool known = end[1] && strchr("%#0123456789", end[1]);
		end += known ? 2 : 0;
	}
	if (*end == '|') {
		end = read_words(end, field);
	}
	return end && field->length > 0 && *end == '}' ? end + 1 : NULL;
}

static bool is_called(const struct field *field, const char *name) {
	return strlen(name) == field->length && strncmp(field->name, name, field->length) == 0;
}

static bool is_name(const struct field *field) {
	return is_called(field, "clip") || is_called(field, "joint") ||
		is_called(field, "material") || is_called(field, "text");
}

static void write_number(double value, char format, char text[NUMBER_TEXT_BYTES + 2]) {
	if (isnan(value)) {
		strcpy(text, "?");
	} else if (isinf(value)) {
		strcpy(text, value > 0 ? "infinite" : "minus infinite");
	} else if (format == '%') {
		number_write_significant(value * 100, SIGNIFICANT_PERCENT, text);
		strcat(text, " %");
	} else if (format && fabs(value) < 1e15) {
		snprintf(text, NUMBER_TEXT_BYTES, "%.*f", format == '#' ? 0 : format - '0', value);
		const bool is_zero = text[strspn(text, "-0.")] == '\0';
		memmove(text, text + (is_zero && *text == '-'), strlen(text));
	} else {
		number_write_significant(value, SIGNIFICANT, text);
	}
}

static double number_of(const struct field *field, const struct check_finding *finding) {
	const struct check_measurement *at = &finding->at;
	const struct check_param standard[] = {{"value", at->value}, {"absolute", at->absolute},
		{"time", at->time_s}, {"threshold", finding->threshold}, {"count", finding->count}};
	for (size_t i = 0; i < sizeof standard / sizeof *standard; i++) {
		if (is_called(field, standard[i].name)) {
			return standard[i].value;
		}
	}
	for (size_t i = 0; i < at->param_count; i++) {
		if (is_called(field, at->params[i].name)) {
			return at->params[i].value;
		}
	}
	return NAN;
}

static void append(struct buffer *out, const char *text) {
	buffer_append(out, text, strlen(text));
}

static void write_field(struct buffer *out, const struct field *field,
	const struct check_finding *finding, const char *clip) {
	if (is_name(field)) {
		const char *name = is_called(field, "clip") ? clip
			: is_called(field, "joint")         ? finding->at.joint
			: is_called(field, "text")          ? finding->at.text
							    : finding->at.material;
		append(out, name ? name : "?");
		return;
	}
	char text[NUMBER_TEXT_BYTES + 2];
	write_number(number_of(field, finding), field->format, text);
	if (field->words[0]) {
		const int chosen = strcmp(text, "1") != 0;
		buffer_append(out, field->words[chosen], field->lengths[chosen]);
	} else {
		append(out, text);
	}
}

const char *check_message(const char *template, const struct check_finding *finding,
	const char *clip, struct arena *arena) {
	assert(check_message_is_sound(template));
	struct buffer out = {0};
	while (*template) {
		const size_t plain = strcspn(template, "{");
		buffer_append(&out, template, plain);
		template += plain;
		struct field field;
		if (template[0] == '{' && template[1] == '{') {
			append(&out, "{");
			template += 2;
		} else if (*template) {
			template = read_field(template, &field);
			write_field(&out, &field, finding, clip);
		}
	}
	const char *message = arena_strndup(arena, (const char *)out.data, out.size);
	buffer_finish(&out);
	return message;
}

bool check_message_is_sound(const char *template) {
	while (template && *template) {
		template += strcspn(template, "{");
		struct field field;
		if (template[0] == '{' && template[1] == '{') {
			template += 2;
		} else if (*template) {
			template = read_field(template, &field);
			if (template && (field.format || field.words[0]) && is_name(&field)) {
				return false;
			}
		}
	}
	return template != NULL;
}
