/* The objects of an FBX file, their properties, and what is connected to what. */
#pragma once

#include "import/fbx_tree.h"

/* A property: its record, `P: name, type, label, flags, values`; in the object or in its type's
 * template. NULL = neither has it. */
struct fbx_object {
	int64_t id;
	const char *type; // record's name: "Model", "Geometry", "Deformer"
	const char *kind; // "Mesh", "LimbNode", "Skin"; never NULL
	const char *name; // without its class; never NULL
	const struct fbx_record *record;
	const struct fbx_record *properties; // the first P; NULL = none
	const struct fbx_record *defaults;   // of the template; NULL = none
	int first_child, child_count;        // in the scene's children
	int first_parent, parent_count;      // in the scene's parents
};

/* A connection as seen from one end. */
struct fbx_link {
	int object;           // the other end's position in the scene's objects
	const char *property; // the parent's that it is connected to; NULL = to the parent itself
};

/* Position of the scene itself, whose id is 0, among the objects. */
#define FBX_ROOT 0

struct fbx_objects {
	int count;
	struct fbx_object *objects;                // the root first, then in the order of the file
	const struct fbx_link *children, *parents; // of one object in the order of the file
	const struct fbx_record *settings;         // the first P of GlobalSettings
};

/* Reads Objects, Definitions and Connections; what is connected to nothing that there is, is left
 * out. All is in the tree's arena. Fails with ERROR_BROKEN_ASSET or ERROR_TOO_LARGE. */
bool fbx_objects_read(struct fbx_objects *out, const struct fbx_tree *tree, struct error *err);

/* The next child of a type (NULL = any) and kind (NULL = any) from *at on, which is moved behind
 * it, connected to the property (NULL = to the object itself); NULL = no more. */
const struct fbx_object *fbx_next_child(const struct fbx_objects *objects,
	const struct fbx_object *object, int *at, const char *type, const char *kind,
	const char *property);

/* The first such child; and a parent in the same way, whatever it is connected to. */
const struct fbx_object *fbx_first_child(const struct fbx_objects *objects,
	const struct fbx_object *object, const char *type, const char *kind, const char *property);
const struct fbx_object *fbx_first_parent(
	const struct fbx_objects *objects, const struct fbx_object *object, const char *type);

/* Values of a property, or the fallback where neither the object nor its template has it. */
double fbx_property_real(const struct fbx_object *object, const char *name, double fallback);
int64_t fbx_property_integer(const struct fbx_object *object, const char *name, int64_t fallback);
void fbx_property_vector(
	const struct fbx_object *object, const char *name, double fallback, double out[static 3]);
const char *fbx_property_text(
	const struct fbx_object *object, const char *name, const char *fallback);
bool fbx_has_property(const struct fbx_object *object, const char *name);

/* The same in a list of P records, of which the last one with a name counts. */
const struct fbx_record *fbx_property_in(const struct fbx_record *properties, const char *name);
