/* Rigid bodies that hang together: capsules, each fixed to a parent by a joint, above a plane.
 * Everything is in metres-like units that the caller chooses so that a whole set of bodies is about
 * one of them long; seconds, radians, a right-handed world.
 *
 * The same setup and calls give the same bits, whatever other threads do and on every machine: no
 * random order of constraints, no angles of the C library's (those are the caller's: see
 * physics_set_turns()). Different simulations may run in different threads at the same time; one is
 * for one thread at a time. */
#pragma once

#include <ode/ode.h>
#include <stdbool.h>

#include "base/error.h"

/* The greatest speeds that a step leaves: units per second, and rad per second. */
#define PHYSICS_FASTEST 1000.0

/* Things that can be said of one body's turning against its parent. */
#define PHYSICS_TURNS_MAX 6

/* One body as it is at the start. Its frame has its centre of mass as the origin. */
struct physics_body {
	double position[3];
	double rotation[4]; // x y z w, unit; the capsule lies along z
	double velocity[3];
	double spin[3];  // about axes of the world
	double radius;   // of the capsule, > 0
	double length;   // between the centres of its caps, >= 0
	double mass;     // > 0
	int parent;      // before it in the list; -1 = free
	double joint[3]; // where it is fixed to the parent, in the world
	bool hinged;     // turns about one axis only
	double axis[3];  // that axis in the world, unit
};

struct physics_setup {
	const struct physics_body *bodies; // [body_count]
	int body_count;
	const int (*pairs)[2]; // [pair_count] bodies that cannot pass through one another
	int pair_count;
	double step_s; // of every step, > 0
	bool awake;    // never falls asleep: what says how it turns goes on to change
	double gravity[3];
	bool grounded;           // whether there is a ground
	double ground_normal[3]; // unit; bodies stay where normal . x >= ground_level
	double ground_level;
};

/* The constraints on the turning of a body against its parent about an axis in the world during the
 * next step. With a softness of 1 / (h * k + d), h the step's seconds, and a rate of
 * -k * angle * softness it is a spring of stiffness k with damping d, stable for any of them. */
struct physics_turn {
	double axis[3];  // unit
	double rate;     // rad/s: the most, or with exact the rate itself
	double softness; // rad/s that it may differ by for each unit of torque; 0 = none
	bool exact;
};

struct physics_state {
	double position[3];
	double rotation[4]; // x y z w, unit
	double velocity[3];
	double spin[3];
};

struct physics;

/* Loads ODE at the first call. False with ERROR_INTERNAL where it is not installed. */
bool physics_load(struct error *err);

/* Free with physics_destroy, which takes NULL. Never fails once physics_load() has succeeded:
 * numbers are the caller's promise. */
struct physics *physics_create(const struct physics_setup *setup);
void physics_destroy(struct physics *physics);

/* Says how a body that has a parent turns against it in the next step. turns is [count], count is
 * PHYSICS_TURNS_MAX at most; what was said before for the body no longer holds. */
void physics_set_turns(
	struct physics *physics, int body, const struct physics_turn *turns, int count);

/* Goes on by a step. False with ERROR_INVALID_VALUE where a body leaves what can be
 * computed with: it is faster than PHYSICS_FASTEST. The simulation is of no use
 * then. */
bool physics_step(struct physics *physics, struct error *err);

/* True when all bodies have come to rest for good: steps cost nothing any more. */
bool physics_sleeps(const struct physics *physics);

void physics_get(const struct physics *physics, int body, struct physics_state *state);

struct serial;

/* One for one world. Free with serial_destroy, after the world; takes NULL. */
struct serial *serial_create(void);
void serial_destroy(struct serial *serial);

/* Has a world's steps done by it. */
void serial_serve(struct serial *serial, dWorldID world);
