// Reading signed links that show one rig.
#include "access/shared_rig.h"

#include <stdlib.h>
#include <string.h>

#include "access/link.h"
#include "name.h"
#include "url_text.h"

#define VIEW "/view/"
#define EXPIRES "expires:"
#define MAX_DIGITS 18

/* Takes "expires:SECONDS/" off the front, where it is. */
static bool take_expiry(const char **path, int64_t *expires_s) {
	*expires_s = 0;
	if (strncmp(*path, EXPIRES, strlen(EXPIRES)) != 0) {
		return true;
	}
	const char *digits = *path + strlen(EXPIRES);
	const size_t count = strspn(digits, "0123456789");
	if (count == 0 || count > MAX_DIGITS || digits[count] != '/') {
		return false;
	}
	*expires_s = strtoll(digits, NULL, 10);
	*path = digits + count + 1;
	return *expires_s > 0;
}

static bool read_path(struct arena *arena, const char *path, struct shared_rig *out) {
	if (strncmp(path, VIEW, strlen(VIEW)) != 0) {
		return false;
	}
	path += strlen(VIEW);
	if (!take_expiry(&path, &out->expires_s) || strchr(path, '/')) {
		return false;
	}
	out->rig = url_decode(arena, path, strlen(path));
	return out->rig && name_check(out->rig, NULL);
}

bool shared_rig_read(struct arena *arena, const struct sign_keys *keys, size_t signature_bytes,
	const char *token, int64_t now_s, struct shared_rig *out) {
	struct link_parts parts;
	return keys && link_split(token + strlen(SHARED_RIG_PREFIX), &parts, NULL) &&
		signature_matches(keys, signature_bytes, parts.signature, parts.signature_length,
			parts.path) &&
		read_path(arena, parts.path, out) &&
		(out->expires_s == 0 || now_s < out->expires_s);
}
