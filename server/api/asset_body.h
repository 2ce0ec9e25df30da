/* The asset in a request's body: the body as it is, or, where that is a form, what its files make.
 */
#pragma once

#include "base/asset_space.h"
#include "http/body.h"
#include "http/request_context.h"

struct asset_body {
	const void *bytes; // [size]
	size_t size;
	int file;           // descriptor of a sealed file with the same bytes; -1 = none
	struct body packed; // the archive of a form with several files
};

/* True for a media type that the body of an asset may have: one of the formats', bytes of any, or a
 * form. */
bool asset_body_is_type(const char *type);

/* All of them, with commas between, in the arena. */
const char *asset_body_types(struct arena *arena);

/* The asset of a request, whose body it borrows. A form of one file is that file; one of several is
 * an archive of them. False with form_data_read()'s and renderer_pack_asset()'s errors,
 * ERROR_TOO_LARGE beyond LIMIT_ASSET_BYTES, or ERROR_OVERLOADED where there is no memory. To be
 * finished in either case. Not on the loop's thread. */
bool asset_body_take(struct request_context *context, struct asset_body *out, struct error *err);

/* Puts the line before it that says its unit and up axis. Fails with ERROR_OVERLOADED. */
bool asset_body_set_space(
	struct asset_body *body, const struct asset_space *space, struct error *err);

void asset_body_finish(struct asset_body *body);
