// The light of a triangle's vertices, interpolated, times the base colour's texture.
#include "painting.glsl"

in vec3 front_light;
in vec3 back_light;

void main() {
	paint_cut();
	vec3 light = gl_FrontFacing ? front_light : back_light;
	color = vec4(light * surface_texture().rgb, 1.0);
}
