/* Options of skinning methods: members that a request's `skinning` may have beside method, device
 * and normals. Each method has a list of them; one that several methods have is in options.h. */
#pragma once

#include <stdbool.h>

#include "base/value.h"

/* Options that a method has at most: shaders get their values in two vectors. */
#define SKIN_OPTIONS_MAX 8

enum skin_option_kind {
	SKIN_OPTION_NUMBER,  // within [least, most]
	SKIN_OPTION_INTEGER, // the same, a whole number
	SKIN_OPTION_BOOLEAN, // 0 or 1
	SKIN_OPTION_CHOICE,  // an index into choices
	SKIN_OPTION_BASE,    // an index into the table of methods: one with a kernel of its own
};

struct skin_option {
	const char *name;  // "iterations"
	const char *title; // one line for people
	enum skin_option_kind kind;
	double least, most;         // SKIN_OPTION_NUMBER and SKIN_OPTION_INTEGER
	const char *const *choices; // SKIN_OPTION_CHOICE: names, ended by NULL
	double standard;            // the value when the request says nothing
	bool derives;               // another value takes other data: see struct skin_recipe
};

/* The values, in the order of the method's list. */
struct skin_options {
	double values[SKIN_OPTIONS_MAX];
};

/* Every option's standard value. list is ended by NULL, or is NULL itself. */
struct skin_options skin_options_standard(const struct skin_option *const *list);

/* Reads the members of object (NULL = all standard) that are in the list. Refuses those that are
 * neither there nor one of every method's (ERROR_UNKNOWN_MEMBER, with the names there are), and
 * values of the wrong kind or range (ERROR_INVALID_VALUE), each with its pointer. method is the
 * id, for messages. */
bool skin_options_read(const struct skin_option *const *list, const char *method,
	const struct value *object, struct skin_options *out, struct error *err);

/* Reads the one member of object that an option names into *out, which stays as it is where there
 * is none. Refuses values of the wrong kind or range (ERROR_INVALID_VALUE, with the pointer). */
bool skin_option_read_member(const struct skin_option *option, const struct value *object,
	double *out, struct error *err);

/* The position of the option in the list; -1 = it has none. */
int skin_option_find(const struct skin_option *const *list, const struct skin_option *option);

/* The choice among antipodal quaternions: METHODS 0.6. */
enum skin_sign {
	SKIN_SIGN_PIVOT,     // per vertex, after the influence of greatest weight
	SKIN_SIGN_HIERARCHY, // once per pose, each joint after its parent
	SKIN_SIGN_TEMPORAL,  // each joint against its parent as in the frame before
};

/* The treatment of joints that scale or shear by methods for rigid ones: METHODS 0.4. */
enum skin_scale {
	SKIN_SCALE_TWO_PHASE, // the stretches are blended linearly, then the rigid rest
	SKIN_SCALE_IGNORE,    // stretches are dropped
	SKIN_SCALE_ERROR,     // the request fails
};

/* The source of a joint's rotation: METHODS 0.4. */
enum skin_rigid_from {
	SKIN_RIGID_FROM_POLAR, // the polar decomposition of its matrix
	SKIN_RIGID_FROM_CHAIN, // the product of the local rotations, for joints of scale 0
};

/* The treatment of vertices that a method cannot skin. */
enum skin_fallback {
	SKIN_FALLBACK_SBS,   // they are skinned by sbs, and counted
	SKIN_FALLBACK_ERROR, // the request fails
};

extern const struct skin_option skin_option_sign, skin_option_sign_hierarchy; // by default
extern const struct skin_option skin_option_scale, skin_option_rigid_from;
extern const struct skin_option skin_option_fallback;

/* The method whose kernel one without a kernel of its own runs; lbs by default. */
extern const struct skin_option skin_option_base;
