// A stream's clock of frames: which frames it makes, and which it counts as dropped.
#include "api/streams.h"

#include <string.h>

#include "base/clock.h"
#include "model/rig.h"
#include "rigs.h"

#include "check.h"

#define FPS 2000.0
#define LAST_FRAME 150

static struct live_stream *open_stream(struct streams *streams, struct rig *rig) {
	const struct stream_request request = {.fps = FPS, .speed = 1};
	struct error err = {0};
	struct live_stream *stream = streams_open(streams,
		&(struct stream_params){.request = &request, .rig_name = "a", .rig = rig}, &err);
	if (!stream) {
		fail_msg("%s", err.text);
	}
	return stream;
}

/* Looks at the clock again when so many more frames have become due. */
static void tick_after(
	struct streams *streams, struct live_stream *stream, int frames, struct stream_tick *tick) {
	const double until_s = tick->next_s + frames / FPS;
	while (clock_now_s() < until_s) {
	}
	stream_tick(streams, stream, tick);
}

static void each_frame_is_made_or_counted_as_dropped(void **state) {
	(void)state;
	struct rig *rig = rig_random(1, 3, 3, 1);
	struct streams *streams = streams_create();
	struct live_stream *stream = open_stream(streams, rig);
	struct stream_tick tick;
	stream_tick(streams, stream, &tick);
	assert_true(tick.due);
	assert_int_equal(tick.number, 0);
	assert_int_equal(tick.dropped, 0);
	uint64_t made = 1, dropped = 0;
	for (uint32_t last = 0; last < LAST_FRAME; last = tick.number) {
		const int late = last % 3;
		tick_after(streams, stream, late, &tick);
		assert_true(tick.due);
		assert_true(tick.dropped >= (uint64_t)late);
		assert_int_equal(tick.dropped, tick.number - last - 1);
		made++;
		dropped += tick.dropped;
	}
	struct stream_state told;
	stream_read_state(streams, stream, &told);
	assert_int_equal(told.frames, made);
	assert_int_equal(told.dropped, dropped);
	assert_int_equal(told.frames + told.dropped, tick.number + 1);
	streams_close(streams, stream);
	streams_destroy(streams);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_frame_is_made_or_counted_as_dropped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
