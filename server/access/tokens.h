/* Tokens that clients show, and what each lets them do. Only their SHA-256 is kept. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Characters of a token: shorter ones could be guessed, longer ones are no tokens. */
#define MIN_TOKEN 16
#define MAX_TOKEN 256

/* Tokens of a file. Clients' tokens are held against every one of them. */
#define MAX_TOKENS 1000

/* Characters of a token's name, which logs show. */
#define MAX_TOKEN_NAME 64

struct tokens;

/* Reads a file of lines "NAME SCOPES TOKEN", where TOKEN is the token itself (letters, digits and
 * -._~+/ with = at its end) or "sha256:" with the 64 hexadecimal digits of its hash. Names and
 * tokens are all different. NULL with ERROR_INVALID_VALUE, which names the line. */
struct tokens *tokens_read(const char *path, struct error *err);
void tokens_destroy(struct tokens *tokens); // takes NULL

/* Whether a text of length bytes is one of the tokens; then its name (borrowed) and its scopes. How
 * long that takes tells nothing but the text's length. */
bool tokens_find(const struct tokens *tokens, const char *text, size_t length, const char **name,
	unsigned *scopes);
