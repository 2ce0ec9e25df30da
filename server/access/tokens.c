// Tokens and their scopes.
#include "access/tokens.h"

#include <nettle/memops.h>
#include <nettle/sha2.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "access/scope.h"
#include "base/line_file.h"
#include "base/memory.h"
#include "base/number.h"
#include "url_text.h"

#define HASH_PREFIX "sha256:"

struct token {
	char *name; // owned
	unsigned scopes;
	uint8_t digest[SHA256_DIGEST_SIZE]; // SHA-256 of the token
};

struct tokens {
	struct token list[MAX_TOKENS];
	size_t count;
};

static void digest_text(
	const char *text, size_t length, uint8_t digest[static SHA256_DIGEST_SIZE]) {
	struct sha256_ctx context;
	sha256_init(&context);
	sha256_update(&context, length, (const uint8_t *)text);
	sha256_digest(&context, SHA256_DIGEST_SIZE, digest);
}

static bool has_only(struct span text, const char *others) {
	for (size_t i = 0; i < text.length; i++) {
		const char c = text.start[i];
		if (!(c >= '0' && c <= '9') && !((c | 0x20) >= 'a' && (c | 0x20) <= 'z') &&
			!strchr(others, c)) {
			return false;
		}
	}
	return true;
}

static bool take_name(struct token *token, struct span word, const struct line *line,
	const struct tokens *tokens, struct error *err) {
	char quoted[UTF8_QUOTED_BYTES];
	span_quote(word, quoted);
	if (word.length > MAX_TOKEN_NAME || !has_only(word, "-._")) {
		return line_error(line, err,
			"the name %s must have up to %d letters, digits, \"-\", \".\" and \"_\"",
			quoted, MAX_TOKEN_NAME);
	}
	for (size_t i = 0; i < tokens->count; i++) {
		if (span_is(word, tokens->list[i].name)) {
			return line_error(line, err, "the name %s is given twice", quoted);
		}
	}
	token->name = xstrndup(word.start, word.length);
	return true;
}

static bool take_hash(
	struct token *token, struct span digits, const struct line *line, struct error *err) {
	bool ok = digits.length == 2 * sizeof token->digest;
	for (size_t i = 0; ok && i < sizeof token->digest; i++) {
		const int high = hex_digit_value(digits.start[2 * i]);
		const int low = hex_digit_value(digits.start[2 * i + 1]);
		ok = high >= 0 && low >= 0;
		token->digest[i] = (uint8_t)(high * 16 + low);
	}
	return ok ||
		line_error(line, err, "behind \"" HASH_PREFIX "\" must be %zu hexadecimal digits",
			2 * sizeof token->digest);
}

/* RFC 6750: "=" only at the end. Error messages must not show tokens. */
static bool take_plain(
	struct token *token, struct span text, const struct line *line, struct error *err) {
	struct span body = text;
	while (body.length > 0 && body.start[body.length - 1] == '=') {
		body.length--;
	}
	if (body.length == 0 || text.length < MIN_TOKEN || text.length > MAX_TOKEN ||
		!has_only(body, "-._~+/")) {
		return line_error(line, err,
			"the token must have %d to %d letters, digits and any of -._~+/ with = at "
			"the end, or be \"" HASH_PREFIX "\" and its hash",
			MIN_TOKEN, MAX_TOKEN);
	}
	digest_text(text.start, text.length, token->digest);
	return true;
}

static bool take_secret(struct token *token, struct span word, const struct line *line,
	const struct tokens *tokens, struct error *err) {
	const size_t prefix = strlen(HASH_PREFIX);
	const bool hashed = span_begins(word, HASH_PREFIX);
	const struct span digits = {word.start + prefix, word.length - prefix};
	if (!(hashed ? take_hash(token, digits, line, err) : take_plain(token, word, line, err))) {
		return false;
	}
	for (size_t i = 0; i < tokens->count; i++) {
		if (memeql_sec(token->digest, tokens->list[i].digest, sizeof token->digest)) {
			return line_error(line, err, "this is also the token of \"%s\"",
				tokens->list[i].name);
		}
	}
	return true;
}

static bool take_scopes(
	struct token *token, struct span word, const struct line *line, struct error *err) {
	struct error why = {0};
	return scopes_read(word.start, word.length, &token->scopes, &why) ||
		line_error(line, err, "%s", why.text);
}

static bool take_line(void *context, const struct line *line, struct error *err) {
	struct tokens *tokens = context;
	struct span rest = line->text;
	const struct span name = span_take_word(&rest);
	const struct span scopes = span_take_word(&rest);
	const struct span secret = span_take_word(&rest);
	if (secret.length == 0 || rest.length > 0) {
		return line_error(line, err, "must be of the form NAME SCOPES TOKEN");
	}
	if (tokens->count == MAX_TOKENS) {
		return line_error(line, err, "more than %d tokens", MAX_TOKENS);
	}
	struct token token = {0};
	const bool taken = take_name(&token, name, line, tokens, err) &&
		take_scopes(&token, scopes, line, err) &&
		take_secret(&token, secret, line, tokens, err);
	if (taken) {
		tokens->list[tokens->count++] = token;
	} else {
		free(token.name);
	}
	return taken;
}

struct tokens *tokens_read(const char *path, struct error *err) {
	struct tokens *tokens = xcalloc(1, sizeof *tokens);
	bool read = line_file_read(path, take_line, tokens, err);
	if (read && tokens->count == 0) {
		read = error_set(
			err, ERROR_INVALID_VALUE, "%s has no line NAME SCOPES TOKEN", path);
	}
	if (!read) {
		tokens_destroy(tokens);
		return NULL;
	}
	line_file_warn_exposed(path);
	return tokens;
}

void tokens_destroy(struct tokens *tokens) {
	for (size_t i = 0; tokens && i < tokens->count; i++) {
		free(tokens->list[i].name);
	}
	free(tokens);
}

bool tokens_find(const struct tokens *tokens, const char *text, size_t length, const char **name,
	unsigned *scopes) {
	uint8_t digest[SHA256_DIGEST_SIZE];
	digest_text(text, length, digest);
	// Compares with all, for constant time.
	size_t found = 0;
	for (size_t i = 0; i < tokens->count; i++) {
		const int equal = memeql_sec(digest, tokens->list[i].digest, sizeof digest);
		found |= (size_t)-equal & (i + 1);
	}
	if (found > 0) {
		*name = tokens->list[found - 1].name;
		*scopes = tokens->list[found - 1].scopes;
	}
	return found > 0;
}
