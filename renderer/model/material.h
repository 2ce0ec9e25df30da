/* The look of a surface: all of glTF's materials that the renderer draws and exports keep. Plain
 * data. Source: glTF 2.0, 3.9, the KHR_materials_* of Khronos' registry, and VRMC_materials_mtoon
 * (github.com/vrm-c/vrm-specification). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum alpha_mode { ALPHA_OPAQUE, ALPHA_MASK, ALPHA_BLEND };

enum wrap { WRAP_REPEAT, WRAP_CLAMP, WRAP_MIRROR };

/* Sets of texture coordinates that a material's textures may tell apart. */
#define TEXCOORD_SETS 2

/* The uses of a texture; material_textures has a row for each. */
enum texture_use {
	TEXTURE_BASE_COLOR,            // RGB and alpha
	TEXTURE_EMISSIVE,              // RGB
	TEXTURE_METALLIC_ROUGHNESS,    // B metallic, G roughness
	TEXTURE_NORMAL,                // RGB
	TEXTURE_OCCLUSION,             // R
	TEXTURE_SPECULAR,              // A
	TEXTURE_SPECULAR_COLOR,        // RGB
	TEXTURE_CLEARCOAT,             // R
	TEXTURE_CLEARCOAT_ROUGHNESS,   // G
	TEXTURE_CLEARCOAT_NORMAL,      // RGB
	TEXTURE_SHEEN_COLOR,           // RGB
	TEXTURE_SHEEN_ROUGHNESS,       // A
	TEXTURE_TRANSMISSION,          // R
	TEXTURE_ANISOTROPY,            // RG direction, B strength
	TEXTURE_IRIDESCENCE,           // R
	TEXTURE_IRIDESCENCE_THICKNESS, // G
	TEXTURE_THICKNESS,             // G
	TEXTURE_SHADE_MULTIPLY,        // RGB; this and those below are MToon's
	TEXTURE_SHADING_SHIFT,         // R
	TEXTURE_MATCAP,                // RGB, looked up by the normal
	TEXTURE_RIM_MULTIPLY,          // RGB
	TEXTURE_OUTLINE_WIDTH,         // G
	TEXTURE_UV_ANIMATION_MASK,     // B
	TEXTURE_USE_COUNT,
};

/* A texture where a material uses it. */
struct texture_slot {
	int texture;   // index into rig->textures; -1 = none
	int texcoords; // which of rig->texcoords, below TEXCOORD_SETS
	/* KHR_texture_transform, see texture_slot_rows(). */
	float offset[2], rotation_rad, scale[2];
};

/* The unit of an outline's width. */
enum outline_mode {
	OUTLINE_NONE,
	OUTLINE_WORLD,  // metres
	OUTLINE_SCREEN, // half heights of the picture
	OUTLINE_MODE_COUNT,
};

/* The offset of the order of drawing, [-RENDER_QUEUE_OFFSET_MAX, RENDER_QUEUE_OFFSET_MAX]. */
#define RENDER_QUEUE_OFFSET_MAX 9

/* What MToon has besides core glTF, by the names of VRMC_materials_mtoon. */
struct material_toon {
	float shade_color[3]; // of what light does not reach
	float shading_shift, shading_shift_scale, shading_toony;
	float gi_equalization;
	float matcap[3];
	float rim_color[3], rim_fresnel_power, rim_lift, rim_lighting_mix;
	float outline_width, outline_color[3], outline_lighting_mix;
	float uv_scroll_x, uv_scroll_y, uv_rotation; // a second; of texture coordinates, radians
};

/* Factors are linear, and their textures multiply them. material_factors tells their ranges. */
struct material {
	char *name; // may be empty; owned
	float base_color[4];
	float metallic, roughness;
	float normal_scale;
	float occlusion_strength;
	float emissive[3]; // light of its own, times emissive_strength
	float emissive_strength;
	float ior;               // of the surface that is no metal; 0 = reflects everything
	float specular;          // strength of its reflection
	float specular_color[3]; // and the colour of that seen from the front
	float clearcoat, clearcoat_roughness, clearcoat_normal_scale;
	float sheen_color[3], sheen_roughness;
	float transmission;
	/* What lies behind a surface with transmission: 0 = it is thin, and bends no light. */
	float thickness;            // of the mesh before nodes scale it
	float attenuation_distance; // of light in it that is left in this colour; 0 = infinite
	float attenuation_color[3];
	float dispersion;          // 20 over Abbe's number; 0 = all colours are bent alike
	float anisotropy;          // of reflection: stretched along a direction of the surface,
	float anisotropy_rotation; // which is the tangent, turned by so many radians to the
				   // bitangent
	float iridescence; // of a film on the surface: its index and the range of its thickness, nm
	float iridescence_ior, iridescence_thickness_least, iridescence_thickness_most;
	bool unlit;        // the base colour as it is, whatever the light
	bool double_sided; // else what is seen from behind is not drawn
	/* MToon: drawn by base_color, emissive, the normal map and the members below. Never unlit.
	 */
	bool mtoon;
	bool transparent_with_z_write; // ALPHA_BLEND: hides what is drawn behind it later
	enum outline_mode outline_mode;
	int render_queue_offset; // of ALPHA_BLEND: what has more is drawn later
	struct material_toon toon;
	enum alpha_mode alpha_mode;
	float alpha_cutoff;                              // ALPHA_MASK: below it is a hole
	struct texture_slot textures[TEXTURE_USE_COUNT]; // by enum texture_use
};

/* glTF's material of a primitive that names none, which is also what a material's absent members
 * are. Without a name. */
extern const struct material material_default;

/* The objects of a glTF material that its members lie in. */
enum material_group {
	MATERIAL_CORE, // the material itself
	MATERIAL_SURFACE,
	MATERIAL_EMISSIVE_STRENGTH,
	MATERIAL_IOR,
	MATERIAL_SPECULAR,
	MATERIAL_CLEARCOAT,
	MATERIAL_SHEEN,
	MATERIAL_TRANSMISSION,
	MATERIAL_VOLUME,
	MATERIAL_DISPERSION,
	MATERIAL_ANISOTROPY,
	MATERIAL_IRIDESCENCE,
	MATERIAL_MTOON,
	MATERIAL_GROUP_COUNT,
};

/* Name of a group's object in a material, or from MATERIAL_EMISSIVE_STRENGTH on in its extensions;
 * NULL for MATERIAL_CORE. */
extern const char *const material_groups[MATERIAL_GROUP_COUNT];

/* A number, or a colour, of struct material. */
struct material_factor {
	enum material_group group;
	const char *name; // in descriptions
	const char *gltf; // name in the group's object, or in a texture's
	size_t at;        // of the floats in struct material
	int count;
	float least, most;
	int texture; // enum texture_use, in whose object it lies; -1 = in the group's
};

extern const struct material_factor material_factors[];
extern const int material_factor_count;

/* A texture of struct material. */
struct material_texture {
	enum material_group group;
	const char *name; // in descriptions
	const char *gltf; // name in the group's object
	/* RGB are sRGB. Alpha never is: a use of it alone counts as what its image is for. */
	bool encoded;
};

extern const struct material_texture material_textures[TEXTURE_USE_COUNT];

/* "none", "worldCoordinates", ..., NULL: as MToon names them. */
extern const char *const outline_mode_names[OUTLINE_MODE_COUNT + 1];

/* The floats of a factor. */
const float *material_factor_of(
	const struct material *material, const struct material_factor *factor);

/* True when a factor is that of material_default. */
bool material_factor_is_default(
	const struct material *material, const struct material_factor *factor);

/* A slot's transform: u' v' = rows of a 2x3 matrix times u v 1. It turns counter-clockwise as one
 * sees it, with v downwards: as in the registry's examples, though not in its GLSL, which turns the
 * other way; and as in every viewer. */
void texture_slot_rows(const struct texture_slot *slot, float rows[static 6]);

/* True when texture coordinates are changed. */
bool texture_slot_transforms(const struct texture_slot *slot);

/* An image with the way it is sampled. */
struct texture {
	int image; // index into rig->images
	enum wrap wrap_u, wrap_v;
	bool nearest;    // magnify without smoothing
	bool no_mipmaps; // minify from the full image
};

/* The file of an image besides its pixels, if it is of a kind that glTF knows. */
enum image_kind { IMAGE_PIXELS, IMAGE_PNG, IMAGE_JPEG };

/* Decoded pixels with straight alpha, first row on top. Whether RGB are sRGB, or numbers as they
 * are, is up to the use. */
struct image {
	int width, height;
	unsigned char *rgba; // [height][width][4]; owned, unless it lies in the rig's storage
	/* The picture as the asset has it, for exports: a tenth of the pixels' size, and it saves
	 * them from being encoded for each. */
	enum image_kind kind;
	const unsigned char *encoded; // [encoded_bytes] borrowed from rig->storage
	size_t encoded_bytes;         // 0 for IMAGE_PIXELS
};

/* Half of an image in each direction (never below 1): the mean of 2 x 2 pixels; an odd last row
 * or column is left out. encoded: RGB are sRGB, and the mean is that of the light; else they are
 * numbers. Returns new pixels, free() them, and sets the new size. */
unsigned char *mipmap_halve(const unsigned char *rgba, bool encoded, int *width, int *height);
