// The token that the client shows to the daemon.
#include "token.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"

static bool is_space(char c) {
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Copies what is between the spaces; anything but visible ASCII would make another header of it. */
static bool take(
	const char *text, size_t length, const char *origin, char token[static TOKEN_BYTES]) {
	while (length > 0 && is_space(text[length - 1])) {
		length--;
	}
	while (length > 0 && is_space(*text)) {
		text++;
		length--;
	}
	bool fine = length > 0 && length < TOKEN_BYTES;
	for (size_t i = 0; fine && i < length; i++) {
		fine = text[i] > ' ' && text[i] < 0x7f;
		token[i] = text[i];
	}
	token[fine ? length : 0] = '\0';
	if (!fine) {
		fprintf(stderr, "pose: what is in %s is no token\n", origin);
	}
	return fine;
}

bool token_find(const char *path, char token[static TOKEN_BYTES]) {
	const char *environment = getenv("POSED_TOKEN");
	*token = '\0';
	if (!path) {
		return !environment || take(environment, strlen(environment), "POSED_TOKEN", token);
	}
	struct buffer text = {0};
	const bool found =
		file_read(path, &text) && take((const char *)text.data, text.size, path, token);
	buffer_finish(&text);
	return found;
}
