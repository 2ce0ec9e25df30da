/* Pictures in terminals that can show them. */
#pragma once

#include <stdbool.h>

#include "base/buffer.h"

/* The ways to show one, "auto" first, ended by NULL. */
extern const char *const show_ways[];

/* Checks the name of a way, and that it takes a media type,
 * for "auto" that any way does, before anything is drawn. False with the sentence on standard
 * error. */
bool show_check(const char *way, const char *media_type);

/* Writes a picture's file to standard output for the terminal there. "auto" asks the environment,
 * and then the terminal. False with the sentence on standard error: the terminal shows no pictures,
 * or not of this format (Kitty takes PNG only). */
bool show_picture(const char *way, const struct buffer *picture);
