/* The making of a rig from what Assimp has read: the state that its steps share. */
#pragma once

#include <assimp/scene.h>

#include "import/assimp.h"
#include "import/scene_build.h"

/* A format, with what Assimp gets wrong of it (assimp_corrections.c). */
struct assimp_format {
	const char *name; // for messages
	const char *file; // the document's name for Assimp, which tells its readers apart by it
	bool has_unit;    // of length: the root's scale
	bool has_rate;    // its frames have a length, which must be above 0
	/* The document, before anything else; in the arena, or as it is. NULL = it is right. */
	const unsigned char *(*correct_bytes)(
		const unsigned char *bytes, size_t *size, struct arena *arena);
	const char *lost; // warning when these bytes are others; NULL = nothing is lost
	/* A key of a node's translation; rest is the node's matrix. NULL = they are right. */
	void (*correct_key)(const double rest[static 12], double translation[static 3]);
};

/* NULL where it is none of these. */
const struct assimp_format *assimp_format_of(const unsigned char *bytes, size_t size);

/* A node of the tree that Assimp makes, by joint. */
struct assimp_node {
	const struct aiNode *node;
	double rest[12]; // its own matrix, corrected, in the rig's unit
};

/* A place in the nodes by name. */
struct assimp_name {
	const char *name;
	int joint;
};

struct assimp_import {
	struct rig *rig; // for its warnings, until it is filled
	struct arena *arena;
	const struct assimp_format *format;
	const struct import_files *files; // NULL = the document came alone
	const unsigned char *bytes;       // of the document
	size_t size;
	const struct aiScene *from;
	double unit; // of the file's lengths, in the rig's
	struct assimp_node *nodes;
	struct assimp_name *names; // [joint_count], ascending; of equal ones the first joint first
	int *material_of;          // by Assimp's: position in the scene; -1 = the default one
	struct scene scene;
};

/* assimp_files.c: reads the document and what it asks for, from memory alone. The scene is to be
 * given back with aiReleaseImport(); NULL with ERROR_BROKEN_ASSET. Warns of files that are
 * missing. */
const struct aiScene *assimp_read(struct assimp_import *import, struct error *err);

/* Fills the rig from what has been read, by the steps below. Errors as theirs. */
bool assimp_convert(struct assimp_import *import, struct error *err);

/* The steps, in their order. False with ERROR_BROKEN_ASSET or ERROR_TOO_LARGE. */
bool assimp_make_joints(struct assimp_import *import, struct error *err);
void assimp_make_materials(struct assimp_import *import);
bool assimp_make_meshes(struct assimp_import *import, struct error *err);
bool assimp_make_clips(struct assimp_import *import, struct error *err);

/* The joint of the first node of a name; -1 = there is none. */
int assimp_find_joint(const struct assimp_import *import, const char *name);

/* A copy of a name, in which bytes that are not UTF-8 are question marks. */
const char *assimp_text(struct arena *arena, const struct aiString *from);

/* The number where float32 can hold it, else 0. */
float assimp_number(double x);

/* Makes vertices that agree in all they have one, and renumbers the indices. The mesh's arrays are
 * the caller's own. */
void assimp_join_vertices(struct scene_mesh *mesh, struct arena *arena);

/* assimp_corrections.c, each with its reason there. */
const unsigned char *assimp_complete_numbers(
	const unsigned char *bytes, size_t *size, struct arena *arena);
const unsigned char *assimp_without_morphs(
	const unsigned char *bytes, size_t *size, struct arena *arena);
const unsigned char *assimp_part_numbers(
	const unsigned char *bytes, size_t *size, struct arena *arena);
void assimp_ogre_translation(const double rest[static 12], double translation[static 3]);
