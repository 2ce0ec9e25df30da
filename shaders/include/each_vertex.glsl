// A kernel's vertex, and the daemon's main, which writes one of a span. Behind skin_vertex().

// The vertex as it is posed: its normal unit; its tangent unit and across the normal, where tangents
// are wanted.
surface posed_surface(uint vertex) {
	return finished_surface(skin_vertex(vertex, influence_of(vertex)));
}

void main() {
	if (gl_GlobalInvocationID.x < span.y) {
		uint vertex = span.x + gl_GlobalInvocationID.x;
		write_surface(vertex, posed_surface(vertex));
	}
}
