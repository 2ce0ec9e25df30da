// Transform, then blend: a vertex under each of its matrices, weighted and summed. Behind
// gradients.glsl. Normals that go by the blended matrix get it; what is not used, compilers drop.

struct applied {
	vec3 position, normal, tangent;
	mat4 map;
};

applied nothing_applied() {
	return applied(vec3(0.0), vec3(0.0), vec3(0.0), mat4(0.0));
}

// A vertex of the rest pose, and its matrix with that weight.
void apply(mat4 m, float weight, vec3 position, vec3 normal, vec3 tangent, inout applied sum) {
	sum.position += weight * (m * vec4(position, 1.0)).xyz;
	if (normals_by == NORMALS_SAME) {
		sum.normal += weight * (mat3(m) * normal);
		sum.tangent += weight * (mat3(m) * tangent);
	}
	sum.map += weight * m;
}

// influence is the vertex' first.
surface applied_surface(uint vertex, uint influence, mat4 pivot, applied sum) {
	vec3 rest = normal_in(vertex);
	vec3 tangent = sum.tangent;
	vec3 normal;
	if (normals_by == NORMALS_SAME) {
		normal = sum.normal;
		normal = make_unit(sum.map, normal) ? normal : normal_of_pivot(pivot, rest);
	} else {
		mat4 map = normals_by == NORMALS_EXACT
			? derivative_of(sum.map, position_in(vertex), influence)
			: sum.map;
		normal = mapped_normal(map, pivot, rest);
		tangent = mat3(map) * tangent_in(vertex);
	}
	return surface(sum.position, normal, tangent);
}
