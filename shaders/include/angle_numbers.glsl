// Polynomials for rotation angles, highest power first, for GLSL and for C: least greatest error
// over the ranges below, found by Chebyshev's series.
// (atan(sqrt(x)) / sqrt(x) - 1) / x for x in [0, 1]: to 1.6e-8
#define ANGLE_ARC_COUNT 9
#define ANGLE_ARC -0.00238699732, 0.0135077714, -0.035871539, 0.0625016944, -0.0865688043, \
	0.110337641, -0.142785687, 0.199997393, -0.333333317
// (sin(sqrt(y)) / sqrt(y) - 1) / y for y in [0, 2.6], past the square of a quarter turn: to 9e-9
#define ANGLE_SINE_COUNT 4
#define ANGLE_SINE 2.62840311e-6, -0.000198207257, 0.00833322681, -0.166666658
// (cos(sqrt(y)) - 1) / y in the same range: to 5e-10
#define ANGLE_COSINE_COUNT 5
#define ANGLE_COSINE -2.62313769e-7, 2.47716457e-5, -0.00138886118, 0.0416666577, -0.5
