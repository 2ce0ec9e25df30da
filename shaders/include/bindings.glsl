// Every location and binding of the shaders but those that skin (skin_bindings.glsl), for GLSL and
// for C: only "#define NAME int" lines.
// Attributes of surface.vert and surface_many.vert
#define ATTRIBUTE_LOCATION_POSITION 0
#define ATTRIBUTE_LOCATION_NORMAL 1
#define ATTRIBUTE_LOCATION_TEXCOORD 2
#define ATTRIBUTE_LOCATION_COLOR 3
#define ATTRIBUTE_LOCATION_PLACEMENT 4
#define ATTRIBUTE_LOCATION_NORMAL_MAP 7
#define ATTRIBUTE_LOCATION_TEXCOORD_SECOND 10
#define ATTRIBUTE_LOCATION_TANGENT 11
// Uniforms and storage buffer of surface.vert, surface_many.vert and surface.frag
#define UNIFORM_VIEW_PROJECTION 0
#define UNIFORM_BASE_COLOR 4
#define UNIFORM_ALPHA 5
#define UNIFORM_EYE 6
#define UNIFORM_KEY_DIRECTION 7
#define UNIFORM_OUTWARD 8
#define UNIFORM_EMISSIVE 9
#define UNIFORM_LIT 10
#define UNIFORM_FIGURE 11
#define UNIFORM_BASE_COLOR_MAP 12
#define BUFFER_COPIES 0
#define TEXTURE_UNIT_BASE_COLOR 0
// Attribute, uniforms (four vectors first) and texture of paint.vert, paint_many.vert and the
// fragment shaders that go with them, which have those above, too
#define ATTRIBUTE_LOCATION_PAINT 15
#define UNIFORM_PAINT 80
#define UNIFORM_PAINT_PRIMITIVE 84
#define UNIFORM_PAINT_ENCODES 85
#define TEXTURE_UNIT_SCALE 1
// Uniforms, textures and blocks of shaded.vert, shaded_many.vert and shaded.frag, which share those of
// surface.vert where names are the same
#define UNIFORM_TURN 13
#define UNIFORM_EXPOSURE 14
#define UNIFORM_LIGHT_COUNT 15
#define UNIFORM_MATERIAL 16
#define UNIFORM_MAPS 28
#define UNIFORM_TOON 48
#define UNIFORM_OUTLINE_SCALE 56
#define TEXTURE_UNIT_LIGHT 0
#define TEXTURE_UNIT_REFLECTION 1
#define TEXTURE_UNIT_BEHIND 2
#define TEXTURE_UNIT_KEY 3
#define TEXTURE_UNIT_MATERIAL 4
#define BLOCK_IRRADIANCE 0
#define BLOCK_LIGHTS 1
#define SHADED_LIGHTS_MAX 256
// Block of key.glsl, which has TEXTURE_UNIT_KEY; maps of the key light, and texels of the side of one
#define BLOCK_KEY 2
#define KEY_MAPS 64
#define KEY_MAP_SIDE 128
// Bits of what a variant of them does
#define SHADED_ENCODED 1
#define SHADED_COLORS 2
#define SHADED_UNLIT 4
#define SHADED_ENVIRONMENT 8
#define SHADED_LIT 16
#define SHADED_CLEARCOAT 32
#define SHADED_SHEEN 64
#define SHADED_TRANSMISSION 128
#define SHADED_CUT 256
#define SHADED_MANY 512
#define SHADED_ACES 1024
#define SHADED_LINEAR 2048
#define SHADED_TANGENTS 4096
#define SHADED_EMISSIVE 8192
#define SHADED_TOON 16384
#define SHADED_OUTLINE 32768
#define SHADED_ANIMATED 65536
#define SHADED_ANISOTROPY 131072
#define SHADED_IRIDESCENCE 262144
#define SHADED_VOLUME 524288
#define SHADED_DISPERSION 1048576
#define SHADED_UNMAPPED 2097152
#define SHADED_CAST 4194304
// Textures of a material, in the order of enum texture_use. A program has units for those that it
// looks up, in this order
#define MAP_BASE_COLOR 0
#define MAP_EMISSIVE 1
#define MAP_METALLIC_ROUGHNESS 2
#define MAP_NORMAL 3
#define MAP_OCCLUSION 4
#define MAP_SPECULAR 5
#define MAP_SPECULAR_COLOR 6
#define MAP_CLEARCOAT 7
#define MAP_CLEARCOAT_ROUGHNESS 8
#define MAP_CLEARCOAT_NORMAL 9
#define MAP_SHEEN_COLOR 10
#define MAP_SHEEN_ROUGHNESS 11
#define MAP_TRANSMISSION 12
#define MAP_ANISOTROPY 13
#define MAP_IRIDESCENCE 14
#define MAP_IRIDESCENCE_THICKNESS 15
#define MAP_THICKNESS 16
#define MAP_COUNT 17
#define MAP_SHADE_MULTIPLY 17
#define MAP_SHADING_SHIFT 18
#define MAP_MATCAP 19
#define MAP_RIM_MULTIPLY 20
#define MAP_OUTLINE_WIDTH 21
#define MAP_UV_ANIMATION_MASK 22
// Uniforms, images and storage buffer of environment.comp
#define UNIFORM_ENVIRONMENT_PASS 0
#define UNIFORM_GRADIENT 1
#define UNIFORM_BOXES 4
#define UNIFORM_BOX_COUNT 24
#define ENVIRONMENT_BOXES 5
#define ENVIRONMENT_PASS_LIGHT 0
#define ENVIRONMENT_PASS_IRRADIANCE 1
#define ENVIRONMENT_PASS_REFLECTION 2
#define IMAGE_LIGHT 0
#define IMAGE_REFLECTION 1
#define BUFFER_IRRADIANCE 0
// Uniforms of resolve.frag
#define UNIFORM_SAMPLES 0
#define TEXTURE_UNIT_SAMPLES 0
// Uniforms of ground.vert, which has UNIFORM_VIEW_PROJECTION, too, and of what goes with it
#define UNIFORM_GROUND_SQUARE 4
#define UNIFORM_GROUND_MAP 5
#define UNIFORM_GROUND_LINES 6
#define UNIFORM_GROUND_AXES 7
// Uniform of ground_key.vert, which has those of a square and UNIFORM_TURN, too
#define UNIFORM_GROUND_ORIGIN 8
#define TEXTURE_UNIT_GROUND 0
// Uniform of ground_cast.frag beside those of surface.vert, and those of ground_blur.frag
#define UNIFORM_GROUND_FALLOFF 4
#define UNIFORM_GROUND_STEP 0
#define UNIFORM_GROUND_SIGMAS 1
// Attributes and uniforms of stroke.vert, which has UNIFORM_VIEW_PROJECTION, too
#define ATTRIBUTE_LOCATION_STROKE_START 0
#define ATTRIBUTE_LOCATION_STROKE_END 1
#define ATTRIBUTE_LOCATION_STROKE_COLOR 2
#define ATTRIBUTE_LOCATION_STROKE_LIFT 3
#define UNIFORM_STROKE_SCALE 4
#define UNIFORM_STROKE_CORNERS 5
#define UNIFORM_STROKE_LEAST 6
// Storage buffers and uniforms of edges.comp and normal_lines.comp
#define BUFFER_SEGMENTS 0
#define BUFFER_SEGMENT_VERTICES 1
#define BUFFER_EDGES 2
#define UNIFORM_SEGMENTS 0
#define UNIFORM_SEGMENT_LENGTH 1
#define SEGMENT_GROUP_SIZE 128
