/* Motions baked to run without posed: the request, and bake.json, which tells what textures hold.
 */
#pragma once

#include "base/baked.h"
#include "base/buffer.h"
#include "request.h"

enum bake_precision { BAKE_HALF, BAKE_FLOAT };

struct bake_request {
	struct subject subject; // of one pose
	struct skinning_settings skinning;
	struct baked_settings baked;
	enum bake_precision precision; // of a vertex texture
};

/* The members that only it has: those that say what is made, and those about time, which links to
 * motion files have, too. */
extern const struct member_table bake_members, motion_members;

/* The names of BAKED_MOTIONS, which are the endings of such links; ended by NULL. */
extern const char *const bake_motion_names[];

/* Reads the body of POST /v1/bake. Fails like the readers in request.h. */
bool bake_read(const struct value *body, struct bake_request *out, struct error *err);

/* The name of a form in requests. */
const char *bake_form_name(enum baked_form form);

/* Appends bake.json of a form with textures. */
void bake_write_description(const struct baked_facts *facts, struct buffer *out);
