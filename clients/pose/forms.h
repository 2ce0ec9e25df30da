/* The forms of answers that are no pictures, and the ending of -o's file name, which selects a
 * format. */
#pragma once

#include "answer.h"
#include "options.h"

struct form {
	const char *flag;       // of the option that asks for it; NULL = there is none
	const char *ending;     // of -o's file; NULL = none stands for it
	const char *media_type; // "model/gltf-binary"
	const char *title;      // for people
	enum answer_kind kind;
};

extern const struct form form_json, form_glb, form_octets, form_tar, form_tar_gzip, form_pia,
	form_pis, form_bvh, form_pclip;

/* JSON where it is one of several answers, and --json asks for it. */
extern const struct form form_json_requested;

/* The form of [count] that an option asks for, or else the ending of -o; the first where neither
 * does. NULL with the sentence on standard error: two are asked for, or -o's ending is another
 * format's. */
const struct form *form_choose(
	const struct arguments *arguments, const struct form *const *forms, size_t count);

/* True when the only form suits -o's ending; otherwise an error on standard error. */
bool form_fits(const struct arguments *arguments, const struct form *form);

#define ENDING_BYTES 16

/* Behind the last dot, in lower case, "jpg" for "jpeg". False where there is none, or one too long
 * to be a format's. */
bool ending_read(const struct arguments *arguments, char ending[static ENDING_BYTES]);

/* Refuses, on standard error, an ending that stands for a format other than that of the answer.
 *
 * own   the answer's ending; NULL = it has none, like numbers without a head
 * what  the answer, for people: "JSON" */
bool ending_check(const struct arguments *arguments, const char *own, const char *what);
