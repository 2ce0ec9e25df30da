// Every location and binding of the shaders, for GLSL and for C: only "#define NAME int" lines.
// Attributes of surface.vert and surface_many.vert
#define ATTRIBUTE_LOCATION_POSITION 0
#define ATTRIBUTE_LOCATION_NORMAL 1
#define ATTRIBUTE_LOCATION_TEXCOORD 2
#define ATTRIBUTE_LOCATION_COLOR 3
#define ATTRIBUTE_LOCATION_PLACEMENT 4
#define ATTRIBUTE_LOCATION_NORMAL_MAP 7
#define ATTRIBUTE_LOCATION_TEXCOORD_SECOND 10
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
// Attribute, uniforms (three vectors first) and texture of paint.vert, paint_many.vert and the
// fragment shaders that go with them, which have those above, too
#define ATTRIBUTE_LOCATION_PAINT 15
#define UNIFORM_PAINT 80
#define UNIFORM_PAINT_PRIMITIVE 83
#define UNIFORM_PAINT_ENCODES 84
#define TEXTURE_UNIT_SCALE 1
// Uniforms of resolve.frag
#define UNIFORM_SAMPLES 0
#define TEXTURE_UNIT_SAMPLES 0
// Uniform of ghost.frag beside those of surface.vert
#define UNIFORM_GHOST_COLOR 4
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
// Storage buffers and uniforms of the skinning shaders
#define BUFFER_VERTICES 0
#define BUFFER_INFLUENCES 1
#define BUFFER_PALETTE 2
#define BUFFER_SKINNED 3
#define BUFFER_DATA 4
#define BUFFER_NORMALS_DATA 5
#define BUFFER_SCRATCH 6
#define UNIFORM_SPAN 0
#define UNIFORM_INFLUENCES 1
#define UNIFORM_STREAMS 2
#define UNIFORM_SECTIONS 3
#define UNIFORM_NORMALS_SECTIONS 5
#define UNIFORM_PARAMETERS 7
#define UNIFORM_PASS 9
#define UNIFORM_EXTRA 10
#define UNIFORM_COPY 11
#define UNIFORM_MATRICES 12
#define SKIN_GROUP_SIZE 128
