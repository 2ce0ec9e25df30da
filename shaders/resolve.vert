// One triangle over the whole target, without any vertex data.

void main() {
	vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
	gl_Position = vec4(corner * 4.0 - 1.0, 0.0, 1.0);
}
