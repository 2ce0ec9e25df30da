/* The extensions of a glTF document that name nodes. */
#pragma once

#include "base/error.h"
#include "base/json_span.h"

/* Receives a number that is the position of a node, as it stands in the text. */
typedef void reference_function(void *context, struct json_span number);

/* Goes through the extensions of the document, but for those of materials, textures, images,
 * accessors, views and buffers, which name no nodes. ERROR_UNSUPPORTED_ASSET with the name of the
 * first extension of which it is not known whether and where it names nodes. */
bool references_of_extensions(
	struct json_span document, reference_function *found, void *context, struct error *err);
