// The token that the client shows to the daemon.
#include "token.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "problem_print.h"

static bool is_space(char c) {
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Copies what is between the spaces; anything but visible ASCII would make another header of it. */
static bool take(const struct arguments *arguments, const char *text, size_t length,
	const char *origin, char token[static TOKEN_BYTES]) {
	while (length > 0 && is_space(text[length - 1])) {
		length--;
	}
	while (length > 0 && is_space(*text)) {
		text++;
		length--;
	}
	bool ok = length > 0 && length < TOKEN_BYTES;
	for (size_t i = 0; ok && i < length; i++) {
		ok = text[i] > ' ' && text[i] < 0x7f;
		token[i] = text[i];
	}
	token[ok ? length : 0] = '\0';
	if (!ok) {
		problem_print_words(
			arguments, PROBLEM_TOKEN, origin, "what is in it is no token", 0);
	}
	return ok;
}

bool token_find(const struct arguments *arguments, char token[static TOKEN_BYTES]) {
	const char *path = arguments_value(arguments, "--token-file");
	const char *environment = getenv("POSED_TOKEN");
	*token = '\0';
	if (!path) {
		return !environment ||
			take(arguments, environment, strlen(environment), "POSED_TOKEN", token);
	}
	struct buffer text = {0};
	const bool found = file_read(arguments, path, &text) &&
		take(arguments, (const char *)text.data, text.size, path, token);
	buffer_finish(&text);
	return found;
}
