/* Signed links that show one rig in the viewer to clients without a token. Such a client sends, as
 * its bearer token,
 *
 *   link:{signature}/view/{rig}
 *   link:{signature}/view/expires:{SECONDS}/{rig}
 *
 * where the signature is that of signed links (access/signature.h) for the path after it, SECONDS
 * is the expiry in Unix time, and {rig} is percent-encoded. No link to a picture has such a path.
 */
#pragma once

#include <stdint.h>

#include "access/signature.h"
#include "base/arena.h"

/* Start of such a token. */
#define SHARED_RIG_PREFIX "link:"

struct shared_rig {
	const char *rig;   // in the arena; keeps name_check()
	int64_t expires_s; // Unix time; 0 = never
};

/* Reads a token that begins with the prefix, and checks its signature of so many bytes and that it
 * has not expired at the time now_s, in Unix time. keys may be NULL: no signature is right. */
bool shared_rig_read(struct arena *arena, const struct sign_keys *keys, size_t signature_bytes,
	const char *token, int64_t now_s, struct shared_rig *out);
