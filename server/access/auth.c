// Who may do what.
#include "access/auth.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "access/signature.h"
#include "access/tokens.h"
#include "base/memory.h"

/* The name of what tokens open, as RFC 9110 wants one in challenges. */
#define CHALLENGE "Bearer realm=\"posed\""

/* What is read from files; NULL = there is none. */
struct files {
	struct tokens *tokens;
	struct sign_keys *keys;
	struct presets *presets;
};

struct auth {
	struct files files, next; // in force; read by auth_check()
	unsigned anonymous;       // scopes of requests without a token
	size_t sign_bytes;
	bool presets_only, unsafe_links;
};

static void finish_files(struct files *files) {
	tokens_destroy(files->tokens);
	sign_keys_destroy(files->keys);
	presets_destroy(files->presets);
	*files = (struct files){0};
}

struct auth *auth_create(bool unsafe_links) {
	struct auth *auth = xcalloc(1, sizeof *auth);
	auth->unsafe_links = unsafe_links;
	return auth;
}

void auth_destroy(struct auth *auth) {
	if (auth) {
		finish_files(&auth->files);
		finish_files(&auth->next);
		free(auth);
	}
}

bool auth_check(struct auth *auth, const struct config *config, struct error *err) {
	struct files *next = &auth->next;
	finish_files(next);
	return (!config->tokens || (next->tokens = tokens_read(config->tokens, err))) &&
		(!config->sign_keys || (next->keys = sign_keys_read(config->sign_keys, err))) &&
		(!config->presets || (next->presets = presets_read(config->presets, err)));
}

void auth_apply(struct auth *auth, const struct config *config) {
	struct files old = auth->files;
	struct files *next = &auth->next;
	auth->files = (struct files){
		next->tokens ? next->tokens : old.tokens,
		next->keys ? next->keys : old.keys,
		next->presets ? next->presets : old.presets,
	};
	old = (struct files){
		next->tokens ? old.tokens : NULL,
		next->keys ? old.keys : NULL,
		next->presets ? old.presets : NULL,
	};
	*next = (struct files){0};
	finish_files(&old);
	auth->anonymous = config->anonymous;
	auth->sign_bytes = (size_t)config->sign_bytes;
	auth->presets_only = config->presets_only;
}

/* What is behind "Bearer "; NULL for another scheme, which says nothing of a token. */
static const char *bearer_token(const char *text) {
	static const char scheme[] = "Bearer";
	const size_t length = strlen(scheme);
	if (!text || strncasecmp(text, scheme, length) != 0 ||
		(text[length] != ' ' && text[length] != '\0')) {
		return NULL;
	}
	return text + length + strspn(text + length, " ");
}

/* Whoever shows a token may what anybody may, and what the token is for besides. A wrong one is for
 * nothing: its sender is not to find out by what is missing. */
static struct grant identify(
	const struct auth *auth, struct arena *arena, const struct authorization *authorization) {
	if (!auth->files.tokens) {
		return (struct grant){.scopes = SCOPE_ALL};
	}
	const char *token = bearer_token(authorization->text);
	const char *name;
	unsigned scopes;
	if (!token) {
		return (struct grant){.scopes = auth->anonymous};
	}
	if (authorization->lines > 1 ||
		!tokens_find(auth->files.tokens, token, strlen(token), &name, &scopes)) {
		return (struct grant){.invalid = true};
	}
	return (struct grant){
		.scopes = scopes | auth->anonymous,
		.name = arena_strndup(arena, name, strlen(name)),
	};
}

/* Whether the call's sender may what has this scope. */
static bool require(struct request_context *context, enum scope scope, struct error *err) {
	const struct grant *grant = &context->grant;
	char name[SCOPES_TEXT_BYTES];
	scopes_write(scope, name);
	if ((grant->scopes & scope) == (unsigned)scope) {
		return true;
	}
	if (grant->name) {
		return error_set(err, ERROR_FORBIDDEN,
			"the token \"%s\" does not have the scope \"%s\", which this needs",
			grant->name, name);
	}
	context->challenge = grant->invalid ? CHALLENGE ", error=\"invalid_token\"" : CHALLENGE;
	return error_set(err, ERROR_UNAUTHORIZED,
		grant->invalid ? "the token in Authorization is not one that this daemon knows; "
				 "this needs one with the scope \"%s\""
			       : "this needs a token with the scope \"%s\", sent as "
				 "Authorization: Bearer TOKEN",
		name);
}

bool auth_admit(const struct auth *auth, struct request_context *context,
	const struct authorization *authorization, enum scope scope, struct error *err) {
	context->grant = identify(auth, context->arena, authorization);
	if (auth->files.tokens && scope != SCOPE_OPEN && authorization->lines > 1) {
		return error_set(err, ERROR_INVALID_VALUE,
			"Authorization is given %u times, can be given once", authorization->lines);
	}
	return require(context, scope, err);
}

static bool admit_unsigned(
	const struct auth *auth, struct request_context *context, struct error *err) {
	if (!auth->unsafe_links) {
		return error_set(err, ERROR_FORBIDDEN,
			"links need a signature here, and this daemon has no keys for any "
			"(--sign-keys)");
	}
	return require(context, SCOPE_RENDER, err);
}

bool auth_admit_link(const struct auth *auth, struct request_context *context,
	const struct link_parts *link, struct error *err) {
	const struct sign_keys *keys = auth->files.keys;
	if (!keys && link_is_unsigned(link->signature, link->signature_length)) {
		return admit_unsigned(auth, context, err);
	}
	context->is_signed = keys &&
		signature_matches(keys, auth->sign_bytes, link->signature, link->signature_length,
			link->path);
	return context->is_signed ||
		error_set(err, ERROR_FORBIDDEN, "the link's signature is not right");
}

struct link_rules auth_link_rules(const struct auth *auth) {
	return (struct link_rules){auth->files.presets, auth->presets_only};
}
