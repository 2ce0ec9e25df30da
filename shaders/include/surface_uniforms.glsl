// The material and the light of surface.glsl, for both stages. Behind bindings.glsl.

layout(location = UNIFORM_BASE_COLOR) uniform vec4 base_color;
// Below x is a hole; what is left is at least y.
layout(location = UNIFORM_ALPHA) uniform vec2 alpha;
// w is 1; or 0 where lines of sight are parallel: then xyz is the direction towards the viewer.
layout(location = UNIFORM_EYE) uniform vec4 eye;
layout(location = UNIFORM_KEY_DIRECTION) uniform vec3 key_direction;
// -1 where the pose mirrors the surface: its normals follow the winding and point inwards then.
layout(location = UNIFORM_OUTWARD) uniform float outward;
layout(location = UNIFORM_EMISSIVE) uniform vec3 emissive;
// 1 where light matters, 0 where the base colour and what is emitted are shown as they are.
layout(location = UNIFORM_LIT) uniform float lit;
