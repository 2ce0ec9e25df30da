/* The parts of a file's scene besides meshes: its lights and cameras, each once for every node that
 * holds it. Plain data; look along the joint's -Z, with +Y up. */
#pragma once

#include <stdbool.h>

enum light_kind { LIGHT_DIRECTIONAL, LIGHT_POINT, LIGHT_SPOT };

/* KHR_lights_punctual. */
struct light {
	char *name; // may be empty; owned
	int index;  // in the file's list of lights
	int joint;  // position in rig->joints
	enum light_kind kind;
	float color[3];  // linear, [0, 1]
	float intensity; // >= 0; LIGHT_DIRECTIONAL: lux, else candela
	float range;     // where it ends, in the joint's units; 0 = nowhere, and LIGHT_DIRECTIONAL
	float inner_rad; // LIGHT_SPOT: half angle of the cone that is fully lit, < outer_rad
	float outer_rad; // LIGHT_SPOT: half angle beyond which it is dark, at most pi / 2
};

struct file_camera {
	char *name; // may be empty; owned
	int index;  // in the file's list of cameras
	int joint;  // position in rig->joints
	bool orthographic;
	float yfov_rad;   // perspective: from the lower edge to the upper, in (0, pi)
	float aspect;     // perspective: width by height; 0 = the picture's
	float xmag, ymag; // orthographic: half of what is seen, in the joint's units; > 0
	float near;       // perspective: > 0; orthographic: >= 0
	float far;        // > near; 0 = there is none (perspective)
};
