/* A format of assets, as descriptions and messages have it. Plain data. */
#pragma once

/* What posed reads from a format besides joints, as bits. */
enum asset_parts {
	ASSET_MESHES = 1 << 0,
	ASSET_SKINS = 1 << 1,
	ASSET_MORPHS = 1 << 2,
	ASSET_CLIPS = 1 << 3,
	ASSET_MATERIALS = 1 << 4,
	ASSET_PARTS = 5, // of them
	ASSET_ALL = (1 << ASSET_PARTS) - 1,
};

/* Most endings of a format. */
#define ASSET_ENDINGS_MAX 4

struct asset_format {
	const char *name;                           // "fbx"; no other format has it
	const char *title;                          // for messages: "FBX from version 7"
	const char *endings[ASSET_ENDINGS_MAX + 1]; // {".fbx"}, in lower case, ended by NULL
	const char *media_type;                     // "model/gltf-binary"
	unsigned carries;                           // enum asset_parts
};
