/* The settings of one request to the renderer, as plain structs: filled by protocol/, read by
 * renderer/. Zero is the default everywhere unless a field says otherwise. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct picture_format;
struct value;

enum device {
	DEVICE_AUTO, // the GPU where it is one, the CPU where the driver is software
	DEVICE_GPU,  // the compute shader, whatever runs it
	DEVICE_CPU,
};

/* The normals' modes; METHODS B. */
enum normals {
	NORMALS_OWN,       // as the method does by itself
	NORMALS_SAME,      // by the linear part that moves the vertex
	NORMALS_COF,       // by its cofactor matrix
	NORMALS_EXACT,     // of the deformed surface, with the weights' gradients
	NORMALS_RECOMPUTE, // from the posed triangles
	NORMALS_COUNT,
};

struct skinning_settings {
	const struct value *method; // a string: the method's id; NULL = the default method
	const struct value *object; // whose other members are the method's options; NULL = none
	enum device device;
	enum normals normals;
};

enum attribute_bits {
	ATTRIBUTE_POSITION = 1 << 0, // float32 x 3
	ATTRIBUTE_NORMAL = 1 << 1,   // float32 x 3
	ATTRIBUTE_TANGENT = 1 << 2,  // float32 x 4, w = handedness
};

/* Vertices in few bytes, as export/packer.h makes them. */
struct packing_settings {
	bool positions, normals; // which; neither = float32 as they are
	int bits;                // of a position's number that are used; [10, 16]
	bool compressed;         // each frame through meshoptimizer's vertex codec
	bool deltas;             // compressed: a frame is what it differs by from the one before
	bool reordered;          // compressed: neighbours on the surface stand together
};

enum fit {
	FIT_POSE, // the posed vertices of this picture
	FIT_CLIP, // the vertices over the whole of the pose's clip
	FIT_REST, // the rest pose
};

enum camera_kind {
	CAMERA_ORBIT,    // yaw, pitch, distance around a target
	CAMERA_LOOK,     // from an eye to a target
	CAMERA_MATRICES, // view and projection as given
	CAMERA_NODE,     // one of the file, where its node stands in the pose
};

/* The part of a humanoid to be fitted. */
enum body_part {
	PART_WHOLE, // of any rig
	PART_HEAD,  // what the head's joint moves, and those below it
	PART_BUST,  // the same of the chest, but for the arms
};

/* Share of the picture's width or height that is kept free at each side by default, and at most. */
#define CAMERA_MARGIN 0.02
#define CAMERA_MARGIN_MAX 0.45

struct camera_settings {
	enum camera_kind kind;
	double yaw_deg;       // CAMERA_ORBIT: 0 looks from +Z, 90 from +X
	bool from_front;      // CAMERA_ORBIT: yaw 0 looks at the figure's front instead
	double pitch_deg;     // CAMERA_ORBIT: positive looks from above; [-90, 90]
	double distance;      // CAMERA_ORBIT: eye to target; 0 = so that the rig fills the frame
	double fov_deg;       // vertical field of view, (0, 180); CAMERA_MATRICES: if no_projection
	bool orthographic;    // CAMERA_ORBIT, CAMERA_LOOK: lines of sight are parallel, no fov_deg
	double view_height;   // orthographic: height that is shown; 0 = that fills the frame
	double margin_change; // to CAMERA_MARGIN: what fitting keeps free at each side
	bool has_target;      // else: the middle of what is fitted
	double target[3];
	double eye[3];         // CAMERA_LOOK
	double up[3];          // CAMERA_LOOK
	double view[16];       // CAMERA_MATRICES: world to eye, column-major
	bool no_projection;    // CAMERA_MATRICES: it is to be a perspective of fov_deg
	double projection[16]; // CAMERA_MATRICES: eye to clip space as in OpenGL, column-major
	enum body_part part;
	const struct value *source; // CAMERA_NODE: the node or camera, by name or index; else what
				    // asks for a part
};

/* The shading modes: the names in the enum and in requests, and one line about each. */
#define SHADINGS(X) \
	X(MATERIAL, material, "the materials, in the picture's light") \
	X(PLAIN, plain, "base colours under a key light and a sky") \
	X(MATCAP, matcap, "clay whose light goes along with the camera") \
	X(CG4M, cg4m, "light of each vertex: the program C6E5v_skin4m of the Cg tutorial") \
	X(CHECKER, checker, "a chequerboard, for stretch and scale") \
	X(SILHOUETTE, silhouette, "one colour") \
	X(NORMALS, normals, "normals in the world as colours") \
	X(WEIGHTS, weights, "how much vertices follow a joint, or which of all") \
	X(INFLUENCES, influences, "how many joints move each vertex") \
	X(BATCHES, batches, "the batch that lbs skins a triangle in where matrices are few") \
	X(DEPTH, depth, "distance along the view, as grey") \
	X(JOINT_ID, joint_id, "the number of the joint that moves a surface most") \
	X(PRIMITIVE_ID, primitive_id, "the number of the primitive")

#define SHADING_ROW(id, name, title) SHADING_##id,
enum shading { SHADINGS(SHADING_ROW) SHADING_COUNT };
#undef SHADING_ROW

/* Light of SHADING_CG4M, and how surfaces reflect it. Colours are sRGB, [0, 1]; alpha 1. */
struct vertex_light {
	bool has_place;  // else it shines as the key light of SHADING_PLAIN does, from far away
	double place[3]; // in the world
	double color[4], ambient[4];
	double specular[4];
	double shininess; // exponent
};

/* The ways of lbs that cut a mesh into batches. */
enum batched { BATCHED_FFP1, BATCHED_FFP2, BATCHED_CG4M };

struct shading_settings {
	enum shading mode;
	const struct value *joint; // SHADING_WEIGHTS: name or index; NULL = all joints
	bool legend;               // of those that have one: with what colours mean
	enum batched batched;      // SHADING_BATCHES
	double color[4];           // SHADING_SILHOUETTE: sRGB, [0, 1]; alpha 1
	int squares;               // SHADING_CHECKER: of a texture's side, or the longest one's
	struct vertex_light vertex_light; // SHADING_CG4M
	bool has_near, has_far;           // SHADING_DEPTH: else where what is seen begins and ends
	double near, far;                 // distances along the view; near < far
};

/* Drawings over a figure or behind it, in the order in which they are drawn: how the enum and
 * requests name each, and one line about it. */
#define OVERLAYS(X) \
	X(ONION, onion, "the figure at other times") \
	X(WIREFRAME, wireframe, "the triangles' edges") \
	X(NORMALS, normals, "a line at each vertex") \
	X(BOUNDS, bounds, "a box") \
	X(TRAILS, trails, "the paths of joints") \
	X(SKELETON, skeleton, "joints and bones")

#define OVERLAY_ROW(id, name, title) OVERLAY_##id,
enum overlay { OVERLAYS(OVERLAY_ROW) OVERLAY_COUNT };
#undef OVERLAY_ROW

struct skeleton_settings {
	const struct value *joints; // list of names or indices; NULL = those that move vertices
	const struct value *names;  // list of the joints that are named; NULL = none, or:
	bool all_names;             // every joint that is shown is named
	bool axes;                  // the joints' own axes are shown
};

struct wireframe_settings {
	bool has_color;
	double color[4]; // sRGB with straight alpha, [0, 1]
};

struct normals_settings {
	double length; // 0 = a share of the rig's size
};

struct bounds_settings {
	enum fit of; // what is in the box
};

/* Moments by the clock: 0 is the one that the pose names. */
struct trails_settings {
	const struct value *joints; // as above; NULL = where limbs end
	const struct value *times;  // list of seconds, at least 2; NULL = the whole clip, or:
	bool has_span;
	double start_s, end_s; // start_s < end_s
	int count;             // of dots, evenly over the clip or the span; at least 2
};

struct onion_settings {
	const struct value *times; // list of seconds; NULL = count, evenly
	int count;                 // at least 1
	double spread_s; // from the first to the last; 0 = half of the clip that the pose samples
};

/* Marks that no request asks for: vertices and triangles of the rig, seen through the figure, and a
 * piece of ground. */
struct marks_settings {
	const int *vertices; // [vertex_count]
	size_t vertex_count;
	const int (*triangles)[3]; // [triangle_count] corners as vertices
	size_t triangle_count;
	bool has_ground;
	double ground[3];   // its middle
	double ground_half; // of its side
};

struct overlay_settings {
	unsigned shown;           // bits: 1 << enum overlay
	const struct value *list; // where they were asked for; NULL = none
	struct skeleton_settings skeleton;
	struct wireframe_settings wireframe;
	struct normals_settings normals;
	struct bounds_settings bounds;
	struct trails_settings trails;
	struct onion_settings onion;
	struct marks_settings marks;
};

/* Light from all around. */
enum environment {
	ENVIRONMENT_STUDIO,   // soft boxes in a grey room; it turns with the camera's yaw
	ENVIRONMENT_SOFT,     // a bright sky over a darker ground
	ENVIRONMENT_NEUTRAL,  // white everywhere
	ENVIRONMENT_PRODUCT,  // large soft boxes all around: even, with reflections that show shape
	ENVIRONMENT_DRAMATIC, // a dark room: a key from the side, and bright edges
	ENVIRONMENT_NONE,     // only the lights of the file
	ENVIRONMENT_COUNT,
};

/* Tone mapping: light -> the range of a screen. */
enum tone_mapping {
	TONE_NEUTRAL, // Khronos PBR Neutral
	TONE_ACES,    // filmic
	TONE_LINEAR,  // cut off at white
};

/* Shadows of what stands on the ground. */
enum shadow {
	SHADOW_NONE,
	SHADOW_CONTACT, // on the ground alone, by how near it is
	SHADOW_CAST,    // that the key light casts, on the figure, too
};

struct look_settings {
	enum environment environment;
	enum tone_mapping tone_mapping;
	double exposure;    // stops: each doubles the light
	bool auto_exposure; // besides, by what the picture shows in materials
	bool no_lights;     // the file's lights are out
	enum shadow shadow;
	bool grid; // of lines on the ground
};

/* The meshes of a VRM avatar that are shown. */
enum picture_view {
	VIEW_THIRD_PERSON, // as others see it
	VIEW_FIRST_PERSON, // as it sees itself: without its head
};

struct picture_settings {
	int width, height;    // pixels
	int samples;          // per pixel: 1, 2, 4, ... as far as the driver goes
	double background[4]; // sRGB with straight alpha, [0, 1]; all 0 = transparent
	enum fit fit;
	enum picture_view view;
	const struct value
		*variant; // of the materials: its name or index; NULL = as the file has them
	struct camera_settings camera;
	struct shading_settings shading;
	struct overlay_settings overlays;
	struct look_settings look;
	const struct picture_format *format; // of the file (image/encode.h); NULL = PNG
	int quality; // 1 to 100, of formats that lose something; 0 = as they do by themselves
	bool lossy;  // of formats that can do both
};

/* The moments that a sequence shows, in seconds on the clock of its pose: those of a list, or
 * evenly spaced ones from start to before the end. */
struct moments_settings {
	const struct value *source; // what says so; NULL = nothing does
	const double *list;         // [list_count] in order of the frames; NULL = evenly spaced
	size_t list_count;
	const struct value *clip; // a clip as long as which it is; NULL = as follows
	double start_s;
	bool has_end; // else: the end of the longest clip that the pose samples
	double end_s;
	int count;   // of moments; 0 = at the rate
	double rate; // a second; 0 = the sequence's frames_settings.rate
};

/* A camera that goes round. */
struct turntable_settings {
	const struct value *source; // what says so; NULL = it does not
	int count;                  // of its places; 0 = it stands still
	bool has_start;             // else: it begins where it would stand
	double start_yaw_deg;
	double degrees; // that it goes round, the last place before the end of them
};

/* The frames of a sequence. With moments and turntable, all moments are shown from each
 * place in turn. */
struct frames_settings {
	struct moments_settings moments;
	struct turntable_settings turntable;
	double rate; // frames a second that it is shown at; 0 = as it comes of the moments, else 24
	const struct value *rate_source; // what says so; NULL = nothing does
	int loops;                       // how often it is shown; 0 = for ever
	int columns;                     // of a sheet; 0 = so that it is about square
	bool plain_colors;               // of a GIF: not dithered
};

/* The views in which a picture compares skinning methods. */
enum comparison_view {
	VIEW_SIDE_BY_SIDE, // each method's mesh beside the others
	VIEW_HEAT,         // one mesh, coloured by how far two methods are apart
};

/* The forms of a baked motion, to run without posed: the names in the enum and in requests, and
 * one line about it. */
#define BAKED_FORMS(X) \
	X(VERTEX_TEXTURE, "vertex_texture", "every frame's vertices as textures, with a mesh") \
	X(JOINT_TEXTURE, "joint_texture", "every frame's matrices as a texture, with a mesh") \
	X(MORPH, "morph", "a GLB with a morph target for each frame") \
	X(JOINTS, "joints", "a GLB with joints, skins and an animation of them") \
	X(PLAYBACK, "playback", "what a page plays: shaders with palettes, or packed vertices") \
	BAKED_MOTIONS(X)

/* Those that hold joints and nothing else: formats of export/motion.h. */
#define BAKED_MOTIONS(X) \
	X(PIA, "pia", "an animation for SCS Software's games and tools") \
	X(PIS, "pis", "the skeleton of such an animation, at rest") \
	X(BVH, "bvh", "motion capture's BVH: a skeleton and its motion")

#define BAKED_ROW(id, name, title) BAKED_##id,
enum baked_form { BAKED_FORMS(BAKED_ROW) BAKED_FORM_COUNT };
#undef BAKED_ROW

/* True for a row of BAKED_MOTIONS, which are the last ones. */
static inline bool baked_is_motion(enum baked_form form) {
	return form >= BAKED_PIA && form < BAKED_FORM_COUNT;
}

/* Codecs of .pclip files, the default first: the names in the enum, and in requests. Each has a
 * file renderer/compress/codec_NAME.c. */
#define PCLIP_CODECS(X) \
	X(BEST, best) \
	X(BITS, bits) \
	X(BSPLINE, bspline)

/* All codecs of clips: the last makes GLBs with few keys. */
#define MOTION_CODECS(X) \
	PCLIP_CODECS(X) \
	X(KEYS, keys)

#define CODEC_ROW(id, name) CODEC_##id,
enum motion_codec { MOTION_CODECS(CODEC_ROW) CODEC_COUNT };
#undef CODEC_ROW

struct baked_settings {
	enum baked_form form;
	const char *name;           // of the animation
	bool full;                  // BAKED_VERTEX_TEXTURE: positions are float32, not halves
	bool prune;                 // BAKED_JOINTS: without the joints that are needless
	bool without_mesh;          // BAKED_PLAYBACK: without what all clips of the rig share
	double duration_s;          // < 0: as long as the longest clip that the pose samples
	double rate;                // frames a second, at least
	const struct value *source; // what says how long it is: the duration, or all of it
	const struct value *form_source;
};
