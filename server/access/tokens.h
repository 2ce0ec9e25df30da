/* Tokens of clients, and their scopes. Memory holds only their SHA-256. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Length of a token; shorter ones could be guessed. */
#define MIN_TOKEN 16
#define MAX_TOKEN 256

/* Maximum tokens of a file; a client's token is compared with all of them. */
#define MAX_TOKENS 1000

/* Maximum length of a token's name, which logs show. */
#define MAX_TOKEN_NAME 64

struct tokens;

/* Reads a file of lines "NAME SCOPES TOKEN", where TOKEN is the token itself (letters, digits and
 * -._~+/ with = at its end) or "sha256:" with the 64 hexadecimal digits of its hash. Names and
 * tokens are all different. NULL with ERROR_INVALID_VALUE, which names the line. */
struct tokens *tokens_read(const char *path, struct error *err);
void tokens_destroy(struct tokens *tokens); // takes NULL

/* Finds a token by its text of length bytes: its name (borrowed) and scopes. The time taken depends
 * only on the length. */
bool tokens_find(const struct tokens *tokens, const char *text, size_t length, const char **name,
	unsigned *scopes);
