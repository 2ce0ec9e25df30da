// The rotation nearest to a matrix; twin of renderer/skin/nearest_rotation.h, which says how.

const float NEAREST_ROTATION_LEAST = 1e-3;
const float NEAREST_ROTATION_LEAST_SQUARE = 1e-30;
const float NEAREST_ROTATION_MOST_SQUARE = 1e30;

// The greatest solution l of (l^2 - 1)^2 = 8 d l + 4 c.
float nearest_rotation_trace(float c, float d) {
	float root = sqrt(c);
	float l = sqrt(1.0 + 2.0 * root) + max(d, 0.0) / root;
	int steps = d < 0.0 ? 12 : 3;
	for (int i = 0; i < steps; i++) {
		float m = l * l - 1.0;
		float value = m * m - 8.0 * (d * l) - 4.0 * c;
		l -= value / (4.0 * (l * m) - 8.0 * d);
	}
	return l;
}

float columns_square(mat3 a) {
	return dot(a[0], a[0]) + dot(a[1], a[1]) + dot(a[2], a[2]);
}

// Scales a matrix to length 1, whatever its scale; false where it is zero.
bool make_columns_unit(inout mat3 a) {
	float norm = columns_square(a);
	if (!(norm > NEAREST_ROTATION_LEAST_SQUARE && norm < NEAREST_ROTATION_MOST_SQUARE)) {
		float greatest = max(max(greatest_of(a[0]), greatest_of(a[1])), greatest_of(a[2]));
		if (!(greatest > 0.0)) {
			return false;
		}
		a /= greatest;
		norm = columns_square(a);
	}
	a *= inversesqrt(norm);
	return true;
}

// False where there is none; then the matrix is left as it is.
bool nearest_rotation(inout mat3 a) {
	mat3 n = a;
	if (!make_columns_unit(n)) {
		return false;
	}
	mat3 cofactor = mat3(cross(n[1], n[2]), cross(n[2], n[0]), cross(n[0], n[1]));
	float d = dot(n[0], cofactor[0]);
	float c = dot(cofactor[0], cofactor[0]) + dot(cofactor[1], cofactor[1]) +
		dot(cofactor[2], cofactor[2]);
	float l = nearest_rotation_trace(c, d);
	float s = 0.5 * (l * l - 1.0);
	float product = l * s - d;
	if (!(product > NEAREST_ROTATION_LEAST)) {
		return false;
	}
	a = ((l * l - s) * n + l * cofactor - n * (transpose(n) * n)) * (1.0 / product);
	return true;
}
