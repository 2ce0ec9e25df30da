// Paint attributes that a vertex shader passes on. Behind bindings.glsl.

layout(location = ATTRIBUTE_LOCATION_PAINT) in vec4 paint;

out vec4 painted;
flat out vec4 painted_flat;

void pass_paint() {
	painted = paint;
	painted_flat = paint;
}
