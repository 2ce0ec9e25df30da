"""The parts of the demo rigs' generator: shapes, surfaces, weights, motions, GLB writer."""
