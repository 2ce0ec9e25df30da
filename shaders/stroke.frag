// One colour, linear and premultiplied by alpha: the target encodes to sRGB, after blending.
in vec4 stroke_color;

out vec4 color;

void main() {
	color = stroke_color;
}
