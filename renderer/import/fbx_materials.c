// The materials of FBX -> glTF's: Phong's and Lambert's, and the base colours, metals and
// roughnesses of what else programs write. Colours are taken as sRGB, as the programs show them.
#include <math.h>
#include <string.h>

#include "base/srgb.h"
#include "import/data_uri.h"
#include "import/fbx_import.h"

/* Properties that say the same, the first one that there is counts; ended by NULL. */
static const char *const base_colors[] = {"Maya|base_color", "Maya|baseColor",
	"3dsMax|Parameters|base_color", "3dsMax|Parameters|basecolor", "3dsMax|main|basecolor",
	"DiffuseColor", "Diffuse", NULL};
static const char *const base_color_maps[] = {"Maya|TEX_color_map", "Maya|baseColor",
	"3dsMax|Parameters|base_color_map", "3dsMax|main|base_color_map", "DiffuseColor", NULL};
static const char *const roughnesses[] = {"Maya|roughness", "Maya|specularRoughness",
	"3dsMax|Parameters|roughness", "3dsMax|main|roughness", NULL};
static const char *const metals[] = {"Maya|metallic", "Maya|metalness",
	"3dsMax|Parameters|metalness", "3dsMax|main|metalness", NULL};
static const char *const emissions[] = {"Maya|emissive", "Maya|emissionColor",
	"3dsMax|Parameters|emit_color", "EmissiveColor", NULL};
static const char *const emission_maps[] = {"Maya|TEX_emissive_map", "Maya|emissionColor",
	"3dsMax|Parameters|emit_color_map", "EmissiveColor", NULL};
static const char *const normal_maps[] = {"Maya|TEX_normal_map", "Maya|normalCamera",
	"3dsMax|Parameters|bump_map", "NormalMap", NULL};

/* The textures of a file while they are found. */
struct finding {
	struct fbx_import *import;
	struct texture *textures;
	struct scene_image *images;
	int *texture_of, *image_of; // by object; -1 = not asked for yet, LOST = it has no picture
	int sought;                 // among the files that came with it
};

#define UNTRIED (-1)
#define LOST (-2)

static const char *first_of(const struct fbx_object *object, const char *const *names) {
	while (*names && !fbx_has_property(object, *names)) {
		names++;
	}
	return *names;
}

static double within_unit(double x) {
	return x > 0 ? fmin(x, 1) : 0; // and what is no number is 0
}

/* A colour times a factor, linear. */
static void read_color(const struct fbx_object *object, const char *name, const char *factor,
	double standard, float out[static 3]) {
	double color[3];
	fbx_property_vector(object, name, standard, color);
	const double by = fbx_property_real(object, factor, 1);
	for (int i = 0; i < 3; i++) {
		out[i] = (float)(srgb_to_linear(within_unit(color[i])) * within_unit(by));
	}
}

/* --- Textures --- */

/* The picture that lies in the file itself; in ASCII files as texts of base64. */
static bool read_content(
	struct finding *finding, const struct fbx_record *content, struct scene_image *image) {
	if (!content || content->value_count == 0) {
		return false;
	}
	if (content->values[0].kind == FBX_BYTES) {
		image->bytes = (const unsigned char *)content->values[0].bytes;
		image->size = content->values[0].size;
		return image->size > 0;
	}
	static const char scheme[] = "data:;base64,";
	size_t size = sizeof scheme, used = sizeof scheme - 1;
	for (int i = 0; i < content->value_count; i++) {
		size += content->values[i].kind == FBX_TEXT ? content->values[i].size : 0;
	}
	char *uri = arena_alloc(finding->import->tree.arena, size, 1);
	memcpy(uri, scheme, sizeof scheme);
	for (int i = 0; i < content->value_count; i++) {
		if (content->values[i].kind == FBX_TEXT) {
			memcpy(&uri[used], content->values[i].bytes, content->values[i].size);
			used += content->values[i].size;
		}
	}
	const char *flaw;
	image->bytes = data_uri_decode(uri, finding->import->tree.arena, &image->size, &flaw, NULL);
	return image->bytes && image->size > 0;
}

/* Most pictures that are looked for among the files that came with this one: each takes a look at
 * all of them. */
#define SOUGHT_MAX 4096

/* The picture in a file beside, by either path that the texture has. */
static bool read_beside(
	struct finding *finding, const struct fbx_object *texture, struct scene_image *image) {
	static const char *const names[] = {"RelativeFilename", "FileName"};
	const struct import_files *files = finding->import->files;
	for (size_t i = 0; files && finding->sought < SOUGHT_MAX && i < 2; i++) {
		const char *path = fbx_child_text(texture->record, names[i], "");
		size_t file;
		finding->sought++;
		if (*path && import_files_find(files, path, &file)) {
			image->bytes = files->read(files->context, file, &image->size, NULL);
			return image->bytes;
		}
	}
	return false;
}

/* The last part of a path of any system. */
static const char *file_name(const char *path) {
	for (const char *c = path; *c; c++) {
		path = *c == '/' || *c == '\\' ? c + 1 : path;
	}
	return path;
}

static int find_image(struct finding *finding, const struct fbx_object *texture) {
	const struct fbx_import *import = finding->import;
	const struct fbx_object *video =
		fbx_first_child(&import->objects, texture, "Video", NULL, NULL);
	const char *path = fbx_child_text(texture->record, "RelativeFilename",
		fbx_child_text(texture->record, "FileName", texture->name));
	int *known = video ? &finding->image_of[video - import->objects.objects] : NULL;
	if (known && *known != UNTRIED) {
		return *known;
	}
	struct scene_image *image = &finding->images[import->scene.image_count];
	int found = LOST;
	if ((video && read_content(finding, fbx_child(video->record, "Content"), image)) ||
		read_beside(finding, texture, image)) {
		image->name = file_name(path);
		found = finding->import->scene.image_count++;
	} else {
		char quoted[UTF8_QUOTED_BYTES];
		utf8_quote(file_name(path), quoted, sizeof quoted);
		rig_warn(import->rig,
			import->files
				? "image %s is not among the files that were sent; drawn without it"
				: "image %s is not in the file; drawn without it",
			quoted);
	}
	if (known) {
		*known = found;
	}
	return found;
}

static int find_texture(struct finding *finding, const struct fbx_object *object) {
	struct fbx_import *import = finding->import;
	int *known = &finding->texture_of[object - import->objects.objects];
	if (*known != UNTRIED) {
		return *known;
	}
	const int image = find_image(finding, object);
	*known = LOST;
	if (image >= 0) {
		*known = import->scene.texture_count++;
		finding->textures[*known] = (struct texture){
			.image = image,
			.wrap_u = fbx_property_integer(object, "WrapModeU", 0) ? WRAP_CLAMP
									       : WRAP_REPEAT,
			.wrap_v = fbx_property_integer(object, "WrapModeV", 0) ? WRAP_CLAMP
									       : WRAP_REPEAT,
		};
	}
	return *known;
}

static float finite_float(double x, double fallback) {
	return (float)(isfinite(x) && fabs(x) < 1e6 ? x : fallback);
}

/* Texture coordinates run upwards there, and downwards here: offsets go from one end to the other.
 */
static void place_texture(const struct fbx_object *object, struct texture_slot *slot) {
	double translation[3], scaling[3];
	fbx_property_vector(object, "Translation", 0, translation);
	fbx_property_vector(object, "Scaling", 1, scaling);
	slot->scale[0] = finite_float(scaling[0], 1);
	slot->scale[1] = finite_float(scaling[1], 1);
	slot->offset[0] = finite_float(translation[0], 0);
	slot->offset[1] = finite_float(1 - scaling[1] - translation[1], 0);
}

static void use_texture(struct finding *finding, const struct fbx_object *material,
	const char *const *names, enum texture_use use, struct material *out) {
	const struct fbx_objects *objects = &finding->import->objects;
	const struct fbx_object *texture = NULL;
	for (; *names && !texture; names++) {
		texture = fbx_first_child(objects, material, "Texture", NULL, *names);
	}
	const int found = texture ? find_texture(finding, texture) : LOST;
	if (found >= 0) {
		out->textures[use].texture = found;
		place_texture(texture, &out->textures[use]);
	}
}

/* --- Materials --- */

/* 1 = opaque. Programs that know of no transparency write all of it as if it was. */
static double read_opacity(const struct fbx_object *object) {
	if (fbx_has_property(object, "Opacity")) {
		return within_unit(fbx_property_real(object, "Opacity", 1));
	}
	double color[3];
	fbx_property_vector(object, "TransparentColor", 1, color);
	const double factor = fbx_property_real(object, "TransparencyFactor", 0);
	const double opacity =
		1 - within_unit(factor) * within_unit((color[0] + color[1] + color[2]) / 3);
	return opacity > 0 ? opacity : 1;
}

/* Blinn's exponent as a roughness. Source: Karis, Specular BRDF reference, 2013. */
static double read_roughness(const struct fbx_object *object) {
	const char *name = first_of(object, roughnesses);
	if (name) {
		return within_unit(fbx_property_real(object, name, 1));
	}
	const double exponent = fbx_property_real(
		object, "ShininessExponent", fbx_property_real(object, "Shininess", 0));
	return within_unit(sqrt(sqrt(2 / (fmax(exponent, 0) + 2))));
}

static void read_material(
	struct finding *finding, const struct fbx_object *object, struct material *out) {
	const char *base = first_of(object, base_colors), *metal = first_of(object, metals);
	const char *emission = first_of(object, emissions);
	*out = material_default;
	out->name = (char *)object->name;
	read_color(object, base ? base : "DiffuseColor", "DiffuseFactor", 0.8, out->base_color);
	read_color(
		object, emission ? emission : "EmissiveColor", "EmissiveFactor", 0, out->emissive);
	out->metallic = metal ? (float)within_unit(fbx_property_real(object, metal, 0)) : 0;
	out->roughness = (float)read_roughness(object);
	out->base_color[3] = (float)read_opacity(object);
	out->alpha_mode = out->base_color[3] < 1 ? ALPHA_BLEND : ALPHA_OPAQUE;
	out->double_sided = true; // the format has no other
	use_texture(finding, object, base_color_maps, TEXTURE_BASE_COLOR, out);
	use_texture(finding, object, normal_maps, TEXTURE_NORMAL, out);
	use_texture(finding, object, emission_maps, TEXTURE_EMISSIVE, out);
	for (int i = 0; i < 3; i++) {
		// A texture takes the place of the colour.
		out->base_color[i] =
			out->textures[TEXTURE_BASE_COLOR].texture >= 0 ? 1 : out->base_color[i];
		out->emissive[i] =
			out->textures[TEXTURE_EMISSIVE].texture >= 0 ? 1 : out->emissive[i];
	}
}

void fbx_make_materials(struct fbx_import *import) {
	struct arena *arena = import->tree.arena;
	const size_t count = (size_t)import->objects.count;
	struct finding finding = {
		.import = import,
		.textures = arena_alloc(arena, count, sizeof *finding.textures),
		.images = arena_alloc(arena, count, sizeof *finding.images),
		.texture_of = arena_alloc(arena, count, sizeof *finding.texture_of),
		.image_of = arena_alloc(arena, count, sizeof *finding.image_of),
	};
	struct material *materials = arena_alloc(arena, count, sizeof *materials);
	import->material_of = arena_alloc(arena, count, sizeof *import->material_of);
	for (size_t i = 0; i < count; i++) {
		finding.texture_of[i] = finding.image_of[i] = UNTRIED;
		import->material_of[i] = -1;
	}
	for (size_t i = 0; i < count; i++) {
		const struct fbx_object *object = &import->objects.objects[i];
		if (strcmp(object->type, "Material") == 0) {
			import->material_of[i] = import->scene.material_count++;
			read_material(&finding, object, &materials[import->material_of[i]]);
		}
	}
	import->scene.materials = materials;
	import->scene.textures = finding.textures;
	import->scene.images = finding.images;
}
