/* The unit and the up axis of an asset, as requests say them. */
#pragma once

/* The unit and the up axis of an asset, in place of what its file says. */
struct asset_space {
	double unit_m; // metres; 0 = as the file says
	char up;       // 'x', 'y' or 'z'; 0 = as the file says
};

/* Room for the line that says it. */
#define ASSET_SPACE_BYTES 96
