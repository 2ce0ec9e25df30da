// Sine and cosine up to a quarter turn, for C and GLSL alike, so that both turn alike: of y, the
// angle's square, interpolated at Chebyshev's nodes; errors below 5e-8.
// (sin t / t - 1) / y
#define HALF_TURN_SINE(y) \
	(((2.63475636e-06f * (y) - 0.000198227397f) * (y) + 0.0083332425f) * (y) - 0.166666657f)
// (cos t - 1) / y
#define HALF_TURN_COSINE(y) \
	((((-2.62975163e-07f * (y) + 2.47745793e-05f) * (y) - 0.00138886517f) * (y) + \
		 0.0416666605f) * \
			(y) - \
		0.5f)
