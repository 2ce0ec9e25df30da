/* The members of a request that say what a picture is like: its size, what it shows, how it is lit,
 * and how much its file may lose. They stand beside others in one object, so they are read in two
 * steps: by value_read_tables() with the others, and by request_read_picture(). */
#pragma once

#include "base/settings.h"
#include "base/value.h"

/* Names in the order of enum fit, ended by NULL. */
extern const char *const fit_names[FIT_REST + 2];

/* Are read into a struct picture_settings. */
extern const struct member_table picture_members;

/* The member "overlays", which pictures of many figures refuse; read likewise. */
extern const struct member_table overlays_member;

/* Reads those members of a request that picture_members leaves for later. Fails like
 * request_read_frame. */
bool request_read_picture(
	const struct value *request, struct picture_settings *out, struct error *err);
