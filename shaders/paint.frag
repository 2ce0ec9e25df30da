// A number at each vertex as a colour of a scale, in linear light. The light is at the eye: what is
// turned less than 29 degrees away from it keeps its colour, so that the scale can be read, and what
// is turned farther gets darker, so that the shape can be seen.
#include "bindings.glsl"

in vec3 world_position;
in vec3 world_normal;
in vec2 surface_texcoord; // x is the share of the scale

// w is 1; or 0 where lines of sight are parallel: then xyz is the direction towards the viewer.
layout(location = UNIFORM_EYE) uniform vec4 eye;
layout(binding = TEXTURE_UNIT_BASE_COLOR) uniform sampler2D scale;

out vec4 color;

void main() {
	vec3 to_eye = normalize(eye.xyz - eye.w * world_position);
	float facing = abs(dot(normalize(world_normal), to_eye));
	// The colour of 0 is in the middle of the first texel, that of 1 in that of the last.
	float texels = float(textureSize(scale, 0).x);
	float at = (surface_texcoord.x * (texels - 1.0) + 0.5) / texels;
	color = vec4(texture(scale, vec2(at, 0.5)).rgb * min(0.3 + 0.8 * facing, 1.0), 1.0);
}
