/*
 * Reproducible series for tests of the statistics: a 64-bit linear congruential
 * generator, normals by Box-Muller, AR(1) and log-normal series from them.
 */
#ifndef WEIR_TESTS_SERIES_H
#define WEIR_TESTS_SERIES_H

#include <stddef.h>
#include <stdint.h>

void series_seed(uint64_t seed);
double series_uniform(void); /* in (0, 1) */
double series_normal(void);

/* z[0] normal, z[t] = rho z[t-1] + sqrt(1 - rho^2) normal. */
void series_ar(double *z, size_t n, uint64_t seed, double rho);

/* scale exp(sigma z - sigma^2 / 2): mean is SCALE. */
void series_lognormal(
	double *x, size_t n, uint64_t seed, double rho, double sigma, double scale);

#endif
