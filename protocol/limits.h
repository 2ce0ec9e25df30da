/* The limits of one client's requests. Each has its unit and its reason. */
#pragma once

// GCC's <limits.h> looks for the C library's from the first -iquote folder on, and so finds this
// one.
#ifdef _GCC_NEXT_LIMITS_H
#include_next <limits.h>
#endif

#define LIMIT_MIB ((size_t)1 << 20)

/* Bytes of a JSON body: 4,096 poses of a kilobyte each, the longest list that is allowed. */
#define LIMIT_JSON_BYTES (4 * LIMIT_MIB)

/* Values in a JSON body: 64 for each of 4,096 poses. A tree of them takes up to 80 bytes per value,
 * so that a body of nothing but brackets cannot take forty times its size. */
#define LIMIT_JSON_VALUES 262144

/* Lists and objects inside one another: the readers recurse, and no pose needs this many. */
#define LIMIT_JSON_DEPTH 64

/* Bytes of an asset: it is held in memory while it is read; scanned characters reach 100 MiB. */
#define LIMIT_ASSET_BYTES (256 * LIMIT_MIB)

/* Files of an asset that comes as a form: real ones have some tens. */
#define LIMIT_FORM_FILES 4096

/* Bytes of memory that reading an asset may take, in a process of its own: enough for the rig of
 * 512 MiB that any file may fill (import/limits.h) with as much again on the way there, and for
 * each byte of the file several times what real assets need; in all no more than machines have to
 * spare. */
#define LIMIT_IMPORT_BYTES_FREE (1024 * LIMIT_MIB)
#define LIMIT_IMPORT_BYTES_PER_BYTE 32
#define LIMIT_IMPORT_BYTES_MAX (4096 * LIMIT_MIB)

/* Seconds of processor time that reading an asset may take, unless --import-seconds says otherwise:
 * the greatest assets take one or two. */
#define LIMIT_IMPORT_SECONDS 10.0

/* Bytes of a rig's name: with room to spare for a file name, which may have 255. */
#define LIMIT_NAME_BYTES 128

/* Examples of one rig: what is fitted to them takes memory and time with the square of their
 * number, and whole libraries of sculpted faces have a hundred or two. */
#define LIMIT_EXAMPLES 256

/* Bytes of the vertices of all examples of one rig: they are in memory together when something is
 * fitted to them. */
#define LIMIT_EXAMPLES_BYTES (512 * LIMIT_MIB)

/* Bytes of an example's pose as JSON: every joint of a large rig set by itself takes half of it. */
#define LIMIT_EXAMPLE_POSE_BYTES ((size_t)256 << 10)

/* Clips of one rig beside those in its file: game characters have a hundred or two. */
#define LIMIT_CLIPS 256

/* Bytes of all of these of one rig: they are in memory together with the rig. */
#define LIMIT_CLIPS_BYTES (256 * LIMIT_MIB)

/* Seconds of a motion that is baked: far beyond any. */
#define LIMIT_CLIP_DURATION_S 1e6

/* Frames of a clip that is baked: ten minutes at 60 a second; and how many may be made of a second,
 * far beyond what any motion needs. */
#define LIMIT_CLIP_FRAMES 36001
#define LIMIT_CLIP_RATE 1000.0

/* Samples of a compressed clip that are decoded together: what the format has room for. */
#define LIMIT_SEGMENT_SAMPLES 32768

/* Poses of one request: over two minutes at 30 a second. */
#define LIMIT_POSES 4096

/* Pixels of all frames of a sequence: as many of 1024 x 1024 as there may be poses. They take some
 * minutes to draw. */
#define LIMIT_SEQUENCE_PIXELS ((uint64_t)LIMIT_POSES << 20)

/* Frames of a second of a sequence: what screens show at most; and so slow that each can be read
 * out. */
#define LIMIT_FRAME_RATE_MIN 0.01
#define LIMIT_FRAME_RATE_MAX 240.0

/* Times that a sequence says it is to be shown: what formats have two bytes for. */
#define LIMIT_LOOPS 65535

/* Degrees that a turntable goes round: ten times. */
#define LIMIT_TURN_DEG 3600.0

/* Figures of one crowd: a picture of 64 x 64 of them, or a street; each costs its palette, some
 * kilobytes, while it is drawn. */
#define LIMIT_CROWD_FIGURES 4096

/* Rigs that a crowd is made of: they are in memory together. */
#define LIMIT_CROWD_RIGS 16

/* Vertices of a crowd that is drawn: the figures of a full crowd may have 65,536 each. */
#define LIMIT_CROWD_VERTICES ((size_t)1 << 28)

/* Skinning methods that one request compares: more do not fit side by side, and pairs grow with the
 * square of it. */
#define LIMIT_METHODS 8

/* Vertices that a comparison lists of each pair of methods: what somebody looks at. */
#define LIMIT_WORST 100

/* Transitions that are found at once: what somebody chooses from; and the moments of a second that
 * are looked at for them, far beyond what any motion needs. */
#define LIMIT_TRANSITIONS 64
#define LIMIT_TRANSITION_RATE 1000.0

/* Limits of rules, suppressions and globs that a rules file gives: a studio's own has some tens,
 * and each is held against every rule of every clip. */
#define LIMIT_CHECK_OVERRIDES 1024
#define LIMIT_CHECK_SUPPRESSIONS 4096
#define LIMIT_CHECK_NAMES 4096

/* Values in a report that is a baseline: some thousand for each of a thousand files. */
#define LIMIT_BASELINE_VALUES ((size_t)8 << 20)

/* Pixels of a picture's side: 64 MiB of colour, before multisampling. */
#define LIMIT_SIDE_PIXELS 4096

/* Samples per pixel: what drivers offer at most. */
#define LIMIT_SAMPLES 16

/* Squares of a chequerboard along a side: finer ones are grey in any picture. */
#define LIMIT_SQUARES 1024

/* Exponent of a highlight: one of more falls between the vertices of any mesh. */
#define LIMIT_SHININESS 1024.0

/* Figures of other times in one picture: more cannot be told apart; each is skinned. */
#define LIMIT_ONION 32

/* Dots on a path of a joint: each takes eight poses on the way to the next. */
#define LIMIT_TRAIL_DOTS 256

/* Seconds from the moment of a pose to another that is drawn with it, or in the same sequence,
 * either way: an hour. */
#define LIMIT_CLOCK_S 3600.0

/* Bytes of one frame of an answer, or of an answer that is not made frame by frame: it is made in
 * memory. */
#define LIMIT_REPLY_BYTES (512 * LIMIT_MIB)

/* Bytes of frames up to which an answer is made as a whole, and can be kept for others; longer ones
 * are made while they are sent, so that memory does not grow with their length. */
#define LIMIT_WHOLE_BYTES (4 * LIMIT_MIB)

/* Bytes of frames, at least, that are made at a time for an answer under way: enough that waking a
 * thread for them costs nothing beside. */
#define LIMIT_PIECE_BYTES LIMIT_MIB

/* Metres, or whatever the asset's unit is, from eye to target: far beyond any asset on both
 * sides, and far from where float32 matrices lose the rig. */
#define LIMIT_DISTANCE_MIN 1e-9
#define LIMIT_DISTANCE_MAX 1e9

/* Degrees of the vertical field of view: outside of these a projection is all rounding errors. */
#define LIMIT_FOV_MIN_DEG 0.01
#define LIMIT_FOV_MAX_DEG 179.0

/* Streams that are open at once, and those of one client: each may keep a thread busy. */
#define LIMIT_STREAMS 64
#define LIMIT_CLIENT_STREAMS 16

/* Frames a second of a stream: from one a second to what the fastest screens show. */
#define LIMIT_STREAM_FPS_MIN 1.0
#define LIMIT_STREAM_FPS_MAX 240.0

/* The greatest speed of a stream's pose, against the clock, forwards or backwards. */
#define LIMIT_STREAM_SPEED 100.0

/* Ways to skin each moment of a stream: two are compared, a few stand beside one another; each
 * costs a frame. */
#define LIMIT_STREAM_SKINNINGS 4

/* Seconds of the shortest range that a stream goes round in. */
#define LIMIT_STREAM_RANGE_MIN_S 0.001

/* Seconds of a pose's clock, and of a stream: beyond any motion, and far from where seconds lose
 * their fractions. */
#define LIMIT_STREAM_TIME_S 1e6
#define LIMIT_STREAM_DURATION_MIN_S 0.001

/* Bytes of a request's line and header, the fields of the header and the parameters of a query: the
 * HTTP library has memory for so many at once, and for its answer. Twice what browsers send. */
#define LIMIT_HEAD_BYTES 16384
#define LIMIT_HEADER_FIELDS 100
#define LIMIT_QUERY_PARAMETERS 100

/* Milliseconds that a client may give us for an answer. */
#define LIMIT_DEADLINE_MS 3600000UL

/* Stops either way that a picture may be exposed by: a thousand times the light, or less. */
#define LIMIT_EXPOSURE_STOPS 10

/* Rigs of one check: their files are in memory together, and a folder of a project has some tens.
 */
#define LIMIT_CHECK_RIGS 64

/* Clips of a file that is checked: whole motion libraries in one file have a thousand. */
#define LIMIT_CHECK_CLIPS 4096

/* Globs of a list of a check's request, and bytes of the path of an asset that is the body: some
 * tens, and what file systems take. */
#define LIMIT_CHECK_GLOBS 256
#define LIMIT_CHECK_PATH_BYTES 4096

/* Checks that are under way in the background, and those of one client: each has its files in
 * memory. */
#define LIMIT_CHECKS 64
#define LIMIT_CLIENT_CHECKS 16
