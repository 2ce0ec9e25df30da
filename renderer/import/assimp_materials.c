// Assimp's materials -> glTF's: the colour of diffuse light becomes the base colour, the exponent
// of highlights a roughness. Colours are taken as sRGB, as the programs show them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/srgb.h"
#include "base/utf8.h"
#include "import/assimp_import.h"

#define LOST (-1)

/* A picture that has been looked for. */
struct seen {
	const char *path;
	int texture; // LOST = there is none
};

/* The textures of a file while they are found. */
struct finding {
	struct assimp_import *import;
	struct texture *textures;
	struct scene_image *images;
	struct seen *seen;
	size_t seen_count;
};

static double within_unit(double x) {
	return x > 0 ? fmin(x, 1) : 0; // and what is no number is 0
}

/* A colour of a material, linear; its alpha. */
static double read_color(
	const struct aiMaterial *from, const char *key, double standard, float out[static 3]) {
	struct aiColor4D color = {(float)standard, (float)standard, (float)standard, 1};
	aiGetMaterialColor(from, key, 0, 0, &color);
	out[0] = (float)srgb_to_linear(within_unit((double)color.r));
	out[1] = (float)srgb_to_linear(within_unit((double)color.g));
	out[2] = (float)srgb_to_linear(within_unit((double)color.b));
	return within_unit((double)color.a);
}

static bool read_number(const struct aiMaterial *from, const char *key, double *out) {
	float value = 0;
	unsigned count = 1;
	if (aiGetMaterialFloatArray(from, key, 0, 0, &value, &count) != aiReturn_SUCCESS ||
		count < 1 || !isfinite(value)) {
		return false;
	}
	*out = (double)value;
	return true;
}

/* --- Textures --- */

/* A picture in the document itself, "*3"; false for raw pixels, which few formats have. */
static bool read_own(
	const struct assimp_import *import, const char *path, struct scene_image *image) {
	const unsigned long index = strtoul(path + 1, NULL, 10);
	if (path[0] != '*' || index >= import->from->mNumTextures) {
		return false;
	}
	const struct aiTexture *own = import->from->mTextures[index];
	image->bytes = (const unsigned char *)own->pcData;
	image->size = own->mWidth;
	return own->mHeight == 0 && own->pcData;
}

static bool read_picture(
	const struct assimp_import *import, const char *path, struct scene_image *image) {
	const struct import_files *files = import->files;
	size_t file;
	image->name = path;
	if (path[0] == '*' || !files || !import_files_find(files, path, &file)) {
		return read_own(import, path, image);
	}
	image->bytes = files->read(files->context, file, &image->size, NULL);
	return image->bytes;
}

static enum wrap wrap_of(enum aiTextureMapMode mode) {
	return mode == aiTextureMapMode_Clamp || mode == aiTextureMapMode_Decal ? WRAP_CLAMP
		: mode == aiTextureMapMode_Mirror                               ? WRAP_MIRROR
										: WRAP_REPEAT;
}

/* Pictures are told apart by their paths; the first use says how one wraps. */
static int find_texture(
	struct finding *finding, const char *path, const enum aiTextureMapMode wraps[static 2]) {
	struct assimp_import *import = finding->import;
	for (size_t i = 0; i < finding->seen_count; i++) {
		if (strcmp(finding->seen[i].path, path) == 0) {
			return finding->seen[i].texture;
		}
	}
	struct seen *seen = &finding->seen[finding->seen_count++];
	struct scene_image *image = &finding->images[import->scene.image_count];
	*seen = (struct seen){path, LOST};
	if (!read_picture(import, path, image)) {
		char quoted[UTF8_QUOTED_BYTES];
		utf8_quote(path, quoted, sizeof quoted);
		rig_warn(import->rig, "image %s did not come with the file; drawn without it",
			quoted);
		return LOST;
	}
	seen->texture = import->scene.texture_count++;
	finding->textures[seen->texture] = (struct texture){
		.image = import->scene.image_count++,
		.wrap_u = wrap_of(wraps[0]),
		.wrap_v = wrap_of(wraps[1]),
	};
	return seen->texture;
}

/* Texture coordinates run upwards there: offsets go from one end to the other. */
static void place_texture(
	const struct aiMaterial *from, enum aiTextureType type, struct texture_slot *slot) {
	struct aiUVTransform t = {{0, 0}, {1, 1}, 0};
	aiGetMaterialUVTransform(from, _AI_MATKEY_UVTRANSFORM_BASE, type, 0, &t);
	if (t.mRotation == 0 && fabsf(t.mScaling.x) < 1e6f && fabsf(t.mScaling.y) < 1e6f &&
		fabsf(t.mTranslation.x) < 1e6f && fabsf(t.mTranslation.y) < 1e6f) {
		slot->scale[0] = t.mScaling.x;
		slot->scale[1] = t.mScaling.y;
		slot->offset[0] = t.mTranslation.x;
		slot->offset[1] = 1 - t.mScaling.y - t.mTranslation.y;
	}
}

static bool use_texture(struct finding *finding, const struct aiMaterial *from,
	enum aiTextureType type, enum texture_use use, struct material *out) {
	struct aiString path;
	unsigned coords = 0;
	enum aiTextureMapMode wraps[2] = {aiTextureMapMode_Wrap, aiTextureMapMode_Wrap};
	path.data[0] = '\0';
	if (aiGetMaterialTexture(from, type, 0, &path, NULL, &coords, NULL, NULL, wraps, NULL) !=
			aiReturn_SUCCESS ||
		path.data[0] == '\0') {
		return false;
	}
	const int found = find_texture(finding, assimp_text(finding->import->arena, &path), wraps);
	if (found >= 0) {
		out->textures[use].texture = found;
		out->textures[use].texcoords = coords < TEXCOORD_SETS ? (int)coords : 0;
		place_texture(from, type, &out->textures[use]);
	}
	return found >= 0;
}

/* --- Materials --- */

/* Blinn's exponent as a roughness. Source: Karis, Specular BRDF reference, 2013. */
static double read_roughness(const struct aiMaterial *from) {
	double value = 0;
	if (read_number(from, "$mat.roughnessFactor", &value)) {
		return within_unit(value);
	}
	read_number(from, "$mat.shininess", &value);
	return within_unit(sqrt(sqrt(2 / (fmax(value, 0) + 2))));
}

/* 1 = opaque. Programs that know of no transparency write all of it as if it was. */
static double read_opacity(const struct aiMaterial *from, double alpha) {
	double opacity = 1;
	read_number(from, "$mat.opacity", &opacity);
	opacity = within_unit(opacity) * alpha;
	return opacity > 0 ? opacity : 1;
}

static void fill(struct finding *finding, const struct aiMaterial *from, struct material *out) {
	double metallic = 0;
	const double alpha = read_color(from, "$clr.diffuse", 0.8, out->base_color);
	read_color(from, "$clr.emissive", 0, out->emissive);
	read_number(from, "$mat.metallicFactor", &metallic);
	out->metallic = (float)within_unit(metallic);
	out->roughness = (float)read_roughness(from);
	out->base_color[3] = (float)read_opacity(from, alpha);
	out->alpha_mode = out->base_color[3] < 1 ? ALPHA_BLEND : ALPHA_OPAQUE;
	out->double_sided = true; // most of the formats have no other
	// A texture takes the place of the colour.
	if (use_texture(finding, from, aiTextureType_DIFFUSE, TEXTURE_BASE_COLOR, out)) {
		out->base_color[0] = out->base_color[1] = out->base_color[2] = 1;
	}
	if (use_texture(finding, from, aiTextureType_EMISSIVE, TEXTURE_EMISSIVE, out)) {
		out->emissive[0] = out->emissive[1] = out->emissive[2] = 1;
	}
	use_texture(finding, from, aiTextureType_NORMALS, TEXTURE_NORMAL, out);
}

/* False for what Assimp makes up where a file has no materials. */
static bool read_material(
	struct finding *finding, const struct aiMaterial *from, struct material *out) {
	struct aiString name;
	name.data[0] = '\0';
	aiGetMaterialString(from, "?mat.name", 0, 0, &name);
	if (strcmp(name.data, AI_DEFAULT_MATERIAL_NAME) == 0) {
		return false;
	}
	*out = material_default;
	out->name = (char *)assimp_text(finding->import->arena, &name);
	fill(finding, from, out);
	return true;
}

void assimp_make_materials(struct assimp_import *import) {
	struct arena *arena = import->arena;
	const size_t count = import->from->mNumMaterials, most = 3 * count + 1;
	struct finding finding = {
		.import = import,
		.textures = arena_alloc(arena, most, sizeof *finding.textures),
		.images = arena_alloc(arena, most, sizeof *finding.images),
		.seen = arena_alloc(arena, most, sizeof *finding.seen),
	};
	struct material *materials = arena_alloc(arena, count + 1, sizeof *materials);
	import->material_of = arena_alloc(arena, count + 1, sizeof *import->material_of);
	for (size_t i = 0; i < count; i++) {
		struct material *next = &materials[import->scene.material_count];
		const bool is_own = read_material(&finding, import->from->mMaterials[i], next);
		import->material_of[i] = is_own ? import->scene.material_count++ : -1;
	}
	import->scene.materials = materials;
	import->scene.textures = finding.textures;
	import->scene.images = finding.images;
	if (import->scene.material_count > 0) {
		rig_warn(import->rig,
			"%d materials are mapped: diffuse colours to base colours, shininess to "
			"roughness; specular and ambient colours are left out",
			import->scene.material_count);
	}
}
