/* Where work is done. */
#pragma once

enum place {
	PLACE_LOOP, // on the loop's thread, at once: what takes microseconds and waits for nothing
	PLACE_CPU,  // in the pool for work without a graphics context
	PLACE_RENDER, // in the pool of the render threads
	PLACE_DISK,   // in the pool for what waits for the disk
	PLACE_IMPORT, // in the pool for what waits for a process that reads an asset
	PLACE_FIT,    // in the pool for what takes seconds and minutes
	PLACE_COUNT,
};
