/* Limits on what an asset may ask for. Each holds back a small file that claims a lot, and lets
 * every real asset through. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct error;
struct rig;

/* Bytes of the rig that a file may fill besides what it pays for with its own size, and bytes of
 * rig per byte of file. Legitimate growth: uint8 -> float (x4), instanced meshes, images. */
#define IMPORT_BYTES_FREE ((size_t)512 << 20)
#define IMPORT_BYTES_PER_BYTE ((size_t)64)

/* Lists and objects inside of one another: glTF's own stop at ten, and reading recurses. */
#define IMPORT_JSON_DEPTH_MAX ((size_t)512)

/* Values of a JSON document, 16 to 24 bytes each: fifty times what 76 clips in one file have. */
#define IMPORT_JSON_VALUES_MAX ((size_t)1 << 23)

/* Vertices of a rig: 64 times the greatest scanned characters, and float32 x4 of them still have
 * byte offsets below 2^30. */
#define IMPORT_VERTICES_MAX ((size_t)64 << 20)

/* Indices of a rig: six for each of the most vertices, as in a closed mesh of shared vertices. */
#define IMPORT_INDICES_MAX (6 * IMPORT_VERTICES_MAX)

/* Drawn pieces of a rig; each costs a draw call, so that far fewer are already unusable. */
#define IMPORT_PRIMITIVES_MAX ((size_t)1 << 20)

/* Instances of meshes (EXT_mesh_gpu_instancing): each has vertices of its own here, and pieces. */
#define IMPORT_INSTANCES_MAX ((size_t)1 << 16)

/* Morph weights of all nodes, and morph targets of all primitives: a face has some hundreds. */
#define IMPORT_MORPHS_MAX ((size_t)1 << 22)

/* Joints of one skin: influences hold 16-bit slots. */
#define IMPORT_SKIN_JOINTS_MAX ((size_t)65535)

/* Sets of four influences of a vertex: exporters write up to 4, and sorting takes the square. */
#define IMPORT_INFLUENCE_SETS_MAX 64

/* Files in a ZIP archive: as many as archives had before they grew to 64 bits. */
#define IMPORT_ZIP_ENTRIES_MAX 65535

/* Bytes of a JSON document in a ZIP archive: it shrinks to a hundredth there, and a parser takes
 * many times its size. */
#define IMPORT_ZIP_JSON_BYTES_MAX ((size_t)64 << 20)

/* Pixels of one image: 8192 x 8192, the side that every GLES 3.1 driver in use takes. */
#define IMAGE_PIXELS_MAX ((size_t)64 << 20)

/* Pixels of one side of an image, before the product is looked at. */
#define IMAGE_SIDE_MAX 65535

/* Passes over a progressive JPEG, each over the whole picture: encoders write about 10. */
#define IMAGE_JPEG_SCANS_MAX 200

/* --- Claims on memory --- */

/* Bytes for a file of so many. */
size_t claim_allowed(size_t file_bytes);

/* Takes bytes from what is left, for memory that is got elsewhere; ERROR_TOO_LARGE where there are
 * not as many. what names the thing in the message. */
bool claim_bytes(size_t *left, size_t bytes, const char *what, struct error *err);

/* rig_storage() that counts. */
void *claim_storage(struct rig *rig, size_t *left, size_t count, size_t size, const char *what,
	struct error *err);
