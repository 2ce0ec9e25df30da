/* The users of accessors and buffer views, shared by the rules on meshes and those on all else. */
#pragma once

#include "import/gltf_rule_steps.h"

/* The use of a buffer view or an accessor; it must be one. */
enum gltf_user {
	GLTF_USER_NONE,
	GLTF_USER_VERTICES,
	GLTF_USER_INDICES,
	GLTF_USER_BINDS,
	GLTF_USER_TIMES,
	GLTF_USER_KEYS,
	GLTF_USER_OTHER, // of views: keys and what sparse accessors replace
	GLTF_USER_IMAGE,
};

struct gltf_links {
	struct gltf *gltf;
	unsigned char *uses;              // [accessor_count] of enum gltf_accessor_use
	unsigned char *accessors, *views; // [accessor_count], [view_count] of enum gltf_user
	int *vertices_of;                 // [view_count] the accessor of vertices that uses it; -1
	struct gltf_item accessor_list, view_list;
};

struct gltf_item gltf_links_accessor(const struct gltf_links *links, int accessor);

/* True for a view with a byteStride; -1 = no view. */
bool gltf_links_has_stride(const struct gltf_links *links, int view);

/* Note that an item uses a view (-1 = none), or an accessor and with it its view. */
void gltf_links_use_view(
	struct gltf_links *links, const struct gltf_item *from, int view, enum gltf_user user);
void gltf_links_use(
	struct gltf_links *links, const struct gltf_item *from, int accessor, enum gltf_user user);

/* Note a breach where the accessor's view has a byteStride, or the accessor no bounds. */
void gltf_links_refuse_stride(
	struct gltf_links *links, const struct gltf_item *from, int accessor, enum gltf_rule rule);
void gltf_links_expect_bounds(
	struct gltf_links *links, const struct gltf_item *from, int accessor, enum gltf_rule rule);

/* An index below count that the schemas allow; else -1. */
int gltf_links_index(const struct gltf_item *item, int count);

/* The meshes' part of gltf_check_links(). */
void gltf_links_check_meshes(struct gltf_links *links);
