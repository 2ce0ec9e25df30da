/* What the functions of a method's shaders take of a prepared pose. */
#pragma once

#include "interface/shader_texts.h"
#include "skinned/prepare.h"
#include "state/state.h"

/* Makes the inputs, whose numbers are those of what was prepared, of the arena and of `vertices`,
 * which the caller finishes. object: the request's skinning, for errors. False with
 * ERROR_INVALID_VALUE where the settings want what no text has, or a number left float32. */
bool shader_inputs_make(const struct prepared *prepared, const struct value *object,
	struct arena *arena, struct scratch *vertices, struct shader_inputs *out,
	struct error *err);

/* The method whose text for vertex shaders has all functions that a plan takes; NULL = none has. */
const char *shader_inputs_text(const struct prepared *prepared);
