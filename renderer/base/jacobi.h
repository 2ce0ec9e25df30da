/* Eigenvalues and eigenvectors of small symmetric matrices. */
#pragma once

/* Eigenvalues and unit eigenvectors of a symmetric matrix by Jacobi's rotations: the former take
 * the diagonal's place, the latter become columns. Both are [size * size] in rows. The same bits on
 * every machine. */
void jacobi_diagonalise(int size, double *symmetric, double *vectors);
