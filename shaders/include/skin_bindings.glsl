// Every location and binding of the skinning shaders, for GLSL and for C: only "#define NAME int"
// lines.
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
