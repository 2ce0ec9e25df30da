/* The loop's thread and the thread pools. */
#pragma once

enum executor {
	EXECUTOR_LOOP,   // on the loop's thread, at once: what takes microseconds and waits for
			 // nothing
	EXECUTOR_CPU,    // in the pool for work without a graphics context
	EXECUTOR_RENDER, // in the pool of the render threads
	EXECUTOR_DISK,   // in the pool for what waits for the disk
	EXECUTOR_IMPORT, // in the pool for what waits for a process that reads an asset
	EXECUTOR_FIT,    // in the pool for what takes seconds and minutes
	EXECUTOR_COUNT,
};
