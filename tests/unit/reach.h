/* World positions of a pose's joints, for tests of inverse kinematics. */
#pragma once

#include "pose/pose.h"

/* A chain J0, J1, ... at random places with random unit rotations; the same seed gives the same. */
struct rig *rig_chain(unsigned seed, int joint_count);

/* Position of a joint. */
void joint_position(
	const struct rig *rig, const struct pose *pose, int joint, double out[static 3]);

/* Distance between two joints, and from a joint to a point. */
double joint_distance(const struct rig *rig, const struct pose *pose, int a, int b);
double joint_misses(
	const struct rig *rig, const struct pose *pose, int joint, const double point[static 3]);

/* A joint's world matrix. */
void joint_matrix(const struct rig *rig, const struct pose *pose, int joint, double out[static 12]);

/* The angle between three joints at the middle one, in degrees. */
double joint_angle(const struct rig *rig, const struct pose *pose, int a, int middle, int b);

/* Fails the test unless all rotations are unit and all numbers finite. */
void expect_sound_pose(const struct pose *pose);
