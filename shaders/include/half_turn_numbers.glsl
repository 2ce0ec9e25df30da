// Sine and cosine up to a quarter turn, for C and GLSL alike, so that both turn alike: interpolated
// at Chebyshev's nodes, highest power of the angle's square first; errors below 5e-8.
// (sin t / t - 1) / t^2
#define HALF_TURN_SINE 2.63475636e-06, -0.000198227397, 0.0083332425, -0.166666657
// (cos t - 1) / t^2
#define HALF_TURN_COSINE -2.62975163e-07, 2.47745793e-05, -0.00138886517, 0.0416666605, -0.5
