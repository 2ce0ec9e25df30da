// Floats that finish passes leave for those behind them: so many per vertex as the method says.

layout(std430, binding = BUFFER_SCRATCH) buffer Scratch {
	float scratch[];
};

vec3 scratch3(uint at) {
	return vec3(scratch[at], scratch[at + 1u], scratch[at + 2u]);
}

void put_scratch3(uint at, vec3 v) {
	scratch[at] = v.x;
	scratch[at + 1u] = v.y;
	scratch[at + 2u] = v.z;
}
