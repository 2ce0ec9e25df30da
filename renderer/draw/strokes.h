/* Lines and dots of any width over a picture: capsules on the screen. */
#pragma once

/* A capsule from start to end; a dot where both are one place. */
struct stroke {
	float start[3]; // in the world
	float start_radius;
	float end[3];
	float end_radius;
	float color[4]; // linear, premultiplied by alpha
	float lift;     // how much nearer to the eye it counts, in pixels' worth there
};

enum stroke_depth {
	STROKES_BEFORE, // where nothing is nearer
	STROKES_BEHIND, // where something is
};

struct strokes_job {
	const float *view_projection; // [16] world to clip space, column-major
	int width, height, samples;   // of the target
	double unit;                  // pixels that a radius of 1 is
	enum stroke_depth where;
	double opacity; // that colours are multiplied by
};

/* The style of all lines made from a rig's skinned vertices. */
struct stroke_style {
	double radius;
	double color[4]; // linear, premultiplied by alpha
	double lift;
};
