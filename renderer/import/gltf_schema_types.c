// The types of glTF's objects: their members, and what these may be.
#include "import/gltf_schema.h"

#include <float.h>
#include <stdint.h>

#define REQUIRED .required = true
#define FROM(x) .least = (x), .most = DBL_MAX
#define ABOVE(x) .above = true, .least = (x), .most = DBL_MAX
#define WITHIN(a, b) .least = (a), .most = (b)
#define ANY .least = -DBL_MAX, .most = DBL_MAX
#define MEMBER(name_, ...) \
	{ .name = name_, .kind = SCHEMA_##__VA_ARGS__ }
#define TYPE(name, ...) \
	static const struct gltf_schema_member name##_members[] = {__VA_ARGS__, {0}}; \
	static const struct gltf_schema_type name = {.members = name##_members}

static const size_t component_types[] = {5120, 5121, 5122, 5123, 5125, 5126, 0};
static const size_t index_types[] = {5121, 5123, 5125, 0};
static const size_t targets[] = {34962, 34963, 0};
static const size_t mag_filters[] = {9728, 9729, 0};
static const size_t min_filters[] = {9728, 9729, 9984, 9985, 9986, 9987, 0};
static const size_t wraps[] = {10497, 33071, 33648, 0};
static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4", NULL};
static const char *const interpolations[] = {"LINEAR", "STEP", "CUBICSPLINE", NULL};
static const char *const cameras[] = {"perspective", "orthographic", NULL};
static const char *const alpha_modes[] = {"OPAQUE", "MASK", "BLEND", NULL};
static const char *const mime_types[] = {
	"image/png", "image/jpeg", "image/webp", "image/ktx2", "image/vnd-ms.dds", NULL};

TYPE(asset, MEMBER("copyright", TEXT), MEMBER("generator", TEXT),
	MEMBER("version", VERSION, REQUIRED), MEMBER("minVersion", VERSION));
TYPE(sparse_indices, MEMBER("bufferView", INDEX, REQUIRED, .list = "bufferViews"),
	MEMBER("byteOffset", WHOLE, FROM(0)),
	MEMBER("componentType", WHOLE_OF, REQUIRED, .numbers = index_types));
TYPE(sparse_values, MEMBER("bufferView", INDEX, REQUIRED, .list = "bufferViews"),
	MEMBER("byteOffset", WHOLE, FROM(0)));
TYPE(sparse, MEMBER("count", WHOLE, REQUIRED, FROM(1)),
	MEMBER("indices", OBJECT, REQUIRED, .type = &sparse_indices),
	MEMBER("values", OBJECT, REQUIRED, .type = &sparse_values));
TYPE(accessor, MEMBER("name", TEXT), MEMBER("bufferView", INDEX, .list = "bufferViews"),
	MEMBER("byteOffset", WHOLE, FROM(0), .needs = "bufferView"),
	MEMBER("componentType", WHOLE_OF, REQUIRED, .numbers = component_types),
	MEMBER("normalized", FLAG), MEMBER("count", WHOLE, REQUIRED, FROM(1)),
	MEMBER("type", TEXT_OF, REQUIRED, .choices = types), MEMBER("min", NUMBERS, ANY),
	MEMBER("max", NUMBERS, ANY), MEMBER("sparse", OBJECT, .type = &sparse));
TYPE(channel_target, MEMBER("node", INDEX, .list = "nodes"), MEMBER("path", TEXT, REQUIRED));
TYPE(channel, MEMBER("sampler", INDEX, REQUIRED),
	MEMBER("target", OBJECT, REQUIRED, .type = &channel_target));
TYPE(animation_sampler, MEMBER("input", INDEX, REQUIRED, .list = "accessors"),
	MEMBER("output", INDEX, REQUIRED, .list = "accessors"),
	MEMBER("interpolation", TEXT_OF, .choices = interpolations));
TYPE(animation, MEMBER("name", TEXT), MEMBER("channels", OBJECTS, REQUIRED, .type = &channel),
	MEMBER("samplers", OBJECTS, REQUIRED, .type = &animation_sampler));
TYPE(buffer, MEMBER("name", TEXT), MEMBER("uri", TEXT),
	MEMBER("byteLength", WHOLE, REQUIRED, FROM(1)));
TYPE(buffer_view, MEMBER("name", TEXT), MEMBER("buffer", INDEX, REQUIRED, .list = "buffers"),
	MEMBER("byteOffset", WHOLE, FROM(0)), MEMBER("byteLength", WHOLE, REQUIRED, FROM(1)),
	MEMBER("byteStride", WHOLE, WITHIN(4, 252)),
	MEMBER("target", WHOLE_OF, .numbers = targets));
TYPE(orthographic, MEMBER("xmag", NUMBER, REQUIRED, ANY), MEMBER("ymag", NUMBER, REQUIRED, ANY),
	MEMBER("zfar", NUMBER, REQUIRED, ABOVE(0)), MEMBER("znear", NUMBER, REQUIRED, FROM(0)));
TYPE(perspective, MEMBER("aspectRatio", NUMBER, ABOVE(0)),
	MEMBER("yfov", NUMBER, REQUIRED, ABOVE(0)), MEMBER("zfar", NUMBER, ABOVE(0)),
	MEMBER("znear", NUMBER, REQUIRED, ABOVE(0)));
static const struct gltf_schema_member camera_members[] = {MEMBER("name", TEXT),
	MEMBER("type", TEXT_OF, REQUIRED, .choices = cameras),
	MEMBER("orthographic", OBJECT, .type = &orthographic),
	MEMBER("perspective", OBJECT, .type = &perspective), {0}};
static const struct gltf_schema_type camera = {camera_members, {"orthographic", "perspective"}};
static const struct gltf_schema_member image_members[] = {MEMBER("name", TEXT), MEMBER("uri", TEXT),
	MEMBER("mimeType", TEXT_OF, .choices = mime_types),
	MEMBER("bufferView", INDEX, .list = "bufferViews", .needs = "mimeType"), {0}};
static const struct gltf_schema_type image = {image_members, {"uri", "bufferView"}};
TYPE(texture_info, MEMBER("index", INDEX, REQUIRED, .list = "textures"),
	MEMBER("texCoord", WHOLE, FROM(0)));
TYPE(normal_texture, MEMBER("index", INDEX, REQUIRED, .list = "textures"),
	MEMBER("texCoord", WHOLE, FROM(0)), MEMBER("scale", NUMBER, ANY));
TYPE(occlusion_texture, MEMBER("index", INDEX, REQUIRED, .list = "textures"),
	MEMBER("texCoord", WHOLE, FROM(0)), MEMBER("strength", NUMBER, WITHIN(0, 1)));
TYPE(metallic_roughness, MEMBER("baseColorFactor", NUMBERS, WITHIN(0, 1), .count = 4),
	MEMBER("baseColorTexture", OBJECT, .type = &texture_info),
	MEMBER("metallicFactor", NUMBER, WITHIN(0, 1)),
	MEMBER("roughnessFactor", NUMBER, WITHIN(0, 1)),
	MEMBER("metallicRoughnessTexture", OBJECT, .type = &texture_info));
TYPE(material, MEMBER("name", TEXT),
	MEMBER("pbrMetallicRoughness", OBJECT, .type = &metallic_roughness),
	MEMBER("normalTexture", OBJECT, .type = &normal_texture),
	MEMBER("occlusionTexture", OBJECT, .type = &occlusion_texture),
	MEMBER("emissiveTexture", OBJECT, .type = &texture_info),
	MEMBER("emissiveFactor", NUMBERS, WITHIN(0, 1), .count = 3),
	MEMBER("alphaMode", TEXT_OF, .choices = alpha_modes),
	MEMBER("alphaCutoff", NUMBER, FROM(0)), MEMBER("doubleSided", FLAG));
TYPE(primitive, MEMBER("attributes", INDEX_MAP, REQUIRED),
	MEMBER("indices", INDEX, .list = "accessors"),
	MEMBER("material", INDEX, .list = "materials"), MEMBER("mode", WHOLE, WITHIN(0, 6)),
	MEMBER("targets", INDEX_MAPS));
TYPE(mesh, MEMBER("name", TEXT), MEMBER("primitives", OBJECTS, REQUIRED, .type = &primitive),
	MEMBER("weights", NUMBERS, ANY, .count = SIZE_MAX));
TYPE(node, MEMBER("name", TEXT), MEMBER("camera", INDEX, .list = "cameras"),
	MEMBER("children", INDICES, .list = "nodes"),
	MEMBER("skin", INDEX, .list = "skins", .needs = "mesh"),
	MEMBER("mesh", INDEX, .list = "meshes"), MEMBER("matrix", NUMBERS, ANY, .count = 16),
	MEMBER("rotation", NUMBERS, WITHIN(-1, 1), .count = 4),
	MEMBER("scale", NUMBERS, ANY, .count = 3), MEMBER("translation", NUMBERS, ANY, .count = 3),
	MEMBER("weights", NUMBERS, ANY, .count = SIZE_MAX, .needs = "mesh"));
TYPE(sampler, MEMBER("name", TEXT), MEMBER("magFilter", WHOLE_OF, .numbers = mag_filters),
	MEMBER("minFilter", WHOLE_OF, .numbers = min_filters),
	MEMBER("wrapS", WHOLE_OF, .numbers = wraps), MEMBER("wrapT", WHOLE_OF, .numbers = wraps));
TYPE(scene, MEMBER("name", TEXT), MEMBER("nodes", INDICES, .list = "nodes"));
TYPE(skin, MEMBER("name", TEXT), MEMBER("inverseBindMatrices", INDEX, .list = "accessors"),
	MEMBER("skeleton", INDEX, .list = "nodes"),
	MEMBER("joints", INDICES, REQUIRED, .list = "nodes"));
TYPE(texture, MEMBER("name", TEXT), MEMBER("sampler", INDEX, .list = "samplers"),
	MEMBER("source", INDEX, .list = "images"));
static const struct gltf_schema_member root_members[] = {
	MEMBER("accessors", OBJECTS, .type = &accessor),
	MEMBER("animations", OBJECTS, .type = &animation),
	MEMBER("asset", OBJECT, REQUIRED, .type = &asset),
	MEMBER("buffers", OBJECTS, .type = &buffer),
	MEMBER("bufferViews", OBJECTS, .type = &buffer_view),
	MEMBER("cameras", OBJECTS, .type = &camera), MEMBER("images", OBJECTS, .type = &image),
	MEMBER("materials", OBJECTS, .type = &material), MEMBER("meshes", OBJECTS, .type = &mesh),
	MEMBER("nodes", OBJECTS, .type = &node), MEMBER("samplers", OBJECTS, .type = &sampler),
	MEMBER("scene", INDEX, .list = "scenes"), MEMBER("scenes", OBJECTS, .type = &scene),
	MEMBER("skins", OBJECTS, .type = &skin), MEMBER("textures", OBJECTS, .type = &texture),
	{0}};
const struct gltf_schema_type gltf_schema_root = {.members = root_members};
