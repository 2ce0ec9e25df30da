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

/* The member "view" of pictures and sequences of one rig; read likewise. */
extern const struct member_table view_member;

/* The member "variant" of these, likewise. */
extern const struct member_table variant_member;

/* The member "overlays", which pictures of many figures refuse; read likewise. */
extern const struct member_table overlays_member;

/* Reads those members of a request that picture_members leaves for later. Fails like
 * request_read_frame. */
bool request_read_picture(
	const struct value *request, struct picture_settings *out, struct error *err);

/* The members of a camera that is an object. */
extern const struct member_table camera_members;

/* Reads "front", {preset, yaw, pitch, distance, fov, target, orthographic, height}, {eye, target,
 * up, fov, orthographic, height}, {view, projection}, {view, fov} or {node}; value may be NULL: an
 * orbit of all defaults. Fails with ERROR_INVALID_VALUE (also where members of two forms are mixed)
 * or ERROR_UNKNOWN_MEMBER, and the place. */
bool camera_read(const struct value *value, struct camera_settings *out, struct error *err);

/* The members of a shading that is an object. Its variants are bits of enum shading. */
extern const struct member_table shading_members;

/* Reads the name of a mode, or an object of it as "mode" and its options; value may be NULL: the
 * materials. Fails with ERROR_INVALID_VALUE or ERROR_UNKNOWN_MEMBER, and the place. */
bool shading_read(const struct value *value, struct shading_settings *out, struct error *err);

/* In the order of enum overlay, ended by NULL. */
extern const char *const overlay_names[OVERLAY_COUNT + 1];

/* The options of an overlay; NULL = it has none. */
const struct member_table *overlay_options(enum overlay overlay);

/* Reads the list into *out, which is the default before. list may be NULL: none. Joints are left
 * for who knows the rig. Fails with ERROR_INVALID_VALUE, ERROR_UNKNOWN_MEMBER or ERROR_TOO_LARGE,
 * and the place; an overlay that is asked for twice is ERROR_INVALID_VALUE. */
bool overlays_read(const struct value *list, struct overlay_settings *out, struct error *err);

/* Refuses them where a request has no use for them; why goes into the sentence: "a crowd". */
bool overlays_refuse(const struct overlay_settings *overlays, const char *what, struct error *err);

/* Reads "#rrggbb", "#rrggbbaa" or "transparent" into sRGB with straight alpha, [0, 1]. value may be
 * NULL: color stays as it is. Fails with ERROR_INVALID_VALUE and the place. */
bool color_read(const struct value *value, double color[static 4], struct error *err);
