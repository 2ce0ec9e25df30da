// Exact normals of v' = sum of w_k M_k v: METHODS B3. Behind skin.glsl; wants matrix_of(slot).

#include "weight_gradients.glsl"

// The derivative of the blend: twin of normal_derivative() in normal.h.
mat4 derivative_of(mat4 blended, vec3 v, uint influence) {
	mat4 j = blended;
	vec3 middle = (blended * vec4(v, 1.0)).xyz;
	for (uint k = 0u; k < span.w; k++) {
		vec3 image = (matrix_of(slot_of(influence + k)) * vec4(v, 1.0)).xyz - middle;
		add_image(j, image, influence + k);
	}
	return j;
}
