// Authentication and authorization.
#include "access/auth.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "access/shared_rig.h"
#include "access/signature.h"
#include "access/tokens.h"
#include "base/memory.h"

/* RFC 9110 requires a realm in challenges. */
#define CHALLENGE "Bearer realm=\"posed\""

/* Contents of the files; NULL = none. */
struct files {
	struct tokens *tokens;
	struct sign_keys *keys;
	struct presets *presets;
};

struct auth {
	struct files files, next; // in force; read by auth_check() for auth_apply()
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

bool auth_check(struct auth *auth, const struct auth_options *options, struct error *err) {
	struct files *next = &auth->next;
	finish_files(next);
	return (!options->tokens || (next->tokens = tokens_read(options->tokens, err))) &&
		(!options->sign_keys || (next->keys = sign_keys_read(options->sign_keys, err))) &&
		(!options->presets || (next->presets = presets_read(options->presets, err)));
}

void auth_apply(struct auth *auth, const struct auth_options *options) {
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
	auth->anonymous = options->anonymous;
	auth->sign_bytes = (size_t)options->sign_bytes;
	auth->presets_only = options->presets_only;
}

/* The text behind "Bearer "; NULL for another scheme, which counts as no token. */
static const char *bearer_token(const char *text) {
	static const char scheme[] = "Bearer";
	const size_t length = strlen(scheme);
	if (!text || strncasecmp(text, scheme, length) != 0 ||
		(text[length] != ' ' && text[length] != '\0')) {
		return NULL;
	}
	return text + length + strspn(text + length, " ");
}

/* A link shows its rig and no other, also where clients without a token may see all. */
static struct grant identify_link(const struct auth *auth, struct arena *arena, const char *token) {
	struct shared_rig shared;
	if (!shared_rig_read(
		    arena, auth->files.keys, auth->sign_bytes, token, link_now_s(), &shared)) {
		return (struct grant){.invalid = true};
	}
	return (struct grant){
		.scopes = SCOPE_READ | SCOPE_RENDER,
		.name = arena_printf(arena, "link to %s", shared.rig),
		.rig = shared.rig,
	};
}

/* A token adds its scopes to the anonymous ones. An unknown token grants nothing, so that a client
 * with a wrong one notices at once. */
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
	if (authorization->lines == 1 &&
		strncmp(token, SHARED_RIG_PREFIX, strlen(SHARED_RIG_PREFIX)) == 0) {
		return identify_link(auth, arena, token);
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

static bool require(struct grant *grant, enum scope scope, struct error *err) {
	char name[SCOPES_TEXT_BYTES];
	scopes_write(scope, name);
	if ((grant->scopes & scope) == (unsigned)scope) {
		return true;
	}
	if (grant->rig) {
		return error_set(err, ERROR_FORBIDDEN,
			"the link shows a rig and does not have the scope \"%s\", which this needs",
			name);
	}
	if (grant->name) {
		return error_set(err, ERROR_FORBIDDEN,
			"the token \"%s\" does not have the scope \"%s\", which this needs",
			grant->name, name);
	}
	grant->challenge = grant->invalid ? CHALLENGE ", error=\"invalid_token\"" : CHALLENGE;
	return error_set(err, ERROR_UNAUTHORIZED,
		grant->invalid ? "the token in Authorization is not one that this daemon knows; "
				 "this needs one with the scope \"%s\""
			       : "this needs a token with the scope \"%s\", sent as "
				 "Authorization: Bearer TOKEN",
		name);
}

bool auth_admit(const struct auth *auth, struct arena *arena,
	const struct authorization *authorization, enum scope scope, struct grant *grant,
	struct error *err) {
	*grant = identify(auth, arena, authorization);
	if (auth->files.tokens && scope != SCOPE_OPEN && authorization->lines > 1) {
		return error_set(err, ERROR_INVALID_VALUE,
			"Authorization is given %u times, can be given once", authorization->lines);
	}
	return require(grant, scope, err);
}

static bool admit_unsigned(const struct auth *auth, struct grant *grant, struct error *err) {
	if (!auth->unsafe_links) {
		return error_set(err, ERROR_FORBIDDEN,
			"links need a signature here, and this daemon has no keys for any "
			"(--sign-keys)");
	}
	return require(grant, SCOPE_RENDER, err);
}

bool auth_admit_link(const struct auth *auth, const struct link_parts *link, struct grant *grant,
	struct error *err) {
	const struct sign_keys *keys = auth->files.keys;
	if (!keys && link_is_unsigned(link->signature, link->signature_length)) {
		return admit_unsigned(auth, grant, err);
	}
	grant->is_signed = keys &&
		signature_matches(keys, auth->sign_bytes, link->signature, link->signature_length,
			link->path);
	return grant->is_signed ||
		error_set(err, ERROR_FORBIDDEN, "the link's signature is not right");
}

struct link_rules auth_link_rules(const struct auth *auth) {
	return (struct link_rules){auth->files.presets, auth->presets_only};
}
