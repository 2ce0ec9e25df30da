// Rigid bodies through ODE's C API.
#include "physics/physics.h"

#include <assert.h>
#include <math.h>
#include <ode/ode.h>
#include <pthread.h>
#include <setjmp.h>

#include "base/delayed.h"
#include "base/memory.h"
#include "base/vec.h"

/* Contacts of two bodies, or of one with the ground, in one step. */
#define CONTACTS 4

/* The contact of bodies: the friction of skin and cloth, no bouncing. */
#define FRICTION 0.8

/* Bodies that are in one another are pushed apart no faster than this (units per second), so that
 * a start with crossed arms is no explosion. */
#define PUSH_SPEED 1.0

/* The least that every constraint gives (ODE's CFM): those that contradict one another, or say the
 * same, still make a system of equations that has a solution. */
#define MIN_SOFTNESS 1e-5

/* One body's part of the world. */
struct part {
	dBodyID body;
	dGeomID geom;
	dJointID motors[2]; // against the parent, for three turns each; NULL if there is none
};

/* Memory of the solver, in front of it: it forgets what it has where a step is left in the middle.
 */
struct block {
	struct block *next, **link;
};

struct physics {
	double step_s;
	dWorldID world;
	struct serial *serial;
	dJointGroupID contacts; // of the step under way
	dGeomID ground;         // NULL = none
	struct part *parts;     // [part_count]
	int part_count;
	int (*pairs)[2]; // [pair_count]
	int pair_count;
	bool broken; // a step was left in the middle
	struct block *blocks;
};

/* The step that a thread takes: where it goes on when the library gives up. */
struct stepping {
	jmp_buf out;
	struct block **blocks;
};

static _Thread_local struct stepping *stepping;

/* The solver tells of matrices that are singular to rounding, and goes on. */
__attribute__((format(printf, 2, 0))) static void ignore(
	int number, const char *format, va_list arguments) {
	(void)number;
	(void)format;
	(void)arguments;
}

/* The library reports an unsolvable system of equations as its own fault and would end the process;
 * some bodies produce one by rounding. */
__attribute__((format(printf, 2, 0))) static void leave(
	int number, const char *format, va_list arguments) {
	ignore(number, format, arguments);
	if (stepping) {
		longjmp(stepping->out, 1);
	}
}

static void *take_block(size_t bytes) {
	struct block **list = stepping->blocks;
	struct block *block = xcalloc(1, sizeof *block + bytes);
	*block = (struct block){.next = *list, .link = list};
	if (block->next) {
		block->next->link = &block->next;
	}
	*list = block;
	return block + 1;
}

static void *shrink_block(void *memory, size_t bytes, size_t fewer) {
	(void)bytes;
	(void)fewer;
	return memory;
}

static void give_block(void *memory, size_t bytes) {
	(void)bytes;
	struct block *block = (struct block *)memory - 1;
	*block->link = block->next;
	if (block->next) {
		block->next->link = block->link;
	}
	free(block);
}

static void start_library(void) {
	dInitODE2(0);
	dSetDebugHandler(leave);
	dSetErrorHandler(leave);
	dSetMessageHandler(ignore);
}

/* Auto-disabling: what rests for a moment costs nothing any more. Rest is a fifth of the speed that
 * falling gives in a step, so that nothing is taken for it that only turns round in the air. */
static void set_rest(dWorldID world, const struct physics_setup *setup) {
	const double speed = 0.2 * setup->step_s * vec3_length(setup->gravity);
	dWorldSetAutoDisableFlag(world, speed > 0 && !setup->awake);
	dWorldSetAutoDisableLinearThreshold(world, speed);
	dWorldSetAutoDisableAngularThreshold(world, 4 * speed);
	dWorldSetAutoDisableSteps(world, 30);
	dWorldSetAutoDisableTime(world, 0);
}

static void create_world(struct physics *physics, const struct physics_setup *setup) {
	physics->step_s = setup->step_s;
	physics->world = dWorldCreate();
	physics->serial = serial_create();
	serial_serve(physics->serial, physics->world);
	static const dWorldStepMemoryFunctionsInfo memory = {
		sizeof memory, take_block, shrink_block, give_block};
	dWorldSetStepMemoryManager(physics->world, &memory);
	dWorldSetGravity(physics->world, setup->gravity[0], setup->gravity[1], setup->gravity[2]);
	dWorldSetERP(physics->world, 0.2);
	dWorldSetCFM(physics->world, MIN_SOFTNESS);
	dWorldSetContactMaxCorrectingVel(physics->world, PUSH_SPEED);
	dWorldSetContactSurfaceLayer(physics->world, 5e-4);
	set_rest(physics->world, setup);
	physics->contacts = dJointGroupCreate(0);
	if (setup->grounded) {
		const double *normal = setup->ground_normal;
		physics->ground =
			dCreatePlane(0, normal[0], normal[1], normal[2], setup->ground_level);
	}
}

static void create_body(struct physics *physics, const struct physics_body *from, struct part *to) {
	to->body = dBodyCreate(physics->world);
	// About its own axis a thin limb would spin far too easily for steps of this length.
	const double thickness = fmax(from->radius, 0.2 * (from->length + 2 * from->radius));
	dMass mass;
	dMassSetCapsuleTotal(&mass, from->mass, 3, thickness, from->length);
	dBodySetMass(to->body, &mass);
	to->geom = dCreateCapsule(0, from->radius, from->length);
	dGeomSetBody(to->geom, to->body);
	const double *q = from->rotation, *v = from->velocity, *w = from->spin;
	dBodySetPosition(to->body, from->position[0], from->position[1], from->position[2]);
	dBodySetQuaternion(to->body, (const dQuaternion){q[3], q[0], q[1], q[2]});
	dBodySetLinearVel(to->body, v[0], v[1], v[2]);
	dBodySetAngularVel(to->body, w[0], w[1], w[2]);
}

static dJointID create_motor(struct physics *physics, dBodyID child, dBodyID parent) {
	const dJointID motor = dJointCreateAMotor(physics->world, 0);
	dJointAttach(motor, child, parent);
	dJointSetAMotorMode(motor, dAMotorUser);
	dJointSetAMotorNumAxes(motor, 0);
	return motor;
}

static void create_joint(
	struct physics *physics, const struct physics_body *from, struct part *to) {
	const dBodyID parent = physics->parts[from->parent].body;
	const double *at = from->joint, *axis = from->axis;
	if (from->hinged) {
		const dJointID hinge = dJointCreateHinge(physics->world, 0);
		dJointAttach(hinge, to->body, parent);
		dJointSetHingeAnchor(hinge, at[0], at[1], at[2]);
		dJointSetHingeAxis(hinge, axis[0], axis[1], axis[2]);
	} else {
		const dJointID ball = dJointCreateBall(physics->world, 0);
		dJointAttach(ball, to->body, parent);
		dJointSetBallAnchor(ball, at[0], at[1], at[2]);
	}
	to->motors[0] = create_motor(physics, to->body, parent);
	to->motors[1] = create_motor(physics, to->body, parent);
}

bool physics_load(struct error *err) {
	return delayed_load(&delayed_ode, err);
}

struct physics *physics_create(const struct physics_setup *setup) {
	assert(physics_load(NULL));
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, start_library);
	dAllocateODEDataForThread(dAllocateMaskAll);
	struct physics *physics = xcalloc(1, sizeof *physics);
	create_world(physics, setup);
	physics->parts = xcalloc((size_t)setup->body_count, sizeof *physics->parts);
	physics->part_count = setup->body_count;
	for (int i = 0; i < setup->body_count; i++) {
		create_body(physics, &setup->bodies[i], &physics->parts[i]);
		if (setup->bodies[i].parent >= 0) {
			create_joint(physics, &setup->bodies[i], &physics->parts[i]);
		}
	}
	physics->pairs = xcalloc((size_t)setup->pair_count, sizeof *physics->pairs);
	physics->pair_count = setup->pair_count;
	for (int i = 0; i < setup->pair_count; i++) {
		physics->pairs[i][0] = setup->pairs[i][0];
		physics->pairs[i][1] = setup->pairs[i][1];
	}
	return physics;
}

void physics_destroy(struct physics *physics) {
	if (!physics) {
		return;
	}
	for (int i = 0; i < physics->part_count; i++) {
		dGeomDestroy(physics->parts[i].geom);
	}
	if (physics->ground) {
		dGeomDestroy(physics->ground);
	}
	dJointGroupDestroy(physics->contacts);
	dWorldDestroy(physics->world); // with its bodies and joints
	serial_destroy(physics->serial);
	while (physics->blocks) {
		give_block(physics->blocks + 1, 0);
	}
	free(physics->parts);
	free(physics->pairs);
	free(physics);
}

/* A bound is a stop at 0 that the angle is past by one radian, of which so much is to be put right
 * in a step as leaves the rate: less than nothing where there is still some way to go. */
static void set_turn(dJointID motor, int place, const struct physics_turn *turn, double step_s) {
	const int group = place * dParamGroup;
	const double softness = fmax(turn->softness, MIN_SOFTNESS);
	dJointSetAMotorAxis(motor, place, 0, turn->axis[0], turn->axis[1], turn->axis[2]);
	dJointSetAMotorAngle(motor, place, 1);
	dJointSetAMotorParam(motor, group + dParamLoStop, -dInfinity);
	dJointSetAMotorParam(motor, group + dParamHiStop, turn->exact ? dInfinity : 0);
	dJointSetAMotorParam(motor, group + dParamStopERP, -turn->rate * step_s);
	dJointSetAMotorParam(motor, group + dParamStopCFM, softness);
	dJointSetAMotorParam(motor, group + dParamVel, turn->rate);
	dJointSetAMotorParam(motor, group + dParamFMax, turn->exact ? dInfinity : 0);
	dJointSetAMotorParam(motor, group + dParamCFM, softness);
}

void physics_set_turns(
	struct physics *physics, int body, const struct physics_turn *turns, int count) {
	assert(count <= PHYSICS_TURNS_MAX);
	for (int i = 0; i < 2; i++) {
		const dJointID motor = physics->parts[body].motors[i];
		const int here = count < 3 ? count : 3;
		dJointSetAMotorNumAxes(motor, here);
		for (int k = 0; k < here; k++) {
			set_turn(motor, k, &turns[k], physics->step_s);
		}
		turns += here;
		count -= here;
	}
}

static void touch(struct physics *physics, dGeomID a, dGeomID b) {
	dContactGeom found[CONTACTS];
	const int count = dCollide(a, b, CONTACTS, found, sizeof *found);
	for (int i = 0; i < count; i++) {
		const dContact contact = {
			.surface = {.mode = dContactApprox1, .mu = FRICTION},
			.geom = found[i],
		};
		dJointAttach(dJointCreateContact(physics->world, physics->contacts, &contact),
			dGeomGetBody(a), dGeomGetBody(b));
	}
}

static bool is_sound(dBodyID body) {
	const dReal *position = dBodyGetPosition(body), *velocity = dBodyGetLinearVel(body);
	const dReal *spin = dBodyGetAngularVel(body);
	return isfinite(position[0] + position[1] + position[2]) &&
		vec3_length(velocity) < PHYSICS_FASTEST && vec3_length(spin) < PHYSICS_FASTEST;
}

bool physics_sleeps(const struct physics *physics) {
	for (int i = 0; i < physics->part_count; i++) {
		if (dBodyIsEnabled(physics->parts[i].body)) {
			return false;
		}
	}
	return true;
}

/* Not the quick step: that one draws the order of its rows from one generator for all. */
static bool step_world(struct physics *physics) {
	struct stepping here = {.blocks = &physics->blocks};
	if (setjmp(here.out) != 0) {
		stepping = NULL;
		return false;
	}
	stepping = &here;
	dWorldStep(physics->world, physics->step_s);
	stepping = NULL;
	return true;
}

bool physics_step(struct physics *physics, struct error *err) {
	assert(!physics->broken);
	if (physics_sleeps(physics)) {
		return true;
	}
	for (int i = 0; physics->ground && i < physics->part_count; i++) {
		touch(physics, physics->parts[i].geom, physics->ground);
	}
	for (int i = 0; i < physics->pair_count; i++) {
		touch(physics, physics->parts[physics->pairs[i][0]].geom,
			physics->parts[physics->pairs[i][1]].geom);
	}
	if (!step_world(physics)) {
		physics->broken = true;
		return error_set(err, ERROR_INVALID_VALUE,
			"the bodies' sizes are too different for a simulation to solve");
	}
	dJointGroupEmpty(physics->contacts);
	for (int i = 0; i < physics->part_count; i++) {
		if (!is_sound(physics->parts[i].body)) {
			return error_set(err, ERROR_INVALID_VALUE,
				"bodies get faster than a simulation can follow");
		}
	}
	return true;
}

void physics_get(const struct physics *physics, int body, struct physics_state *state) {
	const dBodyID from = physics->parts[body].body;
	const dReal *position = dBodyGetPosition(from), *q = dBodyGetQuaternion(from);
	const dReal *velocity = dBodyGetLinearVel(from), *spin = dBodyGetAngularVel(from);
	for (int i = 0; i < 3; i++) {
		state->position[i] = position[i];
		state->velocity[i] = velocity[i];
		state->spin[i] = spin[i];
		state->rotation[i] = q[i + 1];
	}
	state->rotation[3] = q[0];
}
